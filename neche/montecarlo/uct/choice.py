"""What the statistics of a node say to play: the robust child, most visits; proven results before all."""

from typing import Any

import numpy as np

from neche.compiled.jit import jit
from neche.montecarlo.uct.graph import NONE, NUM_DESCENTS, find

WORTH_PROVEN = np.int64(1) << np.int64(40)


@jit
def worth(graph: Any, edge: Any) -> Any:
    """Return what moves are compared by before their values: visits, between proven wins and proven losses.

    A quick win is worth more than a slow one, a slow loss more than a quick one, and any loss less than a
    move that was never tried.
    """
    proof = np.int64(graph.edges[edge].proof)
    if proof < 0:
        return WORTH_PROVEN + proof
    if proof > 0:
        return proof - WORTH_PROVEN
    return np.int64(graph.edges[edge].visits)


@jit
def is_better(graph: Any, edge: Any, other: Any) -> Any:
    """Tell whether `edge` is to be played rather than `other`."""
    first, second = worth(graph, edge), worth(graph, other)
    if first != second:
        return first > second
    return graph.edges[edge].value > graph.edges[other].value


@jit
def best_edge(graph: Any, node: Any) -> Any:
    """Return the edge to play from a node that has any; the first in generation order of equals."""
    begin = np.int64(graph.nodes[node].first_edge)
    best = begin
    for edge in range(begin + 1, begin + graph.nodes[node].num_edges):
        if is_better(graph, edge, best):
            best = np.int64(edge)
    return best


@jit
def principal_variation(graph: Any, root: Any, least_visits: Any, numbers: Any) -> Any:
    """Follow best play from `root` while its moves have `least_visits` ≥ 1 visits; return the length.

    numbers: receives the number of each move in generation order, and the best one at the end of the line,
    that has fewer visits or repeats a position.
    """
    node = find(graph, root)
    mark = graph.sizes[NUM_DESCENTS] + 1
    graph.sizes[NUM_DESCENTS] = mark
    length = np.int64(0)
    while node != NONE and length < len(numbers) and graph.nodes[node].num_edges > 0:
        graph.nodes[node].path = mark
        edge = best_edge(graph, node)
        child = np.int64(graph.edges[edge].child)
        numbers[length] = edge - graph.nodes[node].first_edge
        if graph.edges[edge].visits < least_visits or graph.nodes[child].path == mark:
            break
        length += 1
        node = child
    return length
