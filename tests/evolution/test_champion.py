import json

import numpy as np
import pytest

import neche
from neche.archive.checkpoint import read_generation_line
from neche.arena.playing import play_games
from neche.errors import InputError
from neche.evolution import champion
from neche.evolution.champion import (
    HALL_SIZE,
    benchmark_players,
    enter_hall_of_fame,
    play_benchmarks,
    play_hall_of_fame,
    play_off,
    select_champion,
)
from neche.evolution.curriculum import Stage
from neche.evolution.evolve import evolve
from neche.evolution.population import Context, Member, PastChampion
from neche.genome.fasta import Record, format_records
from neche.network.decode import decode, material_genome, material_network
from neche.players.spec import parse_player
from tests.evolution.builders import ranked_generation, tiny_settings
from tests.evolution.fake_games import fake_play

SETTINGS = tiny_settings()
CONTEXT, FIRST = Context(SETTINGS, 1, 0), Stage(1, None)
MEMBERS = ranked_generation(SETTINGS).members


@pytest.fixture
def scheduled(monkeypatch):
    """Let contestant 3 be the strongest of the first five; collect what is played."""
    played = []

    def play(field, pairings, rule):
        played.append(pairings)
        return fake_play([6, 7, 8, 10, 9, 11, 0, 1, 2, 3, 4, 5])(pairings)

    monkeypatch.setattr("neche.evolution.champion.play_games", play)
    return played


def test_the_best_of_the_candidates_is_champion(scheduled):
    rank, scores = play_off(CONTEXT, MEMBERS, FIRST, "play-off", num_candidates=5, num_games=100)
    assert rank == np.argmax(scores) == 3


def test_all_candidates_play_the_same_openings_against_others_than_themselves(scheduled):
    play_off(CONTEXT, MEMBERS, FIRST, "play-off", num_candidates=5, num_games=20)
    pairings = scheduled[0]
    assert len(pairings.first) == 5 * 20
    assert not (pairings.first == pairings.second).any()
    by_candidate = pairings.opening_key.reshape(5, 20)
    assert (by_candidate == by_candidate[0]).all()


def test_without_candidates_or_games_the_first_of_the_ranks_is_champion(scheduled):
    for sizes in ({"num_candidates": 1, "num_games": 20}, {"num_candidates": 5, "num_games": 0}):
        rank, scores = play_off(CONTEXT, MEMBERS, FIRST, "play-off", **sizes)
        assert (rank, scores.tolist()) == (0, [0])
    assert scheduled == []


def test_the_better_rank_wins_among_equals(monkeypatch):
    monkeypatch.setattr(
        "neche.evolution.champion.play_games", lambda field, pairings, rule: fake_play(np.zeros(12))(pairings)
    )
    rank, scores = play_off(CONTEXT, MEMBERS, FIRST, "play-off", num_candidates=5, num_games=20)
    assert (rank, scores.tolist()) == (0, [0.5] * 5)


def test_crowning_follows_from_the_generation_alone():
    generation = ranked_generation(SETTINGS)
    champion, ladder = select_champion(SETTINGS, 1, generation)
    assert champion in generation.members
    assert set(ladder) == {"blind:depth=4", "material:depth=4"}
    assert all(0 <= score <= 1 for score in ladder.values())
    again, same_ladder = select_champion(SETTINGS, 1, generation)
    assert (again, same_ladder) == (champion, ladder)


BLIND = Member("g0-0000", (), np.zeros(32 * 16, np.uint8))
COUNTING = Member("g9-0000", (), material_genome())


def numbers_after(last, every):
    hall: tuple[PastChampion, ...] = ()
    settings = tiny_settings(f"ladder_every={every}")
    for number in range(0, last + 1, every):
        hall = enter_hall_of_fame(Context(settings, 1, number), BLIND, hall)
    return [past.generation for past in hall]


def test_only_champions_that_were_measured_enter_the_hall_of_fame():
    settings = tiny_settings("ladder_every=3")
    *_, last = evolve(settings, 1, generations=5)
    assert list(last.record["hall"]) == ["0", "3"]
    assert [past.member.id for past in last.hall_of_fame] == list(last.record["hall"].values())


def test_the_hall_of_fame_spans_the_run_in_even_steps_whatever_its_length():
    assert numbers_after(25, 5) == [0, 5, 10, 15, 20, 25]
    assert numbers_after(30, 5) == [0, 10, 20, 30]
    assert numbers_after(60, 5) == [0, 20, 40, 60]
    for last in range(0, 400, 7):
        numbers = numbers_after(last, 3)
        assert len(numbers) <= HALL_SIZE
        assert numbers[0] == 0
        assert len(set(np.diff(numbers).tolist())) <= 1
        assert last - numbers[-1] <= last / 2


def test_a_champion_is_scored_against_each_of_the_hall_of_fame():
    settings = tiny_settings("ladder_games=40", "perspective=own")
    hall = (PastChampion(0, BLIND), PastChampion(50, COUNTING))
    scores = play_hall_of_fame(Context(settings, 1, 75), decode(material_genome()), hall, 2)
    assert list(scores) == ["0", "50"]
    assert scores["0"] > 0.8
    assert 0.2 < scores["50"] < 0.8


def test_without_a_hall_of_fame_or_games_nothing_is_played():
    champion = decode(material_genome())
    assert play_hall_of_fame(Context(tiny_settings(), 1, 0), champion, (), 1) == {}
    hall = (PastChampion(0, BLIND),)
    assert play_hall_of_fame(Context(tiny_settings("ladder_games=0"), 1, 0), champion, hall, 1) == {}


def test_a_ladder_player_at_fault_is_refused_before_anything_is_played():
    with pytest.raises(InputError, match="did you mean material"):
        benchmark_players(tiny_settings('ladder=["materiel:depth=4"]'))


def test_a_player_that_thinks_by_the_clock_is_refused_on_a_ladder():
    with pytest.raises(InputError, match="needs a fixed depth, not a time"):
        benchmark_players(tiny_settings('ladder=["material:time=10"]'))


@pytest.mark.parametrize("name", ["tab\t.fasta", "line\n.fasta", "\x85.fasta", "/".join(["long" * 50] * 6)])
def test_a_player_whose_name_no_history_can_say_is_refused_on_a_ladder(tmp_path, name):
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(format_records([Record("g0-0000", material_genome(), {"perspective": "own"})]))
    player = f"network:file={file},depth=1"
    line = {"generation": 0, "champion_id": "g0-0000", "moved_up_at": None, "depth": 1, "sha256": "0" * 64}
    with pytest.raises(InputError, match="ladder"):
        read_generation_line(json.dumps({**line, "ladder": {player: 0.5}}).encode())
    with pytest.raises(InputError, match=r"ladder player .*: its name is too long or has control characters"):
        benchmark_players(tiny_settings(f"ladder=[{json.dumps(player)}]"))


@pytest.mark.parametrize(
    "name", ["generation", "perspective", "topology", "game", "inherited", "labeller", "check", "cheek"]
)
def test_a_player_whose_score_would_be_another_field_of_the_crowned_champion_is_refused(name):
    def choose(board):
        return board.moves[0]

    choose.__name__ = name
    neche.plugin.player(choose)
    with pytest.raises(InputError, match=f"ladder player {name}: .* is a field of FASTA headers"):
        benchmark_players(tiny_settings(f'ladder=["{name}"]'))


def test_a_player_whose_name_is_only_like_that_of_a_field_is_none_the_less_one():
    def checker(board):
        return board.moves[0]

    neche.plugin.player(checker)
    assert [player.name for player in benchmark_players(tiny_settings('ladder=["checker"]'))] == ["checker"]


def test_a_player_whose_threads_race_each_other_is_refused_on_a_ladder():
    with pytest.raises(InputError, match="material:nodes=500,threads=2: needs one thread"):
        benchmark_players(tiny_settings('ladder=["material:nodes=500,threads=2"]'))


def test_material_beats_the_blind_and_the_random_player_and_is_level_with_itself():
    settings = tiny_settings('ladder=["blind:depth=2", "random", "material:depth=2"]', "ladder_games=20")
    scores = play_benchmarks(Context(settings, 1, 0), material_network(), 2)
    assert scores["blind:depth=2"] > 0.8
    assert scores["random"] > 0.8
    assert 0.2 < scores["material:depth=2"] < 0.8


def test_ladder_games_open_at_random_even_when_training_games_do_not():
    settings = tiny_settings('ladder=["material:depth=1"]', "opening_plies=[0, 0]", "ladder_games=20")
    scores = play_benchmarks(Context(settings, 1, 0), material_network(), 1)
    assert 0 < scores["material:depth=1"] < 1


def test_no_ladder_games_give_no_scores():
    assert play_benchmarks(Context(tiny_settings("ladder_games=0"), 1, 0), material_network(), 1) == {}


def test_a_benchmark_that_thinks_by_the_clock_is_refused_too():
    with pytest.raises(InputError, match="needs a fixed number of playouts, not a time"):
        benchmark_players(tiny_settings('ladder=["uct:time=10"]'))


def test_games_against_playouts_are_few_and_the_same_again(monkeypatch):
    counts = []

    def counting(field, pairings, rule):
        counts.append(np.bincount(pairings.first // 2).tolist())
        return play_games(field, pairings, rule)

    monkeypatch.setattr(champion, "play_games", counting)
    settings = tiny_settings(
        'ladder=["material:depth=1", "uct:playouts=30", "random"]',
        "ladder_games=20",
        "ladder_thinker_games=6",
    )
    scores = play_benchmarks(Context(settings, 1, 0), material_network(), 1)
    assert list(scores) == ["material:depth=1", parse_player("uct:playouts=30").name, "random"]
    assert counts == [[20, 6, 20]]
    assert play_benchmarks(Context(settings, 1, 0), material_network(), 1) == scores
    without = tiny_settings('ladder=["uct:playouts=30"]', "ladder_thinker_games=0")
    assert play_benchmarks(Context(without, 1, 0), material_network(), 1) == {}


def test_other_players_on_the_ladder_change_no_score():
    alone = tiny_settings('ladder=["material:depth=1"]', "ladder_games=20")
    among = tiny_settings('ladder=["random", "material:depth=1", "uct:playouts=9"]', "ladder_games=20")
    (name,) = play_benchmarks(Context(alone, 1, 0), material_network(), 1)
    assert (
        play_benchmarks(Context(among, 1, 0), material_network(), 1)[name]
        == play_benchmarks(Context(alone, 1, 0), material_network(), 1)[name]
    )
