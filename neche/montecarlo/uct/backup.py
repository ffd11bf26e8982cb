"""The backup: what a leaf's value changes on the way back to the root.

Every visit of a position s after the first follows a move a, and then

    Q(s, a) = value of the position after a, as of this visit
    Q(s)    = (U(s) + Σ N(s, a) · Q(s, a)) / N(s),    N(s) = 1 + Σ N(s, a)

U(s) is the value of the leaf that s was at its first visit. A position reached by several parents has more
visits than any one of their edges, and each edge has the value it saw last. Values are for the side to move:
the value of the position after a, for the side that moved, is one less its Q.

With the solver, a proven position has exactly 1 or 0.
"""

from typing import Any

import numpy as np

from neche.compiled.jit import jit
from neche.montecarlo.uct.solver import UNPROVEN, prove


@jit
def _mean(graph: Any, node: Any) -> Any:
    here = graph.nodes[node]
    total = here.leaf_value
    begin = np.int64(here.first_edge)
    for edge in range(begin, begin + here.num_edges):
        total += graph.edges[edge].visits * graph.edges[edge].value
    return total / here.visits


@jit
def set_leaf(graph: Any, node: Any, value: Any) -> None:
    """Give a node its first visit, with its value as a leaf."""
    graph.nodes[node].leaf_value = value
    graph.nodes[node].value = value
    graph.nodes[node].visits = 1


@jit
def update(graph: Any, node: Any, edge: Any, value: Any, proof: Any) -> None:
    """Count a visit of `node` that followed `edge` and saw `value` there, for the side to move in `node`.

    proof: of the position the edge leads to.
    """
    followed, here = graph.edges[edge], graph.nodes[node]
    followed.visits += 1
    followed.value = value
    followed.proof = proof
    here.visits += 1
    if proof != UNPROVEN and here.proof == UNPROVEN:
        here.proof = prove(graph, node)
    if here.proof == UNPROVEN:
        here.value = _mean(graph, node)
    else:
        here.value = 1.0 if here.proof > 0 else 0.0


@jit
def back_up(graph: Any, paths: Any, start: Any, length: Any, value: Any, proof: Any) -> None:
    """Update the nodes of a path of `length` edges, which begins at `start` of `paths`, the last first.

    value: of the position at its end, for the side to move there. proof: likewise.
    """
    for at in range(start + length - 1, start - 1, -1):
        node = np.int64(paths.nodes[at])
        update(graph, node, np.int64(paths.edges[at]), 1.0 - value, proof)
        value = graph.nodes[node].value
        proof = np.int64(graph.nodes[node].proof)
