"""Scores as protocols write them: in men, whatever a player values in; a win is WIN_SCORE less some plies."""

import math

from neche.players.engine import Analysis, plies_to_end

WIN_SCORE = 100.0
"""Score of a win, less a hundredth for each ply it takes, as Scan has it."""
_MOST = 80.0


def score_of(found: Analysis) -> float:
    """Return the score of an analysis for the side to move, in men; weight units of a network are men."""
    value = found.value
    if not found.is_score:
        return _score_of_value(value)
    plies = found.plies_to_end
    if plies is None or value == 0.5:
        return _score_of_expectation(value)
    return math.copysign(WIN_SCORE - min(plies, 1000) / 100, value - 0.5)


def scored_moves(found: Analysis) -> list[tuple[str, float]]:
    """Return the moves with their scores, the one to be played first."""
    score = _score_of_expectation if found.is_score else _score_of_value
    return [(move.text, score(move.value)) for move in found.ranked()]


def is_decided(found: Analysis) -> bool:
    """Return whether the score is that of a win or a loss that is proven."""
    return abs(score_of(found)) > _MOST


def _score_of_value(value: float) -> float:
    """Return the score for a value of a search, which may be a decided one.

    >>> _score_of_value(0.25), _score_of_value(-1e12 + 4), _score_of_value(1e6)
    (0.25, -99.96, 80.0)
    """
    plies = plies_to_end(value)
    if plies is not None:
        return math.copysign(WIN_SCORE - min(plies, 1000) / 100, value)
    return max(-_MOST, min(_MOST, value))


def _score_of_expectation(expectation: float) -> float:
    """Return the score for an expected result 0 … 1: its log-odds, 10 at most, so that a man more is 0.73.

    >>> _score_of_expectation(0.5), round(_score_of_expectation(0.731), 2), _score_of_expectation(1.0)
    (0.0, 1.0, 10.0)
    """
    bounded = min(max(expectation, 1e-9), 1 - 1e-9)
    return max(-10.0, min(10.0, math.log(bounded / (1 - bounded))))
