"""Players that are plain user functions: one kind evaluates positions, one chooses moves.

    evaluator(board)        a number, larger is better for the side to move; searched by alpha-beta
    player(board, rng)      the text of a legal move

They are called in Python, position by position, so a search with an evaluator is about a hundred times slower
than one with a network; a depth of 2 is reasonable.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, nextafter
from typing import Annotated, Any

import msgspec
import numpy as np

from neche.games.contract import generate_captures, is_quiet, successor
from neche.games.game import Game, Move
from neche.players import engine
from neche.players.plugged import Plugin, finite_number

DEFAULT_DEPTH = 1
BoardOf = Callable[[Game, Any], Any]
"""Converts a position to the board that functions get."""


class EvaluatorOptions(msgspec.Struct):
    """Options of an evaluator: plies of search, after which captures are followed to their end."""

    depth: Annotated[int, msgspec.Meta(ge=1, le=20)] = DEFAULT_DEPTH


@dataclass(frozen=True)
class FunctionEvaluator(engine.Player):
    """A player that searches `depth` plies, and then captures, to positions that a function evaluates."""

    name: str
    plugin: Plugin
    board_of: BoardOf
    depth: int = DEFAULT_DEPTH

    @property
    def digest(self) -> str:
        """Digest of the function's source."""
        return self.plugin.digest

    def at_depth(self, depth: int) -> "FunctionEvaluator":
        """Return the same player at another depth."""
        return FunctionEvaluator(f"{self.plugin.name}:depth={depth}", self.plugin, self.board_of, depth)

    def new_game(self, game: Game, *, memory_mb: int | None = None) -> "FunctionEvaluatorEngine":
        """Begin a game."""
        return FunctionEvaluatorEngine(game, self)


class FunctionEvaluatorEngine(engine.Engine):
    """A search at one game that calls a function; nothing is remembered from move to move."""

    def __init__(self, game: Game, player: FunctionEvaluator) -> None:
        self.limits = engine.Limits(player.depth)
        self._game, self._player = game, player
        # Of the current analysis: positions visited, and what may end it.
        self._nodes, self._stop, self._most, self._deadline, self._may_end = 0, engine.Stop(), inf, inf, False

    def analyse(
        self,
        position: Any,
        *,
        limits: engine.Limits | None = None,
        stop: engine.Stop | None = None,
        progress: engine.Progress | None = None,
        every_value: bool = False,
        **_: Any,
    ) -> engine.Analysis:
        """Deepen iteratively; see `engine.Engine`. The first depth always finishes, to have a move."""
        moves, began = engine.require_moves(self._game, position), time.perf_counter()
        limits, self._stop, self._nodes = limits or self.limits, stop or engine.Stop(), 0
        self._most = inf if limits.nodes is None else limits.nodes
        self._deadline = inf if limits.time_ms is None else began + limits.time_ms / 1000
        is_open = stop is not None or self._most < inf or self._deadline < inf
        last = limits.depth or (engine.MAX_DEPTH if is_open else self._player.depth)
        found: engine.Analysis | None = None
        for depth in range(1 if is_open else last, last + 1):
            self._may_end = found is not None
            try:
                found = self._at_depth(moves, depth, every_value)
            except TimeoutError:
                break
            if progress is not None:
                progress(replace(found, nodes=self._nodes, seconds=time.perf_counter() - began))
            if found.plies_to_end is not None:
                break
        assert found is not None
        return replace(found, nodes=self._nodes, seconds=time.perf_counter() - began)

    def expected_score(self, analysis: engine.Analysis) -> float:
        """Return a guess of the expected score of the side to move: a value of 1 counts as 0.73."""
        return engine.score_of(analysis.value, 1.0)

    def _at_depth(self, moves: list[Move], depth: int, every_value: bool) -> engine.Analysis:
        values: list[float] = []
        lines: list[tuple[str, ...]] = []
        for move in moves:
            best = max(values, default=-inf)
            # Just below the best: an equally good move gets its exact value.
            floor = -inf if every_value else nextafter(best, -inf)
            value, line = self._search(move.after, depth - 1, -inf, -floor, 1)
            # Subtracted from 0, since negation would give −0.0.
            values.append(0.0 - value)
            lines.append((move.text, *line))
        best, texts = max(values), [move.text for move in moves]
        equals = tuple(text for text, value in zip(texts, values, strict=True) if value == best)
        rows, line = tuple(map(engine.MoveAnalysis, texts, values)), lines[values.index(best)]
        return engine.Analysis(rows, equals, line, best, is_exact=every_value, depth=depth)

    def _search(
        self, position: Any, depth: int, alpha: float, beta: float, ply: int
    ) -> tuple[float, tuple[str, ...]]:
        """Return value and line of a position for its side to move, by fail-soft alpha-beta."""
        self._nodes += 1
        is_late = self._nodes > self._most or time.perf_counter() > self._deadline
        if self._may_end and (is_late or self._stop.is_requested):
            raise TimeoutError
        moves = self._game.legal_moves(position)
        if not moves:
            return self._game.outcome(position) * (engine.WIN_VALUE - ply), ()
        if depth <= 0 and is_quiet(position):
            return self._judged(position), ()
        # At the horizon only captures are followed: a hanging piece is not left to the evaluator.
        moves = moves if depth > 0 else self._captures(position, moves)
        best = -inf
        line: tuple[str, ...] = ()
        for move in moves:
            value, after = self._search(move.after, depth - 1, -beta, -max(alpha, best), ply + 1)
            if -value > best:
                best, line = -value, (move.text, *after)
            if best >= beta:
                break
        return best, line

    def _judged(self, position: Any) -> float:
        plugin = self._player.plugin
        # Adding 0 turns −0.0 into 0.0.
        value = finite_number(plugin, plugin(self._player.board_of(self._game, position))) + 0.0
        if abs(value) >= engine.WIN_VALUE / 2:
            raise plugin.fault(f"returned {value:g}, as much as a won game")
        return value

    def _captures(self, position: Any, moves: list[Move]) -> list[Move]:
        """Return the captures in a position that is not quiet; in draughts all moves are."""
        buffer, words = self._game.move_buffer(), self._game.move_words
        count = int(generate_captures(position, buffer, np.int64(0)))
        if count == len(moves):
            return moves
        reached = [successor(position, buffer, np.int64(number * words)) for number in range(count)]
        known = {tuple(map(int, after)) for after in reached}
        return [move for move in moves if tuple(map(int, move.after)) in known]


@dataclass(frozen=True)
class FunctionChooser(engine.Player):
    """A player whose moves a function chooses; it has no evaluation."""

    name: str
    plugin: Plugin
    board_of: BoardOf
    judges = False
    needs_key = True
    effort = "function"

    @property
    def digest(self) -> str:
        """Digest of the function's source."""
        return self.plugin.digest

    def new_game(self, game: Game, *, memory_mb: int | None = None) -> "FunctionChooserEngine":
        """Begin a game."""
        return FunctionChooserEngine(game, self)


class FunctionChooserEngine(engine.Engine):
    """A function that chooses moves at one game."""

    def __init__(self, game: Game, player: FunctionChooser) -> None:
        self._game, self._player = game, player

    def analyse(self, position: Any, *, key: int = 0, **_: Any) -> engine.Analysis:
        """Return the move that the function chooses; see `engine.Engine`."""
        texts = [move.text for move in engine.require_moves(self._game, position)]
        plugin, began = self._player.plugin, time.perf_counter()
        chosen = plugin(self._player.board_of(self._game, position), np.random.default_rng(key))
        if not isinstance(chosen, str) or chosen not in texts:
            raise plugin.fault(f"chose {chosen!r}, which is not a legal move; those are {', '.join(texts)}")
        rows, seconds = tuple(engine.MoveAnalysis(text, 0.0) for text in texts), time.perf_counter() - began
        return engine.Analysis(rows, (chosen,), (chosen,), is_judged=False, seconds=seconds)


def function_player(plugin: Plugin, board_of: BoardOf, depth: int = DEFAULT_DEPTH) -> engine.Player:
    """Return the player of a plug-in; InputError if its kind is none. depth: of an evaluator's search."""
    if plugin.kind == "evaluator":
        return FunctionEvaluator(f"{plugin.name}:depth={depth}", plugin, board_of, depth)
    if plugin.kind == "player":
        return FunctionChooser(plugin.name, plugin, board_of)
    raise plugin.fault("is not a player; those are evaluator and player")


PLUGGED: dict[str, tuple[Plugin, BoardOf]] = {}
"""Functions that are players, by the word that names each, the latest of a name; see `spec.parse_player`."""
