"""The messages of DXP: 1 to 127 ASCII characters, of which the first gives the kind.

`decode` and `encode` are inverses. Colours are W and Z in messages, W and B in these records.
"""

from collections.abc import Callable
from typing import NamedTuple

from neche.errors import InputError
from neche.protocols.draughts_notation import SquareMove
from neche.protocols.lines import quoted

LONGEST = 127
_NAME_LENGTH = 32
_MOST_SECONDS, _MOST_OF_THREE = 9999, 999
# Letters of positions: the protocol writes black men z and black kings Z.
_OURS, _THEIRS = str.maketrans("zZ", "bB"), str.maketrans("bB", "zZ")
_SIDES, _COLOURS = {"W": "W", "Z": "B"}, {"W": "W", "B": "Z"}


class GameRequest(NamedTuple):
    """R – the initiator asks for a game.

    name: of the program that asks. follower: W or B, the side of the other program. minutes: for each side,
    for the whole game; 0: no limit. moves: number after which the game may be ended; 0: no limit.
    position: as `draughts_notation.write_position` writes it; None: the start position. version: of the
    protocol; only 1 is supported.
    """

    name: str
    follower: str
    minutes: int
    moves: int
    position: str | None = None
    version: int = 1


class GameAnswer(NamedTuple):
    """A – the follower's answer. code: 0 accepted, 1 wrong version, 2 not this game, 3 no game at all."""

    name: str
    code: int


class PlayedMove(NamedTuple):
    """M – a move and the seconds it took."""

    seconds: int
    move: SquareMove


class GameEnd(NamedTuple):
    """E – the end of the game, sent instead of a move, or the confirmation of an end.

    reason: 0 none given, 1 I resign, 2 draw, 3 I win. is_last: no further game is wanted.
    """

    reason: int
    is_last: bool


class Chat(NamedTuple):
    """C – chat for humans."""

    text: str


class BackRequest(NamedTuple):
    """B – go back to move number `move`, counted from 1 as in PDN, with `side`, W or B, to move."""

    move: int
    side: str


class BackAnswer(NamedTuple):
    """K – the answer to `BackRequest`. code: 0 yes, 1 no, 2 play on."""

    code: int


Message = GameRequest | GameAnswer | PlayedMove | GameEnd | Chat | BackRequest | BackAnswer


class _Fields:
    """Reads a message from left to right."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 1

    def text(self, length: int) -> str:
        part = self._text[self._at : self._at + length]
        if len(part) < length:
            raise InputError(f"message {quoted(self._text)} is too short")
        self._at += length
        return part

    def number(self, length: int, most: int) -> int:
        # The protocol requires leading zeros; like Scan, this also reads numbers padded with blanks.
        part = self.text(length).strip(" ")
        if not part.isdecimal() or int(part) > most:
            raise InputError(f"message {quoted(self._text)}: {part!r} is not a number up to {most}")
        return int(part)

    def one_of(self, letters: str) -> str:
        part = self.text(1)
        if part not in letters:
            raise InputError(f"message {quoted(self._text)}: {part!r} is not one of {letters}")
        return part


def decode(text: str) -> Message:
    """Return the message that a text encodes; InputError if it is malformed or of an unknown kind."""
    reader = _READERS.get(text[:1])
    if reader is None:
        raise InputError(f"message {quoted(text)} is of an unknown kind")
    return reader(_Fields(text), text)


def _read_request(fields: _Fields, text: str) -> Message:
    version = fields.number(2, 99)
    name = fields.text(_NAME_LENGTH).strip()
    follower = _SIDES[fields.one_of("WZ")]
    minutes, moves = fields.number(3, _MOST_OF_THREE), fields.number(3, _MOST_OF_THREE)
    if fields.one_of("AB") == "A":
        return GameRequest(name, follower, minutes, moves, None, version)
    side, squares = fields.one_of("WZ"), text[44:]
    if not set(squares) <= set("wzWZe"):
        raise InputError(f"message {quoted(text)}: squares are w, z, W, Z or e")
    return GameRequest(name, follower, minutes, moves, (side + squares).translate(_OURS), version)


def _read_move(fields: _Fields, text: str) -> Message:
    # The time is only informative, so an invalid one must not end the game.
    seconds = fields.text(4).strip(" ").partition(".")[0]
    start, end = fields.number(2, 50), fields.number(2, 50)
    captured = [fields.number(2, 50) for _ in range(fields.number(2, 20))]
    return PlayedMove(int(seconds) if seconds.isdecimal() else 0, SquareMove(start, end, frozenset(captured)))


_READERS: dict[str, Callable[[_Fields, str], Message]] = {
    "R": _read_request,
    "A": lambda fields, text: GameAnswer(fields.text(_NAME_LENGTH).strip(), int(fields.one_of("0123"))),
    "M": _read_move,
    "E": lambda fields, text: GameEnd(int(fields.one_of("0123")), fields.one_of("01") == "1"),
    "C": lambda fields, text: Chat(text[1:]),
    "B": lambda fields, text: BackRequest(fields.number(3, _MOST_OF_THREE), _SIDES[fields.one_of("WZ")]),
    "K": lambda fields, text: BackAnswer(int(fields.one_of("012"))),
}


def encode(message: Message) -> str:
    """Return the text of a message."""
    match message:
        case GameRequest():
            text = f"R{message.version:02}{_name(message.name)}{_COLOURS[message.follower]}"
            text += f"{message.minutes:03}{message.moves:03}"
            return f"{text}A" if message.position is None else f"{text}B{message.position.translate(_THEIRS)}"
        case GameAnswer():
            return f"A{_name(message.name)}{message.code}"
        case PlayedMove():
            start, end, captured = message.move
            # The field has four digits.
            seconds = min(max(message.seconds, 0), _MOST_SECONDS)
            taken = "".join(f"{square:02}" for square in sorted(captured))
            return f"M{seconds:04}{start:02}{end:02}{len(captured):02}{taken}"
        case GameEnd():
            return f"E{message.reason}{int(message.is_last)}"
        case Chat():
            text = "".join(char if char.isascii() and char.isprintable() else "?" for char in message.text)
            return f"C{text[: LONGEST - 1]}"
        case BackRequest():
            return f"B{message.move:03}{_COLOURS[message.side]}"
        case BackAnswer():
            return f"K{message.code}"


def _name(text: str) -> str:
    return text[:_NAME_LENGTH].ljust(_NAME_LENGTH)
