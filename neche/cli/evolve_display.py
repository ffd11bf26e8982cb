"""What `neche evolve` shows while it runs: a live panel on a terminal, lines about generations elsewhere."""

import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from neche.cli.output import duration
from neche.evolution.events import (
    ChampionMeasured,
    Event,
    GamesPlayed,
    GenerationRanked,
    GenerationStarted,
    MembersLearned,
    MovedUp,
    SamplesMade,
)
from neche.evolution.health import kind_of
from neche.evolution.population import Generation

_WINDOW = 20
"""Generations whose pace counts."""
_SPARKS = "▁▂▃▄▅▆▇█"
# Label, number, bar and remark together fit a terminal of 80 columns.
_SPARKS_SHOWN = 22
_BAR_WIDTH = 22
_WIDTH = 78
_SECONDS_A_LINE = 1.0
_SECONDS_A_SIGN = 10.0
"""Of work within a generation, after which a line says how far it is."""


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
        """Note that the time until now went into samples or learning."""
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
    """Something long that is under way. what: its name. remark: what came of it so far."""

    what: str
    done: int
    total: int
    remark: str


@dataclass
class EvolutionProgress:
    """Everything the display knows, collected from the events of a run.

    target: number of the last generation; the first is 0.
    generation: number of the one in progress, or, when it `is_ranked`, of the one just finished.
    work: what is done before the games of a generation, where members learn from samples.
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
    work: Work | None = None
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
            case SamplesMade():
                remark = f"{event.positions:,} positions"
                self._learn(event.number, now, Work("samples", event.games, event.total, remark))
            case MembersLearned():
                self._learn(event.number, now, Work("learning", event.done, event.total, "members"))
            case GenerationStarted():
                self.generation, self.is_ranked, self.depth = event.number, False, event.depth
                self.games_done, self.games_planned = 0, event.planned_games
            case GamesPlayed():
                self.games_done, self.games_planned = event.done, event.total
                self.pace.play(now, event.done)
            case MovedUp():
                earned = f"scored {event.score:.2f} against the blind player"
                self.notes.append(f"generation {event.number}: {earned}, now searches {event.depth} plies")
            case ChampionMeasured():
                self.champion_id = event.champion_id
                self._add_ladder(event.scores)
            case GenerationRanked():
                self.record, self.is_ranked = event.generation.record, True
                self.champion_id = self.record.get("champion_id", event.generation.members[0].id)
                self._compare(self.record)
                self.pace.finish(now, int(self.record.get("games", 0)))

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


def sparkline(scores: list[float]) -> str:
    """Draw scores from 0 to 1, the newest last.

    >>> sparkline([0.0, 0.5, 1.0])
    '▁▅█'
    """
    steps = len(_SPARKS)
    return "".join(_SPARKS[min(steps - 1, int(score * steps))] for score in scores[-_SPARKS_SHOWN:])


def trend(scores: list[float]) -> str:
    """Say whether the newest score rose or fell against the one before.

    >>> trend([0.2, 0.5])
    '↑'
    """
    if len(scores) < 2 or abs(scores[-1] - scores[-2]) < 0.02:
        return "→" if len(scores) > 1 else " "
    return "↑" if scores[-1] > scores[-2] else "↓"


def draw_panel(progress: EvolutionProgress) -> RenderableType:
    """Return the live panel."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    completed = progress.generation + progress.is_ranked
    left = progress.pace.seconds_left(progress.target + 1 - completed)
    grid.add_row(
        "generation",
        Text(f"{progress.generation}/{progress.target}", style="bold"),
        ProgressBar(total=progress.target + 1, completed=completed, width=_BAR_WIDTH),
        f"{duration(left)} left, depth {progress.depth or '…'}",
    )
    if progress.work is not None:
        what, done, total, remark = progress.work
        grid.add_row(what, f"{done}/{total}", ProgressBar(total, done, _BAR_WIDTH), remark)
    rate = progress.pace.games_per_second()
    grid.add_row(
        "games",
        f"{progress.games_done}/{progress.games_planned}" if progress.games_planned else "",
        ProgressBar(total=max(progress.games_planned, 1), completed=progress.games_done, width=_BAR_WIDTH),
        f"{rate:,.0f} games/s" if rate else "preparing",
    )
    grid.add_row("population", *_means(progress.record))
    for figures in _figures(progress.record):
        grid.add_row("", "", *figures)
    _draw_champion(grid, progress)
    notes = [Text(note, style="yellow") for note in progress.notes[-2:]]
    return Panel(
        Group(grid, *notes, *_draw_warnings(progress)),
        title=progress.title,
        title_align="left",
        subtitle="Ctrl-C stops, neche evolve --resume goes on",
        subtitle_align="right",
        width=_WIDTH,
    )


def _draw_champion(grid: Table, progress: EvolutionProgress) -> None:
    """Add rows about the champion: who it is, and how it does against others."""
    spread = progress.record.get("champion_man_spread")
    unevenly = "" if spread is None else f"men valued ±{spread:.0%}"
    grid.add_row("champion", Text(progress.champion_id or "…", style="bold cyan"), unevenly)
    for row in ladder_rows(progress.ladder):
        grid.add_row(*row)
    if progress.ancestors:
        lowest = min(progress.ancestors.values())
        grid.add_row(
            "  ancestors",
            Text(f"≥ {lowest:.2f}", style=score_style(lowest)),
            Text(sparkline(list(progress.ancestors.values()))),
            f"{len(progress.ancestors)} earlier champions",
        )


def ladder_rows(ladder: Mapping[str, list[float]]) -> Iterator[tuple[RenderableType, ...]]:
    """Yield a row for each fixed player: its name, the newest score against it, and how the scores went."""
    for player, scores in ladder.items():
        style = score_style(scores[-1])
        score = Text(f"{scores[-1]:.2f} {trend(scores)}", style=style)
        yield f"  {player}", score, Text(sparkline(scores), style=style)


def _means(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what the networks of the last generation use, on average."""
    if "live_synapses" not in record:
        return ()
    return "", f"{record['live_synapses']:.0f} live synapses", f"{record['squares_seen']:.0f} squares seen"


def _figures(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield pairs of what else the panel tells of the last generation."""
    if "prediction_error" in record:
        best = f"best {record['best_prediction_error']:.4f}"
        yield f"error {record['prediction_error']:.4f}, {best}", f"{record['samples']:,} samples"
    if "wired_distance" in record:
        wired, evaluations = record["wired_distance"], record["evaluation_distance"]
        yield f"{record['hidden_neurons']:.0f} hidden neurons", f"{record['constant']:.0%} constant"
        yield f"{wired:.0%} wired DNA apart", f"{evaluations:.0%} evaluations apart"
        changed = f"{record['changed_children']:.0%} children changed" if "changed_children" in record else ""
        yield f"games agree {record['rank_agreement_mean']:.2f}", changed


def _draw_warnings(progress: EvolutionProgress) -> Iterator[Text]:
    """Yield the first warning of each kind; bold while the kind is still there."""
    present = {kind_of(warning) for warning in progress.record.get("warnings", ())}
    for kind, text in progress.warnings.items():
        yield Text(text, style="bold yellow" if kind in present else "yellow")


def score_style(score: float) -> str:
    """Return the colour of a score: green from 0.55 on, red below 0.35."""
    return "green" if score >= 0.55 else "yellow" if score >= 0.35 else "red"


def write_line(progress: EvolutionProgress) -> str:
    """Return the line of a finished generation."""
    words = [
        f"generation {progress.generation}/{progress.target}",
        f"depth {progress.depth}",
        f"{progress.pace.games_per_second():.0f} games/s",
        f"champion {progress.champion_id}",
        *(f"{player} {scores[-1]:.2f}" for player, scores in progress.ladder.items()),
        f"ancestors {min(progress.ancestors.values()):.2f}" if progress.ancestors else "",
        f"error {progress.record['prediction_error']:.4f}" if "prediction_error" in progress.record else "",
        *_means(progress.record),
        f"{duration(progress.pace.seconds_left(progress.target - progress.generation))} left",
    ]
    return "  ".join(filter(None, words))


def write_sign(progress: EvolutionProgress) -> str:
    """Return the line that says how far the work before the games of a generation is."""
    assert progress.work is not None
    what, done, total, remark = progress.work
    return f"generation {progress.generation}/{progress.target}  {what} {done}/{total}  {remark}"


class Display:
    """Shows the progress of a run on a console; a context that ends the live panel.

    Without a panel it writes a line for every generation; when they take less than a second, for the first,
    the last, those with a ladder, a move up or a new warning, and about one a second of the others. While
    members learn, a line every ten seconds says how far they are.
    """

    def __init__(
        self, progress: EvolutionProgress, console: Console, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._progress = progress
        self._console = console
        self._clock = clock
        now = clock()
        self._last_line_at, self._last_sign_at = -math.inf, now
        self._is_news = False
        self._live: Live | None = None
        progress.pace.finish(now, 0)
        if console.is_terminal:
            self._live = Live(
                get_renderable=lambda: draw_panel(progress), console=console, refresh_per_second=8
            )

    def __enter__(self) -> "Display":
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def notify(self, event: Event) -> None:
        """Take in one event of the evolution."""
        now = self._clock()
        self._progress.update(event, now)
        self._is_news |= isinstance(event, MovedUp | ChampionMeasured)
        is_learning = isinstance(event, SamplesMade | MembersLearned)
        if self._live is None and is_learning and now - self._last_sign_at >= _SECONDS_A_SIGN:
            self._last_sign_at = now
            self._console.out(write_sign(self._progress), highlight=False)
            self._console.file.flush()

    def confirm(self) -> None:
        """Say, where no panel does, that the generation is finished and on disk."""
        now = self._clock()
        is_last = self._progress.generation >= self._progress.target
        is_news = self._is_news or bool(self._progress.unsaid)
        is_due = is_last or is_news or now - self._last_line_at >= _SECONDS_A_LINE
        if self._live is None and is_due:
            self._last_line_at = self._last_sign_at = now
            self._is_news = False
            self._console.out(write_line(self._progress), highlight=False)
            for warning in self._progress.unsaid:
                self._console.out(f"warning: {warning}", highlight=False)
            self._console.file.flush()
        self._progress.unsaid.clear()
