"""The formats of game files by name, by the ends of file names and by game: `FORMATS` is the table."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from neche.errors import InputError, suggestion
from neche.games.catalogue import GAMES, Game, game
from neche.records.ggf import keeps_tag, read_ggf, write_ggf
from neche.records.pdn.reader import read_pdn
from neche.records.pdn.writer import write_pdn
from neche.records.reading import OnFault, stop
from neche.records.record import GameRecord, count_remarks
from neche.records.transcript import read_transcripts, write_transcript
from neche.records.wthor import read_wthor


@dataclass(frozen=True)
class Format:
    """A file format.

    endings: of file names. read: (stream, name for messages, game if the file does not say, what to do about
    faults) yields the games. write: returns the text of a game; None, the format is only read. holds: whether
    it is made for a game. keeps: the kinds of `count_remarks` it has room for. keeps_tag: whether it has room
    for a tag.
    """

    name: str
    endings: tuple[str, ...]
    read: Callable[[BinaryIO, str, str, OnFault], Iterator[GameRecord]]
    write: Callable[[GameRecord], str] | None
    holds: Callable[[Game], bool]
    keeps: frozenset[str] = frozenset()
    keeps_tag: Callable[[str], bool] = lambda tag: False

    def left_out(self, record: GameRecord) -> dict[str, int]:
        """Count what of a game this format has no room for."""
        counts = {kind: n for kind, n in count_remarks(record.line).items() if kind not in self.keeps}
        return {**counts, "tags": sum(not self.keeps_tag(tag) for tag, _ in record.tags)}


def _has_pdn(rules: Game) -> bool:
    return rules.pdn is not None


def _has_ggf(rules: Game) -> bool:
    return rules.ggf is not None


# Only PDN has files that do not name the game: the others are formats of Othello.
FORMATS = (
    Format(
        name="pdn",
        endings=(".pdn",),
        read=lambda stream, name, default_game, on_fault: read_pdn(
            stream, name, default_game=default_game, on_fault=on_fault
        ),
        write=write_pdn,
        holds=_has_pdn,
        keeps=frozenset(("comments", "glyphs", "marks", "variations")),
        keeps_tag=lambda tag: True,
    ),
    Format(
        name="ggf",
        endings=(".ggf",),
        read=lambda stream, name, _, on_fault: read_ggf(stream, name, on_fault=on_fault),
        write=write_ggf,
        holds=_has_ggf,
        keeps=frozenset(("comments", "values")),
        keeps_tag=keeps_tag,
    ),
    Format(
        name="transcript",
        endings=(".txt",),
        read=lambda stream, name, _, on_fault: read_transcripts(stream, name, on_fault=on_fault),
        write=write_transcript,
        holds=_has_ggf,
        keeps=frozenset(("comments",)),
    ),
    Format(
        name="wthor",
        endings=(".wtb",),
        read=lambda stream, name, _, on_fault: read_wthor(stream, name, on_fault=on_fault),
        write=None,
        holds=_has_ggf,
    ),
)


def format_named(name: str) -> Format:
    """Return the format of that name.

    Raises:
        InputError: there is none.
    """
    found = next((known for known in FORMATS if known.name == name), None)
    if found is None:
        raise InputError(f"unknown format '{name}'{suggestion(name, [known.name for known in FORMATS])}")
    return found


def format_of(path: Path) -> Format:
    """Return the format that the end of a file name stands for.

    Raises:
        InputError: it stands for none.
    """
    found = next((known for known in FORMATS if path.suffix.lower() in known.endings), None)
    if found is None:
        known_endings = ", ".join(ending for known in FORMATS for ending in known.endings)
        raise InputError(f"{path}: the name tells no format (known ends: {known_endings})")
    return found


def format_for(rules: Game) -> Format:
    """Return the format in which games of a kind are written.

    Raises:
        InputError: there is none.
    """
    found = next((known for known in FORMATS if known.write and known.holds(rules)), None)
    if found is None:
        held = [name for name in GAMES if any(known.holds(game(name)) for known in FORMATS)]
        raise InputError(f"no file format is known for games of {rules.name} (known for: {', '.join(held)})")
    return found


def read_file(path: Path, *, default_game: str = "", on_fault: OnFault = stop) -> Iterator[GameRecord]:
    """Yield the games of a file, in the format that its name stands for.

    default_game: of games in a PDN file that does not say. on_fault: called for a game that cannot be read

    Raises:
        InputError: the file cannot be read.
    """
    chosen = format_of(path)
    with opened_file(path) as stream:
        yield from chosen.read(stream, str(path), default_game, on_fault)


@contextmanager
def opened_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading.

    Raises:
        InputError: it cannot be read.
    """
    try:
        with path.open("rb") as stream:
            yield stream
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
