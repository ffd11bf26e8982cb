"""A player that solves the last moves of a game by search, and so plays them perfectly.

Every kind of player takes the option `exact=N` in games that say how their last moves are solved
(`games.game.LastMoves`), which is only Othello: with at most N empty squares it plays for the most discs. If
time or a request to stop ends that search, the player thinks as usual.
"""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import msgspec

from neche.errors import InputError
from neche.games.game import Game, LastMoves, Move
from neche.players.alpha_beta import Random
from neche.players.engine import Analysis, Engine, Limits, MoveAnalysis, Stop, require_moves, run_until

MovesLeft = Annotated[int, msgspec.Meta(ge=1, le=30)]
SCORES = {1: 1.0, 0: 0.5, -1: 0.0}
"""Expected scores of proven results."""
# Share of the time for a move; the rest is for the player itself, if the search does not finish.
_SHARE = 0.6


def last_moves_of(game: Game) -> LastMoves:
    """Return how the last moves of a game are solved; InputError if they are not."""
    if game.last_moves is None:
        raise InputError(f"the last moves of {game.name} are not solved by search: a game may last for ever")
    return game.last_moves


def load_solver(game: Game, last_moves: LastMoves) -> None:
    """Load or compile the solver, so that no move's time includes these seconds."""
    solver = last_moves.solver(1)
    # Stopped before it begins: from the start position it would never finish.
    solver.flags[solver.stop] = 1
    solver.score(game.start())


def solve_position(game: Game, position: Any, *, every_value: bool = False) -> Analysis:
    """Return the exact analysis of a position; InputError if the game is over, or not solved by search."""
    last_moves, nobody = last_moves_of(game), Random().new_game(game)
    most = last_moves.num_left(position)
    engine = ExactEngine(nobody, game, last_moves, most, gives_scores=False)
    return engine.analyse(position, every_value=every_value)


class ProvingEngine(Engine, ABC):
    """A player at one game that knows the result of some positions and thinks about others as usual."""

    def __init__(self, engine: Engine, *, gives_scores: bool) -> None:
        self.limits = engine.limits
        self._engine, self._gives_scores = engine, gives_scores

    def analyse(self, position: Any, **settings: Any) -> Analysis:
        """Return the proven result of the position, or analyse it; see `engine.Engine`."""
        began, limits = time.perf_counter(), settings.get("limits") or self.limits
        found = self._proven(position, **{**settings, "limits": limits})
        if found is None:
            if limits.time_ms is not None:
                spent = int(1000 * (time.perf_counter() - began))
                limits = replace(limits, time_ms=max(1, limits.time_ms - spent))
            return self._engine.analyse(position, **{**settings, "limits": limits})
        if settings.get("line", True):
            found = replace(found, pv=self._line(position, found))
        if (progress := settings.get("progress")) is not None:
            progress(found)
        return found

    def follow(self, positions: Sequence[Any]) -> None:
        """Take the positions of the game so far."""
        self._engine.follow(positions)

    def make_room(self, position: Any) -> None:
        """Forget what cannot occur after a position."""
        self._engine.make_room(position)

    def expected_score(self, analysis: Analysis) -> float | None:
        """Return the expected score of the side to move, even if the analysis holds another move's value."""
        if analysis.proven is None or analysis.is_score:
            return self._engine.expected_score(analysis)
        is_best = analysis.value == analysis.values[analysis.best_moves[0]]
        return SCORES[analysis.proven if is_best else (analysis.value > 0) - (analysis.value < 0)]

    @abstractmethod
    def _proven(self, position: Any, *, limits: Limits, **settings: Any) -> Analysis | None:
        """Return the analysis of a position whose result is known, else None; see `engine.Engine`."""

    @abstractmethod
    def _line(self, position: Any, found: Analysis) -> tuple[str, ...]:
        """Return best play from a position whose result is known."""


class ExactEngine(ProvingEngine):
    """A player at one game that solves its last moves."""

    def __init__(
        self, engine: Engine, game: Game, last_moves: LastMoves, most: int, *, gives_scores: bool
    ) -> None:
        super().__init__(engine, gives_scores=gives_scores)
        self._game, self._last_moves, self._most = game, last_moves, most
        self._solver: Any = None
        load_solver(game, last_moves)

    def _proven(
        self, position: Any, *, limits: Limits, stop: Stop | None = None, every_value: bool = False, **_: Any
    ) -> Analysis | None:
        """Return the exact analysis of a position with few moves left, None if it does not finish in time."""
        if self._last_moves.num_left(position) > self._most:
            return None
        began, moves = time.perf_counter(), require_moves(self._game, position)
        end = min(math.inf if stop is None else stop.deadline, began + (limits.time_ms or math.inf) / 1000)
        deadline = None if end == math.inf else began + _SHARE * (end - began)
        # Positions of one game share the table.
        solver = self._solver = self._solver or self._last_moves.solver(self._most)
        before = solver.nodes
        points, was_done = run_until(
            lambda: self._points(moves, every_value=every_value),
            solver.flags,
            solver.stop,
            deadline=deadline,
            stop=stop,
        )
        if not was_done:
            return None
        best = max(points.values())
        best_moves = tuple(text for text, value in points.items() if value == best)
        values = {text: self._value(value) for text, value in points.items()}
        return Analysis(
            moves=tuple(MoveAnalysis(text, value, low=value, high=value) for text, value in values.items()),
            best_moves=best_moves,
            pv=best_moves[:1],
            value=values[best_moves[0]],
            is_score=self._gives_scores,
            is_exact=every_value,
            depth=self._last_moves.num_left(position),
            nodes=solver.nodes - before,
            seconds=time.perf_counter() - began,
            figures={self._last_moves.points: best},
            proven=(best > 0) - (best < 0),
        )

    def _points(self, moves: list[Move], *, every_value: bool) -> dict[str, int]:
        """Return the score of each move; for moves that are not among the best it may be an upper bound."""
        most = self._last_moves.most
        best, found = -most - 1, {}
        for move in moves:
            low = -most if every_value else max(-most, best - 1)
            found[move.text] = -self._solver.score(move.after, -most, -low)
            best = max(best, found[move.text])
        return found

    def _value(self, points: int) -> float:
        """Return a score in the units of the player: an expected score, or the points themselves."""
        return SCORES[(points > 0) - (points < 0)] if self._gives_scores else float(points)

    def _line(self, position: Any, found: Analysis) -> tuple[str, ...]:
        """Return best play to the end of the game; the table still holds most of it."""
        points, text = int(found.figures[self._last_moves.points]), found.best_moves[0]
        line = [text]
        moves = self._game.legal_moves(position)
        while moves:
            after = next(move.after for move in moves if move.text == text)
            points, moves = -points, self._game.legal_moves(after)
            for move in moves:
                # A null window decides whether this move is worth as much.
                if -self._solver.score(move.after, -points, 1 - points) >= points:
                    text = move.text
                    line.append(text)
                    break
        return tuple(line)
