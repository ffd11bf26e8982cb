"""A game from its rules alone: default moves, notation and perft, built on the contract."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from neche.compiled.jit import I64, Moves, Position, jit, jit_inlined
from neche.errors import InputError
from neche.games import contract
from neche.games.catalogue import source_of
from neche.games.contract import register
from neche.games.draws import TOURNAMENT_DRAWS, DrawRule
from neche.games.game import Game, Move
from neche.games.geometry import BoardGeometry
from neche.games.planes import Planes, implement_planes
from neche.games.sensors import HandMade, SensorLayout


def new_game(
    name: str,
    start: Any,
    *,
    sides: tuple[str, str],
    max_moves: int,
    move_words: int = 1,
    move_type: "type[np.unsignedinteger[Any]] | None" = None,
    name_move: Callable[[Any, Any], str] | None = None,
    diagram: Callable[[Any], str] | None = None,
    geometry: BoardGeometry | None = None,
    planes: Planes | None = None,
    draws: DrawRule = TOURNAMENT_DRAWS,
    sensors: SensorLayout | None = None,
    evaluators: tuple[HandMade, ...] = (),
    symmetries: tuple[tuple[int, ...], ...] = (),
    **rules: Any,
) -> Game:
    """Register the rules of a game and return it for the catalogue.

    start: the start position, a NamedTuple of NumPy's unsigned integers, the last of them `turn`. name_move:
    returns the text of a move from the positions before and after it; None: moves are numbered. diagram:
    draws a position; None: its fields are listed. move_type: None: as wide as the widest field.
    rules: functions of the contract, see `register`. The others are as in `Game`. A FEN is the fields as
    numbers, separated by commas. TypeError if the rules are incomplete.
    """
    is_wide = any(isinstance(field, np.uint64) for field in start)
    move_type = move_type or (np.uint64 if is_wide else np.uint32)
    register(type(start), max_moves=max_moves, move_words=move_words, **rules)
    writing = _Writing(start, np.zeros(max_moves * move_words, move_type), name_move)
    return Game(
        name=name,
        move_words=move_words,
        max_moves=max_moves,
        move_type=move_type,
        sides=sides,
        start=lambda: start,
        parse_fen=writing.parse_fen,
        format_fen=writing.format_fen,
        legal_moves=writing.legal_moves,
        perft=perft_with(max_moves * move_words, move_type),
        diagram=diagram or writing.fields,
        outcome=_outcome,
        geometry=geometry,
        planes=planes and implement_planes(type(start), planes),
        draws=draws,
        sensors=sensors,
        evaluators=evaluators,
        symmetries=symmetries,
    )


@dataclass(frozen=True)
class _Writing:
    """Text forms of a game, by the fields of its positions. room: a move buffer of its size and type."""

    start: Any
    room: Any
    name_move: Callable[[Any, Any], str] | None

    def parse_fen(self, text: str) -> Any:
        """Read a position: the exact inverse of `format_fen`."""
        names = ",".join(self.start._fields)
        words = text.strip().split(",")
        are_numbers = text.isascii() and all(word.strip().isdecimal() for word in words)
        if len(words) != len(self.start) or not are_numbers:
            raise InputError(
                f"FEN '{text}': expected whole numbers {names}, such as '{self.format_fen(self.start)}'"
            )
        try:
            fields = [type(field)(int(word)) for field, word in zip(self.start, words, strict=True)]
            position = type(self.start)(*fields)
        except (OverflowError, ValueError):  # the latter for a number of thousands of digits
            raise InputError(f"FEN '{text}': a number is too large; expected {names}") from None
        if position.turn > 1:
            raise InputError(f"FEN '{text}': the turn is {position.turn}, not 0 or 1")
        return position

    def format_fen(self, position: Any) -> str:
        """Write a position: its fields as numbers."""
        return ",".join(str(int(field)) for field in position)

    def fields(self, position: Any) -> str:
        """Show a position by the names and values of its fields."""
        return "  ".join(f"{name} {int(field)}" for name, field in position._asdict().items())

    def legal_moves(self, position: Any) -> list[Move]:
        """List the legal moves in the order of generation."""
        moves = np.zeros_like(self.room)
        named: list[Move] = []
        for number in range(int(_generate(position, moves))):
            # compiled code returns plain integers
            fields = zip(self.start, _successor(position, moves, number), strict=True)
            after = type(self.start)(*(type(field)(value) for field, value in fields))
            text = str(number + 1) if self.name_move is None else self.name_move(position, after)
            named.append(Move(text, after))
        texts = [move.text for move in named]
        # Players and records identify moves by their texts.
        are_texts = all(isinstance(text, str) and text.isprintable() and text.strip() for text in texts)
        if not are_texts or len(set(texts)) < len(texts):
            what = "two moves have the same name" if are_texts else "the name of a move is not a text"
            place = f"{source_of(type(self.start))}: at {self.format_fen(position)}"
            raise InputError(f"{place}: {what}: {', '.join(map(repr, texts))}")
        return named


def perft_with(
    words: int, move_type: "type[np.unsignedinteger[Any]]", *, counts_finished: bool = False
) -> Callable[[Any, int], int]:
    """Return perft, the number of move sequences of a given length, for one game.

    words, move_type: of the move buffer of one position. counts_finished: a game that ends before the last
    ply counts as one leaf at every greater depth, not as none. Draw rules are ignored.
    """
    finished = np.int64(counts_finished)

    def perft(position: Any, depth: int) -> int:
        moves = np.zeros(max(1, depth) * words, move_type)
        return int(_count(position, np.int64(depth), moves, np.int64(0), finished)) if depth else 1

    return perft


@jit_inlined
def _count_last(position: Position, moves: Moves, base: I64, finished: I64) -> I64:
    """Count the leaves one ply below, in bulk if the game supports it."""
    leaves = np.int64(contract.count_moves(position, moves, base))
    return leaves if leaves > 0 else finished


@jit
def _count(position: Position, depth: I64, moves: Moves, base: I64, finished: I64) -> I64:
    """Count the leaves `depth` ≥ 1 plies below; moves: room for `depth` positions from `base` on."""
    if depth == 1:
        return _count_last(position, moves, base, finished)
    count = np.int64(contract.generate(position, moves, base))
    if count == 0:
        return finished
    total, words = np.int64(0), contract.move_words(position)
    below = np.int64(base + contract.max_moves(position) * words)
    for number in range(count):
        after = contract.successor(position, moves, base + number * words)
        # most positions are at this depth, and a call costs a tenth to a quarter of the work done in it
        if depth == 2:
            total += _count_last(after, moves, below, finished)
        else:
            total += np.int64(_count(after, np.int64(depth - 1), moves, below, finished))
    return total


@jit
def _generate(position: Any, moves: Any) -> Any:
    return contract.generate(position, moves, 0)


@jit
def _successor(position: Any, moves: Any, number: Any) -> Any:
    return contract.successor(position, moves, number * contract.move_words(position))


@jit
def _outcome(position: Any) -> Any:
    return contract.outcome(position)
