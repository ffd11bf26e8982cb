"""An analysis that runs in the background for a browser: watched while it runs, ended at any moment."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import joblib
import numpy as np

from neche.compiled.batches import PromptThreads
from neche.errors import InputError
from neche.players.background import Background
from neche.players.engine import Analysis, Engine, Limits, MoveAnalysis, Stop, plies_to_end
from neche.players.tree_analysis import growing_counts
from neche.web.opponents import Opponent

MOST_SECONDS = 60.0
"""A player that has not finished by then answers with what it has found."""
PROVEN: dict[int | None, str] = {1: " · win, proven", 0: " · draw, proven", -1: " · loss, proven"}
"""What the page adds where solved endings tell, by `Analysis.proven`."""
_FIRST_PROGRESS = 256


class RunningAnalysis:
    """An analysis of a position by an opponent's engine in the background, also when it has ended.

    draw: of random numbers. is_move: the player also moves. finish: called with the move in the thread of the
    analysis, before it counts as ended. room: held while it computes; further analyses wait until it is free.
    after: one of the same engine, which must have ended first.
    """

    def __init__(
        self,
        opponent: Opponent,
        engine: Engine,
        position: Any,
        draw: np.random.Generator,
        *,
        is_move: bool,
        room: threading.Semaphore,
        finish: Callable[["RunningAnalysis", str], None],
        after: "RunningAnalysis | None" = None,
    ) -> None:
        self._opponent, self._engine, self._position, self._draw = opponent, engine, position, draw
        self.is_move = is_move
        self._room, self._finish = room, finish
        self._begin = time.perf_counter()
        self._end: float | None = None
        self._status, self._error = "waiting", ""
        self._shown: dict[str, Any] = {}
        self.is_dropped = False
        previous = None if after is None else after._background
        self._background: Background[None] = Background(self._run, after=previous)

    def stop(self, *, is_dropped: bool) -> None:
        """Ask for an early end; does not wait. is_dropped: the result is not wanted any more."""
        self.is_dropped = self.is_dropped or is_dropped
        self._background.stop.request()

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the end."""
        self._background.wait(seconds)

    def shown(self) -> dict[str, Any]:
        """Return what the page shows of it now."""
        end = self._end or time.perf_counter()
        return {
            "status": self._status,
            "error": self._error,
            "player": self._opponent.label,
            "isMove": self.is_move,
            "side": int(self._position.turn),
            "seconds": round(end - self._begin, 1),
            **self._shown,
        }

    def _run(self, stop: Stop) -> None:
        try:
            # At most as many compute at once as there are cores.
            with self._room:
                # It may have been dropped while it waited for room.
                if not self.is_dropped:
                    self._status = "thinking"
                    self._finish(self, self._analyse(stop))
            self._status = "dropped" if self.is_dropped else "done"
        except InputError as fault:
            self._status, self._error = "failed", str(fault)
        except Exception as fault:  # the server lives on, whatever a player does
            self._status, self._error = "failed", f"{type(fault).__name__}: {fault}"
        finally:
            self._end = time.perf_counter()

    def _analyse(self, stop: Stop) -> str:
        """Analyse the position and show what is found; return the move to be played."""
        engine, player, draw = self._engine, self._opponent.player, self._draw

        def show(analysis: Analysis) -> None:
            self._shown = shown_analysis(analysis, engine.expected_score(analysis))

        limits = None
        if player.is_stoppable:
            # A deadline for every analysis, also without one of its own: a closed page does not ask for a
            # stop.
            most = int(1000 * MOST_SECONDS)
            limits = replace(engine.limits, time_ms=min(engine.limits.time_ms or most, most))
            # The time does not run while the code is compiled.
            engine.analyse(self._position, limits=Limits(depth=1, nodes=1))
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


def shown_analysis(analysis: Analysis, chance: float | None) -> dict[str, Any]:
    """Return what a page shows of an analysis; chance: the expected score, for the evaluation bar."""
    if analysis.value is None or chance is None:
        return {}
    effort = {"depth": analysis.depth, "nodes": analysis.nodes}
    if analysis.is_score:
        rate = analysis.playouts / analysis.seconds if analysis.seconds > 0 else 0.0
        effort = {"playouts": analysis.playouts, "rate": round(rate)}
    return {
        "value": analysis.value,
        "words": value_words(analysis.value, is_score=analysis.is_score) + PROVEN.get(analysis.proven, ""),
        "chance": round(chance, 4),
        "pv": list(analysis.pv),
        "moves": [
            _shown_move(move, is_score=analysis.is_score)
            for move in analysis.ranked()
            # Of the other moves only a bound of the value is known.
            if analysis.is_exact or move.text in analysis.best_moves
        ],
        **effort,
    }


def _shown_move(move: MoveAnalysis, *, is_score: bool) -> dict[str, Any]:
    shown = {"move": move.text, "words": value_words(move.value, is_score=is_score)}
    return shown if move.visits is None else {**shown, "visits": move.visits, "value": move.value}


def value_words(value: float, *, is_score: bool = False) -> str:
    """Write a value for people.

    >>> value_words(0.25), value_words(4 - 1e12), value_words(0.25, is_score=True)
    ('+0.25', 'loses in 4', '0.250')
    """
    if is_score:
        return f"{value:.3f}"
    plies = plies_to_end(value)
    if plies is not None:
        return f"{'wins' if value > 0 else 'loses'} in {plies}"
    return f"{value:+.2f}".replace("-", "−")
