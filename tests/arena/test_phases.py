import pytest

from neche.arena.phases import PHASES, examine, sample_positions
from neche.errors import InputError
from neche.games.catalogue import game
from neche.players.alpha_beta import Convolutional
from neche.players.spec import parse_player
from tests.network.convolutions import random_convolution

GUIDE = parse_player("random")
CHECKERS, BRAZILIAN = game("checkers"), game("brazilian")


@pytest.mark.parametrize("name", ["checkers", "othello"])
def test_each_game_gives_one_position_with_a_choice_of_each_third(name):
    rules = game(name)
    samples = sample_positions(rules, GUIDE, 5, seed=1)
    assert [sample.phase for sample in samples] == [phase for phase in PHASES for _ in range(5)]
    for number, sample in enumerate(samples):
        third = number // 5
        assert third * sample.plies // 3 <= sample.ply < (third + 1) * sample.plies // 3
        assert len(rules.legal_moves(sample.position)) > 1
        assert samples[number % 5].plies == sample.plies
    pieces = [sum(map(int.bit_count, map(int, sample.position[:2]))) for sample in samples]
    for counts in (pieces[number::5] for number in range(5)):
        # a game of checkers loses pieces, a game of Othello gains discs
        assert counts == sorted(counts, reverse=name == "checkers")
        assert counts[0] != counts[2]


def test_samples_depend_on_the_seed_alone():
    first = sample_positions(BRAZILIAN, GUIDE, 3, seed=1)
    assert sample_positions(BRAZILIAN, GUIDE, 3, seed=1) == first
    assert sample_positions(BRAZILIAN, GUIDE, 3, seed=2) != first
    # more games are the same games and some others
    assert sample_positions(BRAZILIAN, GUIDE, 4, seed=1)[:3] == first[:3]


def test_an_engine_reports_figures_and_has_a_new_graph_for_each_position():
    samples = sample_positions(BRAZILIAN, GUIDE, 2, seed=1)
    player = parse_player("uct:playouts=300")
    done = []
    reports = list(examine(player, BRAZILIAN, samples, 1, notify=lambda *told: done.append(told)))
    assert [report.phase for report in reports] == list(PHASES)
    assert done == [(number, 6) for number in range(1, 7)]
    for report in reports:
        for sample, figures in zip(report.samples, report.figures, strict=True):
            assert figures["legal_moves"] == len(BRAZILIAN.legal_moves(sample.position))
            assert 0 <= figures["value"] <= 1
            assert figures["nodes"] <= 300
            assert figures["line_length"] <= figures["line_to_leaf"] <= figures["tree_depth"]
            assert figures["mean_depth"] <= figures["tree_depth"]
        for name in ("value", "mean_depth", "playouts"):
            assert report.means[name] == pytest.approx(sum(each[name] for each in report.figures) / 2)
        seconds = sum(each["seconds"] for each in report.figures)
        playouts = sum(each["playouts"] for each in report.figures)
        assert report.means["playouts_per_second"] == pytest.approx(playouts / seconds)
    alone = list(examine(player, BRAZILIAN, samples[:1], 1))
    assert len(alone) == 1
    same = ("value", "nodes", "tree_depth")
    assert [alone[0].figures[0][name] for name in same] == [reports[0].figures[0][name] for name in same]


def test_a_search_reports_its_depth_and_nodes():
    samples = sample_positions(CHECKERS, GUIDE, 2, seed=1)
    for report in examine(parse_player("material:depth=3"), CHECKERS, samples, 1):
        assert report.means["depth"] == 3
        assert report.means["nodes_per_second"] > 0
        assert all(figures["nodes"] > figures["legal_moves"] for figures in report.figures)


def test_a_convolutional_network_plays_no_playouts_and_reports_its_nodes():
    samples = sample_positions(CHECKERS, GUIDE, 1, seed=1)
    for report in examine(Convolutional("cnn", random_convolution(1)), CHECKERS, samples, 1):
        assert "playouts" not in report.means
        assert report.means["depth"] == 1
        assert report.means["nodes"] >= report.means["legal_moves"]
        assert 0 <= report.means["value"] <= 1


def test_a_phase_may_mix_solved_positions_with_others():
    rules = game("othello")
    samples = sample_positions(rules, GUIDE, 8, seed=1)[16:]
    (report,) = examine(parse_player("uct:playouts=20,exact=8", "othello"), rules, samples, 1)
    empty = [64 - int(sample.position.own | sample.position.foe).bit_count() for sample in samples]
    depths = [figures.get("mean_depth") for figures in report.figures]
    assert [depth is None for depth in depths] == [squares <= 8 for squares in empty]
    known = [depth for depth in depths if depth is not None]
    assert 0 < len(known) < len(depths)
    assert report.means["mean_depth"] == pytest.approx(sum(known) / len(known))


@pytest.mark.parametrize(
    ("guide", "message"),
    [
        ("uct:time=5", "is not repeatable"),
        ("blind:nodes=500,threads=2", "is not repeatable"),
        ("champion-1:depth=2", "a network with 32 sensors does not see the board of othello"),
    ],
)
def test_a_guide_that_cannot_play_repeatably_is_refused(guide, message):
    with pytest.raises(InputError, match=message):
        sample_positions(game("othello"), parse_player(guide), 1, seed=1)


def test_a_player_that_does_not_evaluate_has_no_figures():
    with pytest.raises(InputError, match="player random does not evaluate positions"):
        list(examine(GUIDE, CHECKERS, sample_positions(CHECKERS, GUIDE, 1, seed=1), 1))
