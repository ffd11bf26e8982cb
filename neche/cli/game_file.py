"""The file that the games of a command go to, found fault with before they are played."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from neche.errors import InputError

if TYPE_CHECKING:
    from neche.games.catalogue import Game
    from neche.records.formats import Format
    from neche.records.record import GameRecord


@dataclass(frozen=True)
class GameFile:
    """A file and the format that games are written in there."""

    path: Path
    format: "Format"

    def write(self, records: "Iterable[GameRecord]") -> None:
        """Write the games, replacing the file."""
        from neche.records.conversion import write_games

        write_games(self.path, records, self.format)


def game_file(name: str | None, rules: "Game") -> GameFile | None:
    """Return the file of a name for games of a kind, None if there is no name.

    Raises:
        InputError: there is no such place, or no format for the game.
    """
    from neche.records.formats import format_for

    if name is None:
        return None
    path = Path(name)
    if not path.parent.is_dir():
        raise InputError(f"{path}: cannot be written: there is no directory {path.parent}")
    if path.is_dir():
        raise InputError(f"{path}: cannot be written: it is a directory")
    return GameFile(path, format_for(rules))
