"""How fast an evolution goes: games a second and time left, from the last generations only."""

from collections import deque
from dataclasses import dataclass, field

_WINDOW = 20


@dataclass
class Pace:
    """Clock readings of a run in progress, in seconds; old ones are dropped, for deeper search is slower.

    finished: (time at its end, games) of the last generations, opened by the time the first one began.
    """

    finished: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=_WINDOW + 1))
    now: float = 0.0
    games_in_progress: int = 0

    def start(self, now: float) -> None:
        """Open the record."""
        self.now = now
        self.finished.append((now, 0))

    def play(self, now: float, done: int) -> None:
        """Note the games of the generation in progress."""
        self.now = now
        self.games_in_progress = done

    def finish(self, now: float, games: int) -> None:
        """Note the end of a generation."""
        self.now = now
        self.finished.append((now, games))
        self.games_in_progress = 0

    def games_per_second(self) -> float:
        """Return games a second over the last generations and the one in progress; 0 before any game."""
        seconds = self.now - self.finished[0][0]
        games = sum(games for _, games in list(self.finished)[1:]) + self.games_in_progress
        return games / seconds if seconds > 0 else 0.0

    def seconds_left(self, generations_left: int) -> float | None:
        """Return the time that so many generations take at this pace; None before the first is finished."""
        if len(self.finished) < 2:
            return None
        each = (self.finished[-1][0] - self.finished[0][0]) / (len(self.finished) - 1)
        return each * generations_left


def duration(seconds: float | None) -> str:
    """Write a time span for people.

    >>> duration(75), duration(4000), duration(200_000), duration(None)
    ('1:15', '1:06:40', '2 d 7 h', '…')
    """
    if seconds is None:
        return "…"
    whole = round(seconds)
    if whole >= 48 * 3600:
        return f"{whole // 86400} d {whole % 86400 // 3600} h"
    hours, rest = divmod(whole, 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
