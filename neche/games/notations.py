"""What file formats need to know of a game. Data only: each game fills these in, `records` reads them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class PdnNotation:
    """A game in portable draughts notation, one whose moves number the squares: `22-18`, `15x22`.

    game_type: its number. attributes: the rest of its `GameType` tag. results: how the `Result` tag says that
    the side that begins won, that the game was drawn, that the other side won. is_algebraic: moves are
    written `c3-d4`, by the coordinates of the game's `BoardGeometry`, not `22-18`.
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
