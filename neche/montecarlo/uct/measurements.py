"""What can be read off a search: the table of moves, the line it believes in, and figures of the tree."""

from typing import Any, NamedTuple

import numpy as np

from neche.games.catalogue import Game, Move
from neche.montecarlo.interval import interval
from neche.montecarlo.thinking import MoveThought
from neche.montecarlo.uct.choice import principal_variation, worth
from neche.montecarlo.uct.graph import NUM_NODES, Graph, find
from neche.montecarlo.uct.search import DEPTH_MAX, DEPTH_SUM, PLIES
from neche.montecarlo.uct.solver import UNPROVEN, plies_to_end

LONGEST_LINE = 128


class Effort(NamedTuple):
    """What one thought took. descents: begun at the root. restarts: graphs emptied. seconds: wall time."""

    descents: int
    restarts: int
    seconds: float


def move_thoughts(graph: Graph, position: Any, moves: list[Move]) -> tuple[MoveThought, ...]:
    """Return N(s, a) and Q(s, a) of each legal move; a move that was never tried has the value 0.5."""
    first = int(graph.nodes[find(graph, position)].first_edge)
    thoughts = []
    for move, edge in zip(moves, graph.edges[first : first + len(moves)], strict=True):
        visits, value, proof = int(edge.visits), float(edge.value) if edge.visits else 0.5, int(edge.proof)
        low, high = (value, value) if proof != UNPROVEN else interval(value, visits)
        thoughts.append(MoveThought(move.text, value, visits, low=low, high=high))
    return tuple(thoughts)


def best_numbers(graph: Graph, position: Any) -> list[int]:
    """Return the numbers of the moves that are to be played: equal in visits and value, or in proof."""
    node = graph.nodes[find(graph, position)]
    ranks = [
        (int(worth(graph, node.first_edge + number)), float(graph.edges[node.first_edge + number].value))
        for number in range(int(node.num_edges))
    ]
    return [number for number, rank in enumerate(ranks) if rank == max(ranks)]


def line(game: Game, graph: Graph, position: Any) -> tuple[str, ...]:
    """Write the principal variation, one move at least: best play for both, the first of equals."""
    numbers = np.zeros(LONGEST_LINE, np.int64)
    texts: list[str] = []
    for number in numbers[: max(1, principal_variation(graph, position, 1, numbers))].tolist():
        move = game.legal_moves(position)[number]
        texts.append(move.text)
        position = move.after
    return tuple(texts)


def line_length(graph: Graph, position: Any, least_visits: int) -> int:
    """Return the length of the principal variation while its moves have `least_visits` visits."""
    return int(principal_variation(graph, position, least_visits, np.zeros(LONGEST_LINE, np.int64)))


def figures(
    graph: Graph, position: Any, tallies: Any, effort: Effort, playouts: int
) -> dict[str, float | int]:
    """Return the figures of a thought by name."""
    node = graph.nodes[find(graph, position)]
    found: dict[str, float | int] = {
        "visits": int(node.visits),
        "root_value": float(node.value),
        "descents": effort.descents,
        "playouts_per_second": playouts / max(effort.seconds, 1e-9),
        "mean_depth": float(tallies[DEPTH_SUM]) / max(effort.descents, 1),
        "tree_depth": int(tallies[DEPTH_MAX]),
        "mean_plies": float(tallies[PLIES]) / max(playouts, 1),
        "nodes": int(graph.sizes[NUM_NODES]),
        "restarts": effort.restarts,
    }
    if node.proof != UNPROVEN:
        found["proven_plies"] = plies_to_end(int(node.proof))
    return found
