"""One thought of a player, in a thread of its own: heard while it goes on, ended at any moment."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import joblib

from neche.arena.threads import PromptThreads
from neche.compiled.streams import stream
from neche.errors import InputError
from neche.games.catalogue import Game
from neche.players.background import Background
from neche.players.engine import Analysis, Engine, Limits, Stop
from neche.web.activations import value_words
from neche.web.opponents import Opponent

MOST_MS = 60_000
"""A player that is not done by then says what it has found."""


class Question(NamedTuple):
    """What is to be judged. seed, number: of the draws. engine: of the player at this game."""

    game: Game
    position: Any
    opponent: Opponent
    seed: int
    number: int
    engine: Engine
    is_move: bool


class Answer(NamedTuple):
    """What came of it: the move to be played, and all that is shown of it."""

    move: str
    shown: dict[str, Any]


class Thinking:
    """A running thought. finish: hears its answer in the thread of the thought, before it counts as ended.

    room: held while it computes; more thoughts than it admits wait. after: one of the same seat, which must
    have ended first.
    """

    def __init__(
        self,
        question: Question,
        *,
        room: threading.Semaphore,
        finish: Callable[["Thinking", Answer], None],
        after: "Thinking | None" = None,
    ) -> None:
        self.question = question
        self._room, self._finish = room, finish
        self._begin = time.perf_counter()
        self._end: float | None = None
        self._status, self._error = "waiting", ""
        self._shown: dict[str, Any] = {}
        self.is_dropped = False
        self._search: Background[None] = Background(self._run, after=None if after is None else after._search)

    @property
    def is_running(self) -> bool:
        """Tell whether the answer is still to come."""
        return self._end is None

    def stop(self, *, is_dropped: bool) -> None:
        """Ask for an early end; does not wait. is_dropped: nobody wants the answer any more."""
        self.is_dropped = self.is_dropped or is_dropped
        self._search.stop.request()

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the end."""
        self._search.wait(seconds)

    def shown(self) -> dict[str, Any]:
        """Return what is to be seen of it now."""
        end = self._end or time.perf_counter()
        return {
            "status": self._status,
            "error": self._error,
            "player": self.question.opponent.label,
            "isMove": self.question.is_move,
            "side": int(self.question.position.turn),
            "seconds": round(end - self._begin, 1),
            **self._shown,
        }

    def _run(self, stop: Stop) -> None:
        try:
            with self._room:
                if not self.is_dropped:
                    self._status = "thinking"
                    answer = self._answer(stop)
                    self._shown = answer.shown
                    self._finish(self, answer)
            self._status = "dropped" if self.is_dropped else "done"
        except InputError as fault:
            self._status, self._error = "failed", str(fault)
        except Exception as fault:  # the server lives on, whatever a player does
            self._status, self._error = "failed", f"{type(fault).__name__}: {fault}"
        finally:
            self._end = time.perf_counter()

    def _answer(self, stop: Stop) -> Answer:
        question = self.question
        player, engine = question.opponent.player, question.engine
        draw = stream(question.seed, 0, "serve", question.number)
        key = int(draw.integers(1 << 63)) if player.needs_key else 0
        limits = engine.limits
        if player.is_stoppable:
            # Its time does not run while its code is compiled, which the first analysis does.
            first = engine.analyse(question.position, limits=Limits(depth=1, nodes=1))
            engine.expected_score(first)
            limits = replace(limits, time_ms=min(limits.time_ms or MOST_MS, MOST_MS))

        def hear(found: Analysis) -> None:
            self._shown = shown_analysis(found, engine.expected_score(found))

        # Workers in other processes would outlive the server.
        with joblib.parallel_config(backend=PromptThreads(), n_jobs=1):
            found = engine.analyse(
                question.position,
                key=key,
                limits=limits,
                stop=stop,
                progress=hear,
                every_value=not question.is_move,
            )
        move = found.best_moves[draw.integers(len(found.best_moves))]
        return Answer(move, shown_analysis(found, engine.expected_score(found)))


def shown_analysis(found: Analysis, score: float | None) -> dict[str, Any]:
    """Return what is shown of an analysis: its figures, and the moves whose values are known, best first.

    score: that the side to move expects.
    """
    if not found.is_judged:
        return {}
    shown = {
        "value": found.value,
        "words": _words(found, found.value),
        "chance": round(score or 0.0, 4),
        "pv": list(found.pv),
    }
    moves = [move for move in found.ranked() if found.is_exact or move.text in found.best_moves]
    if not found.is_score:
        listed = [{"move": move.text, "words": _words(found, move.value)} for move in moves]
        return {**shown, "depth": found.depth, "nodes": found.nodes, "moves": listed}
    rate = found.playouts / found.seconds if found.seconds > 0 else 0.0
    return {
        **shown,
        "playouts": found.playouts,
        "rate": round(rate),
        "moves": [
            {
                "move": move.text,
                "words": _words(found, move.value),
                "visits": move.visits,
                "value": move.value,
            }
            for move in moves
        ],
    }


def _words(found: Analysis, value: float) -> str:
    return f"{value:.3f}" if found.is_score else value_words(value)
