"""Searches for tests, whose graphs lie open."""

from typing import Any

import numpy as np

from neche.games.catalogue import game
from neche.games.checkers.board import Checkers
from neche.montecarlo.uct.descent import Plan, new_paths
from neche.montecarlo.uct.evaluator import playout_leaf
from neche.montecarlo.uct.graph import NUM_NODES, Graph, find, new_graph
from neche.montecarlo.uct.search import NUM_TALLIES, Desk, search

CHECKERS = game("checkers")
KEY = 20_000_006


def new_desk(*, exploration: float = 1.0, is_solving: bool = True, capacity: int = 1 << 16) -> Desk:
    return Desk(
        new_graph(CHECKERS, capacity),
        Plan(exploration, np.int64(is_solving)),
        playout_leaf(CHECKERS, 1),
        new_paths(64, 4),
        np.zeros(NUM_TALLIES, np.int64),
    )


def run(desk: Desk, position: Any, playouts: int, *, key: int = KEY) -> Graph:
    """Search a position; return the graph."""
    search(desk, position, np.uint64(key), np.int64(0), np.int64(playouts))
    graph: Graph = desk.graph
    return graph


def node_of(graph: Graph, position: Any) -> Any:
    """Return the node of a position as a record of numpy."""
    return graph.nodes[find(graph, position)]


def num_nodes(graph: Graph) -> int:
    return int(graph.sizes[NUM_NODES])


def edges_of(graph: Graph, node: Any) -> Any:
    return graph.edges[node.first_edge : node.first_edge + node.num_edges]


def position_of(node: Any) -> Checkers:
    """Return the position that a node stands for."""
    first, second = int(node.first), int(node.second)
    words = first & 0xFFFFFFFF, first >> 32, second & 0xFFFFFFFF, second >> 32
    return Checkers(*(np.uint32(word) for word in words))
