"""How far a run is and what is known of it, collected from its events."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from neche.cli.pace import Pace
from neche.evolution.events import (
    Event,
    GamesPlayed,
    GenerationRanked,
    GenerationStarted,
    LadderScored,
    MovedUp,
)
from neche.evolution.population import Generation
from neche.evolution.warnings import kind_of


@dataclass
class Progress:
    """Everything the display knows, collected from the events of a run.

    target: number of the last generation; the first is 0.
    generation: number of the one in progress, or, when it `is_ranked`, of the one just finished.
    ladder: scores 0..1 against each fixed player, oldest first; what an interrupted run had is there too.
    ancestors: scores of the last champion measured against earlier ones, by the generation these led.
    warnings: the first of each kind, by kind, with the generation it was for.
    unsaid: warnings that are new and have not been written yet.
    """

    title: str
    target: int
    generation: int = 0
    is_ranked: bool = False
    depth: int = 0
    games_done: int = 0
    games_planned: int = 0
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
        self._compare(line)
        self.unsaid.clear()

    def update(self, event: Event, now: float) -> None:
        """Take in one event at time `now` (seconds of any clock)."""
        match event:
            case GenerationStarted():
                self.generation, self.is_ranked, self.depth = event.number, False, event.depth
                self.games_done, self.games_planned = 0, event.planned_games
            case GamesPlayed():
                self.games_done, self.games_planned = event.done, event.total
                self.pace.play(now, event.done)
            case MovedUp():
                earned = f"scored {event.score:.2f} against the blind player"
                self.notes.append(f"generation {event.number}: {earned}, now searches {event.depth} plies")
            case LadderScored():
                self.champion_id = event.champion_id
                self._add_ladder(event.scores)
            case GenerationRanked():
                self.record, self.is_ranked = event.generation.record, True
                self.champion_id = self.record.get("champion_id", event.generation.members[0].id)
                self._compare(self.record)
                self.pace.finish(now, int(self.record.get("games", 0)))

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
