"""Playouts of every game, on every device that plays it."""

import numpy as np
import pytest

from neche.compiled.randomness import advance, choose_below, draw
from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.contract import is_registered
from neche.games.playouts import PlayoutRule, play_out
from neche.montecarlo import playouts_gpu
from neche.montecarlo.playouts_cpu import count_playouts
from tests.games.random_games import finished, games
from tests.games.toys.loading import EVERY_GAME, TOYS
from tests.montecarlo.simulated import answers_of_the_simulator

UNDRAWN = PlayoutRule(quiet_plies=0, whole_moves=1)
BRANCH_FREE = [name for name in GAMES if is_registered(type(game(name).start()), "playout_init")]
OTHERS = [name for name in EVERY_GAME if name not in BRANCH_FREE]
PLAYOUTS, FIRST = [20, 9, 0, 12], [0, 3, 1, 10**9]


def places(name):
    middle = games(name)[0][len(games(name)[0]) // 2]
    return [game(name).start(), middle, middle, finished(name)[0]]


def keys():
    return [5, 2**64 - 1, 7, 0]


@pytest.mark.parametrize("name", EVERY_GAME)
def test_every_playout_is_counted_and_finished_games_keep_their_outcome(name):
    counts = count_playouts(game(name), places(name), PLAYOUTS, keys())
    assert (counts.wins + counts.draws + counts.losses).tolist() == PLAYOUTS
    assert counts.plies[0] > 0
    assert counts.plies[-1] == 0
    outcomes = [column[-1] for column in (counts.losses, counts.draws, counts.wins)]
    assert outcomes[game(name).outcome(places(name)[-1]) + 1] == PLAYOUTS[-1]


@pytest.mark.parametrize("name", EVERY_GAME)
def test_consecutive_games_add_up(name):
    rules, position = game(name), places(name)[1]
    whole = count_playouts(rules, [position], [100], [3])
    parts = count_playouts(rules, [position, position], [37, 63], [3, 3], first=[0, 37])
    assert [int(column.sum()) for column in parts] == [int(column[0]) for column in whole]


@pytest.mark.parametrize("name", EVERY_GAME)
def test_a_playout_by_whole_moves_follows_its_random_numbers(name):
    """Played move by move in Python, with the outcome of the last position and the number of plies."""
    rules = game(name)
    moves = rules.move_buffer()
    for number in range(3):
        state, position, plies = np.uint64(draw(np.uint64(9), np.uint64(number))), rules.start(), 0
        first = rules.side_to_move(position)
        result = play_out(position, state, UNDRAWN, moves)
        while legal := rules.legal_moves(position):
            state = np.uint64(advance(state))
            position = legal[int(choose_below(np.uint64(state), len(legal)))].after
            plies += 1
        outcome = rules.outcome(position)
        assert result == (outcome if rules.side_to_move(position) == first else -outcome, plies)


@pytest.mark.parametrize("name", EVERY_GAME)
def test_a_playout_has_the_opposite_outcome_for_the_other_side(name):
    rules = game(name)
    moves, position = rules.move_buffer(), places(name)[1]
    for number in range(5):
        state = np.uint64(draw(np.uint64(1), np.uint64(number)))
        outcome, plies = play_out(position, state, UNDRAWN, moves)
        legal = rules.legal_moves(position)
        state = np.uint64(advance(state))
        after = legal[int(choose_below(np.uint64(state), len(legal)))].after
        assert play_out(after, state, UNDRAWN, moves) == (-outcome, plies - 1)


@pytest.fixture(scope="module")
def simulated():
    """Play the games that CUDA devices can play in one simulator, which is slow to start."""
    cases = [
        {
            "game": name,
            "fens": [game(name).format_fen(position) for position in places(name)],
            "shape": (64,),
            "rule": PlayoutRule(),
            "playouts": PLAYOUTS,
            "keys": keys(),
            "first": FIRST,
        }
        for name in BRANCH_FREE
    ]
    return dict(zip(BRANCH_FREE, answers_of_the_simulator(cases), strict=True))


@pytest.mark.parametrize("name", BRANCH_FREE)
def test_a_cuda_device_counts_what_the_cpu_counts(name, simulated):
    expected = count_playouts(game(name), places(name), PLAYOUTS, keys(), first=FIRST)
    assert simulated[name][0] == [column.tolist() for column in expected]


@pytest.mark.parametrize("name", OTHERS)
def test_a_game_without_branch_free_playouts_is_refused_by_a_cuda_device(name):
    with pytest.raises(InputError, match=f"{name} by whole moves run on the CPU only"):
        playouts_gpu.count_playouts(game(name), [game(name).start()], [1], [1])


def test_games_with_branch_free_playouts_also_have_playouts_by_steps():
    assert all(is_registered(type(game(name).start()), "random_ply") for name in BRANCH_FREE)
    assert {"checkers", "othello"} <= set(BRANCH_FREE)
    assert set(TOYS) <= set(OTHERS)
