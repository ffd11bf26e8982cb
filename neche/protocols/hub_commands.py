"""What an interface sends over Hub: commands with arguments, search limits, a position and its moves.

A line is a command and arguments, such as `level moves=9 time=291.5`; values may be quoted.
"""

import math
import operator
import re
from collections.abc import Mapping
from itertools import takewhile
from typing import Any, NamedTuple

from neche.errors import InputError, one_line
from neche.games.game import Game
from neche.players.engine import MAX_DEPTH, Limits
from neche.protocols.clock import Budget, Clock, budget
from neche.protocols.draughts_notation import read_move, read_position
from neche.protocols.lines import quoted

MOST_MOVES = 10_000
# As in Scan, spaces around = are ignored, but `pos= moves=32-28` has an empty value and a second argument.
_ARGUMENT = re.compile(r'([^\s="]+)(?:\s*=(?:\s*("[^"]*"|[^\s"=]+(?=\s|$))|([^\s"]*)))?(?=\s|$)')
_SPECIAL = re.compile(r'[\s="]')
# Some programs write all digits of a double, 59.900000000000006, or 1e-05.
_NUMBER = re.compile(r"[+-]?(?:\d{1,12}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?", re.ASCII)
_WHOLE = re.compile(r"-?\d{1,12}", re.ASCII)
_DEFAULT_SECONDS = 1.0


def read_command(line: str) -> tuple[str, dict[str, str]]:
    """Return a line's command and arguments, empty ones without a value; InputError if one is malformed.

    >>> read_command('pos pos=Wbbee moves="32-28 19-23"')
    ('pos', {'pos': 'Wbbee', 'moves': '32-28 19-23'})
    >>> read_command("go think")
    ('go', {'think': ''})
    """
    command, rest = [*line.split(maxsplit=1), "", ""][:2]
    arguments: dict[str, str] = {}
    rest = rest.strip()
    while rest:
        match = _ARGUMENT.match(rest)
        if match is None:
            raise InputError(f"{quoted(rest)} is not NAME=VALUE")
        arguments[match[1]] = (match[2] or match[3] or "").strip('"')
        rest = rest[match.end() :].strip()
    return command, arguments


def write_command(command: str, **arguments: object) -> str:
    """Return a line, with quotation marks where needed. In names _ stands for -.

    >>> write_command("done", move="32-28", ponder=None)
    'done move=32-28'
    >>> write_command("info", mean_depth=2.5, pv="32-28 19-23")
    'info mean-depth=2.5 pv="32-28 19-23"'
    """
    given = {name.replace("_", "-"): value for name, value in arguments.items() if value is not None}
    return " ".join([command, *(f"{name}={_quoted(str(value))}" for name, value in given.items())])


def _quoted(value: str) -> str:
    value = one_line(value).replace('"', "'")
    return f'"{value}"' if not value or _SPECIAL.search(value) else value


class HubLevel(NamedTuple):
    """Search limits as set by the command `level`; defaults if it is never sent.

    limits: depth and nodes. seconds: for each move; None: no limit. clock: None for a game without one.
    is_endless: search until the interface sends stop.
    """

    limits: Limits = Limits()
    seconds: float | None = _DEFAULT_SECONDS
    clock: Clock | None = None
    is_endless: bool = False

    def budget(self, margin: float, most: float | None) -> Budget | None:
        """Return the time for the next move; None: no limit. most: the player's own limit, seconds."""
        limit = None if self.clock is None else budget(self.clock, margin)
        for seconds in (self.seconds, most):
            if seconds is not None:
                # A time per move is not a clock that can run out: using most of it beats a large margin.
                hard = seconds - min(margin, 0.2 * seconds)
                limit = (limit or Budget(hard, hard)).within(hard)
        return None if self.is_endless else limit


def read_level(arguments: Mapping[str, str]) -> HubLevel:
    """Return the level that the command's arguments describe; InputError for no limit, or a wrong number."""
    if "infinite" in arguments:
        return HubLevel(seconds=None, is_endless=True)
    if not {"depth", "nodes", "move-time", "time"} & set(arguments):
        raise InputError("level: depth, nodes, move-time, time or infinite is needed")
    seconds = _number(arguments, "move-time", 0.001, 1e7) if "move-time" in arguments else None
    depth = _whole(arguments, "depth", 1)
    limits = Limits(depth and min(depth, MAX_DEPTH), _whole(arguments, "nodes", 1))
    clock = None
    if "time" in arguments:
        # Hub adds the increment before the move, so the time left may be negative without it.
        left = _number(arguments, "time", -1e7, 1e7)
        clock = Clock(left, _number(arguments, "inc", 0.0, 1e6), _whole(arguments, "moves", 0) or 0)
    return HubLevel(limits, seconds, clock)


def _number(arguments: Mapping[str, str], name: str, low: float, high: float) -> float:
    text = arguments.get(name, "0")
    number = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not low <= number <= high:
        raise InputError(f"level: {name}={quoted(text)}: a number from {low:g} to {high:g} is needed")
    return number


def _whole(arguments: Mapping[str, str], name: str, low: int) -> int | None:
    """Return a whole number; None if not given."""
    text = arguments.get(name)
    if text is None:
        return None
    if not _WHOLE.fullmatch(text) or int(text) < low:
        raise InputError(f"level: {name}={quoted(text)}: a whole number of at least {low} is needed")
    return int(text)


class HubGame(NamedTuple):
    """A game as an interface sends it: a position and the moves since.

    text: the first position. moves: as received. positions: one more than moves.
    """

    text: str
    moves: list[str]
    positions: list[Any]

    @classmethod
    def read(cls, text: str, moves: str, game: Game, earlier: "HubGame | None" = None) -> "HubGame":
        """Read a position and moves; the initial moves shared with `earlier` are not replayed.

        InputError if the position is malformed or impossible, or a move is illegal.
        """
        words = moves.split()
        if len(words) > MOST_MOVES:
            raise InputError(f"{len(words)} moves are more than {MOST_MOVES}")
        if earlier is not None and earlier.text == text:
            num_known = sum(takewhile(bool, map(operator.eq, words, earlier.moves)))
            positions = earlier.positions[: num_known + 1]
        else:
            positions = [read_position(text, game)]
        for word in words[len(positions) - 1 :]:
            positions.append(read_move(word, positions[-1], game).after)
        return cls(text, words, positions)
