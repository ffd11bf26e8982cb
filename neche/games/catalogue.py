"""The games by name. Importing this costs nothing; asking for a game imports its compiled rules."""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neche.errors import CODE_OF_OTHERS, InputError, fault_of_others, suggestion
from neche.games.draws import TOURNAMENT_DRAWS, DrawRule
from neche.games.geometry import BoardGeometry

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

    import numpy as np
    from numpy.typing import NDArray

    from neche.games.planes import Planes
    from neche.games.sensors import HandMade, SensorLayout

_MODULES = {
    "checkers": "neche.games.draughts.checkers",
    "brazilian": "neche.games.draughts.brazilian",
    "international": "neche.games.draughts.international",
    "othello": "neche.games.othello.game",
}
GAMES: tuple[str, ...] = tuple(_MODULES)
"""The games of this package."""
ENTRY_POINTS = "neche.games"
FILES = "NECHE_GAMES"
"""Environment variable: files that hold further games, separated like PATH.

Their code is run, so no name that was read from data may ever be taken for a file.
"""


RUNGS: tuple[str, ...] = (
    "random",
    "blind:depth=4",
    "material:depth=1",
    "material:depth=2",
    "material:depth=4",
    "material:depth=6",
    "mcrd:playouts=1000",
    "mcrd:playouts=10000",
    "mcrd:playouts=100000",
    "uct:playouts=1000",
    "uct:playouts=10000",
)
"""Rungs of a ladder for games whose playouts are quick."""


@dataclass(frozen=True)
class Move:
    """A legal move. text: in the game's notation, unique in its position. after: the position it leads to."""

    text: str
    after: Any


def _lost(position: Any) -> int:
    return -1


@dataclass(frozen=True)
class PdnNotation:
    """A game in portable draughts notation, one whose moves number the squares: `22-18`, `15x22`.

    game_type: its number. attributes: the rest of its `GameType` tag. results: how the `Result` tag says that
    the side that begins won, that the game was drawn, that the other side won. is_algebraic: moves are
    written `c3-d4`, by the coordinates of its board, not `22-18`.
    Source: PDN 3.0, table of game types.
    """

    game_type: int
    attributes: str
    results: tuple[str, str, str]
    is_algebraic: bool


@dataclass(frozen=True)
class GgfNotation:
    """A game in the generic game format, and in transcripts.

    game: its name there. size: of the board. marks: what its FEN and the format call a disc of each side.
    pass_text: its move that places nothing; transcripts leave it out. score: points of the side that begins
    minus those of the other when the game is over.
    """

    game: str
    size: int
    marks: tuple[tuple[str, str], ...]
    pass_text: str
    score: Callable[[Any], int]


@dataclass(frozen=True)
class LastMoves:
    """How a game that ends by itself is solved exactly, near its end.

    points: what its score counts. most: the highest score. num_left: moves that are left at most, besides
    passes. solver: makes what solves positions with so many left, such as `othello.exact.OthelloSolver`.
    """

    points: str
    most: int
    num_left: Callable[[Any], int]
    solver: Callable[[int], Any]


@dataclass(frozen=True)
class Game:
    """A game for people and drivers; compiled code uses `games.contract` instead.

    name: as in `GAMES`. move_words, max_moves: size of the move buffer of one position, in words a move and
    in moves. move_type: of these words. sides: names of the two sides; `side_to_move` gives the index.
    outcome: how a position without moves ended for its side to move: 1 won, 0 drawn, −1 lost. geometry: of
    the board, for pictures and typed moves; see `geometry_of`. draws: its official rule, by which it is
    played for real. champion: specification of the default player. rungs: of the players of the ladder, as
    far as they see the board. pdn, ggf: how files of these formats write
    the game; None, they do not. sensors: what networks see of the board; None, nothing. evaluators: hand-made
    ones, each a kind of player. planes: what convolutional networks see of the board; None, nothing.
    last_moves: how positions near the end are solved; None, they are not. selectivity: figures of a selective
    search that differ from those of other games, see `search.selectivity`.
    """

    name: str
    move_words: int
    max_moves: int
    move_type: "type[np.unsignedinteger[Any]]"
    sides: tuple[str, str]
    start: Callable[[], Any]
    parse_fen: Callable[[str], Any]
    format_fen: Callable[[Any], str]
    legal_moves: Callable[[Any], list[Move]]
    perft: Callable[[Any, int], int]
    diagram: Callable[[Any], str]
    outcome: Callable[[Any], int] = _lost
    geometry: BoardGeometry | None = None
    draws: DrawRule = TOURNAMENT_DRAWS
    champion: str = "uct"
    rungs: tuple[str, ...] = RUNGS
    pdn: PdnNotation | None = None
    ggf: GgfNotation | None = None
    sensors: "SensorLayout | None" = None
    evaluators: "tuple[HandMade, ...]" = ()
    planes: "Planes | None" = None
    last_moves: LastMoves | None = None
    selectivity: Mapping[str, int] = field(default_factory=dict, hash=False)

    def side_to_move(self, position: Any) -> str:
        """Name of the side to move."""
        return self.sides[int(position.turn)]

    def move_buffer(self, num_moves: int | None = None) -> "NDArray[np.unsignedinteger[Any]]":
        """Allocate rows for a number of moves; default: for those of one position."""
        import numpy as np

        rows = self.max_moves if num_moves is None else num_moves
        return np.zeros(rows * self.move_words, self.move_type)


@cache
def game(name: str) -> Game:
    """Return the game of that name: one of `GAMES`, of an installed package, or of a file named by FILES.

    A package names its games as entry points of the group `ENTRY_POINTS`, such as `hex = "hexgame:GAME"`.

    Raises:
        InputError: there is none, or what is there is no game.
    """
    if name in GAMES:
        return import_module(_MODULES[name]).GAME  # type: ignore[no-any-return]
    found = _from_file(name) if name in _files() else _from_package(name)
    if not isinstance(found, Game) or found.name != name:
        what = f"GAME is {found!r}" if not isinstance(found, Game) else f"its name is '{found.name}'"
        raise InputError(f"game '{name}': what is there is no game of this name: {what}")
    from neche.games.trial import try_game  # compiles

    source = source_of(type(found.start()))
    CODE_OF_OTHERS.append(source)
    try_game(found, source)
    return found


def source_of(record: type) -> str:
    """Return the file that the positions of a game are declared in, or else their name."""
    return getattr(sys.modules.get(record.__module__), "__file__", None) or record.__qualname__


def geometry_of(game: Game) -> BoardGeometry:
    """Return the geometry of the board of a game.

    Raises:
        InputError: the game does not say.
    """
    if game.geometry is None:
        raise InputError(f"{game.name} does not say what its board looks like: no picture can be drawn")
    return game.geometry


def add_file(path: str) -> str:
    """Make the game in a Python file known to this process and those it starts; return its name.

    The file is named as the game is, and holds it as `GAME`.

    Raises:
        InputError: there is no such file, or its name is taken or cannot be imported.
    """
    file = Path(path).resolve()
    if not file.is_file() or file.suffix != ".py":
        raise InputError(f"{path}: no such Python file")
    name = file.stem
    known = _files()
    if not name.isidentifier() or name in GAMES or known.get(name, file) != file:
        raise InputError(f"{path}: '{name}' cannot be the name of another game")
    os.environ[FILES] = os.pathsep.join(map(str, {**known, name: file}.values()))
    return name


def _files() -> dict[str, Path]:
    """Return the files of games by name."""
    given = filter(None, os.environ.get(FILES, "").split(os.pathsep))
    return {Path(path).stem: Path(path).resolve() for path in given}


def _from_file(name: str) -> Any:
    file = _files()[name]
    folder = str(file.parent)
    if folder not in sys.path:
        # last: it must hide no other module; workers in other processes are given this list
        sys.path.append(folder)
    CODE_OF_OTHERS.append(str(file))
    module = _imported(name, str(file), lambda: import_module(name))
    if Path(module.__file__ or "").resolve() != file.resolve():
        raise InputError(f"game '{name}': {file} has the name of another module, {module.__file__}")
    return getattr(module, "GAME", None)


def _from_package(name: str) -> Any:
    entries = _entry_points()
    for entry in entries:
        if entry.name == name:
            return _imported(name, entry.value, entry.load)
    names = [*GAMES, *_files(), *(entry.name for entry in entries)]
    raise InputError(f"unknown game '{name}'{suggestion(name, names)}")


def _imported(name: str, source: str, load: Callable[[], Any]) -> Any:
    try:
        return load()
    except (Exception, SystemExit) as error:  # whatever can be wrong in somebody else's code
        what = fault_of_others(error) or f"{type(error).__name__}: {error}"
        what = what.removeprefix(f"{source}, ")
        raise InputError(f"game '{name}': {source} cannot be imported: {what}") from error


def _entry_points() -> "EntryPoints":
    from importlib.metadata import entry_points

    return entry_points(group=ENTRY_POINTS)
