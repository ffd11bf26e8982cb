"""What an engine says of a position, while it thinks and at the end."""

import math
from typing import NamedTuple

from neche.montecarlo.thinking import Thought
from neche.search.analysis import WIN_VALUE, SearchResult

WIN_SCORE = 100.0
"""Score of a win, less a hundredth for each ply it takes, as Scan has it."""
_MOST = 80.0


class Report(NamedTuple):
    """What is known of a position.

    score: for the side to move, in men; of a decided game ±(WIN_SCORE − plies / 100), see `score_of`. pv:
    best play, begins with the best move. moves: the best moves that were told apart, best first, with their
    scores. depth: plies of the deepest finished search, or of the deepest line of a tree. nodes: positions or
    playouts. seconds: wall time.
    """

    score: float
    pv: tuple[str, ...]
    moves: tuple[tuple[str, float], ...]
    depth: int
    mean_depth: float
    nodes: int
    seconds: float

    @property
    def is_decided(self) -> bool:
        """Tell whether the score is that of a win or a loss that is proven."""
        return abs(self.score) > _MOST


def of_search(result: SearchResult) -> Report:
    """Report a search; weight units of a network are men."""
    moves = sorted(result.move_values.items(), key=lambda item: -item[1])
    return Report(
        score=score_of_value(result.value),
        pv=result.pv,
        moves=tuple((move, score_of_value(value)) for move, value in moves),
        depth=result.depth,
        mean_depth=float(result.depth),
        nodes=result.nodes,
        seconds=result.seconds,
    )


def score_of_value(value: float) -> float:
    """Return the score for a value of the search, which may be a decided one.

    >>> score_of_value(0.25), score_of_value(-1e12 + 4), score_of_value(1e6)
    (0.25, -99.96, 80.0)
    """
    if abs(value) > WIN_VALUE / 2:
        plies = WIN_VALUE - abs(value)
        return math.copysign(WIN_SCORE - min(plies, 1000) / 100, value)
    return max(-_MOST, min(_MOST, value))


def of_thought(thought: Thought, *, nodes: int, seconds: float) -> Report:
    """Report a thought; the expected score of a man more is 0.73, see `score_of_expectation`."""
    proven = thought.facts.get("proven_plies")
    score = score_of_expectation(thought.value)
    if proven is not None and thought.value != 0.5:
        score = math.copysign(WIN_SCORE - min(int(proven), 1000) / 100, thought.value - 0.5)
    moves = sorted(thought.moves, key=lambda move: (move.text not in thought.best, -move.visits, -move.value))
    return Report(
        score=score,
        pv=thought.pv,
        moves=tuple((move.text, score_of_expectation(move.value)) for move in moves),
        depth=max(1, int(thought.facts.get("tree_depth", 1))),
        mean_depth=float(thought.facts.get("mean_depth", 1.0)),
        nodes=nodes,
        seconds=seconds,
    )


def score_of_expectation(expectation: float) -> float:
    """Return the score for an expected result 0 … 1: its log-odds, 10 at most.

    >>> score_of_expectation(0.5), round(score_of_expectation(0.731), 2), score_of_expectation(1.0)
    (0.0, 1.0, 10.0)
    """
    bounded = min(max(expectation, 1e-9), 1 - 1e-9)
    return max(-10.0, min(10.0, math.log(bounded / (1 - bounded))))
