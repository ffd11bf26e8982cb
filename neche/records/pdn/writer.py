"""Write records as PDN 3.0: its writing grammar, seven tags first, lines below 80 columns.

A result is from the view of the side that begins, see `notation`. Captures that would otherwise be ambiguous
name every square on their way, all others only the first and the last. Comments keep their words, not their
line ends.
Source: W. Wesselink, "PDN 3.0 draft standard" (writing grammar, restrictions, tags).
"""

import re
from collections.abc import Iterator

from neche.errors import InputError
from neche.games.game import Game, PdnNotation
from neche.records.pdn.notation import square_name, write_position, write_result
from neche.records.record import GameRecord, Line, Ply, Remark, first_side

_LINE_WIDTH = 79
_UNKNOWN_TAGS = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
_OWN_LINE = "\n"
_MOVE = re.compile("[1-9][0-9]?(?:-[1-9][0-9]?|(?:x[1-9][0-9]?)+)")


def write_pdn(record: GameRecord) -> str:
    """Return a game as PDN text that ends with a line `*` and an empty one; InputError if it cannot be."""
    rules = record.rules
    if rules.pdn is None:
        raise InputError(f"PDN is written for draughts only, not for {rules.name}")
    header = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in _tags(record, rules, rules.pdn))
    first_ply = 0 if rules.side_to_move(record.start) == first_side(rules) else 1
    body = _wrapped(_line(record.line, rules, first_ply))
    return f"{header}\n{body}\n*\n\n" if body else f"{header}\n*\n\n"


def _tags(record: GameRecord, rules: Game, notation: PdnNotation) -> Iterator[tuple[str, str]]:
    said = dict(reversed(record.tags))
    for name, unknown in _UNKNOWN_TAGS.items():
        yield name, said.get(name) or unknown
    keeps_spelling = "ResultFormat" in said and "ResultAsWritten" in said
    yield "Result", said["ResultAsWritten"] if keeps_spelling else write_result(record.result, notation)
    yield "GameType", f"{notation.game_type},{notation.attributes}"
    if record.fen:
        yield "FEN", write_position(record.fen, rules)
    given = {*_UNKNOWN_TAGS, *(("ResultAsWritten",) if keeps_spelling else ())}
    for name, value in record.tags:
        if name in given:
            given.remove(name)
            continue
        if not re.fullmatch("[A-Z][A-Za-z0-9_]*", name):
            raise InputError(f"PDN: {name!r} is no name of a tag")
        yield name, value


def _escaped(value: str) -> str:
    shown = re.sub(r"\s", " ", value)
    return shown.replace("\\", r"\\").replace('"', r"\"")


def _line(line: Line, rules: Game, first_ply: int) -> Iterator[str]:
    """Yield the words of a line; a word that begins with a line end gets its own line."""
    yield from _remarks(line.remarks, rules, first_ply)
    for number, ply in enumerate(line.plies, start=first_ply):
        move = write_move(ply, rules)
        if number % 2 == 0:
            move = f"{number // 2 + 1}. {move}"
        elif number == first_ply:
            move = f"{number // 2 + 1}... {move}"
        yield move
        yield from _remarks(ply.remarks, rules, number)


def _remarks(remarks: tuple[Remark, ...], rules: Game, ply: int) -> Iterator[str]:
    for remark in remarks:
        match remark:
            case int():
                yield f"${remark}"
            case str():
                yield from _comment(remark)
            case Line() if remark.plies:
                yield from _bracketed(list(_line(remark, rules, ply)))


def _bracketed(words: list[str]) -> list[str]:
    if words[0].startswith(_OWN_LINE):
        words = ["(", *words]
    else:
        words[0] = f"({words[0]}"
    if words[-1].startswith(_OWN_LINE):
        return [*words, ")"]
    return [*words[:-1], f"{words[-1]})"]


def _comment(text: str) -> Iterator[str]:
    words = text.split()
    if not words:
        return
    if "}" in text:
        # Only a comment to the end of the line can hold this brace.
        yield f"{_OWN_LINE}% {' '.join(words)}"
        return
    words[0] = "{" + words[0]
    words[-1] += "}"
    yield from words


def write_move(ply: Ply, rules: Game) -> str:
    """Return a move and its mark as PDN writes them, by letters or numbers; InputError if it cannot."""
    if not _MOVE.fullmatch(ply.move):
        raise InputError(f"PDN: {ply.move!r} is no move of draughts")
    separator = "x" if "x" in ply.move else "-"
    squares = ply.move.split(separator)
    numbers = list(map(int, squares))
    letters = square_name(rules.name)
    if not all(number in letters for number in numbers):
        raise InputError(f"PDN: {ply.move!r} names a square that is not on the board")
    if ply.mark.strip("!?"):
        raise InputError(f"PDN: {ply.mark!r} is no mark of ! and ?")
    if rules.pdn and rules.pdn.is_algebraic:
        squares = [letters[number] for number in numbers]
    return separator.join(squares) + ply.mark


def _wrapped(words: Iterator[str]) -> str:
    lines = [""]
    for word in words:
        if word.startswith(_OWN_LINE):
            lines += [word.strip(), ""]
        elif lines[-1] and len(lines[-1]) + 1 + len(word) > _LINE_WIDTH:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".lstrip()
    return "\n".join(line for line in lines if line)
