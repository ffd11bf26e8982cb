"""Write games of American checkers as PDN 3.0, the text format that every draughts program reads.

The result is written from the side that moves first, Black: "1-0" is a win for Black. Programs disagree on
this, so a comment before the end says it in words too.
Source: W. Wesselink, "PDN 3.0 draft standard" (writing grammar, restrictions, tags).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from neche.errors import InputError

GAME_TYPE = "21,B,8,8,N1,0"
_RESULTS = {1: ("1-0", "Black wins"), 0: ("1/2-1/2", "drawn"), -1: ("0-1", "White wins")}
_SQUARE = "(?:[1-9]|[12][0-9]|3[0-2])"
_MOVE = re.compile(f"{_SQUARE}(?:-{_SQUARE}|(?:x{_SQUARE})+)")
_LINE_WIDTH = 79


class GameRecord(NamedTuple):
    """One finished game.

    black, white: names of the players; Black moves first
    moves: texts such as "11-15" and "22x15", from the start position or from `fen`
    outcome: +1 Black won, 0 drawn, −1 White won
    event, round: tags; empty is unknown
    fen: position the moves start from, empty for the start position
    """

    black: str
    white: str
    moves: Sequence[str]
    outcome: int
    event: str = ""
    round: str = ""
    fen: str = ""


def format_game(record: GameRecord) -> str:
    """Return a game as PDN text that ends with a line "*" and an empty line.

    Errors: InputError for a move that is no move text of this game, or an outcome that is none.

    >>> print(format_game(GameRecord("a", "b", ["11-15", "22-18", "15x22"], 1)).split("]")[-1].strip())
    1. 11-15 22-18 2. 15x22 {Black wins}
    *
    """
    if record.outcome not in _RESULTS:
        raise InputError(f"PDN: the outcome of a game is 1, 0 or -1, not {record.outcome}")
    result, words = _RESULTS[record.outcome]
    tags = {
        "Event": record.event or "?",
        "Site": "?",
        "Date": "????.??.??",
        "Round": record.round or "?",
        "Black": record.black,
        "White": record.white,
        "Result": result,
        "GameType": GAME_TYPE,
        "BlackType": "program",
        "WhiteType": "program",
        "PlyCount": str(len(record.moves)),
    }
    if record.fen:
        tags["FEN"] = record.fen
    header = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in tags.items())
    tokens = [*_numbered(record.moves, white_begins=record.fen.startswith("W")), "{" + words + "}"]
    return f"{header}\n{_wrapped(tokens)}\n*\n\n"


def write_games(path: Path, records: Iterable[GameRecord]) -> int:
    """Write games to a file, replacing it; return their number.

    Errors: InputError when the file cannot be written.
    """
    texts = [format_game(record) for record in records]
    try:
        path.write_text("".join(texts), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
    return len(texts)


def move_texts(positions: Sequence[Any], legal_moves: Callable[[Any], Iterable[Any]]) -> list[str]:
    """Return the texts of the moves that lead from each position to the next.

    legal_moves: gives the moves of a position, each with `text` and `after`
    Errors: InputError when no move leads from one to the next.
    """
    texts = []
    for ply, (before, after) in enumerate(pairwise(positions), start=1):
        found = next((move.text for move in legal_moves(before) if move.after == after), None)
        if found is None:
            raise InputError(f"no legal move leads to the position after ply {ply}")
        texts.append(found)
    return texts


def _quoted(text: str) -> str:
    return " ".join(text.split()).replace("\\", "/").replace('"', "'")


def _numbered(moves: Sequence[str], *, white_begins: bool) -> list[str]:
    tokens = []
    for ply, move in enumerate(moves, start=int(white_begins)):
        if not _MOVE.fullmatch(move):
            raise InputError(f"PDN: {move!r} is no move of American checkers")
        number = f"{ply // 2 + 1}."
        if ply % 2 == 0:
            tokens.append(number)
        elif ply == 1 and white_begins:
            tokens.append(number + "..")
        tokens.append(move)
    return tokens


def _wrapped(tokens: Sequence[str]) -> str:
    lines = [""]
    for token in tokens:
        if lines[-1] and len(lines[-1]) + 1 + len(token) > _LINE_WIDTH:
            lines.append(token)
        else:
            lines[-1] = f"{lines[-1]} {token}".lstrip()
    return "\n".join(lines)
