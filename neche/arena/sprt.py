"""Generalised sequential probability ratio test: stop a match as soon as it is decided.

The log-likelihood ratio compares the likeliest distribution of results under "the difference is elo1" with
the likeliest one under "it is elo0"; no draw model is assumed. Between log(β/(1−α)) and log((1−β)/α) the
match goes on. H1 shows a difference above elo0, H0 one below elo1; a difference in between may give either.

Symbols: `p` observed frequencies and `a` values of the results (0..1), `s` a mean, `t` a mean over deviation,
θ the Lagrange multiplier: the likeliest distribution obeying Σ qφ = 0 is q = p / (1 + θφ).
Source: M. Van den Bergh, "Comments on Normalized Elo", 2021, propositions 1.1 and section 4.1; fastchess
(zero counts, vectors).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from neche.arena.elo import GAME_SCORES, NORMALISED_ELO_PER_DEVIATION, PAIR_SCORES, expected_score
from neche.errors import InputError

MODELS = ("logistic", "normalised")
MOST_ELO = 5000

_ZERO_COUNT = 1e-3
_MAX_STEPS = 200
_START_STEPS = 20


class SprtPlan(NamedTuple):
    """A test fixed before the first game is seen, made by `plan_sprt`.

    elo0, elo1: Elo – the two hypotheses H0 and H1, elo0 < elo1
    alpha, beta: chance of accepting H1 although H0 holds, and of the reverse
    model: unit of `elo0` and `elo1`, "logistic" or "normalised" Elo
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "logistic"

    @property
    def lower(self) -> float:
        """Log-likelihood ratio at which H0 is accepted (Wald): log(β / (1 − α))."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """Log-likelihood ratio at which H1 is accepted (Wald): log((1 − β) / α)."""
        return math.log((1.0 - self.beta) / self.alpha)


def plan_sprt(
    elo0: float, elo1: float, *, alpha: float = 0.05, beta: float = 0.05, model: str = "logistic"
) -> SprtPlan:
    """Return a checked plan; InputError if a value, which is named, is out of range."""
    # Beyond these, the expected score cannot be distinguished from 0 or 1.
    if not -MOST_ELO <= elo0 < elo1 <= MOST_ELO:
        needed = f"two numbers from {-MOST_ELO} to {MOST_ELO} with elo0 < elo1"
        raise InputError(f"SPRT needs {needed}, got {elo0:g} and {elo1:g}")
    if not (alpha > 0.0 and beta > 0.0 and alpha + beta < 1.0):
        raise InputError(f"SPRT needs alpha and beta above 0 with a sum below 1, got {alpha:g} and {beta:g}")
    if model not in MODELS:
        raise InputError(f"SPRT model must be one of {', '.join(MODELS)}, got {model!r}")
    return SprtPlan(float(elo0), float(elo1), alpha, beta, model)


def parse_sprt(text: str) -> SprtPlan:
    """Read "ELO0,ELO1" (logistic Elo) or "ELO0,ELO1,MODEL".

    >>> parse_sprt("0,10").elo1
    10.0
    """
    fields = [field.strip() for field in text.split(",")]
    if len(fields) not in (2, 3):
        raise InputError(f"SPRT bounds must be written ELO0,ELO1, got {text!r}")
    try:
        elo0, elo1 = (float(field.encode("ascii")) for field in fields[:2])
    except ValueError:
        raise InputError(f"SPRT bounds must be two numbers ELO0,ELO1, got {text!r}") from None
    return plan_sprt(elo0, elo1, model=fields[2] if len(fields) == 3 else "logistic")


def log_likelihood_ratio(counts: Sequence[float], plan: SprtPlan) -> float:
    """Return log L(elo1) − log L(elo0) of pairs (five counts) or games (three), from losses to wins.

    A count of zero is replaced by 0.001, as is usual for an SPRT, so that every outcome keeps a probability.
    Without results it is 0. "normalised" with bounds beyond ±300 may find a local maximum of the likelihood.
    """
    scores = {len(PAIR_SCORES): PAIR_SCORES, len(GAME_SCORES): GAME_SCORES}.get(len(counts))
    if scores is None:
        raise InputError(f"SPRT takes 5 counts of pairs or 3 of games, got {len(counts)}")
    if not any(counts):
        return 0.0
    # A result that was never seen must stay possible, or its logarithm is undefined.
    seen = [float(count) or _ZERO_COUNT for count in counts]
    total = sum(seen)
    p = [count / total for count in seen]
    games = 2.0 if scores is PAIR_SCORES else 1.0
    # The ratio compares the best fit under each hypothesis: draws are fitted too, not assumed.
    q0, q1 = (_likeliest(scores, p, elo, plan.model, games) for elo in (plan.elo0, plan.elo1))
    return sum(count * math.log(y / x) for count, x, y in zip(seen, q0, q1, strict=True))


def decide(llr: float, plan: SprtPlan) -> str:
    """Return "H1", "H0", or "" while the test must go on."""
    return "H1" if llr >= plan.upper else "H0" if llr <= plan.lower else ""


def _likeliest(a: Sequence[float], p: Sequence[float], elo: float, model: str, games: float) -> list[float]:
    """Return the likeliest distribution with the mean s, or with (mean − ½) / deviation = t.

    The latter is not linear in the distribution, so it is repeatedly linearised about the last one until
    convergence. The start must nearly satisfy it, or the linear problem has no solution for one-sided results
    (fastchess issue 879).
    """
    if model == "logistic":
        s = expected_score(elo)
        return _tilt(p, [value - s for value in a])
    t = math.sqrt(games) * elo / NORMALISED_ELO_PER_DEVIATION
    q = _start_with_ratio(a, p, t)
    for _ in range(_MAX_STEPS):
        mean, deviation = _moments(a, q)
        # The condition, linearised about the last distribution; exact once the iteration has converged.
        phi = [y - 0.5 - 0.5 * t * deviation * (1.0 + ((y - mean) / deviation) ** 2) for y in a]
        last, q = q, _tilt(p, phi)
        if max(abs(x - y) for x, y in zip(last, q, strict=True)) < 1e-10:
            break
    return q


def _start_with_ratio(a: Sequence[float], p: Sequence[float], t: float) -> list[float]:
    low, high = 0.0, 1.0
    for _ in range(_START_STEPS):
        middle = 0.5 * (low + high)
        q = _tilt(p, [value - middle for value in a])
        mean, deviation = _moments(a, q)
        low, high = (middle, high) if mean - 0.5 < t * deviation else (low, middle)
    return q


def _moments(a: Sequence[float], q: Sequence[float]) -> tuple[float, float]:
    mean = sum(x * y for x, y in zip(q, a, strict=True))
    return mean, math.sqrt(sum(x * (y - mean) ** 2 for x, y in zip(q, a, strict=True)))


def _tilt(p: Sequence[float], phi: Sequence[float]) -> list[float]:
    """Return q = p / (1 + θφ) with Σ qφ = 0, by Newton steps kept inside a shrinking bracket."""
    # Between these bounds on θ every probability is positive.
    low, high = -1.0 / max(phi), -1.0 / min(phi)
    theta = 0.0
    for _ in range(_MAX_STEPS):
        ratios = [y / (1.0 + theta * y) for y in phi]
        slope = sum(x * r for x, r in zip(p, ratios, strict=True))
        curvature = sum(x * r * r for x, r in zip(p, ratios, strict=True))
        # The slope falls with θ, so its sign says on which side the root lies; a Newton step that leaves
        # the bracket is replaced by the bracket's midpoint.
        low, high = (theta, high) if slope > 0.0 else (low, theta)
        step = theta + slope / curvature
        last, theta = theta, step if low < step < high else 0.5 * (low + high)
        if abs(theta - last) <= 1e-13 * (1.0 + abs(theta)):
            break
    return [x / (1.0 + theta * y) for x, y in zip(p, phi, strict=True)]
