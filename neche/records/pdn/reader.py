"""PDN files as records. A liberal reader: what tags leave open, the moves decide."""

from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from neche.errors import InputError
from neche.games.catalogue import GAMES, Game, game
from neche.records.pdn.lexer import Token
from neche.records.pdn.moves import UnplayableError, play_line
from neche.records.pdn.parser import WrittenGame, written_games
from neche.records.pdn.results import read_result
from neche.records.pdn.squares import Numbering, numbering, own_numbering, read_positions
from neche.records.record import UNKNOWN, GameRecord
from neche.records.source import OnFault, stop

RESULT_AS_WRITTEN = "ResultAsWritten"
"""Tag that keeps a result which is no result of the standard."""
_DERIVED = ("Result", "GameType", "FEN", "SetUp", "Setup")


def read_pdn(
    stream: BinaryIO, name: str, *, default_game: str = "", on_fault: OnFault = stop
) -> Iterator[GameRecord]:
    """Yield the games of a PDN file.

    name: of the file, for messages. default_game: of games without a `GameType` tag; empty: the game in which
    their moves are legal, that of the game before first. on_fault: called for every game that cannot be read

    Raises:
        InputError: the file is no text.
    """
    last_game = default_game
    for written in written_games(stream, name, on_fault):
        try:
            record = _record(written, default_game, last_game)
        except InputError as fault:
            on_fault(fault)
            continue
        last_game = record.game
        yield record


def pdn_games(another: str = "") -> dict[str, Game]:
    """Return the games that PDN is written for, by the number of their type. another: one beside `GAMES`."""
    known = [game(name) for name in (*GAMES, *filter(None, [another]))]
    return {str(rules.pdn.game_type): rules for rules in known if rules.pdn}


def _record(written: WrittenGame, default_game: str, last_game: str) -> GameRecord:
    tags = {token.name: token for token in reversed(written.tags)}
    faults: list[UnplayableError] = []
    found = _declared(tags["GameType"], default_game) if "GameType" in tags else None
    names = [found.name] if found else [default_game] if default_game else _likely(last_game)
    for name in names:
        try:
            return _played(game(name), written, tags)
        except UnplayableError as fault:
            faults.append(fault)
    raise max(faults, key=lambda fault: fault.depth)


def _likely(last_game: str) -> list[str]:
    names = [rules.name for rules in pdn_games().values()]
    return sorted(names, key=lambda name: name != last_game)


def _declared(tag: Token, default_game: str) -> Game:
    number = tag.text.partition(",")[0].strip()
    known = pdn_games(default_game)
    if number not in known:
        listed = ", ".join(f"{kind} {rules.name}" for kind, rules in sorted(known.items()))
        raise tag.place.fault(f"GameType {tag.text!r} is none of the games known here ({listed})")
    return known[number]


def _played(rules: Game, written: WrittenGame, tags: dict[str, Token]) -> GameRecord:
    """Return a game by the rules of one kind: the first way of counting squares in which it can be played."""
    faults: list[UnplayableError] = []
    for numbers in _numberings(rules, tags):
        try:
            positions = _positions(rules, written, tags, numbers)
        except InputError as fault:
            faults.append(UnplayableError(str(fault), -1))
            continue
        for fen in positions:
            start = rules.parse_fen(fen) if fen else rules.start()
            try:
                line = play_line(written.line, rules, start, numbers)
            except UnplayableError as fault:
                faults.append(fault)
                continue
            fen = "" if fen == rules.format_fen(rules.start()) else fen
            record = GameRecord(rules.name, line, _kept(written.tags), fen)
            return _with_result(record, written, tags)
    raise max(faults, key=lambda fault: fault.depth)


def _numberings(rules: Game, tags: dict[str, Token]) -> list[Numbering]:
    """Return the ways of counting that a file may use; what it declares may be wrong."""
    assert rules.pdn is not None
    declared = numbering(rules.name, tags["GameType"].text.partition(",")[2]) if "GameType" in tags else None
    usual = numbering(rules.name, rules.pdn.attributes)
    ways: list[Numbering] = []
    for way in (own_numbering(rules.name), declared, usual):
        if way is not None and way not in ways:
            ways.append(way)
    return ways


def _positions(rules: Game, written: WrittenGame, tags: dict[str, Token], numbers: Numbering) -> list[str]:
    tag = written.setup or tags.get("FEN")
    if tag is None:
        return [""]
    text = tag.text.strip("/ ").removeprefix("FEN").strip() if tag is written.setup else tag.text
    if not text or text == "?":
        return [""]
    try:
        return read_positions(text, rules, numbers)
    except InputError as fault:
        raise tag.place.fault(str(fault)) from None


def _kept(tags: list[Token]) -> tuple[tuple[str, str], ...]:
    return tuple((tag.name, tag.text) for tag in tags if tag.name not in _DERIVED)


def _with_result(record: GameRecord, written: WrittenGame, tags: dict[str, Token]) -> GameRecord:
    said = tags["Result"].text if "Result" in tags else ""
    result = read_result(said)
    if result is None and RESULT_AS_WRITTEN not in dict(record.tags):
        record = replace(record, tags=(*record.tags, (RESULT_AS_WRITTEN, said)))
    if result in (None, UNKNOWN) and written.terminator:
        result = read_result(written.terminator.text)
    return replace(record, result=result or UNKNOWN)
