"""Playouts of many positions on a CUDA device: a thread plays game after game of one position.

A call covers K positions. Every launch plays a run of consecutive games, from P of the positions.
"""

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.compiled.cuda import cuda, device, kernel, launch as run
from neche.compiled.jit import I64, Array, Position
from neche.errors import InputError
from neche.games.game import Game
from neche.games.playouts import PlayoutRule, QuietRule, position_in
from neche.montecarlo.counting import RULE, PlayoutCounts, check_rule, ending_rule, is_branch_free, quiet_rule
from neche.montecarlo.playout import MAX_GAMES, play_branch_free

# Share of the threads that fit. Fewer threads still keep a multiprocessor busy with arithmetic, and each
# plays more games, so that a warp waits less for its longest game (docs/performance-gpu.md).
_THREADS_USED = 0.5
# A display driver kills kernels after two seconds or more, and a millisecond amortises a launch.
_LAUNCH_SECONDS = 0.4
_LARGEST_GROWTH = 16


class Shape(NamedTuple):
    """How the games are distributed; no result depends on it.

    threads: in flight at once. block: threads per block. first_launch: games of the first launch, whose
    duration sets the size of the next ones.
    """

    threads: int
    block: int = 128
    first_launch: int = 2**22


class Launch(NamedTuple):
    """The games of one launch: for position offset + i, games[i] games from number first[i] on.

    games_each: most games of a thread. first, games: [P] int64. threads: [P] int64 – those of the position
    and of all before it.
    """

    offset: int
    games_each: int
    first: NDArray[np.int64]
    games: NDArray[np.int64]
    threads: NDArray[np.int64]


# Rows of the table that goes to the device and comes back, with a column per position: one transfer instead
# of a dozen, each of which would take longer than a few thousand playouts.
_WINS, _LOSSES, _PLIES, _FIRST, _GAMES, _THREADS, _KEY, _FIELDS = range(8)


@kernel
def play_positions(sample: Position, table: Array, games_each: I64, rule: QuietRule | PlayoutRule) -> None:
    """Play the games of a launch, each position with its own threads; add up wins, losses and plies.

    sample: any position of the game. table: [rows, P] uint64.
    """
    # the position of this thread: the first whose cumulative count of threads exceeds the thread's number
    thread = cuda.grid(1)
    low, high = 0, table.shape[1] - 1
    if thread >= np.int64(table[_THREADS, high]):
        return
    while low < high:
        middle = (low + high) // 2
        if np.int64(table[_THREADS, middle]) > thread:
            high = middle
        else:
            low = middle + 1
    # the games of this thread among those of the position
    place = np.uint32(low)
    before = np.int64(table[_THREADS, low - 1]) if low > 0 else np.int64(0)
    begin = (thread - before) * games_each
    count = np.int32(min(games_each, np.int64(table[_GAMES, place]) - begin))
    first = np.int64(table[_FIRST, place]) + begin
    position = position_in(sample, table, _FIELDS, place)
    wins, losses, plies = play_branch_free(position, table[_KEY, place], first, count, rule)
    # threads of the same position add to the same cells
    cuda.atomic.add(table, (_WINS, place), np.uint64(wins))
    cuda.atomic.add(table, (_LOSSES, place), np.uint64(losses))
    cuda.atomic.add(table, (_PLIES, place), np.uint64(plies))


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
) -> PlayoutCounts:
    """Play position k out `playouts[k]` times on the current CUDA device.

    It counts the same games as `playouts_cpu.count_playouts`, so the results are the same. All positions
    share the launches, which last at most half a second. shape: None for the whole device. InputError if
    kernels do not support the playouts of this rule or game.
    """
    if rule.whole_moves or not all(map(is_branch_free, map(type, positions))):
        raise InputError(f"playouts of {game.name} by whole moves run on the CPU only: device=cpu")
    check_rule(game, positions, rule)
    rule = ending_rule(rule, positions)
    games = np.maximum(np.array(playouts, np.int64), 0)
    if not games.sum():
        return PlayoutCounts(*np.zeros((4, len(positions)), np.int64))
    begins = np.zeros_like(games) if first is None else np.array(first, np.int64)
    words = np.array([*zip(*positions, strict=True)], np.uint64)
    streams = np.array([int(key) for key in keys], np.uint64)
    sums = np.zeros((3, len(positions)), np.int64)
    shape = shape or Shape(int(device().threads * _THREADS_USED))
    kernel_rule = quiet_rule(rule) or PlayoutRule(*map(int, rule))
    for launch in _launches(begins, games, shape):
        places = slice(launch.offset, launch.offset + len(launch.games))
        rows = np.zeros((_FIELDS + len(words), len(launch.games)), np.uint64)
        rows[_FIRST], rows[_GAMES], rows[_THREADS] = launch[2:]
        rows[_KEY], rows[_FIELDS:] = streams[places], words[:, places]
        table = cuda.to_device(rows)
        blocks = -(-int(launch.threads[-1]) // shape.block)
        run(play_positions, blocks, shape.block, positions[0], table, launch.games_each, kernel_rule)
        sums[:, places] += table[:_FIRST].copy_to_host().astype(np.int64)
        if notify is not None:
            notify(int(launch.games.sum()))
    wins, losses, plies = sums
    return PlayoutCounts(wins, games - wins - losses, losses, plies)


def _launches(first: NDArray[np.int64], games: NDArray[np.int64], shape: Shape) -> Iterator[Launch]:
    """Cut the games, position after position, into launches sized by the time of the one before."""
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
        threads = np.cumsum(-(-played // games_each))
        started = time.perf_counter()
        yield Launch(begin, games_each, first[begin:end] + skipped, played, threads)
        growth = _LAUNCH_SECONDS / max(time.perf_counter() - started, 1e-6)
        size = max(1, int((upto - done) * min(_LARGEST_GROWTH, growth)))
        done = upto


def _games_each(games: NDArray[np.int64], threads: int) -> int:
    """Return the fewest games per thread with which all threads can be in flight at once.

    games: [P], at most 2^15 per thread on average. More positions than `threads` get at least one each.
    """
    most = max(threads, int(np.count_nonzero(games)))
    choices = range(-(-int(games.sum()) // most), min(int(games.max()), MAX_GAMES))
    return choices.start + bisect_left(choices, True, key=lambda each: (-(-games // each)).sum() <= most)
