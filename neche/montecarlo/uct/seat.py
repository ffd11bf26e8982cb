"""A UCT player at one game: the search under a count or a deadline, and what it thinks after it."""

import threading
import time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.errors import InputError
from neche.games.catalogue import Game
from neche.montecarlo.devices import CountPlayouts, count_playouts_on
from neche.montecarlo.thinking import Limits, Thought
from neche.montecarlo.uct.descent import NEW, Plan, new_paths
from neche.montecarlo.uct.evaluator import evaluator_leaf, playout_leaf
from neche.montecarlo.uct.graph import clear, new_graph
from neche.montecarlo.uct.leaf import Leaf
from neche.montecarlo.uct.measurements import Effort, best_numbers, figures, line, line_length, move_thoughts
from neche.montecarlo.uct.player import MAX_PLAYOUTS, Evaluator, Uct
from neche.montecarlo.uct.pruning import keep_reachable
from neche.montecarlo.uct.search import (
    NUM_LEAVES,
    NUM_TALLIES,
    PLIES,
    STOP,
    Desk,
    collect,
    is_proven,
    return_values,
    search,
)
from neche.search.stopping import Stop

_LEAST_CAPACITY, _MOST_CAPACITY = 1 << 14, 1 << 22
# Room for the descents of so many moves; under a clock, for two to three times those that a core can make.
_MOVES_REMEMBERED, _DESCENTS_A_MS = 8, 1000


def _capacity(player: Uct) -> int:
    if player.capacity is not None:
        return player.capacity
    wanted = _MOST_CAPACITY
    if player.playouts is not None:
        wanted = min(wanted, _MOVES_REMEMBERED * player.playouts)
    if player.time_ms is not None:
        wanted = min(wanted, _DESCENTS_A_MS * player.time_ms)
    return max(wanted, _LEAST_CAPACITY)


class _Until(NamedTuple):
    """When the descents of a move end: after number `last` − 1, at the deadline, or on request.

    pause: from this number on they are interrupted, to be told of, but never within a batch.
    """

    last: int
    pause: int
    deadline: float | None
    stop: Stop | None


class UctSeat:
    """A UCT player at one game; its graph goes on from move to move and is emptied only when it is full."""

    def __init__(self, player: Uct, game: Game) -> None:
        self._player, self._game = player, game
        self._viewer = int(game.start().turn)
        self._desk = Desk(
            new_graph(game, _capacity(player)),
            Plan(float(player.exploration), np.int64(player.is_solving)),
            self._new_leaf(),
            new_paths(player.num_rows, len(game.start())),
            np.zeros(NUM_TALLIES, np.int64),
        )
        self._growth = np.zeros(2, np.int64)
        in_batches = player.device != "cpu" or player.batch is not None
        self._count: CountPlayouts | None = count_playouts_on(player.device) if in_batches else None

    @property
    def limits(self) -> Limits:
        """What the player has for a move, see `thinking.LimitedSeat`."""
        return Limits(self._player.playouts, self._player.time_ms)

    def think(self, position: Any, key: int) -> Thought:
        """Search from a position; see `thinking.Seat`."""
        return self.think_within(position, key, self.limits)

    def think_within(self, position: Any, key: int, limits: Limits) -> Thought:
        """Search from a position; see `thinking.LimitedSeat`."""
        if not self._game.legal_moves(position):
            raise InputError(f"the game is over: {self._game.side_to_move(position)} has no legal move")
        return self._thought(position, self._search(position, np.uint64(key), limits))

    def _thought(self, position: Any, effort: Effort) -> Thought:
        """Return what the graph says of a position after some descents."""
        moves = self._game.legal_moves(position)
        graph, tallies = self._desk.graph, self._desk.tallies
        thoughts = move_thoughts(graph, position, moves)
        best = best_numbers(graph, position)
        playouts = int(tallies[NUM_LEAVES]) * max(1, int(self._desk.leaf.playouts))
        facts = figures(graph, position, tallies, effort, playouts)
        facts["line_length"] = line_length(graph, position, self._player.confident_visits)
        return Thought(
            value=thoughts[best[0]].value,
            moves=thoughts,
            best=tuple(moves[number].text for number in best),
            pv=line(self._game, graph, position),
            playouts=playouts,
            seconds=effort.seconds,
            facts=facts,
        )

    def make_room(self, position: Any) -> None:
        """Forget what cannot be reached from a position, if half of the room is used up."""
        graph = self._desk.graph
        if np.any(2 * graph.sizes[:2] > (len(graph.nodes), len(graph.edges))):
            keep_reachable(graph, position)

    def _new_leaf(self) -> Leaf:
        if isinstance(self._player.leaf, Evaluator):
            return evaluator_leaf(self._game, self._player.leaf, self._viewer)
        return playout_leaf(self._game, self._player.leaf, self._player.rule)

    def _make_ready(self, position: Any, *, may_forget_all: bool) -> int:
        """Forget what is of no use any more; return 1 if that was everything, for want of room.

        An evaluator that is to play for the other side now has no use for anything.
        """
        graph = self._desk.graph
        self._desk.tallies[:] = 0
        if isinstance(self._player.leaf, Evaluator) and int(position.turn) != self._viewer:
            self._viewer = int(position.turn)
            self._desk = self._desk._replace(leaf=self._new_leaf())
            clear(graph)
        if self._is_short_of_room():
            keep_reachable(graph, position)
        if not may_forget_all or not self._is_short_of_room():
            return 0
        clear(graph)
        return 1

    def _is_short_of_room(self) -> bool:
        """Tell whether another thought as large as the largest so far may not fit into the graph."""
        graph = self._desk.graph
        room = len(graph.nodes), len(graph.edges)
        return bool(np.any(graph.sizes[:2] + self._growth > room))

    def _search(self, position: Any, key: np.uint64, limits: Limits) -> Effort:
        """Make the descents of one move, and tell of them on the way."""
        begin = time.perf_counter()
        deadline = None if limits.time_ms is None else begin + limits.time_ms / 1000
        last, pauses = limits.playouts or MAX_PLAYOUTS, iter(limits.tell_at if limits.tell else ())
        restarts = self._make_ready(position, may_forget_all=limits.stop is None)
        graph = self._desk.graph
        before = graph.sizes[:2].copy()
        search_some = self._one_by_one if self._count is None else self._in_batches
        done = 0
        while True:
            pause = min(last, next((number for number in pauses if number > done), last))
            until = _Until(last, pause, deadline, limits.stop)
            done, is_full = search_some(position, key, done, until)
            # Whoever can stop a thought sees that it went no further; the graph is more use than a new one.
            while is_full and (limits.stop is None or done == 0):
                clear(graph)
                restarts += 1
                done, is_full = search_some(position, key, done, until)
            effort = Effort(done, restarts, time.perf_counter() - begin)
            if is_full or limits.tell is None or not pause <= done < last:
                break
            paused = time.perf_counter()
            limits.tell(self._thought(position, effort))
            # The deadline does not wait for whoever is told, but only thinking counts as such.
            begin += time.perf_counter() - paused
        np.maximum(self._growth, graph.sizes[:2] - before, out=self._growth)
        return effort

    def _one_by_one(self, position: Any, key: np.uint64, first: int, until: _Until) -> tuple[int, bool]:
        """Search in a thread of its own, so that this one can stop it: in time, on request, interrupted.

        With a stop and no time the search is in this thread: another one raises the flag.
        """
        found: list[tuple[int, bool]] = []
        done = threading.Event()
        self._desk.tallies[STOP] = 0

        def work() -> None:
            try:
                found.append(search(self._desk, position, key, np.int64(first), np.int64(until.pause)))
            finally:
                done.set()

        stop = until.stop or Stop()
        if until.stop is not None and until.deadline is None:
            with stop.raising(self._desk.tallies, STOP):
                work()
            return found[0]
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            with stop.raising(self._desk.tallies, STOP):
                left = None if until.deadline is None else until.deadline - time.perf_counter()
                done.wait(None if left is None else max(0.0, left))
        finally:
            self._desk.tallies[STOP] = 1
            thread.join()
        return found[0]

    def _in_batches(self, position: Any, key: np.uint64, first: int, until: _Until) -> tuple[int, bool]:
        """Search by batches of leaves, valued on the device."""
        graph, paths = self._desk.graph, self._desk.paths
        number = first
        while number < until.pause and not is_proven(graph, position):
            wanted = min(self._player.num_rows, until.last - number)
            count = collect(self._desk, position, key, np.int64(number), np.int64(number + wanted))
            return_values(graph, paths, self._values(position, key, number, count), count)
            number += count
            if count < wanted:
                return number, True
            if until.deadline is not None and time.perf_counter() >= until.deadline:
                break
            if until.stop is not None and until.stop.is_requested:
                break
        return number, False

    def _values(self, root: Any, key: np.uint64, first: int, count: int) -> NDArray[np.float64]:
        """Play out the new positions among the first `count` paths; return [count]."""
        assert self._count is not None
        values = np.zeros(count)
        rows = np.flatnonzero(self._desk.paths.ending[:count] == NEW)
        words = [type(word) for word in root]
        positions = [
            type(root)(*(kind(word) for kind, word in zip(words, fields, strict=True)))
            for fields in self._desk.paths.fields[rows].tolist()
        ]
        playouts = int(self._desk.leaf.playouts)
        begins = ((first + rows) * playouts).tolist()
        of_each = [playouts] * len(rows), [int(key)] * len(rows)
        counts = self._count(self._game, positions, *of_each, first=begins, rule=self._player.rule)
        values[rows] = (counts.wins + 0.5 * counts.draws) / playouts
        self._desk.tallies[PLIES] += counts.plies.sum()
        return values
