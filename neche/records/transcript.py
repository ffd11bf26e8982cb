"""Othello transcripts: the moves one after the other, `f5d6c3`, one game per line.

Passes are omitted, except the last move, or written `pass`, `pa`, `ps` or `--`. A game from another position
than the start has that position and a semicolon before its moves, as in Edax. A line that begins with `#` is
a comment on the next game.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO

from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.game import Game
from neche.records.reading import OnFault, RecordBuilder, SourceLocation, read_lines, stop
from neche.records.record import GameRecord

_WORDS = re.compile(r"(?P<space>[\s,]+|[0-9]+[.)])|pass|pas|pa|ps|--|[a-z][0-9]|(?P<bad>.)", re.IGNORECASE)


def read_transcripts(
    stream: BinaryIO, name: str, default_game: str = "", on_fault: OnFault = stop
) -> Iterator[GameRecord]:
    """Yield the games of a file of transcripts; see `formats.Format`. InputError if the file is not text."""
    rules = next(rules for rules in map(game, GAMES) if rules.ggf)
    comments: list[str] = []
    for number, line in read_lines(stream, name):
        if line.lstrip().startswith("#"):
            comments.append(" ".join(line.lstrip()[1:].split()))
        elif line.strip():
            try:
                yield _read_line(line, SourceLocation(name, number, 1), rules, filter(None, comments))
            except InputError as fault:
                on_fault(fault)
            comments = []


def _read_line(line: str, location: SourceLocation, rules: Game, comments: Iterable[str]) -> GameRecord:
    setup, has_setup, _ = line.rpartition(";")
    try:
        played = RecordBuilder(rules, rules.parse_fen(setup) if has_setup else None)
        for comment in comments:
            played.comment(comment)
        for found in _WORDS.finditer(line, len(setup) + len(has_setup)):
            location = replace(location, column=found.start() + 1)
            if found["bad"]:
                raise InputError(f"{found[0]!r} begins no move")
            if not found["space"]:
                played.play(found[0])
    except InputError as fault:
        raise location.fault(str(fault)) from None
    return played.record()


def write_transcript(record: GameRecord) -> str:
    """Return a game as one line, after its comments; no other remarks. InputError if it is not Othello."""
    rules = record.rules
    if rules.ggf is None:
        raise InputError(f"transcripts are written for games of discs only, not for {record.game}")
    remarks = [*record.line.remarks, *(remark for ply in record.line.plies for remark in ply.remarks)]
    comments = "".join(f"# {' '.join(remark.split())}\n" for remark in remarks if isinstance(remark, str))
    passed = rules.ggf.pass_text
    # No later move implies a pass at the end.
    end = passed if record.moves[-1:] == (passed,) else ""
    moves = "".join(move for move in record.moves if move != passed) + end
    # A game without moves would be an empty line, which is not read as a game.
    fen = record.fen or ("" if moves else rules.format_fen(rules.start()))
    return f"{comments}{fen};{moves}\n" if fen else f"{comments}{moves}\n"
