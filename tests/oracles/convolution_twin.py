"""Slow and obvious twin of convolutional networks and of their planes: one square, one product at a time.

Planes are made from FENs and from positions of `checkers_twin`, not from the words that the package packs.
"""

import math
from typing import Any

from tests.oracles import checkers_twin as twin

Planes = list[list[list[float]]]


def planes(position: twin.Position) -> Planes:
    """Return three planes, [plane][row][column], as the side to move sees them: own pieces, foe's, kings."""
    seen = [[[0.0] * 8 for _ in range(8)] for _ in range(3)]
    for (column, row), letter in position.board.items():
        if position.turn == "B":
            column, row = 7 - column, 7 - row
        is_own = letter.upper() == position.turn
        seen[0 if is_own else 1][row][column] = 1.0
        if letter.isupper():
            seen[2][row][column] = 1.0
    return seen


def planes_of_draughts(fen: str, side: int) -> Planes:
    """Return the planes of a draughts position; FEN numbers the dark squares from the top left."""
    turn, *colours = fen.rstrip(".").split(":")
    seen = [[[0.0] * side for _ in range(side)] for _ in range(3)]
    for colour in colours:
        for word in filter(None, colour[1:].split(",")):
            from_top, place = divmod(int(word.lstrip("K")) - 1, side // 2)
            column, row = 2 * place + (1 - from_top % 2), side - 1 - from_top
            if turn == "B":
                column, row = side - 1 - column, side - 1 - row
            seen[0 if colour[0] == turn else 1][row][column] = 1.0
            if word.startswith("K"):
                seen[2][row][column] = 1.0
    return seen


def planes_of_othello(fen: str) -> Planes:
    """Return two planes, own discs and foe's; row 1 comes first, whichever side is to move."""
    squares, turn = fen.split()
    own = [[1.0 if squares[8 * row + column] == turn else 0.0 for column in range(8)] for row in range(8)]
    foe = [
        [1.0 if squares[8 * row + column] not in (turn, "-") else 0.0 for column in range(8)]
        for row in range(8)
    ]
    return [own, foe]


def value(network: Any, board: Planes) -> float:
    """Return the value of a board: zero-padded 3×3 convolutions, a hidden layer, a sum and its tanh."""
    for kernel, bias in zip(network.kernels, network.biases, strict=True):
        board = [_convolved(board, kernel[channel], float(bias[channel])) for channel in range(len(bias))]
    squares = [shade for channel in board for row in channel for shade in row]
    total = float(network.output_bias[0])
    for weights, bias, out in zip(network.hidden, network.hidden_bias, network.output, strict=True):
        reached = float(bias) + sum(
            float(weight) * shade for weight, shade in zip(weights, squares, strict=True)
        )
        total += float(out) * max(0.0, reached)
    return math.tanh(total)


def _convolved(board: Planes, kernel: Any, bias: float) -> list[list[float]]:
    side = range(len(board[0]))
    return [[max(0.0, bias + _around(board, kernel, row, column)) for column in side] for row in side]


def _around(board: Planes, kernel: Any, row: int, column: int) -> float:
    total, side = 0.0, len(board[0])
    for channel, squares in enumerate(board):
        for up in (-1, 0, 1):
            for right in (-1, 0, 1):
                if 0 <= row + up < side and 0 <= column + right < side:
                    total += float(kernel[channel][up + 1][right + 1]) * squares[row + up][column + right]
    return total
