"""The analysis of a search tree's root, at any moment of the search."""

from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from neche.games.game import Game, Move
from neche.montecarlo.mcts import DEPTH_MAX, DEPTH_SUM, NUM_LEAVES, PLIES, MctsWorkspace
from neche.montecarlo.tree import NUM_NODES, UNPROVEN, Tree, plies_to_end, principal_variation, probe, worth
from neche.players.engine import Analysis, MoveAnalysis, interval

LONGEST_LINE = 128


class TreeEffort(NamedTuple):
    """The effort of one analysis. iterations: begun at the root. seconds: wall time.

    prunings: how often the tree was full and half of it was forgotten.
    """

    iterations: int
    prunings: int
    seconds: float


def growing_counts(first: int) -> Iterator[int]:
    """Yield numbers of playouts that grow without end, doubling every two steps.

    >>> from itertools import islice
    >>> list(islice(growing_counts(4), 8))
    [4, 6, 8, 11, 16, 23, 32, 45]
    """
    last = 0
    for step in count():
        wanted = round(first * 2 ** (step / 2))
        if wanted > last:
            yield wanted
            last = wanted


def playouts_of_depth(depth: int) -> int:
    """Return how many playouts correspond to a depth: twice as many for every two plies.

    >>> [playouts_of_depth(depth) for depth in (1, 8, 20)]
    [707, 8000, 512000]
    """
    return int(500 * 2 ** (depth / 2))


def analyse_tree(
    game: Game,
    work: MctsWorkspace,
    position: Any,
    moves: list[Move],
    effort: TreeEffort,
    confident_visits: int,
) -> Analysis:
    """Return the tree's analysis of a position in it.

    confident_visits: the figure `line_length` counts the principal variation while its moves have this many.
    """
    tree = work.tree
    # The edges of a node lie in the order of move generation, so they pair with the legal moves.
    node = tree.nodes[probe(tree, position)]
    first = int(node.first_edge)
    edges = tree.edges[first : first + len(moves)]
    found = tuple(_move_analysis(move, edge) for move, edge in zip(moves, edges, strict=True))
    # The moves to be played have equal visits and values, or equal proofs.
    ranks = [(int(worth(tree, first + at)), float(edge.value)) for at, edge in enumerate(edges)]
    best = [at for at, rank in enumerate(ranks) if rank == max(ranks)]
    playouts = int(work.counters[NUM_LEAVES]) * max(1, int(work.simulation.playouts))
    figures = _figures(work, node, effort, playouts)
    sure_line = np.zeros(LONGEST_LINE, np.int64)
    figures["line_length"] = int(principal_variation(tree, position, confident_visits, sure_line))
    return Analysis(
        moves=found,
        best_moves=tuple(moves[at].text for at in best),
        pv=_line(game, tree, position),
        value=found[best[0]].value,
        is_score=True,
        depth=max(1, int(work.counters[DEPTH_MAX])),
        nodes=playouts,
        playouts=playouts,
        seconds=effort.seconds,
        figures=figures,
    )


def _move_analysis(move: Move, edge: Any) -> MoveAnalysis:
    """Return N(s, a) and Q(s, a) of a move; an untried one has the value 0.5."""
    visits, value = int(edge.visits), float(edge.value) if edge.visits else 0.5
    # A proven value has no error; the error of others depends on their visits.
    low, high = (value, value) if int(edge.proof) != UNPROVEN else interval(value, visits)
    return MoveAnalysis(move.text, value, visits, low=low, high=high)


def _figures(work: MctsWorkspace, node: Any, effort: TreeEffort, playouts: int) -> dict[str, float | int]:
    found: dict[str, float | int] = {
        "visits": int(node.visits),
        "root_value": float(node.value),
        "descents": effort.iterations,
        "playouts_per_second": playouts / max(effort.seconds, 1e-9),
        "mean_depth": float(work.counters[DEPTH_SUM]) / max(effort.iterations, 1),
        "tree_depth": int(work.counters[DEPTH_MAX]),
        "mean_plies": float(work.counters[PLIES]) / max(playouts, 1),
        "nodes": int(work.tree.sizes[NUM_NODES]),
        "restarts": effort.prunings,
    }
    if node.proof != UNPROVEN:
        found["proven_plies"] = plies_to_end(int(node.proof))
    return found


def _line(game: Game, tree: Tree, position: Any) -> tuple[str, ...]:
    """Return the principal variation, at least one move: best play for both sides, the first of equals."""
    numbers = np.zeros(LONGEST_LINE, np.int64)
    texts: list[str] = []
    for number in numbers[: max(1, int(principal_variation(tree, position, 1, numbers)))].tolist():
        move = game.legal_moves(position)[number]
        texts.append(move.text)
        position = move.after
    return tuple(texts)
