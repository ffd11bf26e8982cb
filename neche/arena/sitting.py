"""One game in progress, move by move: who won, the draws of tournament play, taking moves back."""

import re
from dataclasses import dataclass
from typing import Any

from neche.arena.playing import TOURNAMENT_DRAWS, DrawRule
from neche.games.catalogue import Game, Move


@dataclass(frozen=True)
class Sitting:
    """The positions of a game, as they came, and the moves between them.

    positions: one more than moves. fens: the same positions in words, by which they are compared.
    """

    positions: tuple[Any, ...]
    fens: tuple[str, ...]
    moves: tuple[str, ...]

    @property
    def position(self) -> Any:
        """The position now."""
        return self.positions[-1]

    def after(self, game: Game, move: Move) -> "Sitting":
        """Return the sitting with one more move."""
        fen = game.format_fen(move.after)
        return Sitting((*self.positions, move.after), (*self.fens, fen), (*self.moves, move.text))

    def before(self) -> "Sitting":
        """Return the sitting without the last move; there must be one."""
        return Sitting(self.positions[:-1], self.fens[:-1], self.moves[:-1])

    def quiet_plies(self) -> int:
        """Return the number of plies since the last capture, move of a man or placed disc."""
        count = 0
        while count < len(self.moves) and self._is_quiet(len(self.moves) - 1 - count):
            count += 1
        return count

    def _is_quiet(self, ply: int) -> bool:
        # a step is written 11-15; a capture, or a disc that is placed, is not
        return "-" in self.moves[ply] and _men(self.fens[ply]) == _men(self.fens[ply + 1])

    def verdict(self, game: Game, rule: DrawRule = TOURNAMENT_DRAWS) -> str | None:
        """Return how the game ended, in words; None while it goes on."""
        if not game.legal_moves(self.position):
            return _ending(game, self.position)
        if rule.repetition and self.fens.count(self.fens[-1]) >= rule.repetition:
            return f"Draw: the same position for the {_ORDINALS.get(rule.repetition, 'last')} time."
        if self.quiet_plies() >= rule.quiet_plies:
            return f"Draw: {rule.quiet_plies // 2} moves of each side without capture or move of a man."
        return None


def _ending(game: Game, position: Any) -> str:
    """Say how a game without a move to make ended."""
    side, result = game.side_to_move(position), game.outcome(position)
    other = next(name for name in game.sides if name != side)
    if result < 0:
        return f"{other} wins: {side} has no move."
    return f"{side} wins: nobody can move." if result else "Draw: nobody can move."


_ORDINALS = {2: "second", 3: "third", 4: "fourth"}


def begin(game: Game, position: Any) -> Sitting:
    """Return the sitting of a game that begins in a position."""
    return Sitting((position,), (game.format_fen(position),), ())


def _men(fen: str) -> frozenset[str]:
    """Return the men of both sides, as words that name side and square."""
    sides = fen.rstrip(".").split(":")[1:]
    return frozenset(f"{side[0]}{man}" for side in sides for man in re.findall(r"(?<![K\d])\d+", side))
