"""One position for one network: value, best moves, principal variation; to a depth or within a time."""

import threading
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from neche.errors import InputError
from neche.games.catalogue import Game, Move
from neche.network.bank import Bank, build_bank, unit
from neche.network.decode import Network
from neche.network.sight import require_sight
from neche.search.quiescence import WIN, Judge
from neche.search.root import judge_for, search_moves
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
        self.bank: Bank = build_bank([network])
        self.work: Workspace = new_workspace(game, table_bits=TABLE_BITS)
        self.judge: Judge = judge_for(self.bank, 0, int(position.turn))

    def run(
        self, position: Any, depth: int, *, seconds: float | None = None, every_value: bool = False
    ) -> bool:
        """Search `position`; return whether the search came to its end. Values are left in work.root."""
        done = threading.Event()

        def search() -> None:
            search_moves(self.judge, self.work, position, np.int64(depth), np.int64(_OWNER), every_value)
            done.set()

        self.work.counters[STOP] = 0
        thread = threading.Thread(target=search)
        thread.start()
        try:
            return done.wait(seconds)
        finally:
            self.work.counters[STOP] = 1
            thread.join()
            self.work.counters[STOP] = 0

    def values(self, count: int) -> list[int]:
        return [int(value) for value in self.work.root[:count]]

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
) -> SearchResult:
    """Search to `depth` plies, or as deep as `time_ms` milliseconds allow (one ply at least), or both.

    Raises:
        InputError: the network cannot see this game, it is over in this position, neither limit is given, or
            one is out of range.
    """
    moves = game.legal_moves(position)
    require_sight(game, network)
    _check(game, position, moves, depth, time_ms)
    begin = time.perf_counter()
    deadline = None if time_ms is None else begin + time_ms / 1000
    searcher = _Searcher(game, network, position)
    finished, values = 0, [0] * len(moves)
    first = 1 if deadline is not None else int(depth or 1)
    for plies in range(first, (depth or MAX_DEPTH) + 1):
        left = None if deadline is None or plies == 1 else max(0.0, deadline - time.perf_counter())
        if not searcher.run(position, plies, seconds=left, every_value=every_value):
            break
        finished, values = plies, searcher.values(len(moves))
        if deadline is not None and abs(max(values)) > int(WIN) // 2:
            break
    best = [move for move, value in zip(moves, values, strict=True) if value == max(values)]
    pv = _principal_variation(searcher, best[0], finished, deadline)
    return SearchResult(
        value=searcher.shown(max(values)),
        best_moves=tuple(move.text for move in best),
        move_values={move.text: searcher.shown(value) for move, value in zip(moves, values, strict=True)},
        pv=pv,
        depth=finished,
        nodes=int(searcher.work.counters[NODES]),
        seconds=time.perf_counter() - begin,
    )


def _check(game: Game, position: Any, moves: list[Move], depth: int | None, time_ms: int | None) -> None:
    if not moves:
        raise InputError(f"the game is over: {game.side_to_move(position)} has no legal move")
    if depth is None and time_ms is None:
        raise InputError("a search needs a depth or a time")
    if depth is not None and not 1 <= depth <= MAX_DEPTH:
        raise InputError(f"depth {depth} is not in 1 … {MAX_DEPTH}")
    if time_ms is not None and time_ms < 1:
        raise InputError(f"time {time_ms} ms is not positive")


def _principal_variation(
    searcher: _Searcher, move: Move, depth: int, deadline: float | None
) -> tuple[str, ...]:
    """Follow the best moves; the table still holds most of what the search found, so this costs little."""
    line = [move.text]
    position = move.after
    for plies in range(depth - 1, 0, -1):
        moves = searcher.game.legal_moves(position)
        left = None if deadline is None else deadline - time.perf_counter()
        if not moves or (left is not None and left <= 0) or not searcher.run(position, plies, seconds=left):
            break
        values = searcher.values(len(moves))
        best = moves[values.index(max(values))]
        line.append(best.text)
        position = best.after
    return tuple(line)
