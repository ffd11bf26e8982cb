"""Alpha-beta search in one game: iterative deepening if a limit may end it early, else one depth."""

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from neche.errors import InputError
from neche.games.game import Game, Move
from neche.players.engine import (
    MAX_DEPTH,
    WIN_VALUE,
    Analysis,
    Engine,
    Limits,
    MoveAnalysis,
    Progress,
    Stop,
    require_moves,
    run_until,
    score_of,
)
from neche.search.negamax import FINISHED, NODES, STOP, WIN, new_workspace, search_deeper, search_moves

TABLE_BITS = 18
# Plies of a search that nearly always ends before a thread could start.
_SHORT_DEPTH = 4
_UNLIMITED = 1 << 62
_WIN, _DECIDED = int(WIN), int(WIN) // 2
# Seconds, nearly always, from the flag that ends a search to its answer.
_TO_END = 0.0007


class Evaluation(NamedTuple):
    """The evaluators of an engine.

    evaluators: for compiled code, playing for side 0 and for side 1. unit: divisor of their integers. scale:
    returns the value, in these units, with an expected score of 0.73; None if 1 is a win and −1 a loss.
    boards: [1] int64, boards evaluated by a convolutional network; None for other evaluators.
    """

    evaluators: tuple[Any, Any]
    unit: float
    scale: Callable[[], float] | None
    boards: Any = None


class AlphaBetaEngine(Engine):
    """A search at one game; its table and buffers last as long as the game.

    Table entries from earlier moves save nodes and change no value: see `search.transposition`.
    """

    searches_every_depth = False
    """Whether it deepens iteratively even if nothing can end it early."""

    def __init__(self, game: Game, evaluation: Evaluation, limits: Limits, *, work: Any = None) -> None:
        self.limits = limits
        self._game, self._evaluation = game, evaluation
        self._work: Any = new_workspace(game, table_bits=TABLE_BITS) if work is None else work
        self._first_side: int | None = None
        # Of the current analysis: its side, start time, nodes before it, and what may end it early.
        self._side, self._begin, self._nodes_before = 0, 0.0, 0
        self._deadline: float | None = None
        self._stop: Stop | None = None

    def analyse(
        self,
        position: Any,
        *,
        limits: Limits | None = None,
        stop: Stop | None = None,
        progress: Progress | None = None,
        every_value: bool = False,
        line: bool = True,
        **_: Any,
    ) -> Analysis:
        """Deepen iteratively, or search one depth if nothing may end it early; see `engine.Engine`.

        An unfinished depth counts if it found a better move than the last finished one.
        """
        moves, limits = require_moves(self._game, position), limits or self.limits
        if limits == Limits() and stop is None:
            raise InputError("a search needs a depth or a time")
        self._begin_analysis(position, limits, stop)
        # Unless a limit may end the search at any time, no earlier answer is needed.
        may_be_cut = any(limit is not None for limit in (limits.nodes, limits.time_ms, stop))
        is_open = self.searches_every_depth or may_be_cut
        found: Analysis | None = None
        for depth in range(1 if is_open else limits.depth or 1, (limits.depth or MAX_DEPTH) + 1):
            # The first depth is always finished, so that there is a move.
            ranked = None if found is None else [move.value for move in found.moves]
            if not self._search(position, depth, ranked, every_value=every_value, may_end_early=depth > 1):
                # If every move needs its exact value, values of two depths must not be mixed.
                found = found if found is None or every_value else self._improved(found, moves)
                break
            found = self._found(moves, depth, is_exact=every_value)
            if progress is not None:
                found = self._with_line(found, moves)
                progress(found)
            # A proven result stays proven: deeper searches are not worth their time.
            if is_open and (found.plies_to_end is not None or found.nodes >= (limits.nodes or _UNLIMITED)):
                break
        assert found is not None
        if line and progress is None:
            found = self._with_line(found, moves)
        return replace(found, seconds=time.perf_counter() - self._begin)

    def _begin_analysis(self, position: Any, limits: Limits, stop: Stop | None) -> None:
        self._begin, self._nodes_before = time.perf_counter(), int(self._work.counters[NODES])
        self._deadline = None if limits.time_ms is None else self._begin + limits.time_ms / 1000 - _TO_END
        self._stop = stop
        self._side = int(position.turn)
        if self._first_side is None:
            self._first_side = self._side
        if self._evaluation.boards is not None:
            self._evaluation.boards[0] = 0

    def expected_score(self, analysis: Analysis) -> float | None:
        """Return the expected score of the side to move."""
        if self._evaluation.scale is None:
            return analysis.value
        return score_of(analysis.value, self._evaluation.scale())

    def _search(
        self,
        position: Any,
        depth: int,
        ranked: list[float] | None = None,
        *,
        every_value: bool = False,
        may_end_early: bool = True,
    ) -> bool:
        """Search to a depth; return whether the search finished. Values are left in work.root.

        ranked: values of the moves at a lesser depth, which order them; None if unknown.
        """
        # The whole analysis evaluates for the side to move at its root; each side has its own table entries.
        evaluator = self._evaluation.evaluators[self._side]
        owner = np.int64(1 if self._side == self._first_side else 2)
        search = search_moves
        if ranked is not None:
            search, values = search_deeper, np.array(ranked)
            self._work.order[: len(values)] = np.argsort(-values, kind="stable")
        _, was_done = run_until(
            lambda: search(evaluator, self._work, position, np.int64(depth), owner, every_value),
            self._work.counters,
            STOP,
            deadline=self._deadline if may_end_early else None,
            stop=self._stop if may_end_early else None,
            is_short=depth <= _SHORT_DEPTH,
        )
        return was_done

    def _found(self, moves: list[Move], depth: int, *, is_exact: bool) -> Analysis:
        """Return the analysis of the search of these moves that has just finished."""
        values = self._work.root[: len(moves)].tolist()
        best, shown = max(values), [self._shown(value) for value in values]
        best_moves = tuple(move.text for move, value in zip(moves, values, strict=True) if value == best)
        is_score = self._evaluation.scale is None
        seconds = time.perf_counter() - self._begin
        return Analysis(
            moves=tuple(
                MoveAnalysis(move.text, value, low=value, high=value)
                for move, value in zip(moves, shown, strict=True)
            ),
            best_moves=best_moves,
            pv=best_moves[:1],
            value=max(shown),
            is_score=is_score,
            is_exact=is_exact,
            depth=depth,
            nodes=int(self._work.counters[NODES]) - self._nodes_before,
            seconds=seconds,
            figures={} if self._evaluation.boards is None else self._figures(best, depth, seconds),
        )

    def _improved(self, found: Analysis, moves: list[Move]) -> Analysis:
        """Return the last finished analysis, improved by a better move that an unfinished depth has found.

        The best move is tried first; a move that beats it has its exact value, and moves not reached keep
        theirs of the depth before.
        """
        finished = self._work.order[: int(self._work.counters[FINISHED])].tolist()
        values = {number: int(self._work.root[number]) for number in finished}
        best = max(values.values(), default=-_WIN)
        if not finished or best == values[finished[0]]:
            return found
        best_moves = tuple(moves[number].text for number in sorted(values) if values[number] == best)
        known = list(found.moves)
        for number, value in values.items():
            shown = self._shown(value)
            known[number] = MoveAnalysis(moves[number].text, shown, low=shown, high=shown)
        return replace(
            found,
            moves=tuple(known),
            best_moves=best_moves,
            pv=best_moves[:1],
            value=self._shown(best),
            nodes=int(self._work.counters[NODES]) - self._nodes_before,
        )

    def _figures(self, best: int, depth: int, seconds: float) -> dict[str, float | int]:
        """Return the figures of a search with a convolutional network."""
        boards = int(self._evaluation.boards[0])
        found = {"boards": boards, "boards_per_second": boards / max(seconds, 1e-9), "depth": depth}
        return {**found, "proven_plies": _WIN - abs(best)} if abs(best) > _DECIDED else found

    def _shown(self, value: int) -> float:
        """Return a value in the units of the analysis."""
        if self._evaluation.scale is None:
            return 0.5 * (1.0 + max(-1.0, min(1.0, value / self._evaluation.unit)))
        if abs(value) > _DECIDED:
            return math.copysign(WIN_VALUE - (_WIN - abs(value)), value)
        return value / self._evaluation.unit

    def _with_line(self, found: Analysis, moves: list[Move]) -> Analysis:
        """Follow the best moves; the table still holds most of them, so this costs little."""
        here = next(move for move in moves if move.text == found.best_moves[0])
        line = [here.text]
        for depth in range(found.depth - 1, 0, -1):
            moves = self._game.legal_moves(here.after)
            # The line is optional: it takes no time beyond the deadline.
            is_late = self._deadline is not None and self._deadline <= time.perf_counter()
            if not moves or is_late or not self._search(here.after, depth):
                break
            values = self._work.root[: len(moves)].tolist()
            here = moves[values.index(max(values))]
            line.append(here.text)
        nodes = int(self._work.counters[NODES]) - self._nodes_before
        return replace(found, pv=tuple(line), nodes=nodes)
