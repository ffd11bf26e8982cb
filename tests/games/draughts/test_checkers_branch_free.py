"""Branch-free playouts, as kernels play them, equal those of `play_out`, which a slow twin checks."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.games.catalogue import game
from neche.games.playouts import PlayoutRule, QuietRule
from neche.montecarlo.playout import play_branch_free
from tests.games.playing import play_one
from tests.oracles import checkers_twin as twin

CHECKERS = game("checkers")
NEVER = 2**31 - 1
# the rule of the playout, and the rule record of the branch-free playout
RULES = {
    "quiet: after 80 plies": (PlayoutRule(), QuietRule(np.int32(80))),
    "quiet: after 3 plies": (PlayoutRule(quiet_plies=3), QuietRule(np.int32(3))),
    "quiet: never": (PlayoutRule(quiet_plies=0), QuietRule(np.int32(NEVER))),
    "whole: as usual": (PlayoutRule(), PlayoutRule()),
    "whole: drawn at the 25th ply": (PlayoutRule(max_plies=25),) * 2,
    "whole: won by count at the 25th ply": (PlayoutRule(max_plies=25, by_count=1),) * 2,
    "whole: both limits": (PlayoutRule(quiet_plies=4, max_plies=30, by_count=1),) * 2,
    "whole: equal limits": (PlayoutRule(quiet_plies=5, max_plies=5, by_count=1),) * 2,
    "whole: kings do not go back": (PlayoutRule(avoid_cycles=1),) * 2,
    "whole: all options": (PlayoutRule(quiet_plies=10, max_plies=60, by_count=1, avoid_cycles=1),) * 2,
}


def agrees(position, key, number, rule, branch_free_rule):
    here = CHECKERS.parse_fen(twin.fen(position))
    outcome, plies = play_one(here, np.uint64(key), np.uint64(number), rule, CHECKERS.move_buffer())
    wins, losses, all_plies = play_branch_free(
        here, np.uint64(key), np.uint64(number), np.int32(1), branch_free_rule
    )
    assert (wins - losses, wins + losses, all_plies) == (outcome, abs(outcome), plies)


@pytest.mark.parametrize(("rule", "branch_free_rule"), RULES.values(), ids=RULES)
def test_a_branch_free_playout_is_the_playout_of_the_same_state(rule, branch_free_rule):
    for seed in range(300):
        agrees(twin.random_position(seed), seed, 3 * seed, rule, branch_free_rule)
    for number in range(50):
        agrees(twin.parse(twin.START), 7, number, rule, branch_free_rule)


@given(st.integers(0, 10**6), st.integers(0, 2**64 - 1), st.integers(0, 2**63), st.sampled_from(list(RULES)))
def test_any_position_and_any_stream_give_the_same_game(seed, key, number, name):
    agrees(twin.random_position(seed), key, number, *RULES[name])


@pytest.mark.parametrize("fen", ["W:WK27,K5,K29:BK11,K4", "B:WK1,K9,K30:BK32,K12,21", "W:WK32:BK1"])
def test_endings_of_kings_without_cycles_are_played_as_in_a_playout(fen):
    for name in ("whole: kings do not go back", "whole: all options"):
        for number in range(100):
            agrees(twin.parse(fen), 11, number, *RULES[name])


@pytest.mark.parametrize("branch_free_rule", [QuietRule(np.int32(80)), PlayoutRule(max_plies=60, by_count=1)])
def test_games_in_a_row_are_those_played_one_by_one(branch_free_rule):
    start = CHECKERS.start()
    together = play_branch_free(start, np.uint64(5), np.uint64(40), np.int32(30), branch_free_rule)
    alone = [
        play_branch_free(start, np.uint64(5), np.uint64(40 + i), np.int32(1), branch_free_rule)
        for i in range(30)
    ]
    assert together == tuple(map(sum, zip(*alone, strict=True)))


def test_a_side_that_cannot_move_has_lost_before_the_first_step():
    stuck = CHECKERS.parse_fen("W:W29:B25,22")
    assert CHECKERS.legal_moves(stuck) == []
    for rule in (QuietRule(np.int32(80)), PlayoutRule()):
        assert play_branch_free(stuck, np.uint64(1), np.uint64(0), np.int32(7), rule) == (0, 7, 0)
        assert play_branch_free(stuck, np.uint64(1), np.uint64(0), np.int32(0), rule) == (0, 0, 0)
