"""Games and positions as text: read from a browser, and written for it."""

import io
import re
from contextlib import suppress
from dataclasses import replace
from datetime import date
from itertools import islice
from typing import NamedTuple

from neche.arena.game_in_progress import GameInProgress, game_record, resumed_game
from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.game import Game
from neche.records.formats import format_for, format_named
from neche.records.record import EVENT_TAGS, GameRecord, continued, first_side, record_of
from neche.web.messages import MOST_PLIES

MOST_GAMES = 1000
"""Most games that are listed from one text."""
_LONGEST_FEN, _LONGEST_TITLE = 400, 200
# Squares alone, one after the other: no draughts notation looks like this.
_TRANSCRIPT = re.compile(r"(?:\s*(?:[0-9]+\.)?\s*[a-h][1-8])+\s*", re.IGNORECASE)


def usual_record(rules: Game) -> GameRecord:
    """Return the record of a game that begins now."""
    tags = ("Event", "Casual game"), ("Date", f"{date.today():%Y.%m.%d}")
    return record_of(rules.name, (), tags=tags)


class Found(NamedTuple):
    """What was found in a text: at least one game.

    source: the format, in words. fault: of the first game that could not be read, empty if all could.
    """

    games: tuple[GameRecord, ...]
    source: str
    fault: str = ""


def take(found: Found, number: int) -> tuple[GameInProgress, GameRecord]:
    """Return a game to be continued, and its record with an event; InputError if none, or it is too long."""
    if number >= len(found.games):
        raise InputError(f"the text has no game {number + 1}; the last one is game {len(found.games)}")
    record = found.games[number]
    if len(record.moves) > MOST_PLIES:
        raise InputError(f"the game has {len(record.moves)} moves, more than {MOST_PLIES}")
    usual = () if any(map(record.tag, EVENT_TAGS)) else usual_record(record.rules).tags
    kept = (tag for tag in record.tags if tag[0] not in dict(usual))
    return resumed_game(record), replace(record, tags=(*usual, *kept))


def title(record: GameRecord) -> str:
    """Return a line about a game: players, event, date, result, length.

    >>> title(record_of("checkers", ["11-15"], tags=[("Black", "Wyllie"), ("Date", "1847.??.??")]))
    'Wyllie – ?, 1847, *, 1 move'
    """
    first = first_side(record.rules)
    sides = sorted(record.rules.sides, key=lambda side: side != first)
    players = " – ".join(record.tag(side) or "?" for side in sides)
    day = record.tag("Date").replace(".??", "").replace("????", "")
    event = record.tag("Event").strip("?")
    moves = f"{len(record.moves)} move{'' if len(record.moves) == 1 else 's'}"
    facts = (players, event, day, record.result, moves)
    return ", ".join(fact for fact in facts if fact)[:_LONGEST_TITLE]


def find_games(text: str, rules: Game) -> Found:
    """Read a position as FEN, or all games in any text format, `rules` tried first; InputError if neither."""
    if not text.strip():
        raise InputError("there is nothing to load")
    if len(text.strip()) <= _LONGEST_FEN:
        # Try the game on the board first: some FENs are valid in several games.
        for name in dict.fromkeys((rules.name, *GAMES)):
            with suppress(InputError):
                fen = game(name).format_fen(game(name).parse_fen(text.strip()))
                return Found((record_of(name, (), fen=fen),), "FEN")
    is_ggf = re.match(r"[\s0-9]*\(\s*;", text)  # servers count the games of a pair before it
    name = "ggf" if is_ggf else "pdn" if rules.pdn or text.lstrip()[:1] == "[" else "transcript"
    try:
        return _read(text, name, rules.name if format_named(name).holds(rules) else "")
    except InputError:
        # Othello moves, or PDN that does not name its game, may be loaded while another game is on the board.
        with suppress(InputError):
            return _read(text, "transcript" if _TRANSCRIPT.fullmatch(text) else "pdn", "")
        raise


def _read(text: str, name: str, default_game: str) -> Found:
    chosen, faults = format_named(name), list[InputError]()
    stream = io.BytesIO(text.encode("utf-8", "replace"))
    records = tuple(islice(chosen.read(stream, "the text", default_game, faults.append), MOST_GAMES))
    if not records:
        raise faults[0] if faults else InputError("the text contains no game and no position")
    source = {"transcript": "a list of moves"}.get(chosen.name, chosen.name.upper())
    return Found(records, source, str(faults[0]) if faults else "")


def save_text(
    in_progress: GameInProgress, names: tuple[str, str], before: GameRecord, verdict: str
) -> tuple[str, str]:
    """Return a file name, and the game as text in the usual format of its kind.

    before: the game as it was loaded: without a move more or less it is written as it was. verdict: how the
    game ended, in words; empty while it is in progress. InputError if there is no such format.
    """
    rules = in_progress.game
    chosen = format_for(rules)
    assert chosen.write is not None
    players = {side: name or "?" for side, name in zip(rules.sides, names, strict=True)}
    people = tuple(side for side, name in players.items() if name == "human")
    record = continued(before, game_record(in_progress, verdict, players, people))
    is_same = before.moves and before.moves == record.moves
    return f"{rules.name}{chosen.ending}", chosen.write(before if is_same else record)
