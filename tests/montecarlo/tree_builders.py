"""Tree searches for tests that look into the tree."""

from typing import Any

import numpy as np

from neche.games.catalogue import game
from neche.games.draughts.board_8x8 import Checkers
from neche.montecarlo.mcts import NUM_COUNTERS, MctsWorkspace, SelectionRule, new_paths, search
from neche.montecarlo.simulation import playout_simulation
from neche.montecarlo.tree import NUM_NODES, Tree, new_tree, probe

CHECKERS = game("checkers")
KEY = 20_000_006


def new_workspace(
    *, exploration: float = 1.0, is_solving: bool = True, capacity: int = 1 << 16
) -> MctsWorkspace:
    return MctsWorkspace(
        new_tree(CHECKERS, capacity),
        SelectionRule(exploration, np.int64(is_solving)),
        playout_simulation(CHECKERS, 1),
        new_paths(64, 4),
        np.zeros(NUM_COUNTERS, np.int64),
    )


def run(work: MctsWorkspace, position: Any, playouts: int, *, key: int = KEY) -> Tree:
    """Search a position; return the tree."""
    search(work, position, np.uint64(key), np.int64(0), np.int64(playouts))
    tree: Tree = work.tree
    return tree


def node_of(tree: Tree, position: Any) -> Any:
    """Return the node of a position as a record of numpy."""
    return tree.nodes[probe(tree, position)]


def num_nodes(tree: Tree) -> int:
    return int(tree.sizes[NUM_NODES])


def edges_of(tree: Tree, node: Any) -> Any:
    return tree.edges[node.first_edge : node.first_edge + node.num_edges]


def position_of(node: Any) -> Checkers:
    """Return the position of a node."""
    first, second = int(node.first), int(node.second)
    words = first & 0xFFFFFFFF, first >> 32, second & 0xFFFFFFFF, second >> 32
    return Checkers(*(np.uint32(word) for word in words))
