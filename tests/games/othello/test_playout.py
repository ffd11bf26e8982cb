"""Random playouts of Othello against the slow twin, and against random games of other programs."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.games.catalogue import game
from neche.games.playouts import PlayoutRule
from neche.montecarlo.playouts_cpu import count_playouts
from tests.games.playing import play_one
from tests.oracles import othello_twin as twin

OTHELLO = game("othello")
RULES = {
    "to the end": {},
    "drawn at the 25th ply": {"max_plies": 25},
    "won by count at the 25th ply": {"max_plies": 25, "by_count": 1},
}


def agrees(position, key, number, options):
    here = OTHELLO.parse_fen(twin.fen(position))
    played = play_one(here, np.uint64(key), np.uint64(number), PlayoutRule(**options), OTHELLO.move_buffer())
    assert tuple(map(int, played)) == twin.playout(position, key, number, **options)


@pytest.mark.parametrize("options", RULES.values(), ids=RULES)
def test_a_playout_is_that_of_the_twin(options):
    for seed in range(40):
        agrees(twin.random_position(seed), seed, seed, options)
    for number in range(10):
        agrees(twin.parse(twin.START), 7, number, options)


@given(st.integers(0, 10**6), st.integers(0, 2**64 - 1), st.integers(0, 2**63), st.sampled_from(list(RULES)))
def test_any_position_and_any_stream_give_the_game_of_the_twin(seed, key, number, rule):
    agrees(twin.random_position(seed), key, number, RULES[rule])


def test_quiet_plies_do_not_end_a_game():
    usual, strict = (
        count_playouts(OTHELLO, [OTHELLO.start()], [500], [3], rule=PlayoutRule(quiet_plies=quiet))
        for quiet in (80, 1)
    )
    assert usual == strict


def test_playouts_by_whole_moves_are_the_same_games():
    usual, whole = (
        count_playouts(OTHELLO, [OTHELLO.start()], [2000], [5], rule=PlayoutRule(whole_moves=number))
        for number in (0, 1)
    )
    assert usual == whole


def test_random_games_are_as_long_as_in_other_programs_and_white_wins_more_of_them():
    # Random games of OpenSpiel have 60.4 plies with passes, rounded to one decimal. The standard deviation of
    # the length is 0.76 in 600 games of the twin.
    games = 100_000
    counts = count_playouts(OTHELLO, [OTHELLO.start()], [games], [11])
    plies = counts.plies[0] / games
    assert abs(plies - 60.4) < 0.05 + 4 * 0.8 / games**0.5
    assert counts.losses[0] > counts.wins[0]


def test_every_playout_of_a_finished_game_has_its_outcome():
    full = [OTHELLO.parse_fen("X" * blacks + "O" * (64 - blacks) + " X") for blacks in (40, 32, 20)]
    counts = count_playouts(OTHELLO, full, [9, 9, 9], [1, 2, 3])
    assert [column.tolist() for column in counts] == [[9, 0, 0], [0, 9, 0], [0, 0, 9], [0, 0, 0]]
