"""A UCT player at one game: the search under a count or a deadline, and what it thinks after it."""

import threading
import time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.errors import InputError
from neche.games.catalogue import Game
from neche.montecarlo.counting import CountPlayouts, count_playouts_on
from neche.montecarlo.mcts import (
    NEW,
    NUM_COUNTERS,
    NUM_LEAVES,
    PLIES,
    STOP,
    MctsWorkspace,
    SelectionRule,
    collect_leaves,
    is_proven,
    new_paths,
    return_values,
    search,
)
from neche.montecarlo.simulation import Simulation, network_simulation, playout_simulation
from neche.montecarlo.summary import Effort, best_numbers, figures, line, line_length, move_thoughts
from neche.montecarlo.thinking import Limits, Thought
from neche.montecarlo.tree import clear, keep_reachable, new_tree
from neche.montecarlo.uct.player import MAX_PLAYOUTS, Evaluator, Uct
from neche.search.stopping import Stop

_LEAST_CAPACITY, _MOST_CAPACITY = 1 << 14, 1 << 22
# Room for the iterations of so many moves; under a clock, for two to three times those that a core can make.
_MOVES_REMEMBERED, _ITERATIONS_A_MS = 8, 1000


def _capacity(player: Uct) -> int:
    if player.capacity is not None:
        return player.capacity
    wanted = _MOST_CAPACITY
    if player.playouts is not None:
        wanted = min(wanted, _MOVES_REMEMBERED * player.playouts)
    if player.time_ms is not None:
        wanted = min(wanted, _ITERATIONS_A_MS * player.time_ms)
    return max(wanted, _LEAST_CAPACITY)


class _Until(NamedTuple):
    """When the iterations of a move end: after number `last` − 1, at the deadline, or on request.

    pause: from this number on they are interrupted, to be told of, but never within a batch.
    """

    last: int
    pause: int
    deadline: float | None
    stop: Stop | None


class UctSeat:
    """A UCT player at one game; its tree goes on from move to move and is emptied only when it is full."""

    def __init__(self, player: Uct, game: Game) -> None:
        self._player, self._game = player, game
        self._viewer = int(game.start().turn)
        self._work = MctsWorkspace(
            new_tree(game, _capacity(player)),
            SelectionRule(float(player.exploration), np.int64(player.is_solving)),
            self._new_simulation(),
            new_paths(player.num_rows, len(game.start())),
            np.zeros(NUM_COUNTERS, np.int64),
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
        """Return what the tree says of a position after some iterations."""
        moves = self._game.legal_moves(position)
        tree, counters = self._work.tree, self._work.counters
        thoughts = move_thoughts(tree, position, moves)
        best = best_numbers(tree, position)
        playouts = int(counters[NUM_LEAVES]) * max(1, int(self._work.simulation.playouts))
        facts = figures(tree, position, counters, effort, playouts)
        facts["line_length"] = line_length(tree, position, self._player.confident_visits)
        return Thought(
            value=thoughts[best[0]].value,
            moves=thoughts,
            best=tuple(moves[number].text for number in best),
            pv=line(self._game, tree, position),
            playouts=playouts,
            seconds=effort.seconds,
            facts=facts,
        )

    def make_room(self, position: Any) -> None:
        """Forget what cannot be reached from a position, if half of the room is used up."""
        tree = self._work.tree
        if np.any(2 * tree.sizes[:2] > (len(tree.nodes), len(tree.edges))):
            keep_reachable(tree, position)

    def _new_simulation(self) -> Simulation:
        leaf = self._player.leaf
        if not isinstance(leaf, Evaluator):
            return playout_simulation(self._game, leaf, self._player.rule)
        return network_simulation(
            self._game, leaf.network, self._viewer, scale=leaf.scale, is_static=leaf.is_static
        )

    def _make_ready(self, position: Any, *, may_forget_all: bool) -> int:
        """Forget what is of no use any more; return 1 if that was everything, for want of room.

        An evaluator that is to play for the other side now has no use for anything.
        """
        tree = self._work.tree
        self._work.counters[:] = 0
        if isinstance(self._player.leaf, Evaluator) and int(position.turn) != self._viewer:
            self._viewer = int(position.turn)
            self._work = self._work._replace(simulation=self._new_simulation())
            clear(tree)
        if self._is_short_of_room():
            keep_reachable(tree, position)
        if not may_forget_all or not self._is_short_of_room():
            return 0
        clear(tree)
        return 1

    def _is_short_of_room(self) -> bool:
        """Tell whether another thought as large as the largest so far may not fit into the tree."""
        tree = self._work.tree
        room = len(tree.nodes), len(tree.edges)
        return bool(np.any(tree.sizes[:2] + self._growth > room))

    def _search(self, position: Any, key: np.uint64, limits: Limits) -> Effort:
        """Make the iterations of one move, and tell of them on the way."""
        begin = time.perf_counter()
        deadline = None if limits.time_ms is None else begin + limits.time_ms / 1000
        last, pauses = limits.playouts or MAX_PLAYOUTS, iter(limits.tell_at if limits.tell else ())
        restarts = self._make_ready(position, may_forget_all=limits.stop is None)
        tree = self._work.tree
        before = tree.sizes[:2].copy()
        search_some = self._one_by_one if self._count is None else self._in_batches
        done = 0
        while True:
            pause = min(last, next((number for number in pauses if number > done), last))
            until = _Until(last, pause, deadline, limits.stop)
            done, is_full = search_some(position, key, done, until)
            # Whoever can stop a thought sees that it went no further; the tree is more use than a new one.
            while is_full and (limits.stop is None or done == 0):
                clear(tree)
                restarts += 1
                done, is_full = search_some(position, key, done, until)
            effort = Effort(done, restarts, time.perf_counter() - begin)
            if is_full or limits.tell is None or not pause <= done < last:
                break
            paused = time.perf_counter()
            limits.tell(self._thought(position, effort))
            # The deadline does not wait for whoever is told, but only thinking counts as such.
            begin += time.perf_counter() - paused
        np.maximum(self._growth, tree.sizes[:2] - before, out=self._growth)
        return effort

    def _one_by_one(self, position: Any, key: np.uint64, first: int, until: _Until) -> tuple[int, bool]:
        """Search in a thread of its own, so that this one can stop it: in time, on request, interrupted.

        With a stop and no time the search is in this thread: another one raises the flag.
        """
        found: list[tuple[int, bool]] = []
        done = threading.Event()
        self._work.counters[STOP] = 0

        def work() -> None:
            try:
                found.append(search(self._work, position, key, np.int64(first), np.int64(until.pause)))
            finally:
                done.set()

        stop = until.stop or Stop()
        if until.stop is not None and until.deadline is None:
            with stop.raising(self._work.counters, STOP):
                work()
            return found[0]
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            with stop.raising(self._work.counters, STOP):
                left = None if until.deadline is None else until.deadline - time.perf_counter()
                done.wait(None if left is None else max(0.0, left))
        finally:
            self._work.counters[STOP] = 1
            thread.join()
        return found[0]

    def _in_batches(self, position: Any, key: np.uint64, first: int, until: _Until) -> tuple[int, bool]:
        """Search by batches of leaves, valued on the device."""
        tree, paths = self._work.tree, self._work.paths
        number = first
        while number < until.pause and not is_proven(tree, position):
            wanted = min(self._player.num_rows, until.last - number)
            count = collect_leaves(self._work, position, key, np.int64(number), np.int64(number + wanted))
            return_values(tree, paths, self._values(position, key, number, count), count)
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
        rows = np.flatnonzero(self._work.paths.ending[:count] == NEW)
        words = [type(word) for word in root]
        positions = [
            type(root)(*(kind(word) for kind, word in zip(words, fields, strict=True)))
            for fields in self._work.paths.fields[rows].tolist()
        ]
        playouts = int(self._work.simulation.playouts)
        begins = ((first + rows) * playouts).tolist()
        of_each = [playouts] * len(rows), [int(key)] * len(rows)
        counts = self._count(self._game, positions, *of_each, first=begins, rule=self._player.rule)
        values[rows] = (counts.wins + 0.5 * counts.draws) / playouts
        self._work.counters[PLIES] += counts.plies.sum()
        return values
