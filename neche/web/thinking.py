"""One thought of a player, in a thread of its own: heard while it goes on, ended at any moment."""

import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import joblib
import numpy as np

from neche.arena.threads import PromptThreads
from neche.compiled.streams import stream
from neche.errors import InputError
from neche.games.catalogue import Game
from neche.montecarlo.thinking import LimitedSeat, Limits, Seat, Thought, growing_counts
from neche.players.choice import choose_move
from neche.search.analysis import SearchResult, search_position
from neche.search.stopping import Stop
from neche.web.activations import usual_size, value_words
from neche.web.opponents import Opponent

MOST_SECONDS = 60.0
"""A player that is not done by then says what it has found."""
_FIRST_TOLD = 256


class Question(NamedTuple):
    """What is to be judged. seed, number: of the draws. seat: of a player who remembers its game."""

    game: Game
    position: Any
    opponent: Opponent
    seed: int
    number: int
    seat: Seat | None
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
        self._room, self._finish, self._after = room, finish, after
        self._stop = Stop()
        self._begin = time.perf_counter()
        self._end: float | None = None
        self._status, self._error = "waiting", ""
        self._shown: dict[str, Any] = {}
        self.is_dropped = False
        self._thread = threading.Thread(target=self._run, daemon=True, name="neche thought")
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Tell whether the answer is still to come."""
        return self._end is None

    def stop(self, *, is_dropped: bool) -> None:
        """Ask for an early end; does not wait. is_dropped: nobody wants the answer any more."""
        self.is_dropped = self.is_dropped or is_dropped
        self._stop.request()

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the end."""
        self._thread.join(seconds)

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

    def _run(self) -> None:
        try:
            if self._after is not None:
                self._after.wait()
                self._after = None
            with self._room:
                if not self.is_dropped:
                    self._status = "thinking"
                    answer = self._answer()
                    self._shown = answer.shown
                    self._finish(self, answer)
            self._status = "dropped" if self.is_dropped else "done"
        except InputError as fault:
            self._status, self._error = "failed", str(fault)
        except Exception as fault:  # the server lives on, whatever a player does
            self._status, self._error = "failed", f"{type(fault).__name__}: {fault}"
        finally:
            self._end = time.perf_counter()

    def _answer(self) -> Answer:
        question = self.question
        player = question.opponent.player
        draw = stream(question.seed, 0, "serve", question.number)
        if player.network is not None:
            return self._search(draw)
        if isinstance(question.seat, LimitedSeat):
            return self._think(question.seat, draw)
        # Workers in other processes would outlive the server.
        with joblib.parallel_config(backend=PromptThreads(), n_jobs=1):
            choice = choose_move(player, question.game, question.position, draw, seat=question.seat)
        shown = {} if choice.thought is None else of_thought(choice.thought)
        return Answer(choice.move.text, shown)

    def _search(self, draw: np.random.Generator) -> Answer:
        question, player = self.question, self.question.opponent.player
        assert player.network is not None
        size = usual_size(player.network, question.game)
        # The time of a thought does not run while its code is compiled.
        search_position(question.game, question.position, player.network, depth=1)

        def notify(result: SearchResult) -> None:
            self._shown = of_search(result, size, is_exact=not question.is_move)

        result = search_position(
            question.game,
            question.position,
            player.network,
            depth=player.depth,
            time_ms=int(1000 * MOST_SECONDS) if player.time_ms is None else player.time_ms,
            every_value=not question.is_move,
            stop=self._stop,
            notify=notify,
        )
        move = result.best_moves[draw.integers(len(result.best_moves))]
        return Answer(move, of_search(result, size, is_exact=not question.is_move))

    def _think(self, seat: LimitedSeat, draw: np.random.Generator) -> Answer:
        most = int(1000 * MOST_SECONDS)
        own = seat.limits
        # As in a search: what comes first compiles.
        seat.think_within(self.question.position, 0, Limits(1))
        limits = Limits(
            own.playouts,
            min(own.time_ms or most, most),
            self._stop,
            tell=lambda thought: self._shown.update(of_thought(thought)),
            tell_at=growing_counts(_FIRST_TOLD),
        )
        thought = seat.think_within(self.question.position, int(draw.integers(1 << 63)), limits)
        move = thought.best[draw.integers(len(thought.best))]
        return Answer(move, of_thought(thought))


def of_search(result: SearchResult, size: float, *, is_exact: bool) -> dict[str, Any]:
    """Return what is shown of a search.

    size: a value that is usual for this network. is_exact: the values of all moves are known, not the best
    alone.
    """
    ordered = sorted(result.move_values.items(), key=lambda item: -item[1])
    if not is_exact:
        ordered = [item for item in ordered if item[0] in result.best_moves]
    chance = 1 / (1 + np.exp(-np.clip(result.value / size, -30, 30)))
    return {
        "value": result.value,
        "words": value_words(result.value),
        "chance": round(float(chance), 4),
        "pv": list(result.pv),
        "depth": result.depth,
        "nodes": result.nodes,
        "moves": [{"move": move, "words": value_words(value)} for move, value in ordered],
    }


def of_thought(thought: Thought) -> dict[str, Any]:
    """Return what is shown of a thought: the table of its moves, the most visited first."""
    ordered = sorted(thought.moves, key=lambda move: (move.text not in thought.best, -move.visits))
    rate = thought.playouts / thought.seconds if thought.seconds > 0 else 0.0
    return {
        "value": thought.value,
        "words": f"{thought.value:.3f}",
        "chance": round(float(thought.value), 4),
        "pv": list(thought.pv),
        "playouts": thought.playouts,
        "rate": round(rate),
        "moves": [
            {"move": move.text, "words": f"{move.value:.3f}", "visits": move.visits, "value": move.value}
            for move in ordered
        ],
    }
