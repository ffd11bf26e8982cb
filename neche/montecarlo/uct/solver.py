"""Proven wins and losses.

A position is won when some move leads to a lost one, and lost when all moves lead to won ones; one without a
move has its outcome. A proof rests on positions proven before it, down to the end of the game; draws are no
proof of anything and repetitions prove nothing, so the order in which positions were proven never runs in a
circle and a proven win can be played out by going from proof to proof. Whoever counts quiet moves may still
call the game a draw before.

A proof is one integer: 0 for none, n + 1 for a win in n plies, −(n + 1) for a loss in n plies of best play
as far as it is known. Transpositions share a proof, but a parent learns of it when it next visits the child.

Source: M. Winands, Y. Björnsson, J.-T. Saito, Monte-Carlo Tree Search Solver, 2008; there for trees.
"""

from typing import Any

import numpy as np

from neche.compiled.jit import jit

UNPROVEN = 0
LOST_NOW = -1
"""The proof of a finished game that the side to move has lost, in 0 plies; if it has won, the opposite."""


@jit
def prove(graph: Any, node: Any) -> Any:
    """Return the proof of a node from those of its edges: the quickest win, the slowest loss or none."""
    quickest, slowest = np.int64(UNPROVEN), np.int64(UNPROVEN)
    all_lost: Any = True
    begin = np.int64(graph.nodes[node].first_edge)
    for edge in range(begin, begin + graph.nodes[node].num_edges):
        proof = np.int64(graph.edges[edge].proof)
        if proof < 0 and (quickest == UNPROVEN or 1 - proof < quickest):
            quickest = 1 - proof
        slowest = min(slowest, -proof - 1)
        all_lost = all_lost and proof > 0
    if quickest != UNPROVEN:
        return quickest
    return slowest if all_lost else np.int64(UNPROVEN)


def plies_to_end(proof: int) -> int:
    """Return the plies to the end of the game that a proof tells.

    >>> plies_to_end(LOST_NOW), plies_to_end(4), plies_to_end(-5)
    (0, 3, 4)
    """
    return abs(proof) - 1
