"""A match: two players, paired random openings with the colours swapped, and statistics of the result.

Batches of games keep only the results. A game is a pure function of its keys, so to record it, it is played
again, move by move: `replay_match`. Slow games take as long as before, so replays are distributed to workers
too.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import joblib

from neche.arena.elo import Pentanomial, Strength, count_pairs, measure_pairs
from neche.arena.playing import play_games, record_game
from neche.arena.results import PairResult
from neche.arena.sprt import SprtPlan, decide, log_likelihood_ratio
from neche.arena.tournament import (
    Notify,
    Play,
    Tournament,
    check_tournament,
    contestants_of,
    play_pairings,
    require_repeatable,
    results_of_event,
    schedule_of,
)
from neche.compiled.batches import results_of
from neche.errors import InputError
from neche.games.catalogue import game
from neche.records.record import GameRecord, Line, Ply, fen_of_start, result_won_by

ONE_PAIRING = ((0, 1),)
"""The one pairing of a match, for `play_pairings` and `schedule_of`."""


class SprtState(NamedTuple):
    """The state of a sequential test.

    llr: log-likelihood ratio. accepted: "H0", "H1", or "" while the test is undecided.
    """

    plan: SprtPlan
    llr: float
    accepted: str


class MatchReport(NamedTuple):
    """The result of a match, from the first player's side.

    wins, draws, losses: games. pairs: the same games counted in pairs. strength: score, Elo and errors from
    the pairs. sprt: None if no test was requested. results: every pair of games, in order.
    """

    first: str
    second: str
    wins: int
    draws: int
    losses: int
    pairs: Pentanomial
    strength: Strength
    sprt: SprtState | None
    results: tuple[PairResult, ...]

    def __repr__(self) -> str:
        """Write the result without the pairs, which would hide it."""
        met, counts = f"{self.first} against {self.second}", f"{self.wins} won, {self.draws} drawn"
        elo = f"Elo {self.strength.bound}{self.strength.elo:+z.0f} ± {self.strength.elo_error:.0f}"
        return f"<Match of {met}: {counts}, {self.losses} lost, {elo}>"

    def as_record(self) -> dict[str, Any]:
        """Return the report as JSON values; every number is finite."""
        strength = self.strength._asdict()
        record: dict[str, Any] = {
            "first": self.first,
            "second": self.second,
            "games": 2 * self.pairs.num_pairs,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            **{"elo_bound" if key == "bound" else key: value for key, value in strength.items()},
            "pairs": list(self.pairs),
        }
        if self.sprt:
            plan, llr, accepted = self.sprt
            bounds = {"lower": plan.lower, "upper": plan.upper}
            record["sprt"] = {**plan._asdict(), **bounds, "llr": llr, "accepted": accepted}
        return record


def num_pairs_of(games: int) -> int:
    """Return the number of pairs for so many games, rounded up to play both colours; InputError below 1.

    >>> num_pairs_of(5)
    3
    """
    if games < 1:
        raise InputError(f"a match needs at least one game, got {games}")
    return (int(games) + 1) // 2  # not a NumPy integer, since the keys of games are derived from it


def play_match(
    tournament: Tournament,
    games: int,
    *,
    sprt: SprtPlan | None = None,
    results_path: Path | None = None,
    notify: Notify = lambda done, total: None,
    play: Play = play_games,
) -> MatchReport:
    """Play a match between the two players of a tournament and report it from the first one's side.

    games: an odd number is rounded up. sprt: the match stops at the first pair, in order, that decides the
    test; later pairs of the same batch do not count, so the result does not depend on batches. results_path:
    the match resumes from this file, which keeps every finished pair; a longer match may continue a shorter
    one. notify: called with the number of games played and their total. InputError if the tournament is
    impossible, or the results file is damaged or of another tournament.
    """
    if len(tournament.players) != 2:
        raise InputError(f"a match is between two players, not {len(tournament.players)}")
    num_pairs = num_pairs_of(games)
    check_tournament(tournament)
    results = results_of_event(tournament, results_path, event="match")
    pairs = play_pairings(tournament, ONE_PAIRING, num_pairs, results=results, notify=notify, play=play)
    counted, state = _count(pairs, sprt)
    first, second = tournament.players
    return MatchReport(first.name, second.name, *tally(counted), state, tuple(counted))


def _count(pairs: Iterable[PairResult], plan: SprtPlan | None) -> tuple[list[PairResult], SprtState | None]:
    counted: list[PairResult] = []
    counts = [0] * len(Pentanomial._fields)
    state = SprtState(plan, 0.0, "") if plan else None
    for pair in pairs:
        counted.append(pair)
        counts[sum(pair.outcomes) + 2] += 1
        if plan:
            llr = log_likelihood_ratio(counts, plan)
            state = SprtState(plan, llr, decide(llr, plan))
            # Pairs count in the order of their numbers, not in the order in which workers finish them.
            if state.accepted:
                break
    return counted, state


def tally(pairs: Iterable[PairResult]) -> tuple[int, int, int, Pentanomial, Strength]:
    """Return games won, drawn and lost by the first player, the pairs counted, and the measured strength."""
    outcomes = [outcome for pair in pairs for outcome in pair.outcomes]
    counted = count_pairs(outcomes)
    wins, draws, losses = map(outcomes.count, (1, 0, -1))
    return wins, draws, losses, counted, measure_pairs(counted)


def replay_match(tournament: Tournament, report: MatchReport) -> Iterator[GameRecord]:
    """Yield the games of a match in the order they were played; InputError if they cannot be repeated.

    In draughts a comment on the last move names the winner: programs interpret results of American checkers
    differently.
    """
    require_repeatable(tournament)
    rules = game(tournament.game)
    num_pairs = len(report.results)
    contestants = contestants_of(tournament)
    schedule = schedule_of(tournament, ONE_PAIRING, num_pairs, range(num_pairs))
    calls = {
        index: joblib.delayed(record_game)(contestants, schedule, index, tournament.draw_rule)
        for index in range(2 * num_pairs)
    }
    players = (report.first, report.second)
    for index, moves in results_of(calls):
        # Games 2n and 2n + 1 are one pair: the same opening, sides swapped.
        number, side = divmod(index, 2)
        start = contestants.start(side)
        mover = rules.side_to_move(start)
        other = next(name for name in rules.sides if name != mover)
        points = report.results[number].outcomes[side] * (1, -1)[side]
        winner = {1: mover, 0: "", -1: other}[points]
        plies = [Ply(move.text) for move in moves]
        if rules.pdn:
            ended = f"{winner} wins" if winner else "drawn"
            plies[-1:] = [Ply(ply.move, remarks=(ended,)) for ply in plies[-1:]]
        tags = {
            "Event": f"neche match, seed {tournament.seed}",
            "Round": f"{number + 1}.{side + 1}",
            mover: players[side],
            other: players[1 - side],
            f"{mover}Type": "program",
            f"{other}Type": "program",
            "PlyCount": str(len(plies)),
        }
        fen, result = fen_of_start(rules, start), result_won_by(rules, winner)
        yield GameRecord(tournament.game, Line(tuple(plies)), tuple(tags.items()), fen, result)
