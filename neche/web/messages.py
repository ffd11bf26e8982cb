"""The bodies of requests: a record for each, with bounds; anything else is refused in one line."""

from typing import Annotated, TypeVar

import msgspec

from neche.errors import InputError

MOST_PLIES = 2000
MOST_BYTES = 256 << 10
"""Bytes of a request's body: a game of hundreds of moves with comments."""

_Fen = Annotated[str, msgspec.Meta(max_length=400)]
_Word = Annotated[str, msgspec.Meta(max_length=120)]
_Name = Annotated[str, msgspec.Meta(max_length=60)]
_Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
_LEAST_SECONDS = 0.1
_Ply = Annotated[int, msgspec.Meta(ge=0, le=MOST_PLIES)]


class Message(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request."""


class SideTime(Message):
    """The time of a side: seconds for the game, and more for each of its moves."""

    seconds: Annotated[float, msgspec.Meta(ge=0, le=86_400)]
    increment: Annotated[float, msgspec.Meta(ge=0, le=3600)] = 0.0


class Load(Message):
    """Continue a game or position. text: PDN, GGF, a transcript or FEN. number: which game in it, from 0."""

    text: Annotated[str, msgspec.Meta(max_length=MOST_BYTES)]
    number: Annotated[int, msgspec.Meta(ge=0, le=MOST_BYTES)] | None = None


class NewGame(Message):
    """Begin a game, or continue one after its moves.

    fen: its first position; empty for the start position. clock: time left; None for no limit, and 0 for a
    side that has lost on time. source: what it was loaded from. scores: as `GameSession.scores` returns them.
    """

    game: _Word
    fen: _Fen = ""
    moves: Annotated[tuple[_Word, ...], msgspec.Meta(max_length=MOST_PLIES)] = ()
    clock: tuple[SideTime, SideTime] | None = None
    source: Load | None = None
    scores: Annotated[tuple[_Share | None, ...], msgspec.Meta(max_length=MOST_PLIES + 1)] = ()

    def __post_init__(self) -> None:
        """Raise ValueError for a game that begins with hardly any time."""
        if not self.moves and any(side.seconds < _LEAST_SECONDS for side in self.clock or ()):
            raise ValueError(f"a clock has {_LEAST_SECONDS} seconds at least")


class PlayMove(Message):
    """Play a move. ply: number of moves before it, so that it applies only to the position that was seen."""

    move: _Word
    ply: _Ply


class GoBack(Message):
    """Take back all moves from number `ply` on."""

    ply: _Ply


class Analyse(Message):
    """Let a player analyse the position. is_move: it also plays its move. ply: as in `PlayMove`.

    ponders: after its move, it goes on thinking until the answer.
    """

    player: _Word
    ply: _Ply
    is_move: bool = False
    ponders: bool = False


class Halt(Message):
    """End an analysis with what it found. is_dropped: nothing is played."""

    is_dropped: bool = False


class Save(Message):
    """Write the game. names: of the two sides."""

    names: tuple[_Name, _Name]


class Light(Message):
    """Show the activations of a player's network. ply: of the position in the game."""

    player: _Word
    ply: _Ply


Kind = TypeVar("Kind", bound=Message)


def read_message(body: bytes, kind: type[Kind]) -> Kind:
    """Return the message in a body of JSON; InputError if it is not a message of this kind."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise InputError(f"the request cannot be understood: {fault}") from None
