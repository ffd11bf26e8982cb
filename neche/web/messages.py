"""What a browser may send: each request a record with bounds, anything else refused in one line."""

from typing import Annotated, TypeVar

import msgspec

from neche.errors import InputError

MOST_PLIES = 2000
MOST_BYTES = 256 << 10
"""Bytes of a request's body: a game of hundreds of moves with comments."""

_Fen = Annotated[str, msgspec.Meta(max_length=400)]
_Word = Annotated[str, msgspec.Meta(max_length=120)]
_Name = Annotated[str, msgspec.Meta(max_length=60)]
_Ply = Annotated[int, msgspec.Meta(ge=0, le=MOST_PLIES)]


class _Message(msgspec.Struct, forbid_unknown_fields=True):
    pass


class NewGame(_Message):
    """Begin a game. fen: its first position; empty: the start."""

    game: _Word
    fen: _Fen = ""


class PlayMove(_Message):
    """Play a move. ply: number of moves before it, lest a move meet another position than was seen."""

    move: _Word
    ply: _Ply


class GoBack(_Message):
    """Take back all moves from number `ply` on."""

    ply: _Ply


class Ask(_Message):
    """Let a player think. is_move: it also plays the move. ply: as in `PlayMove`."""

    player: _Word
    ply: _Ply
    is_move: bool = False


class Halt(_Message):
    """End a thought with what it found. is_dropped: nothing is played."""

    is_dropped: bool = False


class Load(_Message):
    """Take over a game or position. text: PDN, GGF, a transcript or FEN."""

    text: Annotated[str, msgspec.Meta(max_length=MOST_BYTES)]


class Save(_Message):
    """Write the game. names: of the two sides."""

    names: tuple[_Name, _Name]


class Light(_Message):
    """Show a player's network at work. ply: of the position, in the game."""

    player: _Word
    ply: _Ply


Message = TypeVar("Message", bound=_Message)


def read_message(body: bytes, kind: type[Message]) -> Message:
    """Return the message in a body of JSON.

    Raises:
        InputError: it is none of this kind.
    """
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise InputError(f"the request cannot be understood: {fault}") from None
