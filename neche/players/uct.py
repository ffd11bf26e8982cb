"""The player `uct`: Monte Carlo tree search with UCB1, one tree for all moves of a game."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from neche.compiled.batches import check_device
from neche.errors import InputError
from neche.games.game import Game
from neche.games.playouts import PlayoutRule
from neche.montecarlo import mcts
from neche.montecarlo.counting import RULE, CountPlayouts, count_playouts_on
from neche.montecarlo.simulation import Simulation, network_simulation, playout_simulation
from neche.montecarlo.tree import (
    EDGE,
    EDGES_PER_NODE,
    MAX_ITERATIONS,
    NODE,
    NUM_ITERATIONS,
    clear,
    keep_most_visited,
    keep_reachable,
    new_tree,
)
from neche.network.decode import Network
from neche.players import engine, options
from neche.players.tree_analysis import TreeEffort, analyse_tree, growing_counts, playouts_of_depth

DEFAULT_EXPLORATION = 0.5
_DEVICE_BATCH = 1024
_LEAST_CAPACITY, _MOST_CAPACITY = 1 << 14, 1 << 22
# Room for the iterations of some moves; under a clock, for two to three times as many as a core can make.
_MOVES_REMEMBERED, _ITERATIONS_A_MS = 8, 1000
# Rough cost of a game, seconds.
_GAME_SECONDS, _PLAYOUT_SECONDS = 0.05, 8e-5
# Time to make room in a full tree: 0.12 s for 700 000 positions.
_SECONDS_A_NODE = 2e-7
_FIRST_REPORT = 8


@dataclass(frozen=True)
class NetworkLeaf:
    """A network that values leaves.

    name: as in a player specification. scale: the evaluation, in weight units, with an expected score of
    0.73: score = 1 / (1 + exp(−evaluation / scale)); None for one derived from the network, see
    `simulation.natural_scale`. is_static: evaluate positions statically, without following captures first.
    """

    name: str
    network: Network
    scale: float | None = None
    is_static: bool = False


@dataclass(frozen=True)
class Uct(engine.Player):
    """A UCT player; give `playouts` or `time_ms`, or both.

    playouts: iterations for a move, each of which values one leaf. time_ms: thinking time for a move.
    exploration: c of UCB1. leaf: a number of playouts, whose mean counts, or a network. device: where
    playouts are computed. batch: leaves valued at once, spread by virtual loss; None for 1 on the CPU, many
    elsewhere. rule: of the playouts. is_solving: whether results are proven. capacity: most positions in the
    tree; None for room for some moves. confident_visits: the figure `line_length` counts the principal
    variation while its moves have this many visits. InputError if a value is out of range, or values
    contradict each other.
    """

    playouts: options.TreePlayouts | None = None
    time_ms: options.TimeMs | None = None
    exploration: options.Exploration = DEFAULT_EXPLORATION
    leaf: options.LeafPlayouts | NetworkLeaf = 1
    device: str = "cpu"
    batch: options.Batch | None = None
    rule: PlayoutRule = RULE
    is_solving: bool = True
    capacity: Annotated[int, msgspec.Meta(ge=1 << 10, le=1 << 26)] | None = None
    confident_visits: Annotated[int, msgspec.Meta(ge=1, le=engine.MAX_NODES)] = 100
    name: str = ""
    effort = "number of playouts"
    gives_scores = True
    is_tree = True
    needs_key = True
    compiled_part = "tree search"

    def __post_init__(self) -> None:
        if self.playouts is None and self.time_ms is None:
            raise InputError("uct needs a number of playouts or a time")
        options.check_ranges("uct", self, {"time_ms": "time", "exploration": "c"})
        check_device(self.device)
        if isinstance(self.leaf, NetworkLeaf):
            if self.device != "cpu" or self.batch is not None:
                raise InputError("uct: a device and batches are for playouts; an evaluator plays none")
            if self.leaf.scale is not None and not 0.0 < self.leaf.scale < 1e12:
                raise InputError(f"uct: scale={self.leaf.scale:g} is not positive")
        if not self.name:
            object.__setattr__(self, "name", self._written())

    def _written(self) -> str:
        leaf = self.leaf if isinstance(self.leaf, NetworkLeaf) else None
        scale = None if leaf is None else leaf.scale
        given = {
            "playouts": self.playouts,
            "time": self.time_ms,
            "c": f"{self.exploration:g}",
            "leaf": self.leaf if leaf is None else leaf.name,
            "scale": None if scale is None else f"{scale:g}",
            "static": 1 if leaf is not None and leaf.is_static else None,
            "device": None if self.device == "cpu" else self.device,
            "batch": self.batch,
            "solver": None if self.is_solving else 0,
        }
        return options.written("uct", given)

    @property
    def evaluating_network(self) -> Network | None:
        """The network that values leaves."""
        return self.leaf.network if isinstance(self.leaf, NetworkLeaf) else None

    @property
    def seconds_a_game(self) -> float:
        """Approximate time of its moves in a game."""
        return _GAME_SECONDS + _PLAYOUT_SECONDS * (self.playouts or 0)

    @property
    def num_rows(self) -> int:
        """Leaves that are valued at once."""
        return self.batch or (1 if self.device == "cpu" else _DEVICE_BATCH)

    def new_game(self, game: Game, *, memory_mb: int | None = None) -> "UctEngine":
        """Begin a game with an empty tree."""
        begun = UctEngine(self, game, self._num_positions(game, memory_mb))
        if self.capacity is not None or memory_mb is not None:
            # The tree may become full: load or compile the pruning now, not in a move's time.
            begun.make_room_now(game.start())
            keep_reachable(begun._work.tree, game.start(), np.int64(0))
        return begun

    def _num_positions(self, game: Game, memory_mb: int | None) -> int:
        """Return how many positions the tree has room for."""
        if self.capacity is not None:
            return self.capacity
        wanted = _MOST_CAPACITY
        if memory_mb is not None:
            row = game.move_words * np.dtype(game.move_type).itemsize
            node = NODE.itemsize + EDGES_PER_NODE * (EDGE.itemsize + row) + 8
            return max(min(wanted, (memory_mb << 20) // node), _LEAST_CAPACITY)
        if self.playouts is not None:
            wanted = min(wanted, _MOVES_REMEMBERED * self.playouts)
        if self.time_ms is not None:
            wanted = min(wanted, _ITERATIONS_A_MS * self.time_ms)
        return max(wanted, _LEAST_CAPACITY)


class UctEngine(engine.Engine):
    """A UCT player in one game; its tree is kept from move to move, and pruned when room is short."""

    def __init__(self, player: Uct, game: Game, capacity: int) -> None:
        self.limits = engine.Limits(nodes=player.playouts, time_ms=player.time_ms)
        self._player, self._game = player, game
        self._side = int(game.start().turn)
        self._work = mcts.MctsWorkspace(
            new_tree(game, capacity),
            mcts.SelectionRule(float(player.exploration), np.int64(player.is_solving)),
            self._new_simulation(),
            mcts.new_paths(player.num_rows, len(game.start())),
            np.zeros(mcts.NUM_COUNTERS, np.int64),
        )
        self._growth = np.zeros(2, np.int64)
        in_batches = player.device != "cpu" or player.batch is not None
        self._count: CountPlayouts | None = count_playouts_on(player.device) if in_batches else None
        # Of the current analysis: its number of iterations, and what ends it earlier.
        self._last = 0
        self._deadline: float | None = None
        self._stop: engine.Stop | None = None

    def analyse(
        self,
        position: Any,
        *,
        key: int = 0,
        limits: engine.Limits | None = None,
        stop: engine.Stop | None = None,
        progress: engine.Progress | None = None,
        progress_at: Iterable[int] | None = None,
        **_: Any,
    ) -> engine.Analysis:
        """Search from a position; see `engine.Engine`."""
        moves, limits = engine.require_moves(self._game, position), limits or self.limits
        if limits == engine.Limits() and stop is None:
            raise InputError("a search needs a number of playouts, a depth or a time")
        begin = time.perf_counter()
        self._deadline = None if limits.time_ms is None else begin + limits.time_ms / 1000
        self._stop = stop
        of_depth = playouts_of_depth(limits.depth) if limits.depth else engine.MAX_NODES
        self._last = min(limits.nodes or engine.MAX_NODES, of_depth)
        pauses = iter(() if progress is None else progress_at or growing_counts(_FIRST_REPORT))
        self._make_ready(position)
        prunings = 0
        work, tree = self._work, self._work.tree
        # A copy: the search changes the sizes in place.
        before = tree.sizes[:2].copy()
        search_some = self._one_by_one if self._count is None else self._in_batches
        done = 0
        while True:
            pause = min(self._last, next((number for number in pauses if number > done), self._last))
            done, is_full = search_some(position, np.uint64(key), done, pause)
            while is_full and not (done and self._is_late()):
                self.make_room_now(position)
                prunings += 1
                done, is_full = search_some(position, np.uint64(key), done, pause)
            paused = time.perf_counter()
            effort = TreeEffort(done, prunings, paused - begin)
            found = analyse_tree(self._game, work, position, moves, effort, self._player.confident_visits)
            if is_full or progress is None or not pause <= done < self._last:
                break
            progress(found)
            # A listener does not move the deadline, but its time does not count as thinking.
            begin += time.perf_counter() - paused
        # The next analysis should find room for the largest growth so far.
        np.maximum(self._growth, tree.sizes[:2] - before, out=self._growth)
        return found

    def make_room(self, position: Any) -> None:
        """Forget what cannot be reached from a position, if more than half of the room is used."""
        tree = self._work.tree
        if np.any(2 * tree.sizes[:2] > (len(tree.nodes), len(tree.edges))):
            keep_reachable(tree, position, np.int64(0))

    def _is_late(self) -> bool:
        """Return whether there is no time left to make room."""
        duration = _SECONDS_A_NODE * len(self._work.tree.nodes)
        return self._deadline is not None and time.perf_counter() + duration > self._deadline

    def make_room_now(self, position: Any) -> None:
        """Forget what was visited least; the whole tree, if its counter is exhausted."""
        tree = self._work.tree
        if tree.sizes[NUM_ITERATIONS] >= MAX_ITERATIONS:
            clear(tree)
        else:
            keep_most_visited(tree, position)

    def _new_simulation(self) -> Simulation:
        game, leaf = self._game, self._player.leaf
        if isinstance(leaf, int):
            return playout_simulation(game, leaf, self._player.rule)
        return network_simulation(game, leaf.network, self._side, scale=leaf.scale, is_static=leaf.is_static)

    def _make_ready(self, position: Any) -> None:
        """Prune what can no longer occur, if room is short; clear the tree if the network changes sides."""
        tree = self._work.tree
        self._work.counters[:] = 0
        if not isinstance(self._player.leaf, int) and int(position.turn) != self._side:
            self._side = int(position.turn)
            self._work = self._work._replace(simulation=self._new_simulation())
            clear(tree)
        # An analysis as large as the largest so far may not fit into the tree.
        if np.any(tree.sizes[:2] + self._growth > (len(tree.nodes), len(tree.edges))):
            keep_reachable(tree, position, np.int64(0))

    def _one_by_one(self, position: Any, key: np.uint64, first: int, pause: int) -> tuple[int, bool]:
        """Search one leaf after another; return what `mcts.search` returns."""
        return engine.run_until(
            lambda: mcts.search(self._work, position, key, np.int64(first), np.int64(pause)),
            self._work.counters,
            mcts.STOP,
            deadline=self._deadline,
            stop=self._stop,
        )[0]

    def _in_batches(self, position: Any, key: np.uint64, first: int, pause: int) -> tuple[int, bool]:
        """Search in whole batches of leaves, valued on the device; return what `mcts.search` returns."""
        work, number = self._work, first
        while number < pause and not mcts.is_proven(work.tree, position):
            wanted = min(self._player.num_rows, self._last - number)
            found = mcts.collect_leaves(work, position, key, np.int64(number), np.int64(number + wanted))
            mcts.return_values(work.tree, work.paths, self._values(position, key, number, found), found)
            number += found
            if found < wanted:
                return number, True
            if self._deadline is not None and time.perf_counter() >= self._deadline:
                break
            if self._stop is not None and self._stop.is_requested:
                break
        return number, False

    def _values(self, root: Any, key: np.uint64, first: int, num_paths: int) -> NDArray[np.float64]:
        """Play out the new positions among the first paths; return [num_paths]."""
        assert self._count is not None
        values = np.zeros(num_paths)
        rows = np.flatnonzero(self._work.paths.ending[:num_paths] == mcts.NEW)
        # Each field gets its original integer type back: other types would be compiled anew.
        words = [type(word) for word in root]
        positions = [
            type(root)(*(kind(word) for kind, word in zip(words, fields, strict=True)))
            for fields in self._work.paths.fields[rows].tolist()
        ]
        playouts = int(self._work.simulation.playouts)
        # Playouts are numbered by iteration, so that iterations one by one would play the same games.
        begins = ((first + rows) * playouts).tolist()
        of_each = [playouts] * len(rows), [int(key)] * len(rows)
        counts = self._count(self._game, positions, *of_each, first=begins, rule=self._player.rule)
        values[rows] = (counts.wins + 0.5 * counts.draws) / playouts
        self._work.counters[mcts.PLIES] += counts.plies.sum()
        return values
