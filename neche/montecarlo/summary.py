"""What can be read off a search: the table of moves, the line it believes in, and figures of the tree."""

from typing import Any, NamedTuple

import numpy as np

from neche.games.catalogue import Game, Move
from neche.montecarlo.interval import interval
from neche.montecarlo.mcts import DEPTH_MAX, DEPTH_SUM, PLIES
from neche.montecarlo.thinking import MoveThought
from neche.montecarlo.tree import NUM_NODES, UNPROVEN, Tree, plies_to_end, principal_variation, probe, worth

LONGEST_LINE = 128


class Effort(NamedTuple):
    """What one thought took. iterations: begun at the root. restarts: trees emptied. seconds: wall time."""

    iterations: int
    restarts: int
    seconds: float


def move_thoughts(tree: Tree, position: Any, moves: list[Move]) -> tuple[MoveThought, ...]:
    """Return N(s, a) and Q(s, a) of each legal move; a move that was never tried has the value 0.5."""
    first = int(tree.nodes[probe(tree, position)].first_edge)
    thoughts = []
    for move, edge in zip(moves, tree.edges[first : first + len(moves)], strict=True):
        visits, value, proof = int(edge.visits), float(edge.value) if edge.visits else 0.5, int(edge.proof)
        low, high = (value, value) if proof != UNPROVEN else interval(value, visits)
        thoughts.append(MoveThought(move.text, value, visits, low=low, high=high))
    return tuple(thoughts)


def best_numbers(tree: Tree, position: Any) -> list[int]:
    """Return the numbers of the moves that are to be played: equal in visits and value, or in proof."""
    node = tree.nodes[probe(tree, position)]
    ranks = [
        (int(worth(tree, node.first_edge + number)), float(tree.edges[node.first_edge + number].value))
        for number in range(int(node.num_edges))
    ]
    return [number for number, rank in enumerate(ranks) if rank == max(ranks)]


def line(game: Game, tree: Tree, position: Any) -> tuple[str, ...]:
    """Write the principal variation, one move at least: best play for both, the first of equals."""
    numbers = np.zeros(LONGEST_LINE, np.int64)
    texts: list[str] = []
    for number in numbers[: max(1, principal_variation(tree, position, 1, numbers))].tolist():
        move = game.legal_moves(position)[number]
        texts.append(move.text)
        position = move.after
    return tuple(texts)


def line_length(tree: Tree, position: Any, least_visits: int) -> int:
    """Return the length of the principal variation while its moves have `least_visits` visits."""
    return int(principal_variation(tree, position, least_visits, np.zeros(LONGEST_LINE, np.int64)))


def figures(
    tree: Tree, position: Any, counters: Any, effort: Effort, playouts: int
) -> dict[str, float | int]:
    """Return the figures of a thought by name."""
    node = tree.nodes[probe(tree, position)]
    found: dict[str, float | int] = {
        "visits": int(node.visits),
        "root_value": float(node.value),
        "descents": effort.iterations,
        "playouts_per_second": playouts / max(effort.seconds, 1e-9),
        "mean_depth": float(counters[DEPTH_SUM]) / max(effort.iterations, 1),
        "tree_depth": int(counters[DEPTH_MAX]),
        "mean_plies": float(counters[PLIES]) / max(playouts, 1),
        "nodes": int(tree.sizes[NUM_NODES]),
        "restarts": effort.restarts,
    }
    if node.proof != UNPROVEN:
        found["proven_plies"] = plies_to_end(int(node.proof))
    return found
