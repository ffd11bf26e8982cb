"""One game in progress, move by move: who won, the draws of tournament play, taking moves back."""

from dataclasses import dataclass
from typing import Any

from neche.arena.tally import FEW_PIECES, QUIET, REPEATED, TOO_LONG, judge_line
from neche.games.catalogue import Game, Move
from neche.games.draws import DrawRule


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

    def verdict(self, game: Game, rule: DrawRule | None = None) -> str | None:
        """Return how the game ended, in words; None while it goes on. rule: the game's own if not given."""
        if not game.legal_moves(self.position):
            return _ending(game, self.position)
        rule = rule or game.draws
        words = _why_drawn(rule).get(judge_line(self.positions, rule))
        return f"Draw: {words}." if words else None


def _why_drawn(rule: DrawRule) -> dict[int, str]:
    counted = "move of a man" if rule.man_moves_reset else "promotion"
    return {
        REPEATED: f"the same position for the {_ORDINALS.get(rule.repetition, 'last')} time",
        QUIET: f"{rule.quiet_plies // 2} moves of each side without capture or {counted}",
        FEW_PIECES: "an ending of few pieces, and no more moves for it",
        TOO_LONG: f"the game has lasted {rule.max_plies} plies",
    }


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
