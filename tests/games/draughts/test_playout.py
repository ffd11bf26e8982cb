"""Random games of draughts: moves are legal and equally likely, in playouts of both kinds."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import chi2_contingency, chisquare

from neche.compiled.jit import jit
from neche.compiled.randomness import advance
from neche.errors import InputError
from neche.games import playouts
from neche.games.catalogue import game
from neche.games.playouts import PlayoutRule, QuietRule
from neche.montecarlo.playout import play_branch_free
from neche.montecarlo.playouts_cpu import count_playouts
from tests.games.draughts.positions import CIRCLES, MOST_CAPTURES
from tests.games.playing import play_one
from tools.checks.compare_rules import TWINS

QUIET = QuietRule(np.int32(80))
RULES = {
    "quiet: after 80 plies": (PlayoutRule(), QUIET),
    "quiet: after 3 plies": (PlayoutRule(quiet_plies=3), QuietRule(np.int32(3))),
    "quiet: never": (PlayoutRule(quiet_plies=0), QuietRule(np.int32(2**31 - 1))),
    "drawn at the 25th ply": (PlayoutRule(max_plies=25),) * 2,
    "won by count at the 25th ply": (PlayoutRule(max_plies=25, by_count=1),) * 2,
    "equal limits": (PlayoutRule(quiet_plies=5, max_plies=5, by_count=1),) * 2,
}
each_game = pytest.mark.parametrize("name", ["brazilian", "international"])


@jit
def _ply_of_a_playout(position, state):
    return playouts.random_ply(position, state, 0, PlayoutRule(), None).here


@jit
def _ply_of_a_branch_free_playout(position, state):
    playout = playouts.playout_init(position, np.int32(0), QUIET)
    state = advance(state)
    while playout.plies == 0:
        playout = playouts.playout_step(playout, playouts.playout_steps(playout, QUIET), state)
    return playout.here


def state_of(seed, number):
    return np.uint64((seed * 0x9E3779B97F4A7C15 + number * 0xD1B54A32D192ED03) % 2**64)


def agrees(name, place, key, number, rule, branch_free_rule):
    here = game(name).parse_fen(TWINS[name].fen(place))
    outcome, plies = play_one(here, np.uint64(key), np.uint64(number), rule, game(name).move_buffer())
    wins, losses, all_plies = play_branch_free(
        here, np.uint64(key), np.uint64(number), np.int32(1), branch_free_rule
    )
    assert (wins - losses, wins + losses, all_plies) == (outcome, abs(outcome), plies)


@each_game
@pytest.mark.parametrize(("rule", "branch_free_rule"), RULES.values(), ids=RULES)
def test_a_branch_free_playout_is_the_playout_of_the_same_state(name, rule, branch_free_rule):
    twin = TWINS[name]
    for seed in range(200):
        agrees(name, twin.random_position(seed), seed, 3 * seed, rule, branch_free_rule)
    for number in range(30):
        agrees(name, twin.parse(twin.START), 7, number, rule, branch_free_rule)


@each_game
@given(st.integers(0, 10**6), st.integers(0, 2**64 - 1), st.integers(0, 2**63), st.sampled_from(list(RULES)))
def test_any_position_and_any_stream_give_the_same_game(name, seed, key, number, rule):
    agrees(name, TWINS[name].random_position(seed), key, number, *RULES[rule])


@each_game
def test_games_in_a_row_are_those_played_one_by_one(name):
    start = game(name).start()
    together = play_branch_free(start, np.uint64(5), np.uint64(40), np.int32(30), QUIET)
    alone = [play_branch_free(start, np.uint64(5), np.uint64(40 + i), np.int32(1), QUIET) for i in range(30)]
    assert together == tuple(map(sum, zip(*alone, strict=True)))


@each_game
def test_every_move_of_a_random_game_is_legal_by_the_twin(name):
    rules, twin = game(name), TWINS[name]
    places = [twin.parse(twin.START), *(twin.random_position(seed) for seed in range(100, 130))]
    num_plies = 0
    for seed, place in enumerate(places):
        for number in range(60):
            afters = {twin.fen(move.after): move.after for move in twin.moves(place)}
            if not afters:
                break
            here = rules.parse_fen(twin.fen(place))
            after = _ply_of_a_playout(here, state_of(seed, number))
            assert after == _ply_of_a_branch_free_playout(here, state_of(seed, number))
            place = afters[twin.fen(twin.parse(rules.format_fen(after)))]
            num_plies += 1
    assert num_plies > 400


def rich_positions(name):
    """Return placements with many captures, with many quiet moves, and with several ways to one move."""
    twin = TWINS[name]
    fens = [MOST_CAPTURES[name], *CIRCLES[name], twin.START]
    for seed in range(400):
        place = twin.random_position(seed)
        moves = twin.moves(place)
        if len(moves) >= (8 if moves and moves[0].captured else 30) and len(fens) < 16:
            fens.append(twin.fen(place))
    return fens


@each_game
def test_all_legal_moves_are_drawn_equally_often(name):
    # one chi-squared test a position: the smallest of 16 p-values is below 1e-4 in one run of 600
    rules, twin = game(name), TWINS[name]
    for number, fen in enumerate(rich_positions(name)):
        place, here = twin.parse(fen), rules.parse_fen(fen)
        moves = Counter(twin.fen(move.after) for move in twin.moves(place))
        draws = 60 * moves.total()
        drawn = Counter(_ply_of_a_playout(here, state_of(number, i)) for i in range(draws))
        drawn = Counter(
            {twin.fen(twin.parse(rules.format_fen(after))): count for after, count in drawn.items()}
        )
        assert drawn.keys() <= moves.keys()
        seen = [drawn[after] for after in moves]
        assert len(seen) == 1 or chisquare(seen, [60 * many for many in moves.values()]).pvalue > 1e-4, fen


@each_game
def test_random_games_by_steps_end_like_those_by_whole_moves(name):
    position, games = game(name).start(), 20_000
    steps, whole = (
        count_playouts(game(name), [position], [games], [seed], rule=PlayoutRule(whole_moves=seed))
        for seed in (0, 1)
    )
    ends = [[counts.wins[0], counts.losses[0] + counts.draws[0]] for counts in (steps, whole)]
    assert chi2_contingency(ends).pvalue > 1e-4
    # standard deviation of the length of a game; 8×8: another program has 48.6 plies on average
    deviation = {"brazilian": 11, "international": 18}[name]
    assert abs(steps.plies[0] - whole.plies[0]) / games < 4 * deviation * (2 / games) ** 0.5


@each_game
def test_playouts_in_lanes_equal_those_one_by_one(name):
    rules, twin = game(name), TWINS[name]
    here = [rules.parse_fen(twin.fen(twin.random_position(seed))) for seed in range(20)]
    together = count_playouts(rules, here, [40] * 20, range(20))
    for index, position in enumerate(here):
        moves = rules.move_buffer()
        alone = [
            play_one(position, np.uint64(index), np.uint64(number), PlayoutRule(), moves)
            for number in range(40)
        ]
        assert together.wins[index] == sum(outcome == 1 for outcome, _ in alone)
        assert together.plies[index] == sum(plies for _, plies in alone)


@each_game
def test_a_side_that_cannot_move_has_lost_before_the_first_step(name):
    stuck = game(name).parse_fen({"brazilian": "W:W29:B25,22", "international": "W:W46:B41,37"}[name])
    assert game(name).legal_moves(stuck) == []
    for rule in (QUIET, PlayoutRule()):
        assert play_branch_free(stuck, np.uint64(1), np.uint64(0), np.int32(7), rule) == (0, 7, 0)
    assert play_one(stuck, np.uint64(1), np.uint64(0), PlayoutRule(), game(name).move_buffer()) == (-1, 0)


@each_game
def test_the_option_against_cycles_of_kings_is_refused_in_one_line(name):
    rules = game(name)
    with pytest.raises(InputError, match=f"playouts of {name} do not detect cycles"):
        count_playouts(rules, [rules.start()], [1], [1], rule=PlayoutRule(avoid_cycles=1))
