"""One position for one network: value, best moves, principal variation; to a depth or within a time."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from neche.errors import InputError
from neche.games.catalogue import Game, Move
from neche.network.decode import Network
from neche.network.packing import PackedNetworks, pack_networks, unit
from neche.network.sensors import check_sensors
from neche.search.quiescence import WIN, Judge
from neche.search.root import judge_for, search_moves
from neche.search.stopping import Stop
from neche.search.workspace import NODES, STOP, Workspace, new_workspace

MAX_DEPTH = 60
TABLE_BITS = 18
WIN_VALUE = 1e12
"""Shown value of a win; one that takes n plies shows as WIN_VALUE − n. No network can output half as much."""
_OWNER = 1


@dataclass(frozen=True)
class SearchResult:
    """What a search found.

    value: for the side to move, in weight units, or ±(WIN_VALUE − plies) when the game is decided.
    best_moves: all moves whose value is exactly the best. move_values: each legal move's value, in the game's
    order; for other than the best an upper bound, unless every value was asked for. pv: best play for both,
    first of equals. depth: plies of the deepest finished search. nodes: positions visited. seconds: wall
    time.
    """

    value: float
    best_moves: tuple[str, ...]
    move_values: dict[str, float]
    pv: tuple[str, ...]
    depth: int
    nodes: int
    seconds: float


class _Searcher:
    """A search in a thread of its own, so that this one can stop it: at a deadline, or when interrupted."""

    def __init__(self, game: Game, network: Network, position: Any) -> None:
        self.game = game
        self.bank: PackedNetworks = pack_networks([network], game.sensors)
        self.work: Workspace = new_workspace(game, table_bits=TABLE_BITS)
        self.judge: Judge = judge_for(self.bank, 0, int(position.turn))

    def run(
        self,
        position: Any,
        depth: int,
        *,
        seconds: float | None = None,
        stop: Stop | None = None,
        every_value: bool = False,
    ) -> bool:
        """Search `position`; return whether the search came to its end. Values are left in work.root.

        With a stop and no time it is searched in this thread: another one raises the flag.
        """
        done = threading.Event()

        def search() -> None:
            search_moves(self.judge, self.work, position, np.int64(depth), np.int64(_OWNER), every_value)
            done.set()

        self.work.counters[STOP] = 0
        if stop is not None and seconds is None:
            with stop.raising(self.work.counters, STOP):
                search()
            self.work.counters[STOP] = 0
            return not stop.is_requested
        stop = stop or Stop()
        thread = threading.Thread(target=search)
        thread.start()
        try:
            with stop.raising(self.work.counters, STOP):
                return done.wait(seconds) and not stop.is_requested
        finally:
            self.work.counters[STOP] = 1
            thread.join()
            self.work.counters[STOP] = 0

    def values(self, count: int) -> list[int]:
        return [int(value) for value in self.work.root[:count]]

    @property
    def num_nodes(self) -> int:
        """Positions visited so far."""
        return int(self.work.counters[NODES])

    def result(self, moves: list[Move], depth: int, begin: float) -> SearchResult:
        """Say what the search of these moves found that has just come to its end."""
        values = self.values(len(moves))
        best = [move.text for move, value in zip(moves, values, strict=True) if value == max(values)]
        return SearchResult(
            value=self.shown(max(values)),
            best_moves=tuple(best),
            move_values={move.text: self.shown(value) for move, value in zip(moves, values, strict=True)},
            pv=(best[0],),
            depth=depth,
            nodes=self.num_nodes,
            seconds=time.perf_counter() - begin,
        )

    def shown(self, value: int) -> float:
        if abs(value) > int(WIN) // 2:
            plies = int(WIN) - abs(value)
            return (WIN_VALUE - plies) * (1 if value > 0 else -1)
        return value / unit(self.bank, 0)


def search_position(
    game: Game,
    position: Any,
    network: Network,
    *,
    depth: int | None = None,
    time_ms: int | None = None,
    every_value: bool = False,
    stop: Stop | None = None,
    notify: Callable[[SearchResult], None] | None = None,
) -> SearchResult:
    """Search to `depth` plies, or as deep as `time_ms` milliseconds allow (one ply at least), or both.

    stop: ends the search early, with what its last finished depth found; depth by depth, as with a time.
    notify: called with what each finished depth found.

    Raises:
        InputError: the network cannot see this game, it is over in this position, no limit is given, or one
            is out of range.
    """
    moves = game.legal_moves(position)
    check_sensors(game, network)
    _check(game, position, moves, depth, time_ms, stop)
    begin = time.perf_counter()
    deadline = None if time_ms is None else begin + time_ms / 1000
    searcher = _Searcher(game, network, position)
    found: SearchResult | None = None
    is_open = deadline is not None or stop is not None
    first = 1 if is_open else int(depth or 1)
    for plies in range(first, (depth or MAX_DEPTH) + 1):
        left = None if deadline is None or plies == 1 else max(0.0, deadline - time.perf_counter())
        asked = None if plies == 1 else stop
        if not searcher.run(position, plies, seconds=left, stop=asked, every_value=every_value):
            break
        found = searcher.result(moves, plies, begin)
        if notify is not None:
            found = _with_line(searcher, found, moves, deadline, stop)
            notify(found)
        if is_open and abs(found.value) > WIN_VALUE / 2:
            break
    assert found is not None
    if notify is None:
        found = _with_line(searcher, found, moves, deadline, stop)
    return replace(found, seconds=time.perf_counter() - begin)


def _check(
    game: Game,
    position: Any,
    moves: list[Move],
    depth: int | None,
    time_ms: int | None,
    stop: Stop | None,
) -> None:
    if not moves:
        raise InputError(f"the game is over: {game.side_to_move(position)} has no legal move")
    if depth is None and time_ms is None and stop is None:
        raise InputError("a search needs a depth or a time")
    if depth is not None and not 1 <= depth <= MAX_DEPTH:
        raise InputError(f"depth {depth} is not in 1 … {MAX_DEPTH}")
    if time_ms is not None and time_ms < 1:
        raise InputError(f"time {time_ms} ms is not positive")


def _with_line(
    searcher: _Searcher,
    found: SearchResult,
    moves: list[Move],
    deadline: float | None,
    stop: Stop | None,
) -> SearchResult:
    """Follow the best moves; the table still holds most of what the search found, so this costs little."""
    move = next(move for move in moves if move.text == found.best_moves[0])
    line = [move.text]
    position = move.after
    for plies in range(found.depth - 1, 0, -1):
        moves = searcher.game.legal_moves(position)
        left = None if deadline is None else deadline - time.perf_counter()
        if not moves or (left is not None and left <= 0):
            break
        if not searcher.run(position, plies, seconds=left, stop=stop):
            break
        values = searcher.values(len(moves))
        best = moves[values.index(max(values))]
        line.append(best.text)
        position = best.after
    return replace(found, pv=tuple(line), nodes=searcher.num_nodes)
