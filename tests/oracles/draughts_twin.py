"""International draughts on a board of any size, slow and obvious: a board is a dict from place to letter.

It is written from the rules alone (FMJD annex 1, articles 3 and 4) and shares nothing with the package.
Places are (column, row) from the bottom left, which is dark; White is at the bottom and moves up. The dark
squares are numbered from the top left. Letters: w, b men; W, B kings.
"""

import random
from collections.abc import Iterator
from typing import NamedTuple

Place = tuple[int, int]
Board = dict[Place, str]

_FORWARD = {"W": 1, "B": -1}
_DIAGONALS = [(1, 1), (-1, 1), (1, -1), (-1, -1)]


class Position(NamedTuple):
    """A board and the side to move, "W" or "B"."""

    board: Board
    turn: str


class Move(NamedTuple):
    """A whole move: from, to, the squares it captured, and the position it leads to."""

    start: int
    end: int
    captured: frozenset[int]
    after: Position

    @property
    def text(self) -> str:
        """Write the move in short notation: `32-28`, or `28x19` for a capture."""
        return f"{self.start}{'x' if self.captured else '-'}{self.end}"


class Draughts:
    """The game on a board of size × size squares."""

    def __init__(self, size: int, rows_of_men: int) -> None:
        """Number the squares."""
        self.size = size
        self.pieces = rows_of_men * size // 2
        places = [
            (column, row)
            for row in reversed(range(size))
            for column in range(size)
            if (column + row) % 2 == 0
        ]
        self.place = dict(enumerate(places, 1))
        self.number = {place: number for number, place in self.place.items()}
        last = len(places)
        white = ",".join(str(number) for number in range(last - self.pieces + 1, last + 1))
        black = ",".join(str(number) for number in range(1, self.pieces + 1))
        self.START = f"W:W{white}:B{black}"

    def parse(self, fen: str) -> Position:
        """Read a faultless FEN without ranges."""
        turn, *lists = fen.split(":")
        board: Board = {}
        for side in lists:
            for piece in filter(None, side[1:].split(",")):
                letter = side[0] if piece.startswith("K") else side[0].lower()
                board[self.place[int(piece.removeprefix("K"))]] = letter
        return Position(board, turn)

    def fen(self, position: Position) -> str:
        """Write a position as FEN, squares in rising order."""
        lists = []
        for side in "WB":
            pieces = sorted(
                (self.number[place], letter)
                for place, letter in position.board.items()
                if letter.upper() == side
            )
            lists.append(side + ",".join(("K" if letter.isupper() else "") + str(n) for n, letter in pieces))
        return ":".join([position.turn, *lists])

    def moves(self, position: Position) -> list[Move]:
        """List the legal moves: the captures of the most pieces, if any (4.5, 4.13), or the quiet moves.

        Ways with the same start, end and captured squares are one move.
        """
        pieces = [place for place, letter in position.board.items() if letter.upper() == position.turn]
        captures = {
            (move.start, move.end, move.captured): move
            for place in pieces
            for move in self._captures(position, place)
        }
        if captures:
            most = max(len(move.captured) for move in captures.values())
            return [move for move in captures.values() if len(move.captured) == most]
        return [move for place in pieces for move in self._steps(position, place)]

    def perft(self, position: Position, depth: int) -> int:
        """Count the lines of play of exactly `depth` plies."""
        if depth == 0:
            return 1
        return sum(self.perft(move.after, depth - 1) for move in self.moves(position))

    def random_game(self, seed: int, *, max_plies: int = 300) -> Iterator[Position]:
        """Yield the positions of one random game, to its end or for `max_plies` positions."""
        rng = random.Random(seed)
        position = self.parse(self.START)
        for _ in range(max_plies):
            yield position
            choice = self.moves(position)
            if not choice:
                return
            position = rng.choice(choice).after

    def random_position(self, seed: int) -> Position:
        """Place some men and kings of each side at random, with many kings and long captures."""
        rng = random.Random(seed)
        most = self.pieces
        places = rng.sample(sorted(self.place), rng.randint(2, 2 * most - most // 4))
        num_white = rng.randint(max(1, len(places) - most), min(most, len(places) - 1))
        king_chance = rng.random() ** 2
        board: Board = {}
        for index, number in enumerate(places):
            place, side = self.place[number], "W" if index < num_white else "B"
            is_king = self._crowns(place, side) or rng.random() < king_chance
            board[place] = side if is_king else side.lower()
        return Position(board, rng.choice("WB"))

    def _crowns(self, place: Place, side: str) -> bool:
        return place[1] == (self.size - 1 if side == "W" else 0)

    def _ray(self, place: Place, direction: Place) -> list[Place]:
        """List the places from the next one to the edge of the board."""
        ray = []
        column, row = place[0] + direction[0], place[1] + direction[1]
        while 0 <= column < self.size and 0 <= row < self.size:
            ray.append((column, row))
            column, row = column + direction[0], row + direction[1]
        return ray

    def _steps(self, position: Position, place: Place) -> Iterator[Move]:
        letter = position.board[place]
        for direction in _DIAGONALS:
            ray = self._ray(place, direction)
            if letter.islower():
                # a man moves forward, one square
                ray = ray[:1] if direction[1] == _FORWARD[position.turn] else []
            for target in ray:
                if target in position.board:
                    break
                yield self._finish(position, place, target, frozenset())

    def _captures(self, position: Position, place: Place) -> Iterator[Move]:
        """Yield every complete capture of one piece; captured pieces stay until the move ends (4.11)."""
        # the piece's own square is empty during its capture
        board = {other: letter for other, letter in position.board.items() if other != place}
        unfinished: list[tuple[Place, frozenset[Place]]] = [(place, frozenset())]
        while unfinished:
            here, taken = unfinished.pop()
            further = list(self._jumps(board, here, taken, position.board[place]))
            unfinished.extend(further)
            if taken and not further:
                yield self._finish(position, place, here, taken)

    def _jumps(
        self, board: Board, here: Place, taken: frozenset[Place], letter: str
    ) -> Iterator[tuple[Place, frozenset[Place]]]:
        for direction in _DIAGONALS:
            ray = self._ray(here, direction)
            if letter.islower():
                ray = ray[:2]
            pieces = [place for place in ray if place in board]
            if not pieces:
                continue
            over = pieces[0]
            if letter.islower() and over != ray[0]:
                continue
            if board[over].upper() == letter.upper() or over in taken:
                continue
            for landing in ray[ray.index(over) + 1 :]:
                if landing in board:
                    break
                yield landing, taken | {over}

    def _finish(self, position: Position, start: Place, end: Place, taken: frozenset[Place]) -> Move:
        board = {
            place: letter for place, letter in position.board.items() if place != start and place not in taken
        }
        letter = position.board[start]
        board[end] = letter.upper() if self._crowns(end, position.turn) else letter
        after = Position(board, "B" if position.turn == "W" else "W")
        captured = frozenset(self.number[place] for place in taken)
        return Move(self.number[start], self.number[end], captured, after)


BRAZILIAN = Draughts(8, 3)
INTERNATIONAL = Draughts(10, 4)
