"""A game as other programs learn it: states with numbered actions, in the manner of OpenSpiel.

Source: M. Lanctot and others, OpenSpiel: a framework for reinforcement learning in games, 2019; the names of
methods and what they return are those of its states.
"""

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
    """A game in progress, to be played by numbers; the official draw rule ends it too.

    Player 0 moves first. Actions are numbers below `num_distinct_actions` that mean the same in every
    position: a disc is placed on square n by action n; a move from square n to square m of N is n · N + m; a
    pass is the last action. Squares on which pieces stand count row by row from the top left of the board. Of
    captures that begin and end on the same squares the first, by its text, has that number, and the others
    have those from N² on, which mean nothing beyond their position. In a game that does not say what its
    board looks like, action n is the legal move n of the position.

    >>> state = State("othello")
    >>> state.legal_actions(), state.action_to_string(19)
    ([19, 26, 37, 44], 'd3')
    >>> state.apply_action(19)
    >>> state.current_player(), state.observation_tensor().shape
    (1, (2, 8, 8))
    """

    def __init__(self, game_name: str = "checkers", fen: str | None = None) -> None:
        """Begin a game, in a position if one is given.

        Raises:
            InputError: there is no such game, or the FEN is wrong.
        """
        board = Board(game_name, fen)
        self._begin(begin(board.game, board.position), ())

    def _begin(self, in_progress: GameInProgress, actions: tuple[int, ...]) -> None:
        self.game, self._in_progress, self._actions = in_progress.game, in_progress, actions
        # What was cached belongs to the position before.
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
        """The position now."""
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
        """Return what each player has: 1 for a win, −1 for a loss, 0 for a draw or while the game goes on."""
        # Where a draw rule ended the game there are moves left, and so no winner.
        winner = self.board.winner
        if winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if winner == first_side(self.game) else [-1.0, 1.0]

    def legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order; none when the game is over."""
        return [] if self.is_terminal() else sorted(self._moves)

    def legal_actions_mask(self) -> NDArray[np.bool_]:
        """Return which actions are legal: [num_distinct_actions]."""
        mask = np.zeros(self.num_distinct_actions, np.bool_)
        mask[self.legal_actions()] = True
        return mask

    def action_to_string(self, action: int) -> str:
        """Return the text of a legal action's move."""
        return self._moves[self._legal(action)].text

    def string_to_action(self, text: str) -> int:
        """Return the action of a legal move; InputError if it is not legal."""
        for action in self.legal_actions():
            if self._moves[action].text == text:
                return action
        raise InputError(f"{text!r} is no legal move here; there are {', '.join(self.board.moves) or 'none'}")

    def apply_action(self, action: int) -> None:
        """Play an action; InputError if it is not legal."""
        number = self._legal(action)
        self._begin(self._in_progress.after(self._moves[number]), (*self._actions, number))

    def undo_action(self) -> None:
        """Take back the last action; InputError if there is none."""
        if not self._actions:
            raise InputError("no action to take back")
        self._begin(self._in_progress.before(), self._actions[:-1])

    def clone(self) -> "State":
        """Return an independent copy of this state, history included."""
        copy = State.__new__(State)
        copy._begin(self._in_progress, self._actions)
        return copy

    def history(self) -> list[int]:
        """Return the actions so far."""
        return list(self._actions)

    def observation_tensor(self) -> NDArray[np.float32]:
        """Return the board as the side to move sees it: float32 [planes, rows, columns], see `games.planes`.

        Raises:
            InputError: the game does not say what its planes are.
        """
        planes, position = self.game.planes, self._in_progress.position
        if planes is None:
            raise InputError(f"{self.game.name} does not say what networks see of its board")
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
        """Whether a move names one square and no more; beside them there may be a pass, as in Go."""
        geometry = self.game.geometry
        first = self.game.legal_moves(self.game.start())
        return geometry is not None and max(len(geometry.squares_of(move.text)) for move in first) == 1

    @cached_property
    def _moves(self) -> dict[int, Move]:
        """The moves of the position by number."""
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
        # What a network chose comes as an array or a tensor of one number.
        number = action.item() if getattr(action, "shape", None) in ((), (1,)) else action
        if not isinstance(number, int | float) or number not in self.legal_actions():
            raise InputError(f"{action!r} is no legal action here; there are {self.legal_actions()}")
        return int(number)
