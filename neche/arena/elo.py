"""Score, Elo and normalised Elo of a set of results, each with its 95 % error; counts of pairs of games.

A *result* is the independent unit of the statistics: one game (0, ½, 1) or one colour-swapped pair of games
(0, ¼, ½, ¾, 1 of the two points). Both use the same formulas; only the number of games per result differs.

Two games from one opening with the colours swapped are one result, the unit of every strength claim. An
opening that favours one side then shows up as a 1–1 pair instead of as noise, so the counts of pairs, the
pentanomial, say more than the counts of games.

Source: fastchess, elo_wdl and elo_pentanomial (formulas, and the vectors in the tests); fishtest,
"Ptnml(0-2)"; M. Van den Bergh, "Comments on Normalized Elo", 2021, and "The pentanomial model", 2020; A.
Agresti, B. Coull, The American Statistician 52, 1998 (four games added); C. Clopper, E. Pearson, Biometrika
26, 1934 (all games won).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from neche.errors import InputError

ELO_PER_LOGIT = 400.0 / math.log(10.0)
"""Elo points per unit of log-odds: a Bradley-Terry strength times this is an Elo rating."""

NORMALISED_ELO_PER_DEVIATION = 800.0 / math.log(10.0)
"""Normalised Elo points per standard deviation of a game's result."""

Z95 = 1.959963984540054
"""Half-width of the central 95 % of a normal distribution, in standard deviations."""

GAME_SCORES = (0.0, 0.5, 1.0)
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


class Strength(NamedTuple):
    """The measured difference between two players, from the first one's side.

    score: 0..1 – mean points per game, as played (never clamped)
    elo: Elo – logistic difference; always finite, see `bound`
    elo_error: Elo – half-width of the 95 % interval
    bound: "", ">" or "<" – ">" if every game was won, "<" if every game was lost: then the difference has
        no finite estimate, `elo` is that of a score half a game from the edge, and the interval is open on
        the outer side
    normalised_elo, normalised_elo_error: Elo in deviations of a game's result; the error is that of equals
    los: 0..1 – likelihood that the first player is the stronger one
    """

    score: float
    elo: float
    elo_error: float
    bound: str
    normalised_elo: float
    normalised_elo_error: float
    los: float


def expected_score(elo: float) -> float:
    """Return the expected score of a player `elo` points stronger: 1 / (1 + 10^(−elo/400))."""
    return 1.0 / (1.0 + math.exp(-elo / ELO_PER_LOGIT))


def elo_difference(score: float) -> float:
    """Return the Elo difference with `score` (strictly between 0 and 1) as expected score."""
    return ELO_PER_LOGIT * math.log(score / (1.0 - score))


def measure(scores: Sequence[float], counts: Sequence[int], *, games_per_result: int) -> Strength:
    """Measure results of evenly spaced `scores`, each with its number in `counts`; InputError without any.

    The error is half the distance between the Elo of the two ends of the interval score ± 1.96 deviations.
    Few or equal results show too little spread for that. If the interval reaches the edge, or the results
    spread less than four games decided by lot, two such wins and two losses are added for the interval. If
    every game had the same result, the end of the interval is the score at which that happens 1 time in 40.
    """
    total = sum(counts)
    if total < 1 or min(counts) < 0:
        raise InputError(f"no strength can be measured from the results {list(counts)}")
    mean = sum(score * count for score, count in zip(scores, counts, strict=True)) / total
    variance = sum((score - mean) ** 2 * count for score, count in zip(scores, counts, strict=True)) / total
    deviation = math.sqrt(variance / total)
    # The Elo of a score of 0 or 1 is infinite: scores stay half a game away from either.
    edge = inner = 0.5 / (games_per_result * total)
    centre, num_results = mean, float(total)
    # Contribution of four games, two of them won, to the squared deviations of all results.
    extra = 4.0 / games_per_result
    added = games_per_result**-2 + total * extra / (total + extra) * (mean - 0.5) ** 2
    # A millionth more, so that a borderline case is decided alike from either player's side.
    if variance * total < added + 1e-6 or min(mean, 1.0 - mean) - Z95 * deviation < edge:
        num_results += extra
        centre = (mean * total + 0.5 * extra) / num_results
        variance = (variance * total + added) / num_results
        deviation, inner = math.sqrt(variance / num_results), 0.5 / (games_per_result * num_results)
    low, high = max(centre - Z95 * deviation, inner), min(centre + Z95 * deviation, 1.0 - inner)
    middle = min(max(mean, edge), 1.0 - edge)
    bound = ">" if mean == 1.0 else "<" if mean == 0.0 else ""
    # One-sided if every game had the same result: half of an interval that is open beyond the edge.
    least = 0.025 ** (1.0 / (games_per_result * total))
    arms = {"": (low, high, 2.0), ">": (least, middle, 1.0), "<": (middle, 1.0 - least, 1.0)}[bound]
    per_deviation = NORMALISED_ELO_PER_DEVIATION / math.sqrt(games_per_result)
    return Strength(
        score=mean,
        elo=elo_difference(middle),
        elo_error=(elo_difference(arms[1]) - elo_difference(arms[0])) / arms[2],
        bound=bound,
        normalised_elo=(mean - 0.5) / math.sqrt(variance) * per_deviation,
        normalised_elo_error=Z95 / math.sqrt(total) * per_deviation,
        los=0.5 * math.erfc((0.5 - centre) / (deviation * math.sqrt(2.0))),
    )


class Pentanomial(NamedTuple):
    """How many pairs gave the first player 0, ½, 1, 1½ and 2 of 2 points."""

    loss_loss: int = 0
    loss_draw: int = 0
    even: int = 0
    win_draw: int = 0
    win_win: int = 0

    @property
    def num_pairs(self) -> int:
        """Number of pairs counted."""
        return sum(self)


def count_pairs(outcomes: Sequence[int]) -> Pentanomial:
    """Count pairs by the first player's points in them; InputError if the outcomes are no such pairs.

    outcomes: [2N] +1 won, 0 drawn, −1 lost by the first player; games 2i and 2i + 1 form a pair.
    """
    if len(outcomes) % 2 or not set(outcomes) <= {-1, 0, 1}:
        raise InputError("pairs of games need an even number of outcomes, each +1, 0 or -1")
    points = [a + b + 2 for a, b in zip(outcomes[::2], outcomes[1::2], strict=True)]
    return Pentanomial(*(points.count(half_points) for half_points in range(len(PAIR_SCORES))))


def measure_pairs(pairs: Pentanomial) -> Strength:
    """Measure pairs of games (pentanomial): Elo and its error from the variance of whole pairs.

    >>> strength = measure_pairs(Pentanomial(379, 10170, 21828, 10640, 343))
    >>> round(strength.normalised_elo, 2), round(strength.normalised_elo_error, 2)
    (3.05, 2.31)
    """
    return measure(PAIR_SCORES, pairs, games_per_result=2)
