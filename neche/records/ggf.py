"""The generic game format, GGF, in which Othello programs exchange games.

A game is `(;GM[Othello]…;)`; a property is two letters and a value in brackets; a move is `B[d3/0.42/12.5]`:
square, value, seconds. Programs known to read the format ignore properties it does not define: `EV` and `RO`
for event and round as in SGF, and `CO` for comments.
Source: M. Buro, "Generic Game Format (GGF)".
"""

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.game import Game
from neche.records.reading import OnFault, RecordBuilder, SourceLocation, read_lines, stop
from neche.records.record import (
    DRAWN,
    FIRST_WON,
    SECOND_WON,
    UNKNOWN,
    GameRecord,
    last_position,
    result_by_points,
    result_of,
)

TAG_OF = {
    "PC": "Site",
    "DT": "Date",
    "EV": "Event",
    "RO": "Round",
    "PB": "Black",
    "PW": "White",
    "RB": "BlackRating",
    "RW": "WhiteRating",
    "TI": "TimeControl",
    "TB": "TimeControlBlack",
    "TW": "TimeControlWhite",
    "RE": "Score",
}
_PROPERTY_OF = {tag: name for name, tag in TAG_OF.items()}
_SIDE_OF = {"B": "Black", "W": "White"}
_MAX_PROPERTIES = 10_000
_EXPECTED = ("a game begins with '(;'", "expected a property such as B[d3]")
_NO_END = "the game that begins here has no end ';)'"
_PIECES = re.compile(r"\s+|;\)|\(\s*;|([A-Za-z]{1,3})\s*\[|[0-9]+(?=\s*\(\s*;)|(.)")


class _Property(NamedTuple):
    name: str
    value: str
    location: SourceLocation


def read_ggf(
    stream: BinaryIO, name: str, default_game: str = "", on_fault: OnFault = stop
) -> Iterator[GameRecord]:
    """Yield the games of a GGF file, pairs one by one; see `formats.Format`. InputError if it is not text."""
    for properties in _written_games(stream, name, on_fault):
        try:
            yield _record(properties, default_game)
        except InputError as fault:
            on_fault(fault)


def _written_games(stream: BinaryIO, name: str, on_fault: OnFault) -> Iterator[list[_Property]]:
    """Yield the properties of each game; skip everything from a fault to the next game."""
    game_at: SourceLocation | None = None
    properties: list[_Property] = []
    value_of: _Property | None = None
    is_lost, value = False, list[str]()
    for number, line in read_lines(stream, name):
        at = 0
        while at < len(line):
            if value_of is not None:
                # Within brackets: a value may span several lines.
                end = line.find("]", at)
                value.append(line[at:] if end < 0 else line[at:end])
                at = len(line) if end < 0 else end + 1
                if end >= 0:
                    properties.append(value_of._replace(value=" ".join(value)))
                    value_of, value = None, []
                continue
            found = _PIECES.match(line, at)
            assert found is not None
            location = SourceLocation(name, number, at + 1)
            at, piece = found.end(), found[0]
            if piece == ";)":
                if game_at and not is_lost:
                    yield properties
                game_at, is_lost = None, False
            elif piece.startswith("(") and piece.endswith(";"):
                if game_at and not is_lost:
                    on_fault(game_at.fault(_NO_END))
                game_at, properties, is_lost = location, [], False
            elif (found[2] or (found[1] and not game_at)) and not is_lost:
                on_fault(location.fault(f"{piece!r}: {_EXPECTED[game_at is not None]}"))
                is_lost = True
            elif found[1]:
                value_of = _Property(found[1].upper(), "", location)
                if len(properties) >= _MAX_PROPERTIES and not is_lost:
                    on_fault(location.fault(f"more than {_MAX_PROPERTIES} properties in one game"))
                    is_lost = True
    if game_at and not is_lost:
        on_fault(game_at.fault(_NO_END))


def _record(properties: list[_Property], default_game: str) -> GameRecord:
    rules = _rules(properties, default_game)
    assert rules.ggf is not None
    tags: list[tuple[str, str]] = []
    played = RecordBuilder(rules)
    for item in properties:
        value = " ".join(item.value.split())
        try:
            if item.name in _SIDE_OF:
                move, _, noted = value.partition("/")
                valued, _, seconds = noted.partition("/")
                played.play(move.strip(), side=_SIDE_OF[item.name], value=valued, seconds=seconds)
            elif item.name == "BO":
                if played.plies:
                    raise InputError("the board is set up after the first move")
                played.start = played.position = _position(value, rules)
            elif item.name == "CO" and value:
                played.comment(value)
            elif item.name not in ("GM", "CO") and (item.name, value) != ("TY", str(rules.ggf.size)):
                tags.append((TAG_OF.get(item.name, item.name), value))
        except InputError as fault:
            raise item.location.fault(str(fault)) from None
    score = dict(tags).get("Score", "").partition(":")[0].strip()
    is_number = re.fullmatch(r"[+-]?[0-9]+(?:\.[0-9]*)?", score)
    return played.record(tags, result_by_points(float(score)) if is_number else UNKNOWN)


def _rules(properties: list[_Property], default_game: str) -> Game:
    named = next((item for item in properties if item.name == "GM"), None)
    for rules in map(game, filter(None, (*GAMES, default_game))):
        if rules.ggf and (named is None or named.value.strip().lower() == rules.ggf.game.lower()):
            return rules
    assert named is not None
    raise named.location.fault(f"GM[{named.value}] is none of the games known here")


def _position(value: str, rules: Game) -> object:
    assert rules.ggf is not None
    size, _, squares = value.partition(" ")
    if size != str(rules.ggf.size):
        raise InputError(f"BO[{size} …]: the board has {rules.ggf.size} columns")
    for mark, written in rules.ggf.marks:
        squares = squares.replace(written, mark)
    return rules.parse_fen(squares)


def write_ggf(record: GameRecord) -> str:
    """Return a game as one line of GGF, line end included; InputError if the format cannot hold it."""
    rules = record.rules
    if rules.ggf is None:
        raise InputError(f"GGF is written for games of discs only, not for {rules.name}")
    said = [(_PROPERTY_OF.get(tag, tag), value) for tag, value in record.tags if keeps_tag(tag)]
    score = _score(record)
    kind = [] if "TY" in dict(said) else [("TY", str(rules.ggf.size))]
    ended = [("RE", score)] if score and "RE" not in dict(said) else []
    header = [("GM", rules.ggf.game), *said, *kind, *ended, ("BO", _board(record, rules))]
    moves = _moves(record, rules)
    # The format has no escape for this bracket.
    fields = [(name, re.sub(r"\s", " ", value).replace("]", ")")) for name, value in (*header, *moves)]
    return f"(;{''.join(f'{name}[{value}]' for name, value in fields)};)\n"


def keeps_tag(tag: str) -> bool:
    """Return whether there is a property for a tag."""
    return tag in _PROPERTY_OF or re.fullmatch("(?!(?:B|W|GM|BO|CO)$)[A-Z]{1,3}", tag) is not None


def _score(record: GameRecord) -> str:
    """Return the points of the side that begins, empty if unknown."""
    said = record.tag("Score")
    if said or record.result not in (FIRST_WON, DRAWN, SECOND_WON):
        return said
    rules, last = record.rules, last_position(record)
    assert rules.ggf is not None
    if result_of(rules, last) == record.result:
        return f"{rules.ggf.score(last):+d}"
    if record.result == DRAWN:
        return "0"
    # Resigned: the winner gets all squares.
    return f"{'+' if record.result == FIRST_WON else '-'}{rules.ggf.size**2}:r"


def _board(record: GameRecord, rules: Game) -> str:
    assert rules.ggf is not None
    size = rules.ggf.size
    squares, _, side = rules.format_fen(record.start).partition(" ")
    if len(squares) != size**2:
        raise InputError(f"GGF writes a board of {size}×{size} squares and the side to move, not '{squares}'")
    for mark, written in rules.ggf.marks:
        squares, side = squares.replace(mark, written), side.replace(mark, written)
    rows = [squares[at : at + size] for at in range(0, len(squares), size)]
    return " ".join([str(size), *rows, side])


def _moves(record: GameRecord, rules: Game) -> Iterator[tuple[str, str]]:
    yield from _comments(record.line.remarks)
    turn = rules.sides.index(rules.side_to_move(record.start))
    for ply in record.line.plies:
        noted = [ply.value, ply.seconds] if ply.seconds else [ply.value] if ply.value else []
        yield rules.sides[turn][0], "/".join([ply.move, *noted])
        yield from _comments(ply.remarks)
        turn = 1 - turn


def _comments(remarks: tuple[object, ...]) -> Iterator[tuple[str, str]]:
    return (("CO", remark) for remark in remarks if isinstance(remark, str))
