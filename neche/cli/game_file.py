"""Files of games that commands write, found fault with before anything is played, and positions in them."""

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from neche.cli.arguments import whole_number
from neche.errors import InputError
from neche.games.catalogue import Game
from neche.records.conversion import write_games
from neche.records.formats import Format, format_for, read_file
from neche.records.record import GameRecord, replay


@dataclass(frozen=True)
class GameFile:
    """A file and the format that games are written in there."""

    path: Path
    format: Format

    def write(self, records: Iterable[GameRecord]) -> None:
        """Write the games, replacing the file."""
        write_games(self.path, records, self.format)


def game_file(name: str | None, rules: Game) -> GameFile | None:
    """Return the file of a name for games of a kind, None if there is no name.

    Raises:
        InputError: there is no such place, or no format for the game.
    """
    if name is None:
        return None
    path = Path(name)
    if not path.parent.is_dir():
        raise InputError(f"{path}: cannot be written: there is no directory {path.parent}")
    if path.is_dir():
        raise InputError(f"{path}: cannot be written: it is a directory")
    return GameFile(path, format_for(rules))


def first_game(name: str) -> GameRecord:
    """Return the first game in a file.

    Raises:
        InputError: the file cannot be read, or there is none in it.
    """
    record = next(read_file(Path(name)), None)
    if record is None:
        raise InputError(f"{name}: there is no game in it")
    return record


def add_game_file(parser: argparse.ArgumentParser) -> None:
    """Add `--pdn`, `--number` and `--ply`, read by `recorded_position`."""
    parser.add_argument("--pdn", metavar="FILE", help="take the position from a game in a file: PDN, GGF, …")
    parser.add_argument("--number", type=whole_number(1), metavar="N", help="which game (default: the first)")
    parser.add_argument(
        "--ply", type=whole_number(0), metavar="N", help="after so many plies (default: the end)"
    )


def recorded_position(options: argparse.Namespace) -> tuple[Game, Any] | None:
    """Return the position of a game in a file that the options name, None if they name none.

    Raises:
        InputError: the file cannot be read, or there is no such game or ply.
    """
    if options.pdn is None:
        if options.number is not None or options.ply is not None:
            raise InputError("--number and --ply are of a game in a file, which --pdn names")
        return None
    if options.fen is not None:
        raise InputError("a FEN and --pdn both name a position")
    number = options.number or 1
    record = next(islice(read_file(Path(options.pdn)), number - 1, None), None)
    if record is None:
        raise InputError(f"{options.pdn}: there is no game {number} in it")
    length = len(record.moves)
    ply = length if options.ply is None else options.ply
    if ply > length:
        raise InputError(f"{options.pdn}, game {number}: there is no ply {ply}, the game has {length}")
    positions = [record.start, *(move.after for move in replay(record))]
    return record.rules, positions[ply]
