"""A game as files keep it: a tree of moves with comments, marks and variations, and tags about it.

A record holds only legal moves, in the game's own words (`Move.text`): readers check them, so writers and all
other users of a record need not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, takewhile
from typing import Any, TypeAlias

from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.game import Game, Move

FIRST_WON, DRAWN, SECOND_WON, BOTH_LOST, UNKNOWN = RESULTS = ("1-0", "1/2-1/2", "0-1", "0-0", "*")
"""How a game ended, seen by the side that begins games of its kind: Black in checkers and Othello."""
EVENT_TAGS = ("Event", "Site", "Date", "Round")
"""What files say of a game, whoever plays it."""

Remark: TypeAlias = "str | int | Line"
"""A comment; a numeric annotation glyph; a variation. They stay in the order they were written in."""


@dataclass(frozen=True)
class Ply:
    """One move and the remarks on it.

    move: as the game writes it, unique in its position. mark: such as `!` or `?!`. value, seconds: what a
    program noted, as it wrote them. remarks: after the move; a variation among them is played instead of it.
    """

    move: str
    mark: str = ""
    value: str = ""
    seconds: str = ""
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True)
class Line:
    """A sequence of moves. remarks: before the first; a variation among them begins where this line does."""

    plies: tuple[Ply, ...] = ()
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True)
class GameRecord:
    """One game.

    game: its name in the catalogue. tags: name and value in order, without those that the other fields say.
    fen: where it begins, as the game writes positions; empty: the start position. result: one of `RESULTS`.
    """

    game: str
    line: Line = Line()
    tags: tuple[tuple[str, str], ...] = ()
    fen: str = ""
    result: str = UNKNOWN

    @property
    def rules(self) -> Game:
        """The game that is played."""
        return game(self.game)

    @property
    def start(self) -> Any:
        """The position the moves begin from."""
        return self.rules.parse_fen(self.fen) if self.fen else self.rules.start()

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves of the game itself, without variations."""
        return tuple(ply.move for ply in self.line.plies)

    def tag(self, name: str) -> str:
        """Return the value of a tag, the first of that name; empty if there is none."""
        return next((value for key, value in self.tags if key == name), "")


def record_of(
    name: str,
    moves: Sequence[str],
    *,
    tags: Sequence[tuple[str, str]] = (),
    fen: str = "",
    result: str = UNKNOWN,
) -> GameRecord:
    """Return the record of a game without remarks.

    moves: as the game writes them; see `replay` to have them checked

    Raises:
        InputError: there is no such game or result.
    """
    game(name)
    if result not in RESULTS:
        raise InputError(f"{result!r} is no result of a game (known: {', '.join(RESULTS)})")
    return GameRecord(name, Line(tuple(map(Ply, moves))), tuple(tags), fen, result)


def replay(record: GameRecord) -> Iterator[Move]:
    """Yield the moves of a game with the positions they lead to.

    Raises:
        InputError: a move is not legal where it stands.
    """
    rules, position = record.rules, record.start
    for number, text in enumerate(record.moves, start=1):
        move = next((move for move in rules.legal_moves(position) if move.text == text), None)
        if move is None:
            raise InputError(f"ply {number}: {text} is not a legal move in {rules.format_fen(position)}")
        yield move
        position = move.after


def last_position(record: GameRecord) -> Any:
    """Return the position after the last move of a game.

    Raises:
        InputError: a move is not legal where it stands.
    """
    return [record.start, *(move.after for move in replay(record))][-1]


def continued(before: GameRecord, record: GameRecord) -> GameRecord:
    """Return `record`, which went on from `before`, with its event and the remarks on moves that stand."""
    moves = zip(before.line.plies, record.moves, strict=False)
    kept = [ply for ply, _ in takewhile(lambda both: both[0].move == both[1], moves)]
    line = Line((*kept, *record.line.plies[len(kept) :]), before.line.remarks)
    event = [tag for tag in before.tags if tag[0] in EVENT_TAGS]
    return replace(record, line=line, tags=(*event, *record.tags))


def result_of(rules: Game, position: Any) -> str:
    """Return the result of a game that ends in a position, `UNKNOWN` where it goes on."""
    if rules.legal_moves(position):
        return UNKNOWN
    is_first = rules.side_to_move(position) == first_side(rules)
    return result_by_points(rules.outcome(position) * (1 if is_first else -1))


def result_by_points(points: float) -> str:
    """Return the result of a game by the points of the side that begins, less those of the other."""
    return FIRST_WON if points > 0 else SECOND_WON if points < 0 else DRAWN


def result_won_by(rules: Game, winner: str | None) -> str:
    """Return the result of a game that a side has won, by its name; None or empty for a draw."""
    if not winner:
        return DRAWN
    return FIRST_WON if winner == first_side(rules) else SECOND_WON


def first_side(rules: Game) -> str:
    """Name the side that begins games of this kind."""
    return rules.side_to_move(rules.start())


def fen_of_start(rules: Game, start: Any) -> str:
    """Return the FEN of the position in which a game begins, empty for the game's own start position."""
    usual = rules.start()
    # Most games: a file of empty ones is read in half the time.
    if start == usual:
        return ""
    fen = rules.format_fen(start)
    return "" if fen == rules.format_fen(usual) else fen


def count_remarks(line: Line) -> dict[str, int]:
    """Count the remarks of a game by kind, those in its variations included."""
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
