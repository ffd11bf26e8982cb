"""The formats of game files, `FORMATS`: read, write and convert files, game by game.

A format is found by name, by file name extension, or by game. A file may be far larger than the memory.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal

from neche.errors import InputError, suggestion
from neche.games.catalogue import GAMES, game
from neche.games.game import Game
from neche.parsing import naming_file
from neche.records.ggf import keeps_tag, read_ggf, write_ggf
from neche.records.pdn.reader import read_pdn
from neche.records.pdn.writer import write_pdn
from neche.records.reading import OnFault, stop
from neche.records.record import GameRecord, count_remarks
from neche.records.transcript import read_transcripts, write_transcript
from neche.records.wthor import read_wthor
from neche.storage import write_file

STANDARD = "-"
"""Stands for standard input or output in place of a file name."""
_GAMES_BETWEEN_NOTICES = 50


@dataclass(frozen=True)
class Format:
    """A file format.

    ending: of file names. notation: attribute that a game needs for this format. read: (stream, name for
    messages, game if the file names none, or one of the user's own, callback for faults) yields the games.
    write: returns the text of a game; None: the format is only read. keeps: the kinds of `count_remarks` that
    it can hold. keeps_tag: whether it can hold a tag.
    """

    name: str
    ending: str
    notation: Literal["pdn", "ggf"]
    read: Callable[[BinaryIO, str, str, OnFault], Iterator[GameRecord]]
    write: Callable[[GameRecord], str] | None = None
    keeps: tuple[str, ...] = ()
    keeps_tag: Callable[[str], bool] = lambda tag: False

    def holds(self, rules: Game) -> bool:
        """Return whether it is a format for this game."""
        return getattr(rules, self.notation) is not None

    def left_out(self, record: GameRecord) -> dict[str, int]:
        """Count the remarks and tags of a game that this format cannot hold."""
        counts = {kind: n for kind, n in count_remarks(record.line).items() if kind not in self.keeps}
        return {**counts, "tags": sum(not self.keeps_tag(tag) for tag, _ in record.tags)}


_REMARKS_OF_PDN = ("comments", "glyphs", "marks", "variations")
# Only PDN files may fail to name the game. Transcripts and WTHOR are formats of Othello.
FORMATS = (
    Format("pdn", ".pdn", "pdn", read_pdn, write_pdn, _REMARKS_OF_PDN, lambda tag: True),
    Format("ggf", ".ggf", "ggf", read_ggf, write_ggf, ("comments", "values"), keeps_tag),
    Format("transcript", ".txt", "ggf", read_transcripts, write_transcript, ("comments",)),
    Format("wthor", ".wtb", "ggf", read_wthor),
)


def format_named(name: str) -> Format:
    """Return the format of that name; InputError if there is none."""
    known = {chosen.name: chosen for chosen in FORMATS}
    if name not in known:
        raise InputError(f"unknown format '{name}'{suggestion(name, known)}")
    return known[name]


def format_of(path: Path) -> Format:
    """Return the format of a file name's extension; InputError if it is unknown."""
    known = {chosen.ending: chosen for chosen in FORMATS}
    if path.suffix.lower() not in known:
        raise InputError(f"{path}: the extension names no format (known: {', '.join(known)})")
    return known[path.suffix.lower()]


def format_for(rules: Game) -> Format:
    """Return the format in which this game is written; InputError if there is none."""
    found = next((known for known in FORMATS if known.write and known.holds(rules)), None)
    if found is None:
        held = [name for name in GAMES if any(known.holds(game(name)) for known in FORMATS)]
        raise InputError(f"no file format is known for games of {rules.name} (known for: {', '.join(held)})")
    return found


def writer_of(chosen: Format) -> Callable[[GameRecord], str]:
    """Return what writes a game in a format; InputError if the format is only read."""
    if chosen.write is None:
        raise InputError(f"{chosen.name} is only read here, not written")
    return chosen.write


def read_file(path: Path, *, default_game: str = "", on_fault: OnFault = stop) -> Iterator[GameRecord]:
    """Yield the games of a file, whose extension gives the format.

    default_game: of games in a PDN file that does not name it. on_fault: called for each unreadable game.
    InputError if the file cannot be read, or its format is not one of the default game.
    """
    chosen = format_of(path)
    if default_game and not chosen.holds(game(default_game)):
        raise InputError(f"{path}: {chosen.name.upper()} does not support {default_game}")
    with _opened(str(path)) as (stream, name, _):
        yield from chosen.read(stream, name, default_game, on_fault)


def write_games(path: Path, records: Iterable[GameRecord], chosen: Format) -> int:
    """Write games to a file, which is replaced once all are written; return their number.

    InputError if the file cannot be written, or a game not in this format.
    """
    write, count = writer_of(chosen), 0

    def texts() -> Iterator[str]:
        nonlocal count
        for record in records:
            yield write(record)
            count += 1

    _write(str(path), texts())
    return count


@dataclass
class ConversionReport:
    """The outcome of a conversion.

    games, moves: written. skipped: games that could not be read. left_out: number of remarks and tags that
    the new format cannot hold, by kind.
    """

    games: int = 0
    moves: int = 0
    skipped: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


def convert(
    source: str,
    target: str,
    formats: tuple[Format, Format],
    *,
    default_game: str = "",
    on_fault: OnFault = stop,
    notify: Callable[[int, int], None] = lambda done, total: None,
) -> ConversionReport:
    """Write the games of one file to another, which is replaced once all are written.

    source, target: names of files, or `STANDARD`. formats: of the two. default_game: of games in a PDN file
    that does not name it. on_fault: called for every game that cannot be read, which is left out; by default
    the first ends the conversion. notify: called with bytes read and total bytes, if known. InputError if a
    file cannot be read or written, or a game cannot be read or written in its format.
    """
    reads, writes = formats
    write, report = writer_of(writes), ConversionReport()

    def skip(fault: InputError) -> None:
        on_fault(fault)
        report.skipped += 1

    def texts(stream: BinaryIO, name: str, size: int) -> Iterator[str]:
        for record in reads.read(stream, name, default_game, skip):
            if not writes.holds(record.rules):
                raise InputError(f"{name}: games of {record.game} cannot be written as {writes.name}")
            yield write(record)
            report.games += 1
            report.moves += len(record.moves)
            report.left_out += Counter(writes.left_out(record))
            if report.games % _GAMES_BETWEEN_NOTICES == 0 and size:
                notify(stream.tell(), size)
        if not report.games:
            raise InputError(f"{name}: there is no game in it{' that can be read' if report.skipped else ''}")

    with _opened(source) as opened:
        _write(target, texts(*opened))
    return report


@contextmanager
def _opened(source: str) -> Iterator[tuple[BinaryIO, str, int]]:
    """Open a file; yield the stream, its name for messages, and its length in bytes, 0 if unknown."""
    if source == STANDARD:
        yield sys.stdin.buffer, "standard input", 0
        return
    with naming_file(source, "read"), Path(source).open("rb") as stream:
        yield stream, source, os.fstat(stream.fileno()).st_size


def _write(target: str, texts: Iterable[str]) -> None:
    """Write texts to standard output, or to a file, which is replaced once all are written."""
    pieces = (text.encode("utf-8", "replace") for text in texts)
    if target != STANDARD:
        write_file(target, pieces)
        return
    with naming_file("standard output", "written"):
        sys.stdout.buffer.writelines(pieces)
        sys.stdout.buffer.flush()
