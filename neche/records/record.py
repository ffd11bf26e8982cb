"""A game as in files: a tree of moves with comments, marks and variations, and tags.

A record holds only legal moves, in the game's own notation (`Move.text`): readers check them, so that writers
and other users of a record need not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, takewhile
from typing import Any, TypeAlias

from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.game import Game, Move

FIRST_WON, DRAWN, SECOND_WON, BOTH_LOST, UNKNOWN = RESULTS = ("1-0", "1/2-1/2", "0-1", "0-0", "*")
"""Results of a game, first the points of the side that begins its kind: Black in checkers and Othello."""
EVENT_TAGS = ("Event", "Site", "Date", "Round")
"""Tags about the event, which do not depend on the players."""

Remark: TypeAlias = "str | int | Line"
"""A comment, a numeric annotation glyph or a variation; kept in the order in which they are written."""


@dataclass(frozen=True)
class Ply:
    """One move and the remarks on it.

    move: in the game's notation, unique in its position. mark: such as `!` or `?!`. value, seconds: noted by
    a program, as written. remarks: after the move; a variation among them replaces the move.
    """

    move: str
    mark: str = ""
    value: str = ""
    seconds: str = ""
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True)
class Line:
    """A sequence of moves. remarks: before the first; a variation among them begins where the line does."""

    plies: tuple[Ply, ...] = ()
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True)
class GameRecord:
    """One game.

    game: its name in the catalogue. tags: name and value in order, without those that the other fields hold.
    fen: where it begins, in the game's notation; empty: the start position. result: one of `RESULTS`.
    """

    game: str
    line: Line = Line()
    tags: tuple[tuple[str, str], ...] = ()
    fen: str = ""
    result: str = UNKNOWN

    @property
    def rules(self) -> Game:
        """The rules of the game."""
        return game(self.game)

    @property
    def start(self) -> Any:
        """The position before the first move."""
        return self.rules.parse_fen(self.fen) if self.fen else self.rules.start()

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves of the game itself, without variations."""
        return tuple(ply.move for ply in self.line.plies)

    def tag(self, name: str) -> str:
        """Return the value of the first tag of that name; empty if there is none."""
        return next((value for key, value in self.tags if key == name), "")


def record_of(
    name: str,
    moves: Sequence[str],
    *,
    tags: Sequence[tuple[str, str]] = (),
    fen: str = "",
    result: str = UNKNOWN,
) -> GameRecord:
    """Return the record of a game without remarks; InputError if there is no such game or result.

    moves: in the game's notation, not checked; see `replay`
    """
    game(name)
    if result not in RESULTS:
        raise InputError(f"{result!r} is no result of a game (known: {', '.join(RESULTS)})")
    return GameRecord(name, Line(tuple(map(Ply, moves))), tuple(tags), fen, result)


def replay(record: GameRecord) -> Iterator[Move]:
    """Yield the moves of a game with the positions they lead to; InputError if one is not legal."""
    rules, position = record.rules, record.start
    for number, text in enumerate(record.moves, start=1):
        move = next((move for move in rules.legal_moves(position) if move.text == text), None)
        if move is None:
            raise InputError(f"ply {number}: {text} is not a legal move in {rules.format_fen(position)}")
        yield move
        position = move.after


def last_position(record: GameRecord) -> Any:
    """Return the position after the last move of a game; InputError if a move is illegal in its position."""
    return [record.start, *(move.after for move in replay(record))][-1]


def continued(before: GameRecord, record: GameRecord) -> GameRecord:
    """Return `record`, a continuation of `before`, with the latter's event and remarks on kept moves."""
    moves = zip(before.line.plies, record.moves, strict=False)
    kept = [ply for ply, _ in takewhile(lambda both: both[0].move == both[1], moves)]
    line = Line((*kept, *record.line.plies[len(kept) :]), before.line.remarks)
    event = [tag for tag in before.tags if tag[0] in EVENT_TAGS]
    return replace(record, line=line, tags=(*event, *record.tags))


def result_of(rules: Game, position: Any) -> str:
    """Return the result of a game that ends in a position, `UNKNOWN` if the game goes on."""
    if rules.legal_moves(position):
        return UNKNOWN
    is_first = rules.side_to_move(position) == first_side(rules)
    return result_by_points(rules.outcome(position) * (1 if is_first else -1))


def result_by_points(points: float) -> str:
    """Return the result of a game from the points of the side that begins, minus those of the other."""
    return FIRST_WON if points > 0 else SECOND_WON if points < 0 else DRAWN


def result_won_by(rules: Game, winner: str | None) -> str:
    """Return the result of a game from the name of the winning side; None or empty for a draw."""
    if not winner:
        return DRAWN
    return FIRST_WON if winner == first_side(rules) else SECOND_WON


def first_side(rules: Game) -> str:
    """Return the name of the side that begins games of this kind."""
    return rules.side_to_move(rules.start())


def fen_of_start(rules: Game, start: Any) -> str:
    """Return the FEN of the position in which a game begins, empty for the game's own start position."""
    usual = rules.start()
    # A shortcut for most games: halves the time of reading a file of empty ones.
    if start == usual:
        return ""
    fen = rules.format_fen(start)
    return "" if fen == rules.format_fen(usual) else fen


def count_remarks(line: Line) -> dict[str, int]:
    """Count the remarks of a game by kind, including those in its variations."""
    counts = dict.fromkeys(("comments", "glyphs", "marks", "values", "variations"), 0)
    kinds = {str: "comments", int: "glyphs", Line: "variations"}
    waiting = [line]
    while waiting:
        here = waiting.pop()
        counts["marks"] += sum(bool(ply.mark) for ply in here.plies)
        counts["values"] += sum(bool(ply.value or ply.seconds) for ply in here.plies)
        for remark in chain(here.remarks, *(ply.remarks for ply in here.plies)):
            counts[kinds[type(remark)]] += 1
            if isinstance(remark, Line):
                waiting.append(remark)
    return counts
