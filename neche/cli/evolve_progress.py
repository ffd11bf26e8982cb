"""The state of an evolution in progress, collected from its events, and its pace."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from neche.evolution import events
from neche.evolution.health import kind_of
from neche.evolution.population import Generation

_WINDOW = 20
"""Number of last generations over which the pace is measured."""


@dataclass
class Pace:
    """Clock readings of a run in progress, in seconds; old ones are dropped because deeper search is slower.

    finished: (time at its end, seconds of learning until then, games) of the last generations; the first
    entry is the time at which the first of them began. learning: total seconds spent on samples and learning,
    during which no ranking games were played.
    """

    finished: deque[tuple[float, float, int]] = field(default_factory=lambda: deque(maxlen=_WINDOW + 1))
    now: float = 0.0
    learning: float = 0.0
    games_in_progress: int = 0

    def learn(self, now: float) -> None:
        """Count the time until now as spent on samples, on learning, or on waiting for an island."""
        self.learning += now - self.now
        self.now = now

    def play(self, now: float, done: int) -> None:
        """Note the games of the generation in progress."""
        self.now = now
        self.games_in_progress = done

    def finish(self, now: float, games: int) -> None:
        """Note the end of a generation; before the first one, called with no games to start the clock."""
        self.now = now
        self.finished.append((now, self.learning, games))
        self.games_in_progress = 0

    def games_per_second(self) -> float:
        """Return games a second over the last generations and the one in progress; 0 before any game.

        Time spent on samples and learning does not count: no ranking games are played in it.
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
    """A long task in progress. what: its name. remark: its result so far."""

    what: str
    done: int
    total: int
    remark: str


@dataclass
class EvolutionProgress:
    """Everything the display knows, collected from the events of a run.

    target: number of the last generation; the first is 0. men: what the game calls its pieces.
    generation: number of the one in progress, or of the one just finished if `is_ranked`.
    work: the task before the games of a generation, if members learn from samples.
    waits_for: the island and generation that this island waits for, in words; empty if none.
    ladder: scores 0..1 against each fixed player, oldest first, including those from before a resume.
    ancestors: scores of the last champion measured against earlier ones, by the generation these led.
    warnings: the first of each kind, by kind, with its generation.
    unsaid: new warnings that have not been written yet.
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
        """Take in the newest generation of a resumed run."""
        self.generation, self.depth, self.record = last.number + 1, last.depth, last.record
        # An imported generation has no champion before it has played.
        self.champion_id = last.record["champion_id"] or ""

    def recall(self, line: Mapping[str, Any]) -> None:
        """Take in one generation from the history of a resumed run."""
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
