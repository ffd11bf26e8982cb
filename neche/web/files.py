"""Games and positions as text: read from a browser, and written for it."""

import io
import re
from contextlib import suppress
from dataclasses import replace
from datetime import date

from neche.arena.game_in_progress import GameInProgress, begin, game_record, resumed_game
from neche.errors import InputError
from neche.games.catalogue import GAMES, Game, game
from neche.records.formats import format_for, format_named
from neche.records.reading import stop
from neche.records.record import GameRecord
from neche.web.messages import MOST_PLIES

Tags = tuple[tuple[str, str], ...]
"""What is known of a game besides its moves, as files of games say it."""
_LONGEST_FEN = 400
_KEPT_TAGS = ("Event", "Site", "Date", "Round")
# Squares alone, one after the other: no game of draughts is written so.
_TRANSCRIPT = re.compile(r"(?:\s*(?:[0-9]+\.)?\s*[a-h][1-8])+\s*", re.IGNORECASE)


def usual_tags() -> Tags:
    """Return the tags of a game that begins now."""
    return ("Event", "Casual game"), ("Date", f"{date.today():%Y.%m.%d}")


def load_text(text: str, rules: Game) -> tuple[Game, GameInProgress, str, Tags]:
    """Read a position as FEN, or the first game of a file in any text format; `rules` are tried first.

    Returns the game to be continued, the format it was read from, in words, and its tags.

    Raises:
        InputError: it is neither.
    """
    if not text.strip():
        raise InputError("there is nothing to load")
    if len(text.strip()) <= _LONGEST_FEN:
        # The game on the board first: some positions can be read as those of several games.
        for name in dict.fromkeys((rules.name, *GAMES)):
            with suppress(InputError):
                return game(name), begin(game(name), game(name).parse_fen(text.strip())), "FEN", usual_tags()
    record, source = _first_game(text, rules)
    if len(record.moves) > MOST_PLIES:
        raise InputError(f"the game has {len(record.moves)} moves, more than {MOST_PLIES}")
    tags = tuple(tag for tag in record.tags if tag[0] in _KEPT_TAGS)
    return record.rules, resumed_game(record), source, tags


def _first_game(text: str, rules: Game) -> tuple[GameRecord, str]:
    """Return the first game and its format, which the text tells."""
    if text.lstrip().startswith("(;"):
        name = "ggf"
    elif rules.pdn is None and not text.lstrip().startswith("["):
        name = "transcript"
    else:
        name = "pdn"
        # Moves of Othello may come while another game is on the board.
        if _TRANSCRIPT.fullmatch(text):
            with suppress(InputError):
                return _read_first(text, "transcript", "")
    return _read_first(text, name, rules.name if rules.pdn else "")


def _read_first(text: str, name: str, default_game: str) -> tuple[GameRecord, str]:
    chosen = format_named(name)
    stream = io.BytesIO(text.encode("utf-8", "replace"))
    record = next(iter(chosen.read(stream, "the text", default_game, stop)), None)
    if record is None:
        raise InputError("there is no game and no position in it")
    return record, {"transcript": "a list of moves"}.get(chosen.name, chosen.name.upper())


def save_text(
    rules: Game, in_progress: GameInProgress, names: tuple[str, str], tags: Tags
) -> tuple[str, str]:
    """Return a file name and the game, in the format in which games of its kind are written.

    Raises:
        InputError: there is no such format.
    """
    chosen = format_for(rules)
    assert chosen.write is not None
    players = {side: name or "?" for side, name in zip(rules.sides, names, strict=True)}
    people = tuple(side for side, name in players.items() if name == "human")
    record = game_record(rules, in_progress, in_progress.verdict(rules) or "", players, people)
    return f"{rules.name}{chosen.ending}", chosen.write(replace(record, tags=(*tags, *record.tags)))
