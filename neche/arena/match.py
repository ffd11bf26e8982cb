"""A match: two players, paired random openings with the colours swapped, and what the result proves."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from neche.arena.elo import Strength
from neche.arena.meetings import Event, Notify, Play, check_event, identify, play_meetings
from neche.arena.pentanomial import Pentanomial, measure_pairs
from neche.arena.playing import play_games
from neche.arena.results import PairResult, open_results
from neche.arena.sprt import SprtPlan, decide, log_likelihood_ratio
from neche.errors import InputError

MEETING = ((0, 1),)
"""The one meeting of a match, for `play_meetings` and `schedule`."""


class SprtState(NamedTuple):
    """Where a sequential test stands.

    llr: log-likelihood ratio
    accepted: "H0", "H1", or "" while the test is undecided
    """

    plan: SprtPlan
    llr: float
    accepted: str


class MatchReport(NamedTuple):
    """The result of a match, from the first player's side.

    wins, draws, losses: games
    pairs: the same games counted in pairs
    strength: score, Elo and errors from the pairs
    sprt: None when no test was asked for
    results: every pair of games, in order
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

    def as_record(self) -> dict[str, Any]:
        """Return the report as JSON values; every number is finite."""
        record: dict[str, Any] = {
            "first": self.first,
            "second": self.second,
            "games": 2 * self.pairs.num_pairs,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            **{
                ("elo_bound" if key == "bound" else key): value
                for key, value in self.strength._asdict().items()
            },
            "pairs": list(self.pairs),
        }
        if self.sprt:
            plan, llr, accepted = self.sprt
            record["sprt"] = {
                **plan._asdict(),
                "lower": plan.lower,
                "upper": plan.upper,
                "llr": llr,
                "accepted": accepted,
            }
        return record


def num_pairs_of(games: int) -> int:
    """Return the pairs that hold so many games: an odd number is rounded up, both colours are played.

    Errors: InputError for less than one game.

    >>> num_pairs_of(5)
    3
    """
    if games < 1:
        raise InputError(f"a match needs at least one game, got {games}")
    return (games + 1) // 2


def play_match(
    event: Event,
    games: int,
    *,
    sprt: SprtPlan | None = None,
    results_path: Path | None = None,
    notify: Notify | None = None,
    play: Play = play_games,
) -> MatchReport:
    """Play a match between the two players of an event and report it from the first one's side.

    games: an odd number is rounded up
    sprt: the match stops at the first pair, in order, with which the test is decided; pairs of the same batch
        beyond it do not count, so the result does not depend on batches
    results_path: the match goes on from this file, which keeps every finished pair; a longer match may
        continue a shorter one
    notify: called with the games done and the games in all
    Errors: InputError for an impossible event, or a results file that is damaged or of another event.
    """
    if len(event.players) != 2:
        raise InputError(f"a match is between two players, not {len(event.players)}")
    num_pairs = num_pairs_of(games)
    check_event(event)
    results = open_results(results_path, {"event": "match", **identify(event)}) if results_path else None
    pairs = play_meetings(event, MEETING, num_pairs, results=results, notify=notify, play=play)
    counted, state = _count(pairs, sprt)
    return _report(event, counted, state)


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
            if state.accepted:
                break
    return counted, state


def _report(event: Event, counted: list[PairResult], state: SprtState | None) -> MatchReport:
    outcomes = [outcome for pair in counted for outcome in pair.outcomes]
    kinds = [sum(pair.outcomes) + 2 for pair in counted]
    pairs = Pentanomial(*(kinds.count(kind) for kind in range(5)))
    first, second = event.players
    return MatchReport(
        first.name,
        second.name,
        outcomes.count(1),
        outcomes.count(0),
        outcomes.count(-1),
        pairs,
        measure_pairs(pairs),
        state,
        tuple(counted),
    )
