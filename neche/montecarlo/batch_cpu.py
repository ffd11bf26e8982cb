"""Playouts of many positions on the CPU, in batches that joblib hands to its workers."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import joblib
import numpy as np

from neche.compiled.batches import run_batches
from neche.errors import InputError
from neche.games.catalogue import Game
from neche.games.contract import STEPWISE, PlayoutRule
from neche.montecarlo.playout import RULE, Counts, play_many

# A playout of checkers takes a microsecond: 50 ms are worth handing out, half a second is short enough to
# show progress and to hear an interruption. Only the size of the batches depends on it, never a result.
_SHORT_BATCH, _LONG_BATCH = 50_000, 500_000
_BATCHES_A_WORKER = 4


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
    are the same whatever the workers and batches, and those of consecutive games add up. A position in which
    the game is over is lost for its side to move every time. Parallel as joblib is configured around this
    call. notify: called with the number of playouts done since the last call.

    Raises:
        InputError: the rule asks for what playouts of whole moves cannot know.
    """
    _check(positions, rule)
    begins = [0] * len(positions) if first is None else [int(number) for number in first]
    runs = [
        _Run(index, position, int(keys[index]), begins[index], begins[index] + int(playouts[index]))
        for index, position in enumerate(positions)
    ]
    batches = _batches(runs, sum(run.last - run.first for run in runs))
    sums = np.zeros((4, len(positions)), np.int64)
    buffer_words = game.move_words * game.max_moves
    for batch, results in run_batches(_play_batch, batches, rule, buffer_words, game.move_type):
        for run, result in zip(batch, results, strict=True):
            sums[:, run.place] += result
        if notify is not None:
            notify(sum(run.last - run.first for run in batch))
    return Counts(*sums)


def _check(positions: Sequence[Any], rule: PlayoutRule) -> None:
    plays_whole_moves = rule.whole_moves or any(type(position) not in STEPWISE for position in positions)
    if plays_whole_moves and (rule.by_count or rule.avoid_cycles):
        raise InputError("playouts of whole moves know neither a win by count nor cycles of kings")


def _batches(runs: Sequence[_Run], total: int) -> list[tuple[_Run, ...]]:
    """Cut the runs into batches of about the same number of games, none but the last shorter than 50 ms."""
    # Without work for two there is no need to ask joblib how many there are.
    num_batches = 1 if total < 2 * _SHORT_BATCH else _BATCHES_A_WORKER * joblib.effective_n_jobs(None)
    size = min(_LONG_BATCH, max(_SHORT_BATCH, -(-total // num_batches)))
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


def _play_batch(
    batch: Sequence[_Run], rule: PlayoutRule, buffer_words: int, move_type: type[np.unsignedinteger[Any]]
) -> list[tuple[int, ...]]:
    moves = np.zeros(buffer_words, move_type)
    return [play_many(run.position, np.uint64(run.key), run.first, run.last, rule, moves) for run in batch]
