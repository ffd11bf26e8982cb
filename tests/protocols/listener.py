"""The output of an engine, kept line by line, for tests that wait for an answer."""

import threading

PATIENCE = 120.0
"""Seconds: far more than any answer takes, so that only a missing one fails."""


class Listener:
    """Receives lines from any thread."""

    def __init__(self):
        self.lines: list[str] = []
        self._heard = threading.Condition()

    def __call__(self, line: str) -> None:
        with self._heard:
            self.lines.append(line)
            self._heard.notify_all()

    def wait_for(self, beginning: str) -> str:
        """Return the first line that begins like this, and discard the lines up to it."""
        with self._heard:
            assert self._heard.wait_for(lambda: self._find(beginning) is not None, PATIENCE), self.lines
            at = self._find(beginning)
            assert at is not None
            line = self.lines[at]
            del self.lines[: at + 1]
            return line

    def _find(self, beginning: str) -> int | None:
        return next((at for at, line in enumerate(self.lines) if line.startswith(beginning)), None)

    def take(self) -> list[str]:
        """Return the lines received since, and discard them."""
        with self._heard:
            lines, self.lines = self.lines, []
            return lines
