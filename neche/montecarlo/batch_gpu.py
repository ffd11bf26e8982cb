"""Playouts of many positions on a CUDA device: a thread plays game after game of one position.

A call is for K positions. Every launch plays a run of consecutive games, over P of them.
"""

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.compiled.cuda import cuda, device, kernel
from neche.compiled.cuda import launch as run
from neche.errors import InputError
from neche.games.catalogue import Game
from neche.games.contract import WALKING, PlayoutRule, QuietRule, position_at
from neche.montecarlo.playout import RULE, Counts
from neche.montecarlo.walks import MAX_GAMES, play_walks

_NEVER = 2**31 - 1
# Of the threads that fit. Their arithmetic keeps a multiprocessor busy with fewer, and of fewer threads each
# plays more games, so that a warp waits less for its longest game (docs/performance.md).
_THREADS_USED = 0.5
# A display driver ends kernels after two seconds or more, and a launch is paid for within a millisecond.
_LAUNCH_SECONDS = 0.4
_LARGEST_GROWTH = 16


class Shape(NamedTuple):
    """How the games are shared out; no result depends on it.

    threads: in flight at once. block: threads a block. first_launch: games of the first launch; it shows how
    long the next ones may be.
    """

    threads: int
    block: int = 128
    first_launch: int = 2**22


class Launch(NamedTuple):
    """The games of one launch: number first[i] and the games[i] − 1 following of position offset + i.

    games_each: of a thread at most. first, games: [P] int64. threads: [P + 1] int64 – threads of all
    positions before.
    """

    offset: int
    games_each: int
    first: Any
    games: Any
    threads: Any


@kernel
def play_positions(columns: Any, keys: Any, launch: Any, rule: Any, counts: Any) -> None:
    """Play the games of a launch, each position's by threads of its own; add up wins, losses and plies.

    columns: record of the fields of all positions, each [K]. keys: [K] uint64. counts: [K, 3] int64.
    """
    thread = cuda.grid(1)
    low, high = 0, launch.games.shape[0]
    if thread >= launch.threads[high]:
        return
    while high - low > 1:
        middle = (low + high) // 2
        if launch.threads[middle] <= thread:
            low = middle
        else:
            high = middle
    place = np.uint32(launch.offset + low)
    begin = (thread - launch.threads[low]) * launch.games_each
    count = np.int32(min(launch.games_each, launch.games[low] - begin))
    wins, losses, plies = play_walks(
        position_at(columns, place), keys[place], launch.first[low] + begin, count, rule
    )
    cuda.atomic.add(counts, (place, 0), np.int64(wins))
    cuda.atomic.add(counts, (place, 1), np.int64(losses))
    cuda.atomic.add(counts, (place, 2), np.int64(plies))


def count_playouts(
    game: Game,
    positions: Sequence[Any],
    playouts: Sequence[int],
    keys: Sequence[int],
    *,
    first: Sequence[int] | None = None,
    rule: PlayoutRule = RULE,
    notify: Callable[[int], None] | None = None,
    shape: Shape | None = None,
) -> Counts:
    """Play position k out `playouts[k]` times on the current CUDA device.

    Counts the same games as `batch_cpu.count_playouts`, so the results are the same. All positions share the
    launches, which last half a second at most. shape: for other than the whole device.

    Raises:
        InputError: the rule or the game wants playouts of whole moves, which kernels do not play.
    """
    if rule.whole_moves or any(type(position) not in WALKING for position in positions):
        raise InputError(f"playouts of {game.name} by whole moves run on the CPU only: device=cpu")
    games = np.maximum(np.array(playouts, np.int64), 0)
    if not games.sum():
        return Counts(*np.zeros((4, len(positions)), np.int64))
    begins = np.zeros_like(games) if first is None else np.array(first, np.int64)
    columns = type(positions[0])(*(cuda.to_device(np.array(field)) for field in zip(*positions, strict=True)))
    device_keys = cuda.to_device(np.array([int(key) for key in keys], np.uint64))
    counts = cuda.to_device(np.zeros((len(positions), 3), np.int64))
    shape = shape or Shape(int(device().threads * _THREADS_USED))
    walk_rule = _walk_rule(rule)
    for launch in _launches(begins, games, shape):
        blocks = -(-int(launch.threads[-1]) // shape.block)
        sent = launch._replace(**{name: cuda.to_device(getattr(launch, name)) for name in Launch._fields[2:]})
        run(play_positions, blocks, shape.block, columns, device_keys, sent, walk_rule, counts)
        if notify is not None:
            notify(int(launch.games.sum()))
    wins, losses, plies = counts.copy_to_host().T
    return Counts(wins.copy(), games - wins - losses, losses.copy(), plies.copy())


def _walk_rule(rule: PlayoutRule) -> PlayoutRule | QuietRule:
    if rule.max_plies > 0 or rule.avoid_cycles:
        return PlayoutRule(*map(int, rule))
    return QuietRule(np.int32(min(rule.quiet_plies, _NEVER) if rule.quiet_plies > 0 else _NEVER))


def _launches(first: NDArray[np.int64], games: NDArray[np.int64], shape: Shape) -> Iterator[Launch]:
    """Cut the games, position after position, into launches as long as the time of the last one allows."""
    ends = np.cumsum(games)
    starts = ends - games
    done, total = 0, int(ends[-1])
    size, most = shape.first_launch, max(1, shape.threads * MAX_GAMES // 2)
    while done < total:
        upto = min(total, done + size, done + most)
        # the positions that have games number done … upto − 1 of all
        begin, end = int(np.searchsorted(ends, done, "right")), int(np.searchsorted(starts, upto, "left"))
        skipped = np.maximum(done - starts[begin:end], 0)
        played = np.minimum(upto - starts[begin:end], games[begin:end]) - skipped
        games_each = _games_each(played, shape.threads)
        threads = np.concatenate([[0], np.cumsum(-(-played // games_each))])
        started = time.perf_counter()
        yield Launch(begin, games_each, first[begin:end] + skipped, played, threads)
        growth = _LAUNCH_SECONDS / max(time.perf_counter() - started, 1e-6)
        size = max(1, int((upto - done) * min(_LARGEST_GROWTH, growth)))
        done = upto


def _games_each(games: NDArray[np.int64], threads: int) -> int:
    """Return the games of a thread with which all threads are in flight at once: the fewest that let them be.

    games: [P], 2^15 a thread on average at most. More positions than `threads` have at least a thread each.
    """
    most = max(threads, int(np.count_nonzero(games)))
    choices = range(-(-int(games.sum()) // most), min(int(games.max()), MAX_GAMES))
    return choices.start + bisect_left(choices, True, key=lambda each: (-(-games // each)).sum() <= most)
