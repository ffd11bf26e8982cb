"""A round robin: every two players meet, and Bradley-Terry ratings with error bars order them."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from neche.arena.bradley_terry import covariance, fit_strengths
from neche.arena.elo import ELO_PER_LOGIT, Z95
from neche.arena.match import num_pairs_of
from neche.arena.playing import play_games
from neche.arena.results import PairResult
from neche.arena.tournament import Notify, Play, Tournament, check_tournament, play_pairings, results_of_event
from neche.errors import InputError

PRIOR_SD = 2.0
"""Prior deviation of strengths, log-odds (347 Elo): wide enough not to pull distant players together; it
alone keeps the strength of a player finite that won or lost every game."""


class Standing(NamedTuple):
    """One player's line in the table.

    elo: relative to the mean of all players, or to the anchor. elo_error: half-width of its 95 % interval; 0
    for the anchor. against: points against each player, in the order of the table; None against itself.
    """

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    points: float
    elo: float
    elo_error: float
    against: tuple[float | None, ...]


class RoundRobinReport(NamedTuple):
    """The final table, strongest first."""

    standings: tuple[Standing, ...]

    def __repr__(self) -> str:
        places = ", ".join(f"{line.name} {line.elo:+z.0f} ± {line.elo_error:.0f}" for line in self.standings)
        return f"<Round robin: {places}>"

    def _repr_html_(self) -> str:
        """Draw the table for a notebook."""
        heads = "".join(f"<th>{head}</th>" for head in ("player", "Elo", "±", "won", "drawn", "lost"))
        rows = "".join(
            f"<tr><td>{escape(line.name)}</td><td>{line.elo:+z.0f}</td><td>{line.elo_error:.0f}</td>"
            f"<td>{line.wins}</td><td>{line.draws}</td><td>{line.losses}</td></tr>"
            for line in self.standings
        )
        return f"<table><tr>{heads}</tr>{rows}</table>"

    def as_record(self) -> dict[str, Any]:
        """Return the report as JSON values: `table` (best first) and `elo` (by name)."""
        names = [standing.name for standing in self.standings]
        table = [
            {
                "rank": rank,
                "player": line.name,
                "games": line.games,
                "wins": line.wins,
                "draws": line.draws,
                "losses": line.losses,
                "points": line.points,
                "score": line.points / line.games,
                "elo": line.elo,
                "elo_error": line.elo_error,
                "against": {
                    name: points
                    for name, points in zip(names, line.against, strict=True)
                    if points is not None
                },
            }
            for rank, line in enumerate(self.standings, start=1)
        ]
        return {"table": table, "elo": {line.name: line.elo for line in self.standings}}


def play_round_robin(
    tournament: Tournament,
    games: int,
    *,
    anchor: str | None = None,
    results_path: Path | None = None,
    notify: Notify = lambda done, total: None,
    play: Play = play_games,
) -> RoundRobinReport:
    """Let every two players of a tournament meet, and return the table.

    games: of each pairing; an odd number is rounded up. anchor: name of the player whose Elo is 0; without
    one the mean Elo is 0. results_path: the tournament resumes from this file, which keeps every finished
    pair. InputError if there are fewer than two players, one is listed twice, the anchor is none of them, or
    the results file is damaged or of another tournament.
    """
    names = [player.name for player in tournament.players]
    if len(names) < 2:
        raise InputError("a round robin needs at least two players")
    twice = next((name for index, name in enumerate(names) if name in names[:index]), None)
    if twice is not None:
        raise InputError(f"player {twice} is listed twice")
    if anchor is not None and anchor not in names:
        raise InputError(f"the anchor {anchor} is not among the players")
    num_pairs = num_pairs_of(games)
    check_tournament(tournament)
    pairings = list(combinations(range(len(names)), 2))
    results = results_of_event(tournament, results_path, event="round robin", games=2 * num_pairs)
    pairs = play_pairings(tournament, pairings, num_pairs, results=results, notify=notify, play=play)
    return tabulate(names, pairings, num_pairs, pairs, anchor=anchor)


def tabulate(
    names: Sequence[str],
    pairings: Sequence[tuple[int, int]],
    num_pairs: int,
    pairs: Iterable[PairResult],
    *,
    anchor: str | None = None,
) -> RoundRobinReport:
    """Return the table of finished pairs, ordered by Elo, ties in the order of `names`."""
    outcomes = np.array([pair.outcomes for pair in pairs], dtype=np.int64).reshape(-1, 2)
    met = np.repeat(np.array(pairings, dtype=np.int64), num_pairs, axis=0)
    elo, error = rate(met[:, 0], met[:, 1], outcomes, len(names), names.index(anchor) if anchor else None)
    # Losses, draws and wins of the row's player against the column's.
    won = np.zeros((3, len(names), len(names)), dtype=np.int64)
    for game in (0, 1):
        np.add.at(won, (outcomes[:, game] + 1, met[:, 0], met[:, 1]), 1)
        np.add.at(won, (1 - outcomes[:, game], met[:, 1], met[:, 0]), 1)
    order = sorted(range(len(names)), key=lambda player: -elo[player])
    points = won[2] + 0.5 * won[1]
    return RoundRobinReport(
        tuple(
            Standing(
                names[player],
                int(won[:, player].sum()),
                int(won[2, player].sum()),
                int(won[1, player].sum()),
                int(won[0, player].sum()),
                float(points[player].sum()),
                float(elo[player]),
                float(error[player]),
                tuple(None if other == player else float(points[player, other]) for other in order),
            )
            for player in order
        )
    )


def rate(
    first: np.ndarray, second: np.ndarray, outcomes: np.ndarray, num_players: int, anchor: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return Elo and its 95 % error: two arrays [P], rounded to a hundredth.

    The error comes from the Hessian of the fit, with the results weighted by their dispersion: Pearson's χ²
    over the number of pairs minus the number of fitted differences. It is below 1 if draws and colour-swapped
    openings make pairs vary less than coin tosses. Its lower bound is the variance of all pairs over that of
    coin tosses, in which pairs that one player was sure to win hardly count: they would dilute χ².

    first, second: [N] players of each pair of games. outcomes: [N, 2] as in `PairResult`.
    Source: P. McCullagh, J. Nelder, Generalized Linear Models, 1989, section 4.5 (dispersion).
    """
    points = (outcomes.sum(axis=1) + 2) / 4
    weights = np.full(len(points), 2.0)
    strengths = fit_strengths(first, second, points, num_players, weights=weights, prior_sd=PRIOR_SD)
    expected = 1.0 / (1.0 + np.exp(strengths[second] - strengths[first]))
    # players so far apart that one is sure to win show no spread
    coin = np.maximum(expected * (1.0 - expected), np.finfo(float).tiny)
    surprise, count = weights * (points - expected) ** 2, len(points) + 1.0
    # one more pair, like coin tosses: without any surprise the error must not be zero (and below, the divisor
    # is at least 1, for when not all pairs have met yet)
    chi_squared = max((surprise / coin).sum() + 1.0, count * (surprise.sum() + 0.25) / (coin.sum() + 0.25))
    dispersion = chi_squared / max(count - (num_players - 1), 1.0)
    spread = covariance(first, second, strengths, weights=weights / dispersion, prior_sd=PRIOR_SD)
    # Only differences are meaningful: each rating is relative to the mean of all, or to the anchor.
    zero = np.full(num_players, 1.0 / num_players) if anchor is None else np.eye(num_players)[anchor]
    contrast = np.eye(num_players) - zero
    relative = contrast @ strengths
    # Only the diagonal of C S Cᵀ: each rating's own variance.
    variance = np.einsum("ij,jk,ik->i", contrast, spread, contrast, optimize=True)
    elo = np.round(relative * ELO_PER_LOGIT, 2) + 0.0
    return elo, np.round(Z95 * ELO_PER_LOGIT * np.sqrt(np.maximum(variance, 0.0)), 2)
