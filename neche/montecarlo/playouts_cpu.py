"""Playouts on the CPU: batches for all cores, in each core many games side by side in vector instructions.

A SIMD lane plays one game at a time. The loop over the lanes has no branch, so LLVM vectorises it: 16
playouts in one register with AVX-512, 8 with AVX2, 4 with NEON. Games end one by one: between two such loops,
lanes whose game is over get the next one.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import joblib
import numpy as np
from numpy.typing import NDArray

from neche.compiled.batches import results_of
from neche.compiled.bits import high_half, join, low_half
from neche.compiled.jit import I64, U64, Array, Position, jit, jit_inlined
from neche.compiled.randomness import advance, draw
from neche.compiled.vectors import prefer_whole_vectors
from neche.games.catalogue import game as game_named
from neche.games.game import Game
from neche.games.playouts import (
    LANES,
    PlayoutRule,
    QuietRule,
    playout_draws,
    playout_init,
    playout_is_over,
    playout_load,
    playout_result,
    playout_step,
    playout_steps,
    playout_store,
    playout_words,
    position_at,
)
from neche.montecarlo.counting import RULE, PlayoutCounts, check_rule, ending_rule, is_branch_free, quiet_rule
from neche.montecarlo.playout import play_many

# Approximate games per second, side by side and one by one. Batches of 50 ms are worth distributing; half a
# second is short enough to show progress and notice an interruption. No result depends on it.
_FAST, _SLOW = 4_000_000, 600_000
_SHORT_BATCH, _LONG_BATCH = 0.05, 0.5
_BATCHES_A_WORKER, _MOST_BATCHES = 4, 10_000
# Fewer games are played faster one by one.
_FEWEST_SIDE_BY_SIDE = 16
# More steps between two checks of the lanes leave more lanes waiting, fewer steps mean more checks.
_STEPS_BETWEEN_LOOKS = 4
_IDLE = -1
# Words of a lane after those of its playout: halves of its random state, and whether its game is over.
_WORDS_BEHIND = 3


class _Run(NamedTuple):
    """Games number first … last − 1 of the stream `key`, from position number `place` of the call."""

    place: int
    position: Any
    key: int
    first: int
    last: int


def count_playouts(
    game: Game,
    positions: Sequence[Any],
    playouts: Sequence[int],
    keys: Sequence[int],
    *,
    first: Sequence[int] | None = None,
    rule: PlayoutRule = RULE,
    notify: Callable[[int], None] | None = None,
) -> PlayoutCounts:
    """Play out each position k of K `playouts[k]` times, and count the results.

    Its games are numbered from `first[k]` (default 0) in the stream `keys[k]`: the counts are the same
    whatever the workers and batches, and those of consecutive games add up. In a position where the game is
    over, every playout has its outcome. Parallel as joblib is configured around this call. notify: called
    with the number of playouts done since the last call. InputError if they do not support the rule.
    """
    check_rule(game, positions, rule)
    rule = ending_rule(rule, positions)
    begins = [0] * len(positions) if first is None else [int(number) for number in first]
    runs = [
        _Run(index, position, int(keys[index]), begins[index], begins[index] + int(playouts[index]))
        for index, position in enumerate(positions)
    ]
    rate = _SLOW if _lane_rule(positions, rule) is None else _FAST
    batches = _batches(runs, sum(run.last - run.first for run in runs), rate)
    sums = np.zeros((4, len(positions)), np.int64)
    calls = {at: joblib.delayed(_play_batch)(batch, rule, game.name) for at, batch in enumerate(batches)}
    for at, results in results_of(calls):
        for run, result in zip(batches[at], results, strict=True):
            sums[:, run.place] += result
        if notify is not None:
            notify(sum(run.last - run.first for run in batches[at]))
    return PlayoutCounts(*sums)


def _lane_rule(positions: Sequence[Any], rule: PlayoutRule) -> QuietRule | None:
    """Return the rule for playouts side by side; None if the game or the rule does not allow them."""
    return quiet_rule(rule) if all(map(is_branch_free, map(type, positions))) else None


def _batches(runs: Sequence[_Run], total: int, rate: int) -> list[tuple[_Run, ...]]:
    """Cut the runs into batches of about equal numbers of games, only the last shorter than 50 ms."""
    shortest, longest = int(rate * _SHORT_BATCH), int(rate * _LONG_BATCH)
    # Too little work for two workers: no need to ask joblib for their number.
    num_batches = 1 if total < 2 * shortest else _BATCHES_A_WORKER * joblib.effective_n_jobs(None)
    # Rounded up, so that no small batch remains at the end.
    size = max(min(longest, max(shortest, -(-total // num_batches))), total // _MOST_BATCHES)
    batches: list[tuple[_Run, ...]] = []
    batch: list[_Run] = []
    room = size
    for run in runs:
        while run.first < run.last:
            cut = min(run.last, run.first + room)
            batch.append(run._replace(last=cut))
            room -= cut - run.first
            run = run._replace(first=cut)
            if room == 0:
                batches.append(tuple(batch))
                batch, room = [], size
    return [*batches, tuple(batch)] if batch else batches


def _play_batch(batch: Sequence[_Run], rule: PlayoutRule, name: str) -> NDArray[np.int64]:
    """Play a batch in this thread; return wins, draws, losses and plies of each run: [runs, 4]."""
    # A fresh process has no game's rules registered until it asks for one.
    rules = game_named(name)
    positions = [run.position for run in batch]
    lane_rule = _lane_rule(positions, rule)
    if lane_rule is None or sum(run.last - run.first for run in batch) < _FEWEST_SIDE_BY_SIDE:
        moves = rules.move_buffer()
        sums = [play_many(run.position, np.uint64(run.key), *run[3:], rule, moves) for run in batch]
        return np.array(sums, np.int64)
    # Fields as columns: compiled code then takes the positions of all runs as one record of arrays.
    columns = type(positions[0])(*(np.array(field) for field in zip(*positions, strict=True)))
    keys = np.array([run.key for run in batch], np.uint64)
    first, last = np.array([run[3:] for run in batch], np.int64).T.copy()
    results = np.zeros((4, len(batch)), np.int64)
    play_runs(Runs(columns, keys, first, last), lane_rule, new_lanes(positions[0]), results)
    return results.T


class Runs(NamedTuple):
    """A batch as arrays: games first[k] … last[k] − 1 of the stream keys[k], from each position k of K.

    positions: record of the fields of the positions, [K] each. keys: [K] uint64. first, last: [K] int64.
    """

    positions: Position
    keys: Array
    first: Array
    last: Array


class Lanes(NamedTuple):
    """Games in progress.

    words: [words a lane · LANES] uint32, laid out as `playouts.playout_load` says. run: [LANES] int64 – the
    run to which a lane's game belongs, −1 for none.
    """

    words: Array
    run: Array


def new_lanes(position: Any) -> Lanes:
    """Allocate the lanes of one thread, for the game of a position."""
    words = int(_num_words(position)) + _WORDS_BEHIND
    return Lanes(np.zeros(words * LANES, np.uint32), np.full(LANES, _IDLE, np.int64))


@jit
def _num_words(position: Position) -> I64:
    return playout_words(position)


@jit
def play_runs(runs: Runs, rule: QuietRule, lanes: Lanes, sums: Array) -> None:
    """Play all games of `runs`; add wins, draws, losses and plies to sums: [4, K] int64.

    Results are for the side to move in each position. They do not depend on which games run side by side.
    """
    words = lanes.words
    position = position_at(runs.positions, 0)
    over = playout_words(position) * LANES + 2 * LANES
    run, number, active = np.int64(0), np.int64(runs.first[0] - 1), np.int64(0)
    for lane in range(LANES):
        # a lane without its own game plays one that is not counted
        _begin(position, np.uint64(lane), words, lane, rule)
        run, number = _deal(runs, run, number, lanes, lane, rule)
        active += lanes.run[lane] != _IDLE
    # some steps in all lanes, then check which games have ended, until no game is left
    while active > 0:
        _step_all(position, words, rule)
        for lane in range(LANES):
            if words[over + lane] and lanes.run[lane] != _IDLE:
                _count(position, lanes, lane, rule, sums)
                run, number = _deal(runs, run, number, lanes, lane, rule)
                active -= lanes.run[lane] == _IDLE


@jit
def _step_all(position: Position, words: Array, rule: QuietRule) -> None:
    """Take some steps in every lane: the vectorised loop."""
    prefer_whole_vectors()
    for _ in range(_STEPS_BETWEEN_LOOKS):
        for lane in range(LANES):
            _step(position, words, lane, rule)


@jit_inlined
def _step(position: Position, words: Array, lane: I64, rule: QuietRule) -> None:
    """Take one step in a lane; leave it unchanged if its game is over."""
    at = playout_words(position) * LANES + lane
    playout = playout_load(position, words, lane)
    state = join(words[at], words[at + LANES])
    state = advance(state) if playout_draws(playout) else state
    steps = playout_steps(playout, rule)
    is_over = playout_is_over(playout, steps, rule)
    # the step is always computed, and then selected: no branch
    after = playout_step(playout, steps, state)
    playout_store(playout if is_over else after, words, lane)
    words[at], words[at + LANES] = low_half(state), high_half(state)
    words[at + 2 * LANES] = np.uint32(is_over)


@jit_inlined
def _begin(position: Position, state: U64, words: Array, lane: I64, rule: QuietRule) -> None:
    """Begin a game in a lane."""
    at = playout_words(position) * LANES + lane
    playout_store(playout_init(position, np.int32(0), rule), words, lane)
    words[at], words[at + LANES], words[at + 2 * LANES] = low_half(state), high_half(state), np.uint32(0)


@jit_inlined
def _count(position: Position, lanes: Lanes, lane: I64, rule: QuietRule, sums: Array) -> None:
    """Add the result of a lane's finished game to its run."""
    playout = playout_load(position, lanes.words, lane)
    outcome, plies = playout_result(playout, playout_steps(playout, rule), rule)
    run = lanes.run[lane]
    sums[0, run] += outcome > 0
    sums[1, run] += outcome == 0
    sums[2, run] += outcome < 0
    sums[3, run] += plies


@jit
def _deal(runs: Runs, run: I64, number: I64, lanes: Lanes, lane: I64, rule: QuietRule) -> tuple[I64, I64]:
    """Begin the next game in a lane, if there is one; return its run and number, or K."""
    num_runs = len(runs.keys)
    number += 1
    # runs may be empty, so the next game may be several runs ahead
    while run < num_runs and number >= runs.last[run]:
        run += 1
        number = runs.first[run] if run < num_runs else 0
    lanes.run[lane] = run if run < num_runs else _IDLE
    if run < num_runs:
        state = draw(runs.keys[run], np.uint64(number))
        _begin(position_at(runs.positions, run), state, lanes.words, lane, rule)
    return run, number
