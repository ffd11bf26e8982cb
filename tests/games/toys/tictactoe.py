"""Tic-tac-toe: X and O take turns; three in a row win.

Bit numbers of the squares:

    3   6  7  8
    2   3  4  5
    1   0  1  2
        a  b  c
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import jit
from neche.games.generic import new_game
from neche.games.sensors import HandMade, SensorLayout, square_symmetries

NAMES = tuple(column + row for row in "123" for column in "abc")
SQUARES = tuple(np.uint32(1 << bit) for bit in range(9))
LINES = tuple(np.uint32(line) for line in (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124))
FULL = np.uint32(0o777)


class TicTacToe(NamedTuple):
    """Squares of the side to move, of the other side, and the side to move: 0 X, 1 O; all uint32."""

    own: Any
    foe: Any
    turn: Any


@jit
def has_won(squares: Any) -> Any:
    rows = 0
    for line in LINES:
        rows += squares & line == line
    return rows > 0


def can_move(position: Any) -> Any:
    return not has_won(position.foe) and position.own | position.foe != FULL


def outcome(position: Any) -> Any:
    return np.int64(-1) if has_won(position.foe) else np.int64(0)


def generate(position: Any, moves: Any, base: Any) -> Any:
    count = np.int64(0)
    if not has_won(position.foe):
        for square in SQUARES:
            if (position.own | position.foe) & square == 0:
                moves[base + count] = square
                count += 1
    return count


def successor(position: Any, moves: Any, at: Any) -> Any:
    return TicTacToe(position.foe, np.uint32(position.own | moves[at]), np.uint32(position.turn ^ 1))


def sensor_words(position: Any) -> Any:
    return np.uint32(position.own), np.uint32(position.foe), np.uint32(0)


def name_move(before: TicTacToe, after: TicTacToe) -> str:
    return NAMES[(int(after.foe) ^ int(before.own)).bit_length() - 1]


def diagram(position: TicTacToe) -> str:
    x, o = (position.own, position.foe)[:: -1 if position.turn else 1]
    marks = ["X" if x & square else "O" if o & square else "." for square in SQUARES]
    return "\n".join(f"{row + 1} {' '.join(marks[3 * row : 3 * row + 3])}" for row in (2, 1, 0)) + "\n  a b c"


GAME = new_game(
    "tictactoe",
    TicTacToe(np.uint32(0), np.uint32(0), np.uint32(0)),
    sides=("X", "O"),
    max_moves=9,
    generate=generate,
    successor=successor,
    can_move_quietly=can_move,
    outcome=outcome,
    name_move=name_move,
    diagram=diagram,
    sensor_words=sensor_words,
    sensors=SensorLayout(tuple(name.upper() for name in NAMES), tuple(range(9))),
    symmetries=square_symmetries(3),
    evaluators=(HandMade("positional", (3, 2, 3, 2, 4, 2, 3, 2, 3)),),
)
