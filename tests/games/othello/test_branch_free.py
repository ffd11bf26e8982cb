"""Branch-free playouts, as kernels play them, equal those of `play_out`, which a slow twin checks."""

import numpy as np
import pytest

from neche.games.catalogue import game
from neche.games.playouts import PlayoutRule, QuietRule
from neche.montecarlo.playout import play_branch_free
from tests.games.playing import play_one
from tests.oracles import othello_twin as twin

OTHELLO = game("othello")
RULES = {
    "quiet": (PlayoutRule(), QuietRule(np.int32(80))),
    "whole": (PlayoutRule(), PlayoutRule()),
    "drawn at the 25th ply": (PlayoutRule(max_plies=25),) * 2,
    "won by count at the 25th ply": (PlayoutRule(max_plies=25, by_count=1),) * 2,
}


@pytest.mark.parametrize(("rule", "branch_free_rule"), RULES.values(), ids=RULES)
def test_a_branch_free_playout_is_the_playout_of_the_same_state(rule, branch_free_rule):
    places = [twin.random_position(seed) for seed in range(150)] + [twin.parse(twin.START)] * 30
    for number, place in enumerate(places):
        here, key = OTHELLO.parse_fen(twin.fen(place)), np.uint64(3 * number)
        outcome, plies = play_one(here, key, np.uint64(number), rule, OTHELLO.move_buffer())
        wins, losses, all_plies = play_branch_free(
            here, key, np.uint64(number), np.int32(1), branch_free_rule
        )
        assert (wins - losses, wins + losses, all_plies) == (outcome, abs(outcome), plies)


def test_games_in_a_row_are_those_played_one_by_one():
    start, rule = OTHELLO.start(), QuietRule(np.int32(80))
    together = play_branch_free(start, np.uint64(5), np.uint64(40), np.int32(30), rule)
    alone = [play_branch_free(start, np.uint64(5), np.uint64(40 + i), np.int32(1), rule) for i in range(30)]
    assert together == tuple(map(sum, zip(*alone, strict=True)))
