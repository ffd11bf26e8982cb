"""The same position with the sides exchanged, for every game in which both sides have equal rules."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from neche.games.catalogue import game


def _draughts(squares, name, position):
    """Turn the board by 180 degrees and exchange the colours."""
    rules = game(name)
    turn, *sides = rules.format_fen(position).rstrip(".").split(":")
    swapped = str.maketrans("WB", "BW")
    turned = [
        side[0].translate(swapped) + re.sub(r"\d+", lambda found: str(squares + 1 - int(found[0])), side[1:])
        for side in sides
    ]
    return rules.parse_fen(":".join([turn.translate(swapped), *reversed(turned)]))


def _othello(position):
    rules = game("othello")
    return rules.parse_fen(rules.format_fen(position).translate(str.maketrans("XO", "OX")))


def _turned(position):
    return position._replace(turn=np.uint32(1 - position.turn))


MIRRORS: dict[str, Callable[[Any], Any]] = {
    "checkers": partial(_draughts, 32, "checkers"),
    "brazilian": partial(_draughts, 32, "brazilian"),
    "international": partial(_draughts, 50, "international"),
    "othello": _othello,
    "tictactoe": _turned,
    "stones": _turned,
}
