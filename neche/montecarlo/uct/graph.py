"""The graph of a search: positions and the moves between them, in arrays that are allocated once.

A position is a node however it was reached, so transpositions share their statistics. The edges of a node lie
side by side in the order of move generation; an edge keeps the row of its move and, once it was followed, its
child. So a descent neither generates moves nor looks positions up, except where it leaves known ground.

Symbols: s a position, a a move; N, Q, U as in `backup`. All values are expected scores 0 … 1 for the side to
move in s.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import jit
from neche.games.catalogue import Game
from neche.games.contract import generate, max_moves, move_words, outcome, position_words
from neche.montecarlo.uct.solver import LOST_NOW, UNPROVEN

NODE = np.dtype(
    [
        ("first", np.uint64),
        ("second", np.uint64),
        ("third", np.uint64),
        ("value", np.float64),
        ("leaf_value", np.float64),
        ("visits", np.int32),
        ("pending", np.int32),
        ("first_edge", np.int32),
        ("num_edges", np.int32),
        ("proof", np.int32),
        ("path", np.int32),
    ],
    align=True,
)
"""A position s.

first, second, third: the position, as `position_words` writes it; third: zero if there is none. value: Q(s).
leaf_value: U(s). visits: N(s). pending: visits begun and not yet backed up (batches only). first_edge,
num_edges: its moves. proof: see `solver`. path: number of the last descent that came through.
"""
EDGE = np.dtype(
    [
        ("value", np.float64),
        ("visits", np.int32),
        ("pending", np.int32),
        ("child", np.int32),
        ("proof", np.int32),
    ],
    align=True,
)
"""A move a in s. value: Q(s, a). visits: N(s, a). child: its node, NONE before the first visit. proof: of the
child, as of the last visit. pending: as in NODE."""

NONE = -1
NUM_NODES, NUM_EDGES, NUM_DESCENTS = 0, 1, 2
MAX_DESCENTS = 1 << 30
"""Descents that a graph can count; more than that and it counts as full."""
EDGES_PER_NODE = 12
"""Room for moves, in the mean over positions. Checkers: 5; with more moves a graph is full earlier."""


class Graph(NamedTuple):
    """A graph of at most `len(nodes)` positions.

    nodes: [N] NODE. edges: [E] EDGE. moves: [E · words a move], rows as `generate` writes them. table:
    [2^k ≥ 2 N] int32, where positions are looked up: node or NONE. sizes: [3] int64 – nodes and edges in use,
    descents begun.
    """

    nodes: Any
    edges: Any
    moves: Any
    table: Any
    sizes: Any


def new_graph(game: Game, capacity: int) -> Graph:
    """Allocate an empty graph for `capacity` positions. Most systems lend the memory only as it is used."""
    # the moves of one position more: so many must fit before a node is made
    num_edges = EDGES_PER_NODE * capacity + game.max_moves
    return Graph(
        np.empty(capacity, NODE).view(np.recarray),
        np.empty(num_edges, EDGE).view(np.recarray),
        np.empty(num_edges * game.move_words, game.move_type),
        np.full(1 << (2 * capacity - 1).bit_length(), NONE, np.int32),
        np.zeros(3, np.int64),
    )


def clear(graph: Graph) -> None:
    """Empty the graph."""
    graph.table[:] = NONE
    graph.sizes[:] = 0


@jit
def _words(position: Any) -> Any:
    """Return the three words of a position, the third zero if it has two."""
    words = position_words(position)
    third = np.uint64(0)
    for at in range(2, len(words)):
        third = np.uint64(words[at])
    return words[0], words[1], third


@jit
def _slot(graph: Any, first: Any, second: Any, third: Any) -> Any:
    """Where in the table a position is, or would be put."""
    mixed = np.uint64(first * np.uint64(0x9E3779B97F4A7C15)) ^ np.uint64(
        second * np.uint64(0xC2B2AE3D27D4EB4F)
    )
    mixed = np.uint64(mixed ^ np.uint64(third * np.uint64(0x165667B19E3779F9)))
    mixed = np.uint64(mixed ^ np.uint64(mixed >> np.uint64(29)))
    mixed = np.uint64(np.uint64(mixed * np.uint64(0xBF58476D1CE4E5B9)) >> np.uint64(32))
    last = len(graph.table) - 1
    at = np.int64(mixed & np.uint64(last))
    while graph.table[at] != NONE:
        node = graph.nodes[graph.table[at]]
        if node.first == first and node.second == second and node.third == third:
            break
        at = (at + 1) & last
    return at


@jit
def index(graph: Any, node: Any) -> None:
    """Put a node that is in no table yet into it."""
    here = graph.nodes[node]
    graph.table[_slot(graph, here.first, here.second, here.third)] = node


@jit
def find(graph: Any, position: Any) -> Any:
    """Return the node of a position, NONE if it has none."""
    first, second, third = _words(position)
    return np.int64(graph.table[_slot(graph, first, second, third)])


@jit
def enter(graph: Any, position: Any, is_solving: Any) -> Any:
    """Return the node of a position and whether it was made just now; NONE when the graph is full.

    A new node has its edges and no visits. Without edges the game is over: its value is the outcome, and if
    `is_solving` a win or a loss is proven.
    """
    first, second, third = _words(position)
    slot = _slot(graph, first, second, third)
    if graph.table[slot] != NONE:
        return np.int64(graph.table[slot]), False
    index, base = graph.sizes[NUM_NODES], graph.sizes[NUM_EDGES]
    if index == len(graph.nodes) or base + max_moves(position) > len(graph.edges):
        return np.int64(NONE), False
    count = generate(position, graph.moves, base * move_words(position))
    for number in range(base, base + count):
        edge = graph.edges[number]
        edge.value = 0.0
        edge.visits = edge.pending = 0
        edge.child = NONE
        edge.proof = UNPROVEN
    node = graph.nodes[index]
    node.first, node.second, node.third = first, second, third
    result = outcome(position) if count == 0 else np.int64(-1)
    node.value = node.leaf_value = 0.5 * (1 + result)
    node.visits = node.pending = node.path = 0
    node.first_edge, node.num_edges = base, count
    node.proof = -LOST_NOW * result if count == 0 and is_solving else UNPROVEN
    graph.table[slot] = index
    graph.sizes[NUM_NODES] = index + 1
    graph.sizes[NUM_EDGES] = base + count
    return np.int64(index), True
