"""Games of Python engines: a network behind an engine plays the games of the compiled loop."""

import contextlib

import joblib
import numpy as np
import pytest

from neche.arena.playing import Contestants, GameBatch, play_batch, play_games, record_game
from neche.compiled.batches import PromptThreads
from neche.games.draws import LAB_DRAWS, TOURNAMENT_DRAWS, TRAINING_DRAWS, DrawRule
from neche.network.decode import blind_network, decode_population, material_network
from tests.arena.games import mixed_field, pairings_of
from tests.arena.players import Disguise, Fancy

RULES = [TRAINING_DRAWS, TOURNAMENT_DRAWS, DrawRule(80, True, 2), DrawRule(7, True, 0), LAB_DRAWS]
STRANDS = np.random.default_rng(3).integers(4, size=(2, 3200), dtype=np.uint8)
NETWORKS = [material_network(), blind_network(), *decode_population(STRANDS, perspective="antisymmetric")]
DEPTHS = [2, 1, 3, 2]


def columns(results, *names):
    return {name: getattr(results, name).tolist() for name in names or ("outcome", "plies", "nodes")}


def disguised(*who):
    """Return the contestants of `NETWORKS`, with those of the given numbers as Python engines."""
    thinkers = [
        Disguise(network, depth) if number in who else None
        for number, (network, depth) in enumerate(zip(NETWORKS, DEPTHS, strict=True))
    ]
    return Contestants.of(NETWORKS, DEPTHS, players=thinkers)


def fancy_field():
    """Return two Python engines, one with memory, and two networks."""
    thinkers = [Fancy(), None, Disguise(material_network(), 1), None]
    return Contestants.of(
        [blind_network(), material_network(), blind_network(), blind_network()], 1, players=thinkers
    )


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_networks_behind_engines_play_the_games_of_the_compiled_loop(rule):
    schedule = pairings_of([0, 1, 2, 3], [1, 2, 3, 0], 12, opening_plies=6)
    compiled = play_games(disguised(), schedule, rule)
    for who in ((0,), (1, 2), (0, 1, 2, 3)):
        assert columns(play_games(disguised(*who), schedule, rule), "outcome", "plies") == columns(
            compiled, "outcome", "plies"
        )


def test_the_games_are_the_same_move_by_move():
    schedule = pairings_of([0, 1], [2, 3], 4, opening_plies=3)
    for index in range(8):
        expected = record_game(disguised(), schedule, index, TOURNAMENT_DRAWS)
        found = record_game(disguised(0, 3), schedule, index, TOURNAMENT_DRAWS)
        assert [move.text for move in found] == [move.text for move in expected]


def test_a_random_player_makes_the_same_moves_against_an_engine_and_a_network():
    networks, depths = [blind_network(), material_network()], [0, 2]
    schedule = pairings_of(0, 1, 10, opening_plies=0)
    compiled = play_games(Contestants.of(networks, depths), schedule, TRAINING_DRAWS)
    thinking = Contestants.of(networks, depths, players=[None, Disguise(material_network(), 2)])
    assert columns(play_games(thinking, schedule, TRAINING_DRAWS), "outcome", "plies") == columns(
        compiled, "outcome", "plies"
    )


def test_games_between_networks_do_not_change_when_engines_take_part():
    contestants, schedule = mixed_field(), pairings_of([0, 1, 2], [3, 4, 0], 9)
    companions: list[Fancy | None] = [None] * len(contestants.depths)
    companions[5] = Fancy()
    mixed = Contestants(contestants.packed, contestants.depths, players=tuple(companions))
    both = pairings_of([0, 1, 5, 2], [3, 4, 0, 0], 12)
    assert columns(play_games(mixed, schedule, TRAINING_DRAWS)) == columns(
        play_games(contestants, schedule, TRAINING_DRAWS)
    )
    # games between networks stay the same, nodes included, when engines play in the field
    without = np.flatnonzero(~mixed.has_engine(both))
    plain, found = play_games(contestants, both, TRAINING_DRAWS), play_games(mixed, both, TRAINING_DRAWS)
    for name in ("outcome", "plies", "nodes"):
        assert getattr(plain, name)[without].tolist() == getattr(found, name)[without].tolist()


def test_contestants_without_engines_have_no_players():
    assert Contestants.of(NETWORKS, 1, players=[None] * 4).players == ()


@pytest.mark.parametrize("num_jobs", [1, 2, 4])
@pytest.mark.parametrize("backend", ["threading", "prompt", "loky"])
def test_workers_change_no_result(backend, num_jobs):
    contestants, schedule = fancy_field(), pairings_of([0, 1, 2], [1, 2, 0], 6)
    expected = columns(play_batch(GameBatch(contestants, schedule, TRAINING_DRAWS)))
    if backend == "prompt":
        threads = PromptThreads()
        with contextlib.closing(threads), joblib.parallel_config(backend=threads, n_jobs=num_jobs):
            assert columns(play_games(contestants, schedule, TRAINING_DRAWS)) == expected
    else:
        with joblib.parallel_config(backend=backend, n_jobs=num_jobs):
            assert columns(play_games(contestants, schedule, TRAINING_DRAWS)) == expected


def test_every_game_has_fresh_engines():
    contestants, schedule = fancy_field(), pairings_of(0, 1, 3)
    whole = play_batch(GameBatch(contestants, schedule, TRAINING_DRAWS))
    for index in range(6):
        alone = type(schedule)._make(column[index : index + 1] for column in schedule)
        assert columns(play_batch(GameBatch(contestants, alone, TRAINING_DRAWS))) == {
            name: values[index : index + 1] for name, values in columns(whole).items()
        }


def test_every_move_has_its_own_key():
    asked = []

    class Listening(Fancy):
        def new_game(self, game, *, memory_mb=None):
            asked.append(super().new_game(game))
            return asked[-1]

    contestants = Contestants.of([blind_network()] * 2, 1, players=[Listening(), Listening()])
    play_batch(GameBatch(contestants, pairings_of(0, 1, 4), TRAINING_DRAWS))
    keys = [key for engine in asked for key in engine.keys]
    assert len(asked) == 16
    assert len(keys) > 200
    assert len(set(keys)) == len(keys)
    assert max(keys) > 2**63


def test_playouts_count_as_nodes():
    contestants = Contestants.of([blind_network()] * 2, 0, players=[Disguise(material_network(), 1), None])
    results = play_batch(GameBatch(contestants, pairings_of(0, 1, 2, opening_plies=0), TRAINING_DRAWS))
    assert (results.nodes % 3 == 0).all()
    assert (results.nodes > 0).all()


def test_a_single_move_is_not_analysed():
    engines = []

    class Listening(Fancy):
        def new_game(self, game, *, memory_mb=None):
            engines.append(super().new_game(game))
            return engines[-1]

    contestants = Contestants.of([blind_network()] * 2, 0, players=[Listening(), Listening()])
    results = play_batch(GameBatch(contestants, pairings_of(0, 1, 10, opening_plies=0), TRAINING_DRAWS))
    assert sum(len(engine.keys) for engine in engines) < results.plies.sum()
