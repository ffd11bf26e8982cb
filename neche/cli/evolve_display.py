"""What `neche evolve` shows while it runs: a live panel on a terminal, a line per generation elsewhere."""

import math
import time
from collections.abc import Callable

from rich.console import Console
from rich.live import Live

from neche.cli.evolve_panel import draw_panel, fitness_of, means_of
from neche.cli.evolve_progress import EvolutionProgress
from neche.cli.output import duration, is_live
from neche.evolution.events import ChampionMeasured, Event, MembersLearned, MovedUp, SamplesMade

_SECONDS_A_LINE = 1.0
_SECONDS_A_SIGN = 10.0
"""Seconds between two lines about the progress of work within a generation."""


def write_line(progress: EvolutionProgress) -> str:
    """Return the line of a finished generation."""
    words = [
        f"generation {progress.generation}/{progress.target}",
        f"depth {progress.depth}",
        f"{progress.pace.games_per_second():.0f} games/s",
        f"champion {progress.champion_id}",
        fitness_of(progress.record),
        *(f"{player} {scores[-1]:.2f}" for player, scores in progress.ladder.items()),
        f"ancestors {min(progress.ancestors.values()):.2f}" if progress.ancestors else "",
        f"error {progress.record['prediction_error']:.4f}" if "prediction_error" in progress.record else "",
        *means_of(progress.record),
        f"{duration(progress.pace.seconds_left(progress.target - progress.generation))} left",
    ]
    return "  ".join(filter(None, words))


class Display:
    """Shows the progress of a run on a console; a context manager that closes the live panel.

    Without a panel it writes a line per generation. When generations take less than a second, it writes the
    first, the last, those with a ladder, a move up or a new warning, and about one a second of the others.
    While members learn, it writes a line on their progress every ten seconds.
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
        if is_live(console):
            self._live = Live(
                get_renderable=lambda: draw_panel(progress, console.width, clock()),
                console=console,
                refresh_per_second=8,
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
        now, waited_for = self._clock(), self._progress.waits_for
        self._progress.update(event, now)
        waits_for = self._progress.waits_for
        where = f"generation {self._progress.generation}/{self._progress.target}"
        if self._live is None and waits_for not in ("", waited_for):
            self._write(f"{where}  waits for {waits_for}")
        self._is_news |= isinstance(event, MovedUp | ChampionMeasured)
        work = self._progress.work if isinstance(event, SamplesMade | MembersLearned) else None
        if self._live is None and work is not None and now - self._last_sign_at >= _SECONDS_A_SIGN:
            self._last_sign_at = now
            self._write(f"{where}  {work.what} {work.done}/{work.total}  {work.remark}")

    def confirm(self, flush: Callable[[], None] = lambda: None) -> None:
        """Report a generation finished and on disk, unless a panel does; flush: waits until it is on disk."""
        now = self._clock()
        is_last = self._progress.generation >= self._progress.target
        is_news = self._is_news or bool(self._progress.unsaid)
        is_due = is_last or is_news or now - self._last_line_at >= _SECONDS_A_LINE
        if self._live is None and is_due:
            self._last_line_at = self._last_sign_at = now
            self._is_news = False
            flush()
            warnings = (f"warning: {warning}" for warning in self._progress.unsaid)
            self._write(write_line(self._progress), *warnings)
        self._progress.unsaid.clear()

    def _write(self, *lines: str) -> None:
        self._console.out(*lines, sep="\n", highlight=False)
        self._console.file.flush()
