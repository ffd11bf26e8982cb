"""Processes that are interrupted in tests."""

import signal


def hear_interrupts() -> None:
    """Undo what a shell does to the commands that it starts in the background: they ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
