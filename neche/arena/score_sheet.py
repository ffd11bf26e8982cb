"""The record of a game that was played move by move at one table."""

from collections.abc import Mapping

from neche.arena.sitting import Sitting, begin
from neche.games.catalogue import Game
from neche.records.record import (
    DRAWN,
    FIRST_WON,
    SECOND_WON,
    UNKNOWN,
    GameRecord,
    first_side,
    record_of,
    replay,
)


def score_sheet(
    rules: Game, sitting: Sitting, ending: str, players: Mapping[str, str], people: tuple[str, ...] = ()
) -> GameRecord:
    """Return the record of a sitting.

    ending: how the game ended, in the words of `Sitting.verdict`, or `White resigns.` players: names by side.
    people: the sides that are no programs
    """
    start = rules.format_fen(rules.start())
    tags = [(side, players[side]) for side in rules.sides]
    tags += [(f"{side}Type", "human" if side in people else "program") for side in rules.sides]
    fen = "" if sitting.fens[0] == start else sitting.fens[0]
    return record_of(rules.name, sitting.moves, tags=tags, fen=fen, result=_result(rules, ending))


def sitting_of(record: GameRecord) -> Sitting:
    """Return a game from a file as a sitting that can go on.

    Raises:
        InputError: a move is not legal where it stands.
    """
    rules = record.rules
    sitting = begin(rules, record.start)
    for move in replay(record):
        sitting = sitting.after(rules, move)
    return sitting


def _result(rules: Game, ending: str) -> str:
    first = first_side(rules)
    for side in rules.sides:
        other = next(name for name in rules.sides if name != side)
        winner = (
            side
            if ending.startswith(f"{side} wins")
            else other
            if ending.startswith(f"{side} resigns")
            else ""
        )
        if winner:
            return FIRST_WON if winner == first else SECOND_WON
    return DRAWN if ending.startswith("Draw") else UNKNOWN
