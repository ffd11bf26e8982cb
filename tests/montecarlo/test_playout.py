"""Playouts of any game by whole moves, one after another."""

from typing import NamedTuple

import numpy as np
import pytest

from neche.compiled.randomness import draw
from neche.games.catalogue import game
from neche.games.contract import generate
from neche.games.playouts import PlayoutRule, play_out
from neche.montecarlo.counting import RULE, quiet_rule
from neche.montecarlo.playout import play_many
from tests.oracles import checkers_twin as twin
from tests.oracles.playout_twin import first_state

CHECKERS = game("checkers")
MOVES = np.zeros(CHECKERS.max_moves * CHECKERS.move_words, np.uint32)


def by_the_list_of_moves(position, key, number, rule):
    """Play one game from the lists of legal moves, with the random numbers of the playout."""
    state, plies, quiet, sign = first_state(key, number), 0, 0, 1
    while True:
        moves = CHECKERS.legal_moves(position)
        if not moves:
            return -sign, plies
        if 0 < rule.quiet_plies <= quiet or 0 < rule.max_plies <= plies:
            return 0, plies
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        after = moves[(state >> 32) * len(moves) >> 32].after
        has_progress = after.own != position.foe or (position.own & position.kings) == (
            after.foe & after.kings
        )
        crowned = int(after.foe & after.kings).bit_count() > int(position.own & position.kings).bit_count()
        quiet = 0 if has_progress or crowned else quiet + 1
        position, plies, sign = after, plies + 1, -sign


@pytest.mark.parametrize(
    "rule", [RULE, PlayoutRule(quiet_plies=4), PlayoutRule(max_plies=30), PlayoutRule(quiet_plies=0)]
)
def test_whole_moves_are_drawn_from_the_list_of_moves(rule):
    for seed in range(12):
        position = CHECKERS.parse_fen(twin.fen(twin.random_position(seed)))
        state = draw(np.uint64(seed), np.uint64(3))
        found = play_out(position, np.uint64(state), rule._replace(whole_moves=1), MOVES)
        assert tuple(found) == by_the_list_of_moves(position, seed, 3, rule)


def test_steps_and_whole_moves_give_equal_counts_where_no_capture_is_possible():
    # two kings far apart, so that neither can capture before the draw after two plies
    position = CHECKERS.parse_fen("W:WK29:BK4")
    for whole_moves in (0, 1):
        rule = PlayoutRule(quiet_plies=2, whole_moves=whole_moves)
        assert play_many(position, np.uint64(1), 0, 50, rule, MOVES) == (0, 50, 0, 100)


def test_the_rule_decides_between_steps_and_whole_moves():
    position = CHECKERS.start()
    by_steps = play_many(position, np.uint64(1), 0, 300, RULE, MOVES)
    by_moves = play_many(position, np.uint64(1), 0, 300, RULE._replace(whole_moves=1), MOVES)
    assert by_steps != by_moves


def test_a_finished_game_is_lost_at_once():
    lost = CHECKERS.parse_fen("W:W29:B25,22")
    for whole_moves in (0, 1):
        rule = PlayoutRule(quiet_plies=0, max_plies=1, whole_moves=whole_moves)
        assert play_many(lost, np.uint64(1), 5, 12, rule, MOVES) == (0, 0, 7, 0)


def test_only_a_rule_about_quiet_plies_alone_becomes_a_quiet_rule():
    for rule, plies in ((RULE, 80), (PlayoutRule(quiet_plies=0), 2**31 - 1), (PlayoutRule(by_count=1), 80)):
        plain = quiet_rule(rule)
        assert plain is not None
        assert plain.quiet_plies == plies
    for more in ({"max_plies": 9}, {"avoid_cycles": 1}, {"whole_moves": 1}):
        assert quiet_rule(PlayoutRule(**more)) is None


def test_a_record_of_no_registered_game_is_refused():
    class Unknown(NamedTuple):
        turn: int

    with pytest.raises(TypeError, match="Unknown is not a position of a registered game"):
        generate(Unknown(0), MOVES, 0)
