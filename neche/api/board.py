"""A position of any game, to look at and to play on."""

from functools import cached_property
from types import NoneType
from typing import Any

from neche.errors import InputError, check_type, check_whole
from neche.games.catalogue import Game, Move, game
from neche.montecarlo.playouts_cpu import count_playouts
from neche.report.board import board_svg


class Board:
    """A position: its moves, its picture, what follows from it. Playing a move makes a new board.

    In a notebook it is a picture, printed it is a diagram in letters. Boards are equal when their games and
    positions are.

    >>> board = Board("checkers")
    >>> board.moves
    ('11-16', '10-15', '9-14', '11-15', '10-14', '9-13', '12-16')
    >>> board.play("11-15").turn
    'White'
    >>> board.perft(5)
    7361
    """

    def __init__(self, game_name: str = "checkers", fen: str | None = None) -> None:
        """Set up a position, the start of the game if none is given.

        Raises:
            InputError: there is no such game, or the FEN is wrong.
        """
        check_type(game_name, str, "the name of a game")
        check_type(fen, (str, NoneType), "a FEN, which is text,")
        self.game = game(game_name)
        self.last_move: str | None = None
        self.position: Any = self.game.start() if fen is None else self.game.parse_fen(fen)

    @classmethod
    def at(cls, rules: Game, position: Any, last_move: str | None = None) -> "Board":
        """Return the board of a position that is there already."""
        board = cls.__new__(cls)
        board.game, board.position, board.last_move = rules, position, last_move
        return board

    @property
    def fen(self) -> str:
        """The position in words."""
        return self.game.format_fen(self.position)

    @property
    def turn(self) -> str:
        """Name of the side to move."""
        return self.game.side_to_move(self.position)

    @property
    def moves(self) -> tuple[str, ...]:
        """The legal moves; none when the game is over."""
        return tuple(move.text for move in self._legal)

    @property
    def is_over(self) -> bool:
        """Whether the side to move has no move."""
        return not self._legal

    @property
    def winner(self) -> str | None:
        """Name of the side that has won; None in a draw and while the game goes on.

        >>> Board("checkers", "W:W:B1").winner
        'Black'
        """
        if not self.is_over:
            return None
        outcome = self.game.outcome(self.position)
        own = self.game.sides.index(self.turn)
        return None if outcome == 0 else self.game.sides[own if outcome > 0 else 1 - own]

    def play(self, *moves: str) -> "Board":
        """Return the board after some moves, one after the other.

        Raises:
            InputError: one of them is not legal where it is played.
        """
        board = self
        for text in moves:
            found = next((move for move in board._legal if move.text == text), None)
            if found is None:
                known = ", ".join(board.moves) or "none"
                raise InputError(f"{text!r} is no legal move here; there are {known}")
            board = Board.at(self.game, found.after, text)
        return board

    def perft(self, depth: int) -> int:
        """Count the positions `depth` plies further on."""
        check_whole(depth, "depth", 0)
        return self.game.perft(self.position, depth)

    def playouts(self, count: int, *, seed: int = 0) -> tuple[int, int, int]:
        """Play random games from here; return wins, draws and losses of the side to move.

        >>> sum(Board("othello").playouts(1000))
        1000
        """
        check_whole(count, "count", 1)
        check_whole(seed, "seed", 0)
        counts = count_playouts(self.game, [self.position], [count], [seed])
        return int(counts.wins[0]), int(counts.draws[0]), int(counts.losses[0])

    def svg(self, *, flipped: bool = False, size: int = 360) -> str:
        """Draw the board as SVG, the last move marked.

        flipped: turned by 180 degrees. size: width on the page, CSS pixels.
        """
        return board_svg(self.game, self.position, last_move=self.last_move, flipped=flipped, size=size)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        """Draw the board in letters."""
        return self.game.diagram(self.position)

    def __repr__(self) -> str:
        """Write how to make this board again."""
        return f"Board({self.game.name!r}, {self.fen!r})"

    def __eq__(self, other: object) -> bool:
        """Return whether it is the same position of the same game."""
        return isinstance(other, Board) and (self.game.name, self.fen) == (other.game.name, other.fen)

    def __hash__(self) -> int:
        """Agree with equality."""
        return hash((self.game.name, self.fen))

    @cached_property
    def _legal(self) -> tuple[Move, ...]:
        return tuple(self.game.legal_moves(self.position))
