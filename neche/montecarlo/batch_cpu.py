"""Playouts of many positions on the CPU, in batches that joblib hands to its workers."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import joblib
import numpy as np
from numpy.typing import NDArray

from neche.compiled.batches import results_of
from neche.games.catalogue import Game
from neche.games.catalogue import game as game_named
from neche.games.contract import PlayoutRule, QuietRule, is_registered
from neche.montecarlo.lanes import Runs, new_lanes, play_runs
from neche.montecarlo.playout import RULE, Counts, check_rule, play_many, quiet_rule

# Games a second, roughly, side by side and one by one. 50 ms of them are worth handing out; half a second is
# short enough to show progress and to hear an interruption. No result depends on it.
_FAST, _SLOW = 4_000_000, 600_000
_SHORT_BATCH, _LONG_BATCH = 0.05, 0.5
_BATCHES_A_WORKER, _MOST_BATCHES = 4, 10_000
# Fewer games are sooner played one by one.
_FEWEST_SIDE_BY_SIDE = 16


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
) -> Counts:
    """Play position k out `playouts[k]` times, for each of K positions, and count the results.

    Its games are those number `first[k]` (0 if not given) and following of the stream `keys[k]`: the counts
    are the same whatever the workers and batches, and those of consecutive games add up. In a position in
    which the game is over every playout has its outcome. Parallel as joblib is configured around this
    call. notify: called with the number of playouts done since the last call.

    Raises:
        InputError: the rule asks for what these playouts cannot know.
    """
    check_rule(game, positions, rule)
    begins = [0] * len(positions) if first is None else [int(number) for number in first]
    runs = [
        _Run(index, position, int(keys[index]), begins[index], begins[index] + int(playouts[index]))
        for index, position in enumerate(positions)
    ]
    rate = _SLOW if _side_by_side_rule(positions, rule) is None else _FAST
    batches = _batches(runs, sum(run.last - run.first for run in runs), rate)
    sums = np.zeros((4, len(positions)), np.int64)
    calls = {
        number: joblib.delayed(_play_batch)(batch, rule, game.name) for number, batch in enumerate(batches)
    }
    for number, results in results_of(calls):
        for run, result in zip(batches[number], results, strict=True):
            sums[:, run.place] += result
        if notify is not None:
            notify(sum(run.last - run.first for run in batches[number]))
    return Counts(*sums)


def _side_by_side_rule(positions: Sequence[Any], rule: PlayoutRule) -> QuietRule | None:
    """Return the rule for playouts side by side; None if the game or the rule does not allow them."""
    return (
        quiet_rule(rule)
        if all(is_registered(type(position), "playout_init") for position in positions)
        else None
    )


def _batches(runs: Sequence[_Run], total: int, rate: int) -> list[tuple[_Run, ...]]:
    """Cut the runs into batches of about the same number of games, none but the last shorter than 50 ms."""
    shortest, longest = int(rate * _SHORT_BATCH), int(rate * _LONG_BATCH)
    # Without work for two there is no need to ask joblib how many there are.
    num_batches = 1 if total < 2 * shortest else _BATCHES_A_WORKER * joblib.effective_n_jobs(None)
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
    # A fresh process knows the rules of no game before it asks for one.
    rules = game_named(name)
    positions = [run.position for run in batch]
    lane_rule = _side_by_side_rule(positions, rule)
    if lane_rule is None or sum(run.last - run.first for run in batch) < _FEWEST_SIDE_BY_SIDE:
        moves = rules.move_buffer()
        sums = [play_many(run.position, np.uint64(run.key), *run[3:], rule, moves) for run in batch]
        return np.array(sums, np.int64)
    columns = type(positions[0])(*(np.array(field) for field in zip(*positions, strict=True)))
    keys = np.array([run.key for run in batch], np.uint64)
    first, last = np.array([run[3:] for run in batch], np.int64).T.copy()
    results = np.zeros((4, len(batch)), np.int64)
    play_runs(Runs(columns, keys, first, last), lane_rule, new_lanes(positions[0]), results)
    return results.T
