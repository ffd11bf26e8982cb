"""What is known of an evolution under way: collected from its events, and how fast it goes."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from neche.evolution import events
from neche.evolution.health import kind_of
from neche.evolution.population import Generation

_WINDOW = 20
"""Generations whose pace counts."""


@dataclass
class Pace:
    """Clock readings of a run in progress, in seconds; old ones are dropped, for deeper search is slower.

    finished: (time at its end, of which members learned, games) of the last generations, opened by the time
    the first one began. learning: seconds in all that went into samples and learning, when nothing was played
    for the ranking.
    """

    finished: deque[tuple[float, float, int]] = field(default_factory=lambda: deque(maxlen=_WINDOW + 1))
    now: float = 0.0
    learning: float = 0.0
    games_in_progress: int = 0

    def learn(self, now: float) -> None:
        """Note that the time until now went into samples or learning, or into waiting for an island."""
        self.learning += now - self.now
        self.now = now

    def play(self, now: float, done: int) -> None:
        """Note the games of the generation in progress."""
        self.now = now
        self.games_in_progress = done

    def finish(self, now: float, games: int) -> None:
        """Note the end of a generation; of none before the first, with no games."""
        self.now = now
        self.finished.append((now, self.learning, games))
        self.games_in_progress = 0

    def games_per_second(self) -> float:
        """Return games a second over the last generations and the one in progress; 0 before any game.

        What samples and learning take does not count: it is no time of these games.
        """
        begin, learned, _ = self.finished[0]
        seconds = self.now - begin - (self.learning - learned)
        games = sum(games for _, _, games in list(self.finished)[1:]) + self.games_in_progress
        return games / seconds if seconds > 0 else 0.0

    def seconds_left(self, generations_left: int) -> float | None:
        """Return the time that these generations take at this pace; None before the first is finished."""
        if len(self.finished) < 2:
            return None
        each = (self.finished[-1][0] - self.finished[0][0]) / (len(self.finished) - 1)
        return each * generations_left


class Work(NamedTuple):
    """Something long that is under way. what: its name. remark: what it has led to so far."""

    what: str
    done: int
    total: int
    remark: str


@dataclass
class EvolutionProgress:
    """Everything the display knows, collected from the events of a run.

    target: number of the last generation; the first is 0. men: what the game calls its pieces.
    generation: number of the one in progress, or, when it `is_ranked`, of the one just finished.
    work: what is done before the games of a generation, where members learn from samples.
    waits_for: the island and its generation that this one waits for, in words; empty when it does not.
    ladder: scores 0..1 against each fixed player, oldest first; what an interrupted run had is there too.
    ancestors: scores of the last champion measured against earlier ones, by the generation these led.
    warnings: the first of each kind, by kind, with the generation it was for.
    unsaid: warnings that are new and have not been written yet.
    """

    title: str
    target: int
    men: str = "men"
    generation: int = 0
    is_ranked: bool = False
    depth: int = 0
    games_done: int = 0
    games_planned: int = 0
    work: Work | None = None
    waits_for: str = ""
    champion_id: str = ""
    record: Mapping[str, Any] = field(default_factory=dict)
    ladder: dict[str, list[float]] = field(default_factory=dict)
    ancestors: Mapping[str, float] = field(default_factory=dict)
    warnings: dict[str, str] = field(default_factory=dict)
    unsaid: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    pace: Pace = field(default_factory=Pace)

    def go_on_from(self, last: Generation) -> None:
        """Take in the newest generation of a run that is resumed."""
        self.generation, self.depth, self.record = last.number + 1, last.depth, last.record
        # An imported generation has no champion before it has played.
        self.champion_id = last.record["champion_id"] or ""

    def recall(self, line: Mapping[str, Any]) -> None:
        """Take in what the history of a resumed run says of one generation."""
        self._add_ladder(line.get("ladder", {}))
        if "score_vs_blind" in line and line.get("moved_up_at") == line["generation"]:
            self._move_up(line["generation"], line["depth"], line["score_vs_blind"])
        self._compare(line)
        self.unsaid.clear()

    def update(self, event: events.Event, now: float) -> None:
        """Take in one event at time `now` (seconds of any clock)."""
        self.waits_for = ""
        match event:
            case events.EmigrantsAwaited():
                self.generation, self.is_ranked = event.number + 1, False
                self.waits_for = f"island {event.island}, generation {event.number}"
                self.pace.learn(now)
            case events.SamplesMade():
                remark = f"{event.positions:,} positions"
                self._learn(event.number, now, Work("samples", event.games, event.total, remark))
            case events.MembersLearned():
                self._learn(event.number, now, Work("learning", event.done, event.total, "members"))
            case events.GenerationStarted():
                self.generation, self.is_ranked, self.depth = event.number, False, event.depth
                self.games_done, self.games_planned = 0, event.planned_games
            case events.GamesPlayed():
                self.games_done, self.games_planned = event.done, event.total
                self.pace.play(now, event.done)
            case events.MovedUp():
                self._move_up(*event)
            case events.ChampionMeasured():
                self.champion_id = event.champion_id
                self._add_ladder(event.scores)
            case events.GenerationRanked():
                self.record, self.is_ranked = event.generation.record, True
                self.champion_id = self.record.get("champion_id", event.generation.members[0].id)
                self._compare(self.record)
                self.pace.finish(now, int(self.record.get("games", 0)))

    def _move_up(self, number: int, depth: int, score: float) -> None:
        earned = f"scored {score:.2f} against the blind player"
        self.notes.append(f"generation {number}: {earned}, now searches {depth} plies")

    def _learn(self, number: int, now: float, work: Work) -> None:
        self.generation, self.is_ranked, self.work = number, False, work
        self.games_done = self.games_planned = 0
        self.pace.learn(now)

    def _add_ladder(self, scores: Mapping[str, float]) -> None:
        for player, score in scores.items():
            self.ladder.setdefault(player, []).append(score)

    def _compare(self, record: Mapping[str, Any]) -> None:
        self.ancestors = record.get("ancestors", self.ancestors)
        for warning in record.get("warnings", ()):
            if kind_of(warning) not in self.warnings:
                text = f"generation {record['generation']}: {warning}"
                self.warnings[kind_of(warning)] = text
                self.unsaid.append(text)
