"""An analysis that runs in the background for a browser, which can watch it and end it at any moment."""

import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import InitVar, dataclass, replace
from typing import Any

import joblib
import numpy as np

from neche.compiled.batches import PromptThreads
from neche.errors import InputError, fault_of_others
from neche.games.game import Game, geometry_of
from neche.players.background import Background
from neche.players.engine import Analysis, Engine, Limits, MoveAnalysis, Stop
from neche.players.tree_analysis import growing_counts
from neche.protocols.clock import Budget
from neche.report.value_words import PROVEN, in_words, man_worth, words_ahead
from neche.web.opponents import Opponent

MOST_SECONDS = 60.0
"""After this time a player answers with what it has found."""
_COMPILING_MS = 250
"""Time limit, besides compilation, of a search of two plies before a player's own time runs."""
_FIRST_PROGRESS = 256
_MOST_ARROWS = 3


@dataclass(eq=False)
class RunningAnalysis:
    """An analysis of a position by an opponent's engine in the background, running or ended.

    positions: of the game, up to the one analysed. draw: random generator. is_move: the player also moves.
    room: held while it computes; further analyses wait until it is free. finish: called with the move in the
    thread of the analysis, before it counts as ended. allow: called before the time of the move begins,
    returns its time budget; None without a clock. after: an analysis of the same engine, which must end
    first.
    """

    opponent: Opponent
    engine: Engine
    game: Game
    positions: Sequence[Any]
    draw: np.random.Generator
    room: threading.Semaphore
    is_move: bool = False
    finish: Callable[["RunningAnalysis", str], None] = lambda analysis, move: None
    allow: Callable[["RunningAnalysis"], Budget | None] = lambda analysis: None
    after: InitVar["RunningAnalysis | None"] = None

    def __post_init__(self, after: "RunningAnalysis | None") -> None:
        self._position, self.ply = self.positions[-1], len(self.positions) - 1
        self._begin, self._end = time.perf_counter(), 0.0
        self._status, self._error, self.is_dropped = "waiting", "", False
        self._shown: dict[str, Any] = {}
        previous = None if after is None else after._background
        self._background: Background[None] = Background(self._run, after=previous)

    def stop(self, *, is_dropped: bool) -> None:
        """Request an early end, without waiting. is_dropped: the result is no longer wanted."""
        self.is_dropped = self.is_dropped or is_dropped
        self._background.stop.request()

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the end."""
        self._background.wait(seconds)

    @property
    def first_score(self) -> float | None:
        """The expected score of side 0, None if nothing is found yet or the player gives no evaluation."""
        chance: float | None = self._shown.get("chance")
        return chance if chance is None or self._position.turn == 0 else 1 - chance

    def shown(self) -> dict[str, Any]:
        """Return what the page shows of the analysis now."""
        end = self._end or time.perf_counter()
        return {
            "status": self._status,
            "error": self._error,
            "player": self.opponent.label,
            "isMove": self.is_move,
            "ply": self.ply,
            "side": int(self._position.turn),
            "seconds": round(end - self._begin, 1),
            **self._shown,
        }

    def _run(self, stop: Stop) -> None:
        try:
            # The number of analyses at once is limited to the number of cores, or two.
            with self.room:
                # It may have been dropped while it waited for room.
                if not self.is_dropped:
                    self._status = "thinking"
                    self.finish(self, self._analyse(stop))
            self._status = "dropped" if self.is_dropped else "done"
        except InputError as fault:
            self._status, self._error = "failed", str(fault)
        except Exception as fault:  # the server survives any fault of a player
            said = fault_of_others(fault) or f"{type(fault).__name__}: {fault}"
            self._status, self._error = "failed", said
        finally:
            self._end = time.perf_counter()
            # Break reference cycles: a forgotten game is freed at once, with the tables of its engine.
            del self.engine, self.finish, self.allow

    def _analyse(self, stop: Stop) -> str:
        """Analyse the position and show what is found; return the move to be played."""
        engine, player, draw = self.engine, self.opponent.player, self.draw
        budget, begin = Budget(math.inf, math.inf), 0.0
        man = man_worth(player, self.game)

        def show(analysis: Analysis) -> None:
            self._shown = shown_analysis(analysis, engine, self.game, int(self._position.turn), man)
            if budget.is_spent(time.perf_counter() - begin, analysis.seconds):
                stop.request()

        engine.follow(self.positions[:-1])
        if player.is_stoppable:
            # The time does not run while code is compiled, nor while the scale of values is measured.
            first, own = Limits(1, nodes=1, time_ms=1), self.opponent.limits
            engine.expected_score(engine.analyse(self._position, limits=first))
            if own is not None:
                # Exercise all that will be used, without solving endings before the time runs: code for lines
                # of several plies is compiled at the second ply, even when started late.
                second = replace(own, depth=min(own.depth or 2, 2), time_ms=_COMPILING_MS)
                engine.analyse(self._position, limits=second, stop=stop, every_value=not self.is_move)
        budget, begin, limits = self.allow(self) or budget, time.perf_counter(), None
        if player.is_stoppable:
            # Every analysis gets a deadline, even if it has none of its own: a closed page does not request
            # a stop.
            limits = self.opponent.limits or engine.limits
            most = max(1, int(1000 * (MOST_SECONDS if budget.hard == math.inf else budget.hard)))
            limits = replace(limits, time_ms=min(limits.time_ms or most, most))
        # Workers in other processes would outlive the server.
        with joblib.parallel_config(backend=PromptThreads(), n_jobs=1):
            analysis = engine.analyse(
                self._position,
                key=int(draw.integers(1 << 63)) if player.needs_key else 0,
                limits=limits,
                stop=stop,
                progress=show,
                progress_at=growing_counts(_FIRST_PROGRESS),
                every_value=not self.is_move,
            )
        show(analysis)
        return analysis.best_moves[draw.integers(len(analysis.best_moves))]


def shown_analysis(
    analysis: Analysis, engine: Engine, game: Game, side: int, man: float | None
) -> dict[str, Any]:
    """Return what a page shows of an analysis: values in men, or expected scores if `man` is None.

    side: to move. man: see `man_worth`.
    """
    chance = engine.expected_score(analysis)
    if chance is None:
        return {}

    def words(value: float) -> str:
        score = engine.expected_score(replace(analysis, value=value))
        return in_words(value, score or 0.0, None if analysis.is_score else man, is_score=analysis.is_score)

    effort = {"depth": analysis.depth, "nodes": analysis.nodes}
    if analysis.is_score:
        rate = analysis.playouts / analysis.seconds if analysis.seconds > 0 else 0.0
        effort = {"playouts": analysis.playouts, "rate": round(rate)}
    return {
        "ahead": words_ahead(analysis, chance, game, side, man),
        "value": analysis.value,
        "words": words(analysis.value) + PROVEN.get(analysis.proven, ""),
        "unit": "Men ahead" if man else "Expected score",
        "chance": round(chance, 4),
        "pv": list(analysis.pv),
        "arrows": [geometry_of(game).squares_of(move) for move in analysis.pv[:_MOST_ARROWS]],
        "moves": [
            _shown_move(move, words(move.value))
            for move in analysis.ranked()
            # For the other moves only a bound of the value is known.
            if analysis.is_exact or move.text in analysis.best_moves
        ],
        **effort,
    }


def _shown_move(move: MoveAnalysis, words: str) -> dict[str, Any]:
    shown = {"move": move.text, "words": words}
    return shown if not move.visits else {**shown, "visits": move.visits, "value": move.value}
