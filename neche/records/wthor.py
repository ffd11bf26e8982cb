"""WTHOR, the database of the French Othello federation: 68 bytes per game, names in files beside it.

A file begins with 16 bytes, little-endian: century, year, month and day of creation; number of games, 32
bits; number of names, 16 bits; year of the games, 16 bits; size of the board, 0 or 8; 1 for problems; depth
of the theoretical scores; 0. A game is the numbers of tournament, Black and White, 16 bits each; Black's
discs at the end, and with best play from that depth; 60 moves, 10 · row + column, 0 after the last. Passes
are not stored. Names are 20 bytes (players, `.jou`) or 26 (tournaments, `.trn`).
Source: S. Quin, "Format de la base WTHOR".
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.game import Game
from neche.parsing import naming_file
from neche.records.reading import OnFault, RecordBuilder, stop
from neche.records.record import UNKNOWN, GameRecord, result_by_points

_HEADER = struct.Struct("<4BIHH4B")
_GAME = struct.Struct("<3H2B60s")
_NAME_BYTES = {".jou": 20, ".trn": 26}
_SQUARES = 64
_USUAL_DEPTH = 22
"""Number of empty squares that a depth of 0 means."""


Names = dict[int, str]
"""Names of players, or of tournaments, by number."""


class _WthorHeader(NamedTuple):
    num_games: int
    num_names: int
    year: int
    depth: int


def names_beside(path: Path) -> list[Names]:
    """Return the names of players and of tournaments beside a database, if any; InputError if damaged."""
    # Of several with one ending, the first by name counts.
    files = {file.suffix.lower(): file for file in sorted(path.parent.iterdir(), reverse=True)}
    return [_read_names(files[end]) if end in files else {} for end in _NAME_BYTES]


def _read_names(path: Path) -> Names:
    with naming_file(path, "read"):
        content = path.read_bytes()
    header = _header(content[: _HEADER.size], str(path))
    size = _NAME_BYTES[path.suffix.lower()]
    body = content[_HEADER.size :]
    if len(body) != size * header.num_names:
        said = f"the {header.num_names} names that its header counts"
        raise InputError(f"{path}: {len(content)} bytes do not hold {said}")
    names = (body[at : at + size] for at in range(0, len(body), size))
    return {number: name.split(b"\0")[0].decode("latin-1").strip() for number, name in enumerate(names)}


def read_wthor(
    stream: BinaryIO, name: str, default_game: str = "", on_fault: OnFault = stop
) -> Iterator[GameRecord]:
    """Yield the games of a WTHOR database, all of Othello; see `formats.Format`.

    Players and tournaments have the names in the files beside it, if it is a file. InputError if the file is
    not such a database, or is cut off.
    """
    # Othello is the game that has a GGF notation.
    rules = next(rules for rules in map(game, GAMES) if rules.ggf)
    names = names_beside(Path(name)) if Path(name).is_file() else [{}, {}]
    header = _header(stream.read(_HEADER.size), name)
    for number in range(1, header.num_games + 1):
        stored = stream.read(_GAME.size)
        if len(stored) < _GAME.size:
            raise InputError(f"{name}: ends within game {number} of {header.num_games}")
        try:
            yield _record(stored, rules, header, names, f"{name}, game {number}")
        except InputError as fault:
            on_fault(fault)
    # Bytes after the last game mean that the header or the file is wrong.
    if stream.read(1):
        raise InputError(f"{name}: goes on after the {header.num_games} games that its header counts")


def _header(raw: bytes, name: str) -> _WthorHeader:
    if len(raw) < _HEADER.size:
        raise InputError(f"{name}: {len(raw)} bytes are no WTHOR file, which begins with {_HEADER.size}")
    _, _, month, day, games, num_names, year, size, is_problems, depth, _ = _HEADER.unpack(raw)
    if month > 12 or day > 31 or size not in (0, 8, 10) or is_problems > 1:
        raise InputError(f"{name}: does not begin as a WTHOR file")
    if size == 10:
        raise InputError(f"{name}: games on a board of 10 columns, where Othello has 8")
    if is_problems:
        raise InputError(f"{name}: problems (solitaires), not games")
    return _WthorHeader(games, num_names, year, depth or _USUAL_DEPTH)


def _record(stored: bytes, rules: Game, header: _WthorHeader, names: list[Names], where: str) -> GameRecord:
    tournament, black, white, discs, best, moves = _GAME.unpack(stored)
    played = RecordBuilder(rules)
    played.comment(f"best play from {header.depth} empty squares on: {best} discs for Black")
    for number, move in enumerate(moves.rstrip(b"\0"), start=1):
        row, column = divmod(move, 10)
        try:
            if not (1 <= row <= 8 and 1 <= column <= 8):
                raise InputError(f"{move} is no square")
            played.play(f"{'abcdefgh'[column - 1]}{row}")
        except InputError as fault:
            raise InputError(f"{where}, move {number}: {fault}") from None
    if discs > _SQUARES:
        raise InputError(f"{where}: {discs} discs on a board of {_SQUARES} squares")
    # All other squares count for White, empty ones included.
    points = 2 * discs - _SQUARES
    players, tournaments = names
    tags = (
        ("Event", tournaments.get(tournament, f"no. {tournament}")),
        ("Date", f"{header.year}.??.??" if header.year else ""),
        ("Black", players.get(black, f"no. {black}")),
        ("White", players.get(white, f"no. {white}")),
        ("Score", f"{points:+d}"),
    )
    result = result_by_points(points) if played.plies else UNKNOWN
    return played.record([tag for tag in tags if tag[1]], result)
