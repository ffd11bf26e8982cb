"""Games on a CUDA device, one per thread: equal to `playing.play_games` at depths 1 and 2, bit for bit.

Rules, networks, draw rules and the game loop are those of the CPU; the search is `search.shallow`. Its stack
and its moves are in thread-local memory, whose size must be known at compile time, so each game has its own
kernel.
"""

import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from neche.arena.game_loop import GameWorkspace, play_number
from neche.arena.playing import Contestants, GameBatch, GameResults, Schedule, no_results, play_batch, put
from neche.compiled.cuda import copied_back, cuda, device, kernel, launch, on_device
from neche.compiled.jit import I64, Array, Position
from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.draws import DrawRule
from neche.network.packing import PackedNetworks
from neche.search.shallow import (
    DEEPEST,
    FRAME_WORDS,
    MAX_FIELDS,
    MAX_FRAMES,
    NUM_COUNTERS,
    OVERFLOWN,
    ShallowWorkspace,
)

# Rows for the moves of a line before those of its last position; if they are too few, the CPU plays.
_MOST_SPARE_MOVES = 256
# Ctrl-C is handled between launches, and a display driver kills kernels that last longer than two seconds.
_LAUNCH_SECONDS, _LARGEST_GROWTH = 1.0, 4.0
_BLOCK = 64


class Games(NamedTuple):
    """The arguments of a launch, with all N games.

    start: position. packed, depths: see `playing.Contestants`. overflown: [N] int8 – 1: too many moves for
    the memory of a thread, so that the result is meaningless.
    """

    start: Position
    packed: PackedNetworks
    depths: Array
    schedule: Schedule
    rule: DrawRule
    results: GameResults
    overflown: Array


@cache
def kernel_of(name: str, spare_moves: int = 0) -> Any:
    """Return the kernel of a game; spare_moves: see `play_games`."""
    rules = game(name)
    num_roots, word = rules.max_moves, {4: np.uint32, 8: np.uint64}[np.dtype(rules.move_type).itemsize]
    num_spare = spare_moves or min(num_roots, _MOST_SPARE_MOVES)
    num_words = (num_roots + num_spare) * rules.move_words

    @kernel
    def play(games: Games, first: I64, count: I64) -> None:
        """Play `count` games from number `first` on, one per thread."""
        thread = cuda.grid(1)
        if thread >= count:
            return
        # local memory, interleaved over threads, so that threads in step share its cache lines; no size of an
        # array may be an attribute of a module
        moves, root = cuda.local.array(num_words, word), cuda.local.array(num_roots, np.int64)
        positions = cuda.local.array((MAX_FIELDS, MAX_FRAMES), np.uint64)
        frames = cuda.local.array((FRAME_WORDS, MAX_FRAMES), np.int64)
        counters = cuda.local.array(NUM_COUNTERS, np.int64)
        # no draws by repetition here, and the moves of these games are not read
        history, record = cuda.local.array(1, np.uint64), cuda.local.array(1, np.int16)
        for number in range(NUM_COUNTERS):
            counters[number] = 0
        work = ShallowWorkspace(moves, root, counters, positions, frames)
        number, space = first + thread, GameWorkspace(work, history, record)
        play_number(
            games.start, games.packed, games.depths, games.schedule, number, games.rule, space, games.results
        )
        games.overflown[number] = counters[OVERFLOWN] > 0

    return play


def check_games(contestants: Contestants, rule: DrawRule) -> None:
    """Check that a device can play games of these contestants by this rule; InputError if not."""
    deepest = int(contestants.depths.max(initial=0))
    faults = {
        f"game {contestants.game} has no kernel": contestants.game not in GAMES,
        "players that play move by move have no kernel": bool(contestants.players or contestants.starts),
        f"depth {deepest} is more than {DEEPEST}": deepest > DEEPEST,
        "draws by repetition have no kernel": rule.repetition > 0,
        "dense networks with two hidden layers have no kernel": bool(contestants.packed.are_layered.any()),
    }
    for fault, is_there in faults.items():
        if is_there:
            raise InputError(f"device cuda: {fault}; play such games on the CPU")


def play_games(
    contestants: Contestants,
    schedule: Schedule,
    rule: DrawRule,
    *,
    notify: Callable[[int], None] | None = None,
    games_a_launch: int = 0,
    block: int = _BLOCK,
    spare_moves: int = 0,
) -> GameResults:
    """Play all games as `playing.play_games` does, on the current CUDA device; InputError if it cannot.

    games_a_launch: of the first launch; 0: as many as the device has threads. block: threads per block.
    spare_moves: rows for moves of a line before its last position; 0: as many as one position can have, at
    most 256. No result depends on them: a game for which memory is too small is played on the CPU.
    """
    check_games(contestants, rule)
    count, name = len(schedule.first), contestants.game
    results = no_results(count)
    if count == 0:
        return results
    start, overflown = game(name).start(), np.zeros(count, np.int8)
    given = Games(start, contestants.packed, contestants.depths, schedule, rule, results, overflown)
    there = on_device(given)
    play = kernel_of(name, spare_moves)
    for first, number in _launches(count, games_a_launch or device().threads):
        launch(play, -(-number // block), block, there, first, number)
        cuda.synchronize()
        if notify is not None:
            notify(number)
    copied_back(there.results, results)
    copied_back(there.overflown, overflown)
    left = np.flatnonzero(overflown)
    again = Schedule._make(column[left] for column in schedule)
    put(results, left, play_batch(GameBatch(contestants, again, rule)))
    return results


def _launches(count: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut the games into launches, first game and number, sized by the time of the one before."""
    done = 0
    while done < count:
        number, began = min(size, count - done), time.perf_counter()
        yield done, number
        growth = _LAUNCH_SECONDS / max(time.perf_counter() - began, 1e-6)
        size = max(1, int(number * min(_LARGEST_GROWTH, growth)))
        done += number
