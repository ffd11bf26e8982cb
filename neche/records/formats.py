"""The formats by name and by the ends of file names."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from neche.errors import InputError, suggestion
from neche.games.catalogue import GAMES, Game, game
from neche.records.ggf import keeps_tag, read_ggf, write_ggf
from neche.records.pdn.reader import read_pdn
from neche.records.pdn.writer import write_pdn
from neche.records.record import GameRecord, count_remarks
from neche.records.source import OnFault, stop
from neche.records.transcript import read_transcripts, write_transcript
from neche.records.wthor import Names, names_beside, read_wthor


@dataclass(frozen=True)
class Format:
    """A format of files.

    endings: of their names. read: (stream, name for messages, game if the file does not say, what to do about
    faults) gives the games. write: gives the text of a game; None, it is only read. holds: tells whether it
    is made for a game. keeps: what of `count_remarks` it has room for. keeps_tag: whether it has for a tag.
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


def _read_pdn(stream: BinaryIO, name: str, default_game: str, on_fault: OnFault) -> Iterator[GameRecord]:
    return read_pdn(stream, name, default_game=default_game, on_fault=on_fault)


def _read_ggf(stream: BinaryIO, name: str, default_game: str, on_fault: OnFault) -> Iterator[GameRecord]:
    return read_ggf(stream, name, on_fault=on_fault)


def _read_transcripts(
    stream: BinaryIO, name: str, default_game: str, on_fault: OnFault
) -> Iterator[GameRecord]:
    return read_transcripts(stream, name, on_fault=on_fault)


def _read_wthor(stream: BinaryIO, name: str, default_game: str, on_fault: OnFault) -> Iterator[GameRecord]:
    path = Path(name)
    names = names_beside(path) if path.is_file() else Names()
    return read_wthor(stream, name, names=names, on_fault=on_fault)


def _is_draughts(rules: Game) -> bool:
    return rules.pdn is not None


def _is_of_discs(rules: Game) -> bool:
    return rules.ggf is not None


FORMATS = (
    Format(
        "pdn",
        (".pdn",),
        _read_pdn,
        write_pdn,
        _is_draughts,
        frozenset(("comments", "glyphs", "marks", "variations")),
        lambda tag: True,
    ),
    Format(
        "ggf", (".ggf",), _read_ggf, write_ggf, _is_of_discs, frozenset(("comments", "values")), keeps_tag
    ),
    Format(
        "transcript", (".txt",), _read_transcripts, write_transcript, _is_of_discs, frozenset(("comments",))
    ),
    Format("wthor", (".wtb",), _read_wthor, None, _is_of_discs),
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
    """Return the format that the end of a file name tells.

    Raises:
        InputError: it tells none.
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
    """Yield the games of a file, its format told by its name.

    default_game: of games in a PDN file that does not say. on_fault: called for a game that cannot be read

    Raises:
        InputError: the file cannot be read.
    """
    chosen = format_of(path)
    try:
        with path.open("rb") as stream:
            yield from chosen.read(stream, str(path), default_game, on_fault)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
