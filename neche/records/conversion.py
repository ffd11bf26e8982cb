"""Files of games written, and converted game by game: a file may be far larger than the memory."""

import io
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TextIO

from neche.errors import InputError
from neche.records.formats import Format, opened_file
from neche.records.record import GameRecord

STANDARD = "-"
"""Instead of a file name: standard input or output."""
_GAMES_BETWEEN_NOTICES = 50


@dataclass
class ConversionReport:
    """What a conversion did.

    games, moves: written. skipped: games that could not be read. left_out: number of remarks and tags that
    the new format has no room for, by kind.
    """

    games: int = 0
    moves: int = 0
    skipped: int = 0
    left_out: Counter[str] = field(default_factory=Counter)

    def add(self, record: GameRecord, chosen: Format) -> None:
        """Count a game that was written."""
        self.games += 1
        self.moves += len(record.moves)
        self.left_out += Counter(chosen.left_out(record))


def convert(
    source: str,
    target: str,
    formats: tuple[Format, Format],
    *,
    default_game: str = "",
    on_fault: Callable[[InputError], None] | None = None,
    notify: Callable[[int, int], None] = lambda done, total: None,
) -> ConversionReport:
    """Write the games of one file to another; the target is replaced when all are written.

    source, target: names of files, or `STANDARD`. formats: of the two. default_game: of games in a PDN file
    that does not say. on_fault: called for every game that cannot be read, which is left out; None, the first
    ends the conversion. notify: called with the bytes read and the bytes in all, 0 if unknown

    Raises:
        InputError: a file cannot be read or written, or a game not be read or written so.
    """
    reads, writes = formats
    if writes.write is None:
        raise InputError(f"{writes.name} is only read here, not written")
    report = ConversionReport()

    def skip(fault: InputError) -> None:
        if on_fault is None:
            raise fault
        report.skipped += 1
        on_fault(fault)

    with _opened(source) as (stream, name, size), _replaced(target) as output:
        for record in reads.read(stream, name, default_game, skip):
            if not writes.holds(record.rules):
                raise InputError(f"{name}: games of {record.game} cannot be written as {writes.name}")
            output.write(writes.write(record))
            report.add(record, writes)
            if report.games % _GAMES_BETWEEN_NOTICES == 0 and size:
                notify(stream.tell(), size)
        if not report.games and not report.skipped:
            raise InputError(f"{name}: there is no game in it")
    return report


@contextmanager
def _opened(source: str) -> Iterator[tuple[BinaryIO, str, int]]:
    """Open a file; give the stream, its name for messages, and its length in bytes, 0 if unknown."""
    if source == STANDARD:
        yield sys.stdin.buffer, "standard input", 0
        return
    with opened_file(Path(source)) as stream:
        yield stream, source, os.fstat(stream.fileno()).st_size


@contextmanager
def _replaced(target: str) -> Iterator[TextIO]:
    """Give a file to write, which replaces the target once it is whole."""
    if target == STANDARD:
        output = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n", write_through=True)
        try:
            yield output
        finally:
            output.detach()
        return
    path = Path(target)
    partial = path.with_name(f".{path.name}.partial")
    try:
        try:
            with partial.open("w", encoding="utf-8", newline="\n") as output:
                yield output
            partial.replace(path)
        except BaseException:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror or error}") from None


def write_games(path: Path, records: Iterable[GameRecord], chosen: Format) -> int:
    """Write games to a file, replacing it when all are written; return their number.

    Raises:
        InputError: the file cannot be written, or a game not so.
    """
    if chosen.write is None:
        raise InputError(f"{chosen.name} is only read here, not written")
    count = 0
    with _replaced(str(path)) as output:
        for record in records:
            output.write(chosen.write(record))
            count += 1
    return count
