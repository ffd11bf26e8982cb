"""The interface of a game for users and drivers: rules as functions, names, pictures, notations, ladder."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from neche.errors import InputError
from neche.games.draws import TOURNAMENT_DRAWS, DrawRule
from neche.games.geometry import BoardGeometry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from neche.games.planes import Planes
    from neche.games.sensors import HandMade, SensorLayout

RUNGS: tuple[str, ...] = (
    *("random", "blind:depth=4"),
    *(f"material:depth={depth}" for depth in (1, 2, 4, 6)),
    *(f"mcrd:playouts={playouts}" for playouts in (1_000, 10_000, 100_000)),
    *(f"uct:playouts={playouts}" for playouts in (1_000, 10_000)),
)
"""Rungs of the ladder for games with fast playouts."""


@dataclass(frozen=True)
class Move:
    """A legal move. text: in the game's notation, unique in its position. after: the position it leads to."""

    text: str
    after: Any


def _lost(position: Any) -> int:
    return -1


@dataclass(frozen=True)
class PdnNotation:
    """How portable draughts notation (PDN) writes a game whose moves number the squares: `22-18`, `15x22`.

    game_type: its number. attributes: the rest of its `GameType` tag. results: values of the `Result` tag for
    a win of the side that begins, a draw, and a win of the other side. is_algebraic: moves are written by
    the coordinates of the board, `c3-d4`, not `22-18`.
    Source: PDN 3.0, table of game types.
    """

    game_type: int
    attributes: str
    results: tuple[str, str, str]
    is_algebraic: bool


@dataclass(frozen=True)
class GgfNotation:
    """How transcripts and the generic game format write a game; its FEN is the squares and the side to move.

    game: its name in the format. size: of the board. marks: how its FEN and the format write a disc of each
    side. pass_text: the move that places nothing; transcripts leave it out. score: points of the side that
    begins minus those of the other when the game is over.
    """

    game: str
    size: int
    marks: tuple[tuple[str, str], ...]
    pass_text: str
    score: Callable[[Any], int]


@dataclass(frozen=True)
class LastMoves:
    """How a game that ends by itself is solved exactly near its end.

    points: what its score counts. most: the highest score. num_left: the most moves that can be left, without
    passes. solver: builds a solver of positions with that many left, such as `othello.exact.OthelloSolver`.
    """

    points: str
    most: int
    num_left: Callable[[Any], int]
    solver: Callable[[int], Any]


@dataclass(frozen=True)
class Game:
    """A game for users and drivers; compiled code uses `games.contract` instead.

    name: as in `GAMES`. move_words, max_moves: size of the move buffer of one position, in words per move and
    in moves. move_type: type of these words. sides: names of the two sides, indexed by `turn` of a position.
    outcome: how a position without moves ended for its side to move: 1 won, 0 drawn, −1 lost. geometry: of
    the board, for pictures and typed moves; see `geometry_of`. draws: the official draw rule.
    champion: specification of the default player. rungs: specifications of the ladder's players; those that
    cannot see the board are skipped. pdn, ggf: how files of these formats write the game; None: they do not.
    sensors: what networks see of the board; None: nothing. evaluators: hand-made ones, each a kind of player.
    planes: what convolutional networks see of the board; None: nothing. last_moves: how positions near the
    end are solved; None: they are not. selectivity: parameters of the selective search that differ from those
    of other games, see `search.selectivity`. symmetries: of the board under the rules, without the identity:
    for each, the square that every square maps to, numbered as in `sensors`.
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
    symmetries: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        """Raise InputError if a symmetry is not one, or if the sensors do not fit a turned board."""
        if self.sensors is None:
            return
        count, bits = len(self.sensors.squares), self.sensors.bits
        if len({*bits}) != count:
            raise InputError(f"game '{self.name}': {count} sensor squares need as many bits, not {bits}")
        given = (*(("a symmetry", symmetry) for symmetry in self.symmetries), ("turned", self.sensors.turned))
        for what, squares in given:
            if sorted(squares) != list(range(count)):
                raise InputError(
                    f"game '{self.name}': {what} is {squares}: it must name each of the {count} sensor"
                    " squares once, by number"
                )

    def side_to_move(self, position: Any) -> str:
        """Name of the side to move."""
        return self.sides[int(position.turn)]

    def move_buffer(self) -> "NDArray[np.unsignedinteger[Any]]":
        """Allocate rows for the moves of one position."""
        import numpy as np

        return np.zeros(self.max_moves * self.move_words, self.move_type)


def geometry_of(game: Game) -> BoardGeometry:
    """Return the geometry of a game's board; InputError if the game does not define it."""
    if game.geometry is None:
        raise InputError(f"{game.name} does not say what its board looks like: no picture can be drawn")
    return game.geometry
