"""Bradley-Terry strengths of many players from any set of weighted results.

The chance that a beats b is 1 / (1 + exp(θb − θa)); a draw is half a win and half a loss. Strengths are the
most probable ones under independent normal priors of mean zero, so players that never met, or never lost, get
a finite strength, and the mean over any connected group is zero.

Symbols: `P` players, `G` results, θ strengths in log-odds (times `ELO_PER_LOGIT` gives Elo).
Source: R. A. Bradley, M. E. Terry, Biometrika 39, 1952 (the model); J. Nocedal, S. Wright, Numerical
Optimization, 2006, algorithm 7.1 (Newton's method with inexact conjugate gradients, for the maximum).
"""

from typing import NamedTuple

import numpy as np

from neche.compiled.jit import F64, I64, Array, jit
from neche.errors import InputError

PRIOR_SD = 0.7
"""Default deviation of strengths before any game, log-odds: 0.7 is 122 Elo."""

_MAX_NEWTON_STEPS = 60
_MAX_GRADIENT_STEPS = 1000
_TOLERANCE = 1e-9
_DECIMALS = 6
_PAIRED_FROM = 128


class Results(NamedTuple):
    """Weighted results, each of one game or of several equal ones.

    first, second: [G] int64, player indices
    points: [G] float64, 0..1 – mean points of `first`
    weights: [G] float64, games – 1 for single games
    """

    first: np.ndarray
    second: np.ndarray
    points: np.ndarray
    weights: np.ndarray


def fit_strengths(
    first: np.ndarray,
    second: np.ndarray,
    points: np.ndarray,
    num_players: int,
    *,
    weights: np.ndarray | None = None,
    prior_sd: float = PRIOR_SD,
) -> np.ndarray:
    """Return the most probable strengths: [P] float64, log-odds.

    A player without a game has strength 0. The order of sums does not depend on the number of threads, and
    strengths are rounded to a millionth, so the same results give the same bytes and equal records are ties.

    first, second: [G] int – player indices. points: [G] 0, ½ or 1 for `first` (or a mean of such). weights:
    [G] – number of games of each result, default 1. prior_sd: deviation of the normal prior, log-odds.
    InputError if an index, points, a weight or the prior is out of range.

    >>> fit_strengths(np.array([0]), np.array([1]), np.array([0.5]), 2).tolist()
    [0.0, 0.0]
    """
    results = _checked(first, second, points, num_players, weights)
    if not prior_sd > 0.0:
        raise InputError(f"the deviation of the prior must be above 0, got {prior_sd:g}")
    precision = prior_sd**-2
    strengths: np.ndarray = np.zeros(num_players)
    posterior = _log_posterior(results, strengths, precision)
    for _ in range(_MAX_NEWTON_STEPS):
        gradient, curvature = _derivatives(results, strengths, precision)
        if not gradient.any():
            break
        step, *room = np.zeros((8, num_players))
        _newton_step(results.first, results.second, gradient, curvature, precision, step, tuple(room))
        size = np.abs(step).max()
        # A step that overshoots is halved: the posterior is concave, so a short enough step improves it.
        before = posterior
        while size > _TOLERANCE:
            posterior = _log_posterior(results, strengths + step, precision)
            if posterior >= before:
                break
            step, size = 0.5 * step, 0.5 * size
        strengths = strengths + step
        if size <= _TOLERANCE:
            break
    # Adding 0 turns a rounded −0.0, which would print differently, into 0.0.
    return np.round(strengths, _DECIMALS) + 0.0


def covariance(
    first: np.ndarray,
    second: np.ndarray,
    strengths: np.ndarray,
    *,
    weights: np.ndarray | None = None,
    prior_sd: float = PRIOR_SD,
) -> np.ndarray:
    """Return the covariance of fitted strengths: [P, P] float64, squared log-odds.

    It is the inverse Hessian at the maximum (Laplace's approximation). The error of a difference i − j is the
    root of c[i, i] + c[j, j] − 2 c[i, j]. It costs P³ operations and 16 P² bytes, so rankings omit it.
    """
    results = _checked(first, second, np.zeros(len(first)), len(strengths), weights)
    _, curvature = _derivatives(results, strengths, prior_sd**-2)
    hessian = _hessian(results, curvature, prior_sd**-2, len(strengths))
    return np.asarray(np.linalg.inv(hessian))


def _checked(
    first: np.ndarray, second: np.ndarray, points: np.ndarray, num_players: int, weights: np.ndarray | None
) -> Results:
    results = Results(
        np.asarray(first, dtype=np.int64),
        np.asarray(second, dtype=np.int64),
        np.asarray(points, dtype=np.float64),
        np.ones(len(first)) if weights is None else np.asarray(weights, dtype=np.float64),
    )
    if len({column.shape for column in results}) != 1:
        raise InputError("results need equally many first players, second players, points and weights")
    for players in (results.first, results.second):
        if players.min(initial=0) < 0 or players.max(initial=-1) >= num_players:
            raise InputError(f"a result names a player outside 0..{num_players - 1}")
    if not ((results.points >= 0.0) & (results.points <= 1.0)).all():
        raise InputError("points of a result must lie between 0 and 1")
    if not ((results.weights >= 0.0) & (results.weights < np.inf)).all():
        raise InputError("weights of results must be finite and not negative")
    return results


def _log_posterior(results: Results, strengths: np.ndarray, precision: float) -> float:
    lead = strengths[results.first] - strengths[results.second]
    # log(1 + exp x) as logaddexp, which does not overflow for players far apart.
    likelihood = (results.weights * (results.points * lead - np.logaddexp(0.0, lead))).sum()
    return float(likelihood - 0.5 * precision * np.square(strengths).sum())


def _derivatives(results: Results, strengths: np.ndarray, precision: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the gradient [P] and the curvature w·p(1 − p) of each result [G], p its expected points."""
    lead = strengths[results.first] - strengths[results.second]
    # The logistic function as a tanh, which saturates where exp would overflow.
    expected = 0.5 * (1.0 + np.tanh(0.5 * lead))
    surplus = results.weights * (results.points - expected)
    # bincount adds in the order of the results, in one thread: the same bytes every time.
    gradient = np.bincount(results.first, surplus, len(strengths)) - precision * strengths
    gradient -= np.bincount(results.second, surplus, len(strengths))
    return gradient, results.weights * expected * (1.0 - expected)


def _hessian(results: Results, curvature: np.ndarray, precision: float, num_players: int) -> np.ndarray:
    """Return minus the second derivative of the log-posterior: [P, P]."""
    flat = results.first * num_players + results.second
    # One bin per pair of players; results of a pair that met twice add up.
    met = np.bincount(flat, curvature, num_players * num_players).reshape(num_players, num_players)
    # −1.0, since without any results the sums are integers.
    hessian: np.ndarray = -1.0 * (met + met.T)
    hessian.flat[:: num_players + 1] += met.sum(axis=0) + met.sum(axis=1) + precision
    return hessian


@jit
def _newton_step(
    first: Array, second: Array, gradient: Array, curvature: Array, precision: F64, step: Array, room: Array
) -> None:
    """Write the Newton step, by conjugate gradients, more exactly the nearer the maximum is.

    step: [P], zero. room: seven arrays [P].
    """
    num_players, (won, lost, scaling, remainder, preconditioned, direction, bent) = len(gradient), room
    for result in range(len(first)):
        won[first[result]] += curvature[result]
        lost[second[result]] += curvature[result]
    for player in range(num_players):
        # The Hessian's diagonal preconditions the search; the Hessian itself, P × P, is never stored.
        scaling[player] = precision + won[player] + lost[player]
        remainder[player] = gradient[player]
        preconditioned[player] = direction[player] = remainder[player] / scaling[player]
    product = start = _product(remainder, preconditioned, np.int64(0), num_players)
    for _ in range(_MAX_GRADIENT_STEPS):
        # Far from the maximum a rough step suffices; near it the tolerance tightens, for fast convergence.
        if product <= start * min(0.01, start):
            break
        # The Hessian times the direction, result by result, as bincount adds.
        won[:] = 0.0
        lost[:] = 0.0
        for result in range(len(first)):
            lead = curvature[result] * (direction[first[result]] - direction[second[result]])
            won[first[result]] += lead
            lost[second[result]] += lead
        for player in range(num_players):
            bent[player] = precision * direction[player] + won[player] - lost[player]
        length = product / _product(direction, bent, np.int64(0), num_players)
        for player in range(num_players):
            step[player] += length * direction[player]
            remainder[player] -= length * bent[player]
            preconditioned[player] = remainder[player] / scaling[player]
        last, product = product, _product(remainder, preconditioned, np.int64(0), num_players)
        for player in range(num_players):
            direction[player] = preconditioned[player] + product / last * direction[player]


@jit
def _product(a: Array, b: Array, begin: I64, end: I64) -> F64:
    """Return the inner product of a part, its terms added pairwise as NumPy does: halves, recursively."""
    if end - begin > _PAIRED_FROM:
        middle = begin + (end - begin) // 2 // 8 * 8
        return _product(a, b, begin, middle) + _product(a, b, middle, end)
    whole = end - (end - begin) % 8
    sum0 = sum1 = sum2 = sum3 = sum4 = sum5 = sum6 = sum7 = 0.0
    for at in range(begin, whole, 8):
        sum0 += a[at] * b[at]
        sum1 += a[at + 1] * b[at + 1]
        sum2 += a[at + 2] * b[at + 2]
        sum3 += a[at + 3] * b[at + 3]
        sum4 += a[at + 4] * b[at + 4]
        sum5 += a[at + 5] * b[at + 5]
        sum6 += a[at + 6] * b[at + 6]
        sum7 += a[at + 7] * b[at + 7]
    total = ((sum0 + sum1) + (sum2 + sum3)) + ((sum4 + sum5) + (sum6 + sum7))
    for at in range(whole, end):
        total += a[at] * b[at]
    return total
