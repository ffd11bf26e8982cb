"""Moves of games with passes: files leave them out or write them in several ways, the rules put them in."""

from collections.abc import Callable
from typing import Any

from neche.errors import InputError
from neche.games.catalogue import Game, Move
from neche.records.record import Ply

PASSES = ("pass", "pas", "pa", "ps", "--")
_SHOWN_MOVES = 8


class Replay:
    """A game being read move by move."""

    def __init__(self, rules: Game, position: Any) -> None:
        self.rules = rules
        self.position = position
        self.plies: list[Ply] = []

    def play(self, text: str, *, side: str = "", value: str = "", seconds: str = "") -> None:
        """Add a move, and before it the pass that the rules demand and the file leaves out.

        side: that makes it, empty where the file does not say. value, seconds: see `Ply`

        Raises:
            InputError: the move is not legal.
        """
        assert self.rules.ggf is not None
        pass_text = self.rules.ggf.pass_text
        wanted = pass_text if text.lower() in PASSES else text.lower()
        legal = self.rules.legal_moves(self.position)
        if wanted != pass_text and [move.text for move in legal] == [pass_text]:
            self._add(legal[0], Ply(pass_text))
            legal = self.rules.legal_moves(self.position)
        mover = self.rules.side_to_move(self.position)
        if side and side != mover:
            raise InputError(f"{text} is {side}'s, but it is {mover}'s turn")
        found = next((move for move in legal if move.text == wanted), None)
        if found is None:
            raise InputError(f"{text} is not a legal move; {_choices(legal)}")
        self._add(found, Ply(found.text, value=value, seconds=seconds))

    def remark(self, text: str, before: Callable[[str], None]) -> None:
        """Add a comment after the last move; `before` takes those that stand before the first."""
        if not self.plies:
            before(text)
            return
        last = self.plies[-1]
        self.plies[-1] = Ply(last.move, last.mark, last.value, last.seconds, (*last.remarks, text))

    def _add(self, move: Move, ply: Ply) -> None:
        self.plies.append(ply)
        self.position = move.after


def _choices(legal: list[Move]) -> str:
    if not legal:
        return "the game is over here, nobody can move"
    more = f" and {len(legal) - _SHOWN_MOVES} more" if len(legal) > _SHOWN_MOVES else ""
    return f"legal: {', '.join(move.text for move in legal[:_SHOWN_MOVES])}{more}"
