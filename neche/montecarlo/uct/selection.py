"""Which move a descent follows: UCB1."""

from typing import Any

import numpy as np

from neche.compiled.jit import jit, jit_inlined
from neche.compiled.randomness import choose_below


@jit_inlined
def _untried(graph: Any, begin: Any, end: Any) -> Any:
    count = 0
    for edge in range(begin, end):
        count += graph.edges[edge].visits + graph.edges[edge].pending == 0
    return count


@jit
def _nth_untried(graph: Any, begin: Any, end: Any, wanted: Any) -> Any:
    for edge in range(begin, end):
        if graph.edges[edge].visits + graph.edges[edge].pending == 0:
            if wanted == 0:
                return np.int64(edge)
            wanted -= 1
    return np.int64(begin)


@jit
def select(graph: Any, node: Any, exploration: Any, state: Any) -> Any:
    """Return the edge to follow from a node that has edges, not all of them proven to lose.

    As long as moves are untried, `state` draws one of them. Then it is the move with the largest
    Q(s, a) + c · √(ln N(s) / N(s, a)), the first in generation order of equals; c: `exploration`. Both sides
    choose so, since Q(s, a) is for the side to move in s. Moves proven to lose are left out. A visit that is
    pending counts as lost (virtual loss), so that the descents of a batch spread.
    Source: UCB1, Auer, Cesa-Bianchi and Fischer 2002; UCT, Kocsis and Szepesvári 2006.
    """
    here = graph.nodes[node]
    begin = np.int64(here.first_edge)
    end = begin + here.num_edges
    untried = _untried(graph, begin, end)
    if untried > 0:
        return _nth_untried(graph, begin, end, choose_below(state, untried))
    log_visits = np.log(np.float64(here.visits + here.pending))
    best, chosen = -1.0, begin
    for number in range(begin, end):
        edge = graph.edges[number]
        if edge.proof > 0:
            continue
        visits = np.float64(edge.visits + edge.pending)
        value = edge.value if edge.pending == 0 else edge.value * edge.visits / visits
        score = value + exploration * np.sqrt(log_visits / visits)
        if score > best:
            best, chosen = score, np.int64(number)
    return chosen
