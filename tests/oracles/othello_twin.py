"""Othello, slow and obvious: a board is a dict from (column, row) to the colour of its disc.

It is written from the rules of the World Othello Federation alone and shares nothing with the package.
Columns 0–7 are a–h, rows 0–7 are 1–8 from the top. Colours: X Black, O White.
"""

import random
from collections.abc import Iterator
from typing import NamedTuple

Square = tuple[int, int]
Board = dict[Square, str]

START = "---------------------------OX------XO--------------------------- X"
PASS = "pass"
_DIRECTIONS = [(across, down) for across in (-1, 0, 1) for down in (-1, 0, 1) if (across, down) != (0, 0)]
_SQUARES = [(column, row) for row in range(8) for column in range(8)]


class Position(NamedTuple):
    """A board and the side to move, "X" or "O"."""

    board: Board
    turn: str


class Move(NamedTuple):
    """A move as text, the discs it turns, and the position it leads to."""

    text: str
    turned: frozenset[Square]
    after: Position


def other(colour: str) -> str:
    """Return the other colour."""
    return "O" if colour == "X" else "X"


def name(square: Square) -> str:
    """Write a square.

    >>> name((3, 2)), name((0, 0))
    ('d3', 'a1')
    """
    return "abcdefgh"[square[0]] + str(square[1] + 1)


def parse(fen: str) -> Position:
    """Read a faultless FEN."""
    letters, turn = fen.split()
    board = {square: letter for square, letter in zip(_SQUARES, letters, strict=True) if letter != "-"}
    return Position(board, turn)


def fen(position: Position) -> str:
    """Write a position.

    >>> fen(parse(START)) == START
    True
    """
    return "".join(position.board.get(square, "-") for square in _SQUARES) + " " + position.turn


def turned(position: Position, square: Square) -> frozenset[Square]:
    """Return the discs that the side to move would turn with a disc on this empty square."""
    board, turn = position
    discs: list[Square] = []
    for across, down in _DIRECTIONS:
        line = []
        column, row = square[0] + across, square[1] + down
        while board.get((column, row)) == other(turn):
            line.append((column, row))
            column, row = column + across, row + down
        if board.get((column, row)) == turn:
            discs += line
    return frozenset(discs)


def placements(position: Position) -> list[Move]:
    """List the placements, each of which turns at least one disc, in the order a1, b1 … h8."""
    found = []
    for square in _SQUARES:
        discs = turned(position, square) if square not in position.board else frozenset()
        if discs:
            board = position.board | dict.fromkeys([square, *discs], position.turn)
            found.append(Move(name(square), discs, Position(board, other(position.turn))))
    return found


def moves(position: Position) -> list[Move]:
    """List the legal moves: the placements; if there is none, a pass, if the other side can place a disc."""
    found = placements(position)
    passed = Position(position.board, other(position.turn))
    if not found and placements(passed):
        return [Move(PASS, frozenset(), passed)]
    return found


def outcome(position: Position) -> int:
    """Return which side has more discs: 1 the side to move, 0 neither, −1 the other."""
    colours = list(position.board.values())
    lead = colours.count(position.turn) - colours.count(other(position.turn))
    return (lead > 0) - (lead < 0)


def perft(position: Position, depth: int, *, finished: int = 1) -> int:
    """Count the lines of play of `depth` plies; a game that ends earlier counts as `finished`."""
    if depth == 0:
        return 1
    choice = moves(position)
    if not choice:
        return finished
    return sum(perft(move.after, depth - 1, finished=finished) for move in choice)


def random_game(seed: int, *, start: str = START) -> Iterator[Position]:
    """Yield the positions of one random game, the last one without a move."""
    rng = random.Random(seed)
    position = parse(start)
    while True:
        yield position
        choice = moves(position)
        if not choice:
            return
        position = rng.choice(choice).after


def random_position(seed: int) -> Position:
    """Place any number of discs at random; many of these positions are passes, finished, or unreachable."""
    rng = random.Random(seed)
    squares = rng.sample(_SQUARES, rng.randint(0, 64))
    share = rng.random()
    board = {square: "X" if rng.random() < share else "O" for square in squares}
    return Position(board, rng.choice("XO"))


def playout(
    position: Position, key: int, number: int, *, max_plies: int = 0, by_count: int = 0
) -> tuple[int, int]:
    """Play random game `number` of a stream; return 1, 0 or −1 for the side to move, and the plies.

    A ply draws one random number, even for a pass; it chooses among the moves in the order of their squares.
    """
    word = 2**64
    state = (key + (number + 1) * 0x9E3779B97F4A7C15) % word
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % word
    state = (state ^ (state >> 27)) * 0x94D049BB133111EB % word
    state ^= state >> 31
    first, plies = position.turn, 0
    while choice := moves(position):
        if max_plies and plies >= max_plies:
            break
        state = (state * 6364136223846793005 + 1442695040888963407) % word
        position = choice[(state >> 32) * len(choice) >> 32].after
        plies += 1
    if choice and not by_count:
        return 0, plies
    return outcome(position) * (1 if position.turn == first else -1), plies
