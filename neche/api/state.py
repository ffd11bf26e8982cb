"""A game for other learning programs: states with numbered actions, as in OpenSpiel.

Source: M. Lanctot and others, OpenSpiel: a framework for reinforcement learning in games, 2019; method names
and return values follow its states.
"""

from copy import copy
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neche.api.board import Board
from neche.arena.game_in_progress import GameInProgress, begin
from neche.errors import InputError
from neche.games.game import Move
from neche.records.record import first_side

TERMINAL = -4
"""The current player when the game is over, as in OpenSpiel."""


class State:
    """A game in progress, played by numbered actions; the official draw rule ends it too.

    Player 0 moves first. Actions are numbers below `num_distinct_actions` with the same meaning in every
    position: action n places a disc on square n; n · N + m moves from square n to square m of N; the last
    action is a pass. Only squares on which pieces may stand count, row by row from the top left of the board.
    If several captures begin and end on the same squares, the first by its text has that number; the others
    have numbers from N² on, whose meaning holds in that position only. In a game that does not define how its
    board looks, action n is the legal move n of the position.

    >>> state = State("othello")
    >>> state.legal_actions(), state.action_to_string(19)
    ([19, 26, 37, 44], 'd3')
    >>> state.apply_action(19)
    >>> state.current_player(), state.observation_tensor().shape
    (1, (2, 8, 8))
    """

    def __init__(self, game_name: str = "checkers", fen: str | None = None) -> None:
        """Begin a game, at a position if one is given.

        Raises:
            InputError: there is no such game, or the FEN is wrong.
        """
        board = Board(game_name, fen)
        self._begin(begin(board.game, board.position), ())

    def _begin(self, in_progress: GameInProgress, actions: tuple[int, ...]) -> None:
        self.game, self._in_progress, self._actions = in_progress.game, in_progress, actions
        # These cached values belong to the previous position.
        for name in ("_verdict", "_moves"):
            self.__dict__.pop(name, None)

    @property
    def num_distinct_actions(self) -> int:
        """Number of distinct actions in this game."""
        squares = self._squares
        if not squares:
            return self.game.max_moves
        return len(squares) + 1 if self._is_placing else len(squares) ** 2 + self.game.max_moves

    @property
    def board(self) -> Board:
        """The current position."""
        last = self._in_progress.moves[-1] if self._in_progress.moves else None
        return Board.at(self.game, self._in_progress.position, last)

    def current_player(self) -> int:
        """Return the player to move, 0 or 1; −4 when the game is over."""
        if self.is_terminal():
            return TERMINAL
        return int(self.game.side_to_move(self._in_progress.position) != first_side(self.game))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._verdict is not None

    def returns(self) -> list[float]:
        """Return each player's result: 1 for a win, −1 for a loss, 0 for a draw or while the game goes on."""
        # After a draw by rule legal moves are left, so `winner` is None.
        winner = self.board.winner
        if winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if winner == first_side(self.game) else [-1.0, 1.0]

    def legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order; none when the game is over."""
        return [] if self.is_terminal() else sorted(self._moves)

    def legal_actions_mask(self) -> NDArray[np.bool_]:
        """Return a mask of the legal actions: [num_distinct_actions]."""
        mask = np.zeros(self.num_distinct_actions, np.bool_)
        mask[self.legal_actions()] = True
        return mask

    def action_to_string(self, action: int) -> str:
        """Return the text of a legal action's move."""
        return self._moves[self._legal(action)].text

    def string_to_action(self, text: str) -> int:
        """Return the action of a legal move; InputError if the move is illegal."""
        for action in self.legal_actions():
            if self._moves[action].text == text:
                return action
        raise InputError(f"{text!r} is no legal move here; there are {', '.join(self.board.moves) or 'none'}")

    def apply_action(self, action: int) -> None:
        """Play an action; InputError if it is illegal."""
        number = self._legal(action)
        self._begin(self._in_progress.after(self._moves[number]), (*self._actions, number))

    def undo_action(self) -> None:
        """Take back the last action; InputError if there is none."""
        if not self._actions:
            raise InputError("no action to take back")
        self._begin(self._in_progress.before(), self._actions[:-1])

    def clone(self) -> "State":
        """Return an independent copy of this state, history included."""
        return copy(self)

    def history(self) -> list[int]:
        """Return the actions so far."""
        return list(self._actions)

    def observation_tensor(self) -> NDArray[np.float32]:
        """Return the board as the side to move sees it: float32 [planes, rows, columns], see `games.planes`.

        Raises:
            InputError: the game does not define its planes.
        """
        planes, position = self.game.planes, self._in_progress.position
        if planes is None:
            raise InputError(f"{self.game.name} does not define the planes that networks see of its board")
        words = [[int(getattr(position, field))] for field in planes.fields]
        seen: NDArray[np.float32] = planes.of(words, [int(position.turn)])[0]
        return seen

    def __str__(self) -> str:
        return str(self.board)

    def __repr__(self) -> str:
        return f"<State of {self.game.name} after {len(self._actions)} actions: {self.board.fen}>"

    @cached_property
    def _verdict(self) -> str | None:
        return self._in_progress.verdict()

    @cached_property
    def _squares(self) -> dict[str, int]:
        places = () if self.game.geometry is None else self.game.geometry.places
        return {name: number for number, name in enumerate(places)}

    @cached_property
    def _is_placing(self) -> bool:
        """Whether every move names one square, apart from a pass, as in Go."""
        geometry = self.game.geometry
        first = self.game.legal_moves(self.game.start())
        return geometry is not None and max(len(geometry.squares_of(move.text)) for move in first) == 1

    @cached_property
    def _moves(self) -> dict[int, Move]:
        """The moves of the position by action number."""
        legal, geometry = self.game.legal_moves(self._in_progress.position), self.game.geometry
        if geometry is None:
            return dict(enumerate(legal))
        found: dict[int, Move] = {}
        others = len(self._squares) ** 2
        # By text: the order of generation is an implementation detail.
        for move in sorted(legal, key=lambda move: move.text):
            named = geometry.squares_of(move.text)
            number = self._number(named)
            if self._is_placing and (len(named) > 1 or number in found):
                raise InputError(
                    f"{self.game.name}: {move.text} has no number among moves that name one square each"
                )
            if number in found:
                number, others = others, others + 1
            found[number] = move
        return found

    def _number(self, named: tuple[str, ...]) -> int:
        squares = self._squares
        if not named:
            return self.num_distinct_actions - 1
        if self._is_placing:
            return squares[named[0]]
        return squares[named[0]] * len(squares) + squares[named[-1]]

    def _legal(self, action: Any) -> int:
        # A network's choice may come as an array or tensor of one number.
        number = action.item() if getattr(action, "shape", None) in ((), (1,)) else action
        if not isinstance(number, int | float) or number not in self.legal_actions():
            raise InputError(f"{action!r} is no legal action here; there are {self.legal_actions()}")
        return int(number)
