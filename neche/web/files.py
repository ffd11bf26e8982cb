"""Games and positions as text: read from a browser, and written for it."""

import io
from typing import Any, NamedTuple

from neche.arena.game_in_progress import GameInProgress, begin, game_record, resumed_game
from neche.errors import InputError
from neche.games.catalogue import GAMES, Game, game
from neche.records.formats import format_for, format_named
from neche.records.reading import stop
from neche.records.record import GameRecord
from neche.web.messages import MOST_PLIES

_LONGEST_FEN = 400


class Loaded(NamedTuple):
    """A game to be continued. source: the format it was read from, in words."""

    game: Game
    in_progress: GameInProgress
    source: str


def load_text(text: str, rules: Game) -> Loaded:
    """Read a position as FEN, or the first game of a file in any text format; `rules` are tried first.

    Raises:
        InputError: it is neither.
    """
    if not text.strip():
        raise InputError("there is nothing to load")
    position = _position(text.strip(), rules)
    if position is not None:
        return Loaded(position[0], begin(*position), "FEN")
    record, source = _first_game(text, rules)
    if len(record.moves) > MOST_PLIES:
        raise InputError(f"the game has {len(record.moves)} moves, more than {MOST_PLIES}")
    return Loaded(record.rules, resumed_game(record), source)


def _position(text: str, rules: Game) -> tuple[Game, Any] | None:
    """Return the game and position of a FEN; None if it is not a FEN of any game."""
    if len(text) > _LONGEST_FEN:
        return None
    for name in [rules.name, *(name for name in GAMES if name != rules.name)]:
        try:
            return game(name), game(name).parse_fen(text)
        except InputError:
            continue
    return None


def _first_game(text: str, rules: Game) -> tuple[GameRecord, str]:
    """Return the first game and its format, which the beginning of the text tells."""
    begin_of_text = text.lstrip()
    if begin_of_text.startswith("(;"):
        chosen = format_named("ggf")
    elif begin_of_text.startswith("[") or rules.pdn is not None:
        chosen = format_named("pdn")
    else:
        chosen = format_named("transcript")
    stream = io.BytesIO(text.encode("utf-8", "replace"))
    record = next(iter(chosen.read(stream, "the text", rules.name if rules.pdn else "", stop)), None)
    if record is None:
        raise InputError("there is no game and no position in it")
    return record, {"transcript": "a list of moves"}.get(chosen.name, chosen.name.upper())


def save_text(rules: Game, in_progress: GameInProgress, names: tuple[str, str]) -> tuple[str, str]:
    """Return a file name and the game, in the format in which games of its kind are written.

    Raises:
        InputError: there is no such format.
    """
    chosen = format_for(rules)
    assert chosen.write is not None
    players = {side: name or "?" for side, name in zip(rules.sides, names, strict=True)}
    people = tuple(side for side, name in players.items() if name == "human")
    record = game_record(rules, in_progress, in_progress.verdict(rules) or "", players, people)
    return f"{rules.name}{chosen.ending}", chosen.write(record)
