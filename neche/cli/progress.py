"""The progress of a long command: a bar on a terminal, the time left, and what to say after Ctrl-C."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from neche.arena.match import num_pairs_of
from neche.arena.tournament import Tournament
from neche.cli.output import duration, is_live, note

_FEWEST_GAMES, _FEWEST_SECONDS = 2, 0.5
_SECONDS_A_LINE = 300.0


@contextmanager
def keep_hint(kept: str) -> Iterator[None]:
    """Say after Ctrl-C what was kept and how to continue."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(kept) from None


@contextmanager
def progress_bar(
    what: str, *, is_silent: bool, shows_rate: bool = False
) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that shows (done, total): a bar on standard error, a line now and then in a file."""
    console = Console(stderr=True)
    if is_silent or not is_live(console):
        say = _seldom()
        yield lambda done, total: None if is_silent else say(f"{what} {done}/{total}")
        return
    counts = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    rate = (TextColumn("{task.fields[rate]}"),) if shows_rate else ()
    with Progress(*counts, *rate, console=console, transient=True) as bar:
        task = bar.add_task(what, total=None, rate="")

        def show(done: int, total: int) -> None:
            each_second = done / max(bar.tasks[0].elapsed or 0, 1e-9)
            bar.update(task, completed=done, total=total, rate=f"{each_second:,.0f}/s")

        yield show


def _seldom() -> Callable[[str], None]:
    """Return a function that writes a line, every five minutes at most."""
    said_at = time.monotonic()

    def say(words: str) -> None:
        nonlocal said_at
        if time.monotonic() >= said_at + _SECONDS_A_LINE:
            said_at = time.monotonic()
            note(words)

    return say


@dataclass
class ClimbPace:
    """How fast a ladder's games are played, and how much work is left.

    costs: estimated, of one game on each rung; only their ratios count. games: on each rung. rung: number of
    the one in progress. done: games played on it. factor: measured seconds per unit of estimated cost, None
    while unknown.
    """

    costs: Sequence[float]
    games: int
    rung: int = -1
    done: int = 0
    factor: float | None = None
    _begun: tuple[float, int] = (0.0, 0)
    _now: float = 0.0

    def update(self, rung: int, done: int, now: float) -> None:
        """Take in the number of games played on a rung."""
        if rung != self.rung:
            # Games found in a results file take no time: they do not count towards the speed.
            self.rung, self._begun = rung, (now, done)
        self.done, self._now = done, now
        seconds, played = now - self._begun[0], done - self._begun[1]
        if played >= _FEWEST_GAMES and seconds >= _FEWEST_SECONDS:
            self.factor = seconds / (played * self.costs[rung])

    def games_per_second(self) -> float | None:
        """Return the rate on this rung, None at its beginning."""
        seconds, played = self._now - self._begun[0], self.done - self._begun[1]
        return played / seconds if played > 0 and seconds > 0 else None

    def share(self) -> float:
        """Return the share of the whole work that is done, 0 … 1."""
        return 1.0 - self._work_left() / (self.games * sum(self.costs))

    def seconds_left(self) -> float | None:
        """Return how long the rest takes, None while unknown."""
        return None if self.factor is None else self.factor * self._work_left()

    def _work_left(self) -> float:
        ahead = sum(self.costs[self.rung + 1 :]) * self.games
        here = self.costs[self.rung] * (self.games - self.done) if self.rung >= 0 else 0.0
        return ahead + here


class ClimbDisplay:
    """Shows a ladder being climbed: a bar on a terminal, elsewhere a line for each rung and now and then."""

    def __init__(self, tournament: Tournament, games: int, bar: Progress | None, *, is_silent: bool) -> None:
        champion, *rungs = tournament.players
        costs = [champion.seconds_a_game + rung.seconds_a_game for rung in rungs]
        self._names = [rung.name for rung in rungs]
        self._pace = ClimbPace(costs, 2 * num_pairs_of(games))
        self._bar, self._is_silent, self._say = bar, is_silent, _seldom()
        self._task = TaskID(0) if bar is None else bar.add_task("", total=1.0, what="", rate="")

    def update(self, rung: int, done: int) -> None:
        """Take in the number of games played on a rung."""
        self._pace.update(rung, done, time.monotonic())
        what, left = f"{self._names[rung]}  {done}/{self._pace.games}", duration(self._pace.seconds_left())
        if self._bar is not None:
            rate = self._pace.games_per_second()
            rate_words = f"{f'{rate:,.2f} games/s, ' if rate else ''}{left} left"
            self._bar.update(self._task, completed=self._pace.share(), what=what, rate=rate_words)
        elif not self._is_silent:
            self._say(f"{what}   ({left} left)")

    def finish(self, words: str) -> None:
        """Write the result of a rung."""
        if self._bar is not None:
            self._bar.console.print(words, highlight=False, markup=False)
        elif not self._is_silent:
            left = self._pace.seconds_left()
            note(words if left is None else f"{words}   ({duration(left)} left)")


@contextmanager
def show_climb(tournament: Tournament, games: int, *, is_silent: bool) -> Iterator[ClimbDisplay]:
    """Yield the display of a climb on standard error; it shows nothing if `is_silent`."""
    console = Console(stderr=True)
    columns = TextColumn("{task.fields[what]}", markup=False), BarColumn(), TextColumn("{task.fields[rate]}")
    is_shown = not is_silent and is_live(console)
    with Progress(*columns, console=console, transient=True) if is_shown else nullcontext() as bar:
        yield ClimbDisplay(tournament, games, bar, is_silent=is_silent)
