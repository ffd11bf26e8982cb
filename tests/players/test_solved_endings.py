"""Players that know solved endings, of three pieces in checkers."""

import pickle
from dataclasses import replace

import pytest

from neche.endings.probing import open_endings
from neche.endings.solving import solve_endings
from neche.errors import InputError
from neche.games.catalogue import game
from neche.players.alpha_beta import AlphaBeta
from neche.players.engine import Analysis, Stop
from neche.players.solved_endings import EndingsPlayer
from neche.players.spec import parse_player
from tests.endings.bases import random_positions

CHECKERS = game("checkers")
KINDS = ("blind:depth=2", "material:depth=2", "champion:depth=2", "mcrd:playouts=50", "uct:playouts=60")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("with-distances")
    list(solve_endings(CHECKERS, folder, 3, with_distances=True))
    return folder


@pytest.fixture(scope="module")
def values_alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("values")
    list(solve_endings(CHECKERS, folder, 3))
    return folder


def known_verdict(endings, position):
    verdict = endings.probe(position)
    assert verdict is not None
    return verdict


def positions(count, seed=1):
    return [one for one in random_positions("checkers", 3, count, seed) if CHECKERS.legal_moves(one)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_plays_moves_that_keep_the_exact_result(kind, folder, values_alone):
    endings = open_endings(CHECKERS, folder)
    for known in (folder, values_alone):
        player = parse_player(f"{kind},endings={known}")
        engine = player.new_game(CHECKERS)
        for position in positions(40):
            found, verdict = engine.analyse(position, key=3), known_verdict(endings, position)
            after = endings.after_moves(position) or {}
            assert found.proven == verdict.result
            assert {after[text].result for text in found.best_moves} == {verdict.result}
            assert engine.expected_score(found) == (1 + verdict.result) / 2
            assert found.pv[0] == found.best_moves[0]
            assert {move.text for move in found.moves} == set(after)
            if known == folder:
                assert found.plies_to_end == verdict.plies


@pytest.mark.parametrize("kind", ["material:depth=1", "uct:playouts=20"])
def test_won_games_take_the_solved_number_of_plies(kind, folder):
    endings = open_endings(CHECKERS, folder)
    engine = parse_player(f"{kind},endings={folder}").new_game(CHECKERS)
    for start in positions(60, seed=4):
        verdict, position, plies = known_verdict(endings, start), start, 0
        if verdict.plies is None:
            continue
        line = engine.analyse(start).pv
        while moves := CHECKERS.legal_moves(position):
            best = engine.analyse(position, key=plies).best_moves[0]
            assert len(line) > plies
            position = next(move.after for move in moves if move.text == best)
            plies += 1
        assert plies == verdict.plies == len(line)


def test_with_more_pieces_the_option_changes_nothing(folder):
    for kind in ("material:depth=3", "uct:playouts=100"):
        known, plain = parse_player(f"{kind},endings={folder}"), parse_player(kind)
        for fen in ("W:W18,19:B3,6", CHECKERS.format_fen(CHECKERS.start())):
            position = CHECKERS.parse_fen(fen)
            found = [
                player.new_game(CHECKERS).analyse(position, key=7, every_value=True)
                for player in (known, plain)
            ]
            figures = [{**one.figures, "playouts_per_second": 0} for one in found]
            same = [replace(one, seconds=0.0, figures={}) for one in found]
            assert same[0] == same[1]
            assert figures[0] == figures[1]
            assert same[0].proven is None


def test_without_the_option_endings_are_not_used(folder, monkeypatch):
    monkeypatch.setenv("NECHE_ENDINGS", str(folder))
    assert isinstance(parse_player("material:depth=4"), AlphaBeta)
    assert isinstance(parse_player("material:depth=4,endings=usual"), EndingsPlayer)


def test_a_player_says_what_it_is(folder):
    words = f"material:depth=4,endings={folder}"
    player = parse_player(words)
    assert player.name == words
    deeper = player.at_depth(6)
    assert deeper is not None
    assert deeper.name == f"material:depth=6,endings={folder}"
    assert player.batch_search is None
    assert (player.judges, player.gives_scores, player.is_tree, player.time_ms) == (True, False, False, None)
    tree = parse_player(f"uct:time=5,endings={folder}")
    assert (tree.gives_scores, tree.is_tree, tree.time_ms, tree.at_depth(3)) == (True, True, 5, None)
    again = pickle.loads(pickle.dumps(player))
    assert (again.name, again.digest) == (words, player.digest)


def test_bad_options_are_named(folder, tmp_path):
    with pytest.raises(InputError, match=f"{tmp_path}: no solved endings of checkers"):
        parse_player(f"material:endings={tmp_path}")
    with pytest.raises(InputError, match="no solved endings of brazilian"):
        parse_player(f"material:endings={folder}", "brazilian")
    with pytest.raises(InputError, match="no solved endings of othello; exact=N"):
        parse_player(f"material:endings={folder}", "othello")
    with pytest.raises(InputError, match="random has no option 'endings'"):
        parse_player(f"random:endings={folder}")


def test_progress_reports_a_position_that_was_looked_up(folder):
    heard: list[Analysis] = []
    engine = parse_player(f"material:depth=2,endings={folder}").new_game(CHECKERS)
    found = engine.analyse(CHECKERS.parse_fen("W:WK1,K2:BK32"), progress=heard.append)
    assert heard == [found]
    assert found.plies_to_end == 33


def test_progress_reports_only_moves_that_keep_the_exact_result(values_alone):
    heard: list[Analysis] = []
    endings = open_endings(CHECKERS, values_alone)
    position = CHECKERS.parse_fen("W:WK1,K2:BK32")
    engine = parse_player(f"material:depth=4,endings={values_alone}").new_game(CHECKERS)
    found = engine.analyse(position, stop=Stop(), progress=heard.append)
    assert heard.pop() == found
    assert [one.depth for one in heard] == [1, 2, 3, 4]
    after = endings.after_moves(position) or {}
    for one in heard:
        assert one.proven == 1
        assert {after[text].result for text in one.best_moves} == {1}
    silent = engine.analyse(position, stop=Stop())
    assert (found.values, found.best_moves) == (silent.values, silent.best_moves)
