"""One game in progress, move by move: its result, draws by tournament rules, taking moves back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from neche.arena.draw_counters import FEW_PIECES, QUIET, REPEATED, TOO_LONG, reason_after
from neche.games.contract import is_registered
from neche.games.draws import MAX_PLIES, DrawRule
from neche.games.game import Game, Move
from neche.records.record import UNKNOWN, GameRecord, fen_of_start, record_of, replay, result_won_by


@dataclass(frozen=True)
class GameInProgress:
    """The positions of a game in order, and the moves between them. positions: one more than moves."""

    game: Game
    positions: tuple[Any, ...]
    moves: tuple[str, ...] = ()

    @property
    def position(self) -> Any:
        """The current position."""
        return self.positions[-1]

    @property
    def fens(self) -> tuple[str, ...]:
        """The positions as FEN."""
        return tuple(map(self.game.format_fen, self.positions))

    def after(self, move: Move) -> "GameInProgress":
        """Return the game in progress with one more move."""
        return GameInProgress(self.game, (*self.positions, move.after), (*self.moves, move.text))

    def before(self) -> "GameInProgress":
        """Return the game in progress without its last move; it must have one."""
        return GameInProgress(self.game, self.positions[:-1], self.moves[:-1])

    def verdict(self, rule: DrawRule | None = None) -> str | None:
        """Return how the game ended, in words; None while it goes on. rule: None for the game's own."""
        if not self.game.legal_moves(self.position):
            return _ending(self.game, self.position)
        # Having no move ends a game before any draw rule applies, as in compiled games.
        rule = rule or self.game.draws
        words = _why_drawn(rule).get(reason_after(self.positions, rule))
        return f"Draw: {words}." if words else None


def _why_drawn(rule: DrawRule) -> dict[int, str]:
    counted = "move of a man" if rule.man_moves_reset else "promotion"
    return {
        REPEATED: f"the same position for the {_ORDINALS.get(rule.repetition, 'last')} time",
        QUIET: f"{rule.quiet_plies // 2} moves of each side without capture or {counted}",
        FEW_PIECES: "too many moves in an ending of few pieces",
        TOO_LONG: f"the game has lasted {rule.max_plies or MAX_PLIES} plies",
    }


def _ending(game: Game, position: Any) -> str:
    """Return, in words, how a game without a legal move ended."""
    side, result = game.side_to_move(position), game.outcome(position)
    other = next(name for name in game.sides if name != side)
    if not is_registered(type(position), "outcome"):
        return f"{other} wins: {side} has no move."
    # A game that says who has won ends for reasons of its own: a row, a goal, or moves of neither side.
    if result == 0:
        return "Draw."
    scored = game.ggf and game.last_moves and f" by {abs(game.ggf.score(position))} {game.last_moves.points}"
    return f"{other if result < 0 else side} wins{scored or ''}."


_ORDINALS = {2: "second", 3: "third", 4: "fourth"}


def begin(game: Game, position: Any) -> GameInProgress:
    """Return a game in progress that begins in a position."""
    return GameInProgress(game, (position,))


def set_up(game: Game, fen: str | None) -> GameInProgress:
    """Return a game in progress that begins in a position written as FEN; None: in the start position."""
    return begin(game, game.start() if fen is None else game.parse_fen(fen))


def game_record(
    in_progress: GameInProgress, ending: str, players: Mapping[str, str], people: tuple[str, ...] = ()
) -> GameRecord:
    """Return the record of a game in progress.

    ending: how the game ended, in the words of `GameInProgress.verdict`, or `White resigns.` players: names
    by side. people: the sides that are not programs
    """
    rules = in_progress.game
    tags = [(side, players[side]) for side in rules.sides]
    tags += [(f"{side}Type", "human" if side in people else "program") for side in rules.sides]
    fen = fen_of_start(rules, in_progress.positions[0])
    return record_of(rules.name, in_progress.moves, tags=tags, fen=fen, result=_result(rules, ending))


def resumed_game(record: GameRecord) -> GameInProgress:
    """Return a game from a file as a game in progress; InputError if one of its moves is not legal."""
    in_progress = begin(record.rules, record.start)
    for move in replay(record):
        in_progress = in_progress.after(move)
    return in_progress


def _result(rules: Game, ending: str) -> str:
    for winner, loser in (rules.sides, rules.sides[::-1]):
        if ending.startswith((f"{winner} wins", f"{loser} resigns")):
            return result_won_by(rules, winner)
    return result_won_by(rules, None) if ending.startswith("Draw") else UNKNOWN
