"""A position of any game, to view and to play on."""

import io
from copy import copy
from functools import cached_property
from types import NoneType
from typing import Any

from neche.arena.game_in_progress import GameInProgress, begin, resumed_game, set_up
from neche.compiled.streams import stream_key
from neche.errors import InputError, check_type, check_whole
from neche.games.catalogue import game
from neche.games.game import Game, Move, geometry_of
from neche.montecarlo.counting import MAX_COUNT
from neche.montecarlo.playouts_cpu import count_playouts
from neche.records.pdn.reader import read_pdn
from neche.records.pdn.writer import write_pdn
from neche.records.record import UNKNOWN, fen_of_start, record_of, result_won_by
from neche.report.board import board_svg


class Board:
    """A position with its legal moves, its picture and the moves that led to it.

    `play` returns a new board; `push` and `pop` change this one. A notebook shows it as a picture, `print` as
    a text diagram. Boards are equal if their games and positions are; do not change a board that is in a set
    or is a dict key. `past` holds the earlier positions of its game, oldest first.

    >>> board = Board("checkers")
    >>> board.moves
    ('11-16', '10-15', '9-14', '11-15', '10-14', '9-13', '12-16')
    >>> board.play("11-15").turn
    'White'
    >>> board.perft(5)
    7361
    """

    def __init__(self, game_name: str = "checkers", fen: str | None = None) -> None:
        """Set up a position, by default the start of the game.

        Raises:
            InputError: there is no such game, or the FEN is wrong.
        """
        check_type(game_name, str, "the name of a game")
        check_type(fen, (str, NoneType), "a FEN as text")
        self._move_before: str | None = None
        self._go_to(set_up(game(game_name), fen))

    @classmethod
    def at(cls, rules: Game, position: Any, last_move: str | None = None) -> "Board":
        """Return the board of an existing position."""
        board = cls.__new__(cls)
        board._move_before = last_move
        board._go_to(begin(rules, position))
        return board

    @classmethod
    def from_pdn(cls, text: str, game_name: str = "") -> "Board":
        """Return the board after the first game of a text in portable draughts notation.

        game_name: used where the text names no game; empty: the game in which its moves are legal.

        >>> Board.from_pdn("1. 11-15 23-19 *").history
        ('11-15', '23-19')

        Raises:
            InputError: the text holds no game, or a move is illegal.
        """
        check_type(text, str, "a game in PDN as text")
        check_type(game_name, str, "the name of a game")
        stream = io.BytesIO(text.encode("utf-8", "replace"))
        record = next(read_pdn(stream, "PDN", default_game=game_name), None)
        if record is None:
            raise InputError("PDN: there is no game in this text")
        board = cls.at(record.rules, record.start)
        board._go_to(resumed_game(record))
        return board

    @property
    def history(self) -> tuple[str, ...]:
        """The moves played on this board and on those it comes from, oldest first."""
        return self._so_far.moves

    @property
    def pieces(self) -> dict[str, str]:
        """The pieces by square, squares named as in moves: a letter for each side, a capital for kings.

        >>> Board("checkers", "W:W18,K30:B14").pieces
        {'14': 'b', '18': 'w', '30': 'W'}
        """
        letters = geometry_of(self.game).letters
        found = geometry_of(self.game).pieces(self.position)
        return {
            square: letters[piece.side].upper() if piece.is_king else letters[piece.side]
            for square, piece in sorted(found.items(), key=lambda item: (len(item[0]), item[0]))
        }

    @property
    def fen(self) -> str:
        """The position as FEN."""
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
        """Name of the side that has won; None for a draw and while the game goes on.

        >>> Board("checkers", "W:W:B1").winner
        'Black'
        """
        if not self.is_over:
            return None
        outcome = self.game.outcome(self.position)
        own = self.game.sides.index(self.turn)
        return None if outcome == 0 else self.game.sides[own if outcome > 0 else 1 - own]

    def play(self, *moves: str) -> "Board":
        """Return the board after some moves, played in turn; InputError if one of them is illegal."""
        board = copy(self)
        for text in moves:
            board.push(text)
        return board

    def push(self, text: str) -> None:
        """Play a move on this board, which `pop` takes back; InputError if it is illegal."""
        found = next((move for move in self._legal if move.text == text), None)
        if found is None:
            raise InputError(f"{text!r} is no legal move here; there are {', '.join(self.moves) or 'none'}")
        self._go_to(self._so_far.after(found))

    def pop(self) -> str:
        """Take back the last move of `history`, and return it; InputError if there is none."""
        if not self.history:
            raise InputError("no move to take back: none was played on this board")
        taken = self.history[-1]
        self._go_to(self._so_far.before())
        return taken

    def _go_to(self, so_far: GameInProgress) -> None:
        # The first position shows the move that led to it again.
        self._so_far, self.game, self.position = so_far, so_far.game, so_far.position
        self.past = so_far.positions[:-1]
        self.last_move = so_far.moves[-1] if so_far.moves else self._move_before
        self.__dict__.pop("_legal", None)

    @property
    def verdict(self) -> str | None:
        """How the game ended, as a sentence, official draw rule included; None while it goes on.

        The draw rule counts from the first position of `history`.

        >>> Board("checkers", "W:W:B1").verdict
        'Black wins: White has no move.'
        """
        return self._so_far.verdict()

    def pdn(self, **tags: object) -> str:
        """Return the game so far in portable draughts notation; tags: such as White="memetic-1", Round=3.

        Raises:
            InputError: the game is not draughts, or a tag name is invalid or written by the board itself.
        """
        if own := {"Result", "GameType", "FEN"} & tags.keys():
            raise InputError(f"{min(own)}: the board writes this tag itself")
        result = UNKNOWN if self.verdict is None else result_won_by(self.game, self.winner)
        fen = fen_of_start(self.game, self._so_far.positions[0])
        shown = tuple((tag, str(value)) for tag, value in tags.items())
        return write_pdn(record_of(self.game.name, self.history, tags=shown, fen=fen, result=result))

    def perft(self, depth: int) -> int:
        """Count the leaves of the tree of legal moves, `depth` plies deep."""
        check_whole(depth, "depth", 0)
        return self.game.perft(self.position, int(depth))

    def playouts(self, count: int, *, seed: int = 0) -> tuple[int, int, int]:
        """Play random games from this position; return wins, draws and losses of the side to move.

        >>> sum(Board("othello").playouts(1000))
        1000
        """
        check_whole(count, "count", 1, MAX_COUNT)
        check_whole(seed, "seed", 0)
        # A stream's key is one 64-bit word.
        key = stream_key(int(seed), 0, "playouts") if int(seed) >> 64 else int(seed)
        counts = count_playouts(self.game, [self.position], [count], [key])
        return int(counts.wins[0]), int(counts.draws[0]), int(counts.losses[0])

    def svg(self, *, flipped: bool = False, size: int = 360) -> str:
        """Draw the board as SVG, with the last move marked.

        flipped: turn it by 180 degrees. size: width on the page, CSS pixels.
        """
        check_whole(size, "size", 1)
        return board_svg(self.game, self.position, last_move=self.last_move, flipped=flipped, size=size)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.game.diagram(self.position)

    def __repr__(self) -> str:
        return f"Board({self.game.name!r}, {self.fen!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and (self.game.name, self.fen) == (other.game.name, other.fen)

    def __hash__(self) -> int:
        return hash((self.game.name, self.fen))

    @cached_property
    def _legal(self) -> tuple[Move, ...]:
        return tuple(self.game.legal_moves(self.position))
