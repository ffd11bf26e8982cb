"""The descent: from the root along selected moves to a position whose value is known or wanted."""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import jit
from neche.compiled.randomness import advance
from neche.games.contract import move_words, successor
from neche.montecarlo.uct.backup import back_up, set_leaf
from neche.montecarlo.uct.graph import MAX_DESCENTS, NONE, NUM_DESCENTS, enter
from neche.montecarlo.uct.selection import select
from neche.montecarlo.uct.solver import UNPROVEN

MAX_PATH = 256
"""Moves of a path; one that would be longer counts as a draw."""
ROW = MAX_PATH + 1
NEW, SETTLED, DRAWN, FULL = 0, 1, 2, 3
"""How a descent ends: at a position seen for the first time, at one whose result is known, at a position that
is on the path already (or after the longest path), at a full graph."""


class Plan(NamedTuple):
    """How descents go. exploration: c of UCB1, float64. is_solving: int64, 1 where results are proven."""

    exploration: Any
    is_solving: Any


class Paths(NamedTuple):
    """Room for a batch of B descents, each a row.

    nodes, edges: [B · ROW] int32 – the root, the edge followed from it, the next node and so on. length: [B]
    int32, edges. ending: [B] int32. fields: [B, fields of a position] uint64 – the position at the end.
    """

    nodes: Any
    edges: Any
    length: Any
    ending: Any
    fields: Any


def new_paths(rows: int, num_fields: int) -> Paths:
    """Allocate room for a batch."""
    return Paths(
        np.zeros(rows * ROW, np.int32),
        np.zeros(rows * ROW, np.int32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int32),
        np.zeros((rows, num_fields), np.uint64),
    )


@jit
def descend(graph: Any, root: Any, plan: Any, state: Any, paths: Any, row: Any) -> Any:
    """Go down from the position `root` into row `row` of `paths`; return the ending and the last position.

    state: random state of this descent. Nothing changes in the graph but a new node at the end, and the links
    and marks on the way.
    """
    start, length, position = np.int64(row * ROW), np.int64(0), root
    number = graph.sizes[NUM_DESCENTS] + 1
    graph.sizes[NUM_DESCENTS] = number
    ending = np.int64(NEW)
    node, is_new = enter(graph, position, plan.is_solving)
    while node != NONE and number < MAX_DESCENTS:
        paths.nodes[start + length] = node
        here = graph.nodes[node]
        if here.path == number:
            ending = np.int64(DRAWN)
            break
        if here.num_edges == 0 or here.proof != UNPROVEN:
            ending = np.int64(SETTLED)
            break
        if is_new:
            break
        if length == MAX_PATH:
            ending = np.int64(DRAWN)
            break
        here.path = number
        state = advance(state)
        edge = select(graph, node, plan.exploration, state)
        paths.edges[start + length] = edge
        length += 1
        position = successor(position, graph.moves, edge * move_words(position))
        node, is_new = np.int64(graph.edges[edge].child), False
        if node == NONE:
            node, is_new = enter(graph, position, plan.is_solving)
            graph.edges[edge].child = node
    if node == NONE or number >= MAX_DESCENTS:
        ending = np.int64(FULL)
    paths.length[row] = length
    paths.ending[row] = ending
    return ending, position


@jit
def ascend(graph: Any, paths: Any, row: Any, value: Any) -> None:
    """Back up a path that did not end at a full graph.

    value: of the last position, for its side to move; asked for only where the ending is NEW.
    """
    start, length = np.int64(row * ROW), np.int64(paths.length[row])
    node, ending = np.int64(paths.nodes[start + length]), paths.ending[row]
    if ending == DRAWN:
        back_up(graph, paths, start, length, 0.5, np.int64(UNPROVEN))
        return
    if ending == NEW:
        set_leaf(graph, node, np.float64(value))
    else:
        graph.nodes[node].visits += 1
    last = graph.nodes[node]
    back_up(graph, paths, start, length, np.float64(last.value), np.int64(last.proof))


@jit
def announce(graph: Any, paths: Any, row: Any, change: Any) -> None:
    """Add `change` to the pending visits of a path: 1 before later descents of its batch, −1 after them."""
    start, length = np.int64(row * ROW), np.int64(paths.length[row])
    for at in range(start, start + length):
        graph.nodes[paths.nodes[at]].pending += change
        graph.edges[paths.edges[at]].pending += change
    if paths.ending[row] != FULL:
        graph.nodes[paths.nodes[start + length]].pending += change
