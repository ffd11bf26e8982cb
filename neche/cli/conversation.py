"""A protocol over standard input and output: lines in, lines out, and nothing else on either stream."""

import argparse
import gc
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Protocol

from neche.protocols.lines import LONGEST_LINE, read_lines


class Conversation(Protocol):
    """The engine's side of a protocol."""

    def hear(self, line: str) -> bool:
        """Obey a line; return whether the conversation goes on."""
        ...

    def complain(self, message: str) -> None:
        """Tell the other side that something is wrong."""
        ...

    def close(self) -> None:
        """Stop whatever goes on."""
        ...


def add_log(parser: argparse.ArgumentParser) -> None:
    """Add `--log`."""
    parser.add_argument("--log", metavar="FILE", help="write down what is said on both sides, with the time")


def converse(begin: Callable[[Callable[[str], None]], Conversation], log: str | None) -> None:
    """Hold a conversation until one side ends it. begin: takes what writes a line."""
    keep_rubbish()
    with _log(log) as note, _alone_on_output() as output:
        lock = threading.Lock()

        def write(line: str) -> None:
            with lock:
                note("<", line)
                try:
                    output.write(line.encode("utf-8", "replace") + b"\n")
                    output.flush()
                except (BrokenPipeError, ValueError):
                    # nobody listens any more; the end of the input says so too
                    pass

        talk = begin(write)
        try:
            for line in read_lines(sys.stdin.buffer):
                note(">", line if line is not None else "(a line that is too long)")
                if line is None:
                    talk.complain(f"a line of more than {LONGEST_LINE} bytes was skipped")
                elif not talk.hear(line):
                    break
        finally:
            talk.close()


def keep_rubbish() -> None:
    """Let the garbage collector look at what is new only: to look through all takes 70 ms off a clock."""
    gc.set_threshold(700, 10, 1 << 30)


@contextmanager
def _alone_on_output() -> Iterator[IO[bytes]]:
    """Yield standard output; whatever else prints or warns goes nowhere.

    An interface reads every line as an answer, those on standard error included.
    """
    sys.stdout.flush()
    own, kept = sys.stdout, sys.stderr
    with open(os.devnull, "w", encoding="utf-8") as nowhere, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sys.stdout = sys.stderr = nowhere
        try:
            yield own.buffer
        finally:
            sys.stdout, sys.stderr = own, kept


@contextmanager
def _log(path: str | None) -> Iterator[Callable[[str, str], None]]:
    """Yield what writes a line into the log, with its direction."""
    if path is None:
        yield lambda direction, line: None
        return
    with open(path, "a", encoding="utf-8", buffering=1) as file:
        begin = time.perf_counter()

        def note(direction: str, line: str) -> None:
            file.write(f"{time.perf_counter() - begin:9.3f} {direction} {line}\n")

        yield note
