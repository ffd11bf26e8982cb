"""The search: descents, values of leaves and backups, one after another or in batches."""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import jit
from neche.compiled.randomness import draw
from neche.montecarlo.uct.descent import FULL, NEW, announce, ascend, descend
from neche.montecarlo.uct.graph import NONE, find
from neche.montecarlo.uct.leaf import expected_score
from neche.montecarlo.uct.solver import UNPROVEN

STOP, DEPTH_SUM, DEPTH_MAX, NUM_LEAVES, PLIES = 0, 1, 2, 3, 4
NUM_TALLIES = 5
"""Tallies: a flag that stops the search when another thread sets it; sum and maximum of the moves selected in
a descent; leaves valued; plies of their playouts."""
_CHOICES = np.uint64(1) << np.uint64(63)


class Desk(NamedTuple):
    """All that a search works with. tallies: [NUM_TALLIES] int64."""

    graph: Any
    plan: Any
    leaf: Any
    paths: Any
    tallies: Any


@jit
def choice_state(key: Any, number: Any) -> Any:
    """Return the random state with which descent `number` of a stream begins: no playout of it begins so."""
    return draw(draw(key, _CHOICES), np.uint64(number))


@jit
def _count(desk: Any, row: Any) -> None:
    depth = np.int64(desk.paths.length[row])
    desk.tallies[DEPTH_SUM] += depth
    desk.tallies[DEPTH_MAX] = max(desk.tallies[DEPTH_MAX], depth)
    if desk.paths.ending[row] == NEW:
        desk.tallies[NUM_LEAVES] += 1


@jit
def is_proven(graph: Any, position: Any) -> Any:
    """Tell whether the result of a position is known."""
    node = find(graph, position)
    return node != NONE and graph.nodes[node].proof != UNPROVEN


@jit
def search(desk: Any, root: Any, key: Any, first: Any, last: Any) -> Any:
    """Make descents number `first` up to, not including, `last`; return the next, and if the graph is full.

    Otherwise it ends before `last` when the root is proven or the stop flag is raised, but only after the
    root has a value.
    """
    graph = desk.graph
    for number in range(first, last):
        node = find(graph, root)
        if node != NONE and (desk.tallies[STOP] != 0 or graph.nodes[node].proof != UNPROVEN):
            return np.int64(number), False
        ending, position = descend(graph, root, desk.plan, choice_state(key, number), desk.paths, 0)
        if ending == FULL:
            return np.int64(number), True
        value = 0.0
        if ending == NEW:
            value, plies = expected_score(desk.leaf, position, key, number)
            desk.tallies[PLIES] += plies
        _count(desk, 0)
        ascend(graph, desk.paths, 0, value)
    return np.int64(last), False


@jit
def collect(desk: Any, root: Any, key: Any, first: Any, last: Any) -> Any:
    """Make descents `first` … `last` − 1 into rows 0, 1 … of the paths without values; return how many.

    Their visits are pending. If there are fewer than asked for, the graph is full.
    """
    paths = desk.paths
    for number in range(first, last):
        row = np.int64(number - first)
        state = choice_state(key, number)
        ending, position = descend(desk.graph, root, desk.plan, state, paths, row)
        if ending == FULL:
            return row
        for field in range(len(position)):
            paths.fields[row, field] = position[field]
        announce(desk.graph, paths, row, 1)
        _count(desk, row)
    return np.int64(last - first)


@jit
def return_values(graph: Any, paths: Any, values: Any, count: Any) -> None:
    """Back up the first `count` rows, in order. values: [count] float64, used where the ending is NEW."""
    for row in range(count):
        announce(graph, paths, row, -1)
        ascend(graph, paths, row, values[row])
