"""The engine behind a protocol: a player whose searches run in the background.

`ProtocolEngine` is a player of one game; `EngineSearch` is one of its analyses under a time budget, while
another thread keeps listening to the interface.
"""

import math
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import KW_ONLY, InitVar, dataclass, field, replace
from typing import Any

from neche.compiled.streams import stream, stream_key
from neche.errors import InputError
from neche.games.game import Game
from neche.players.background import Background
from neche.players.engine import Analysis, Limits, Progress, Stop, plies_to_end
from neche.players.spec import parse_player
from neche.protocols.clock import Budget

DEFAULT_MEMORY_MB = 512
WIN_SCORE = 100.0
"""Score of a win, minus a hundredth for each ply until then, as in Scan."""
_MOST_MEN, _MOST_LOG_ODDS = 80.0, 10.0
_FIRST_PLAYOUTS, _LONG_SECONDS = 2048, 0.4
_LIMIT = re.compile(r"[:,](depth|playouts|nodes|time)=(\d+)(?=,|$)")


class ProtocolEngine:
    """A player of one game, with its memory of that game. Only one thread at a time may use it.

    player: a specification; empty: the game's default. seed: of all draws. memory_mb: limit for a tree. Each
    search has its own limits, besides those of the specification.

    seconds_a_move: longest time for a move in the specification; None: no limit. search: the newest one, even
    if ended. The attribute `player` is the player as it searches under a clock. InputError if the player is
    unknown, cannot play this game, or cannot be stopped while it searches.
    """

    def __init__(
        self, game: Game, player: str = "", *, seed: int = 0, memory_mb: int = DEFAULT_MEMORY_MB
    ) -> None:
        specification = player or game.champion
        self.game, self._seed, self._memory_mb = game, seed, memory_mb
        self.player = parse_player(specification, game.name)
        self.player.require_board(game)
        if not self.player.is_stoppable:
            raise InputError(
                f"player {self.player.name} cannot be stopped while it thinks; an engine searches, or is uct"
            )
        # Default limits are not meant for games with a clock: only limits that a specification names count.
        self._own = named_limits(specification)
        # Without its own depth, the player must be able to move whenever the clock demands.
        if self._own.depth is None:
            self.player = self.player.for_clock()
        self.seconds_a_move = self._own.time_ms and self._own.time_ms / 1000
        self.search: EngineSearch | None = None
        self._num_analyses = 0
        self.new_game()

    def new_game(self) -> None:
        """Forget all positions: the next one belongs to another game."""
        self._engine = self.player.new_game(self.game, memory_mb=self._memory_mb)

    def warm_up(self) -> None:
        """Compile everything the player needs before any clock runs."""
        start = self.game.start()
        self.analyse(start, Limits(depth=2, nodes=64), Stop(), past=(start,))
        self.new_game()

    def analyse(
        self,
        position: Any,
        limits: Limits,
        stop: Stop,
        progress: Progress | None = None,
        past: Sequence[Any] = (),
        *,
        every_value: bool = False,
    ) -> Analysis:
        """Analyse a position until a limit, a stop or a proven result; pv begins with the move to play.

        past: earlier positions of the game. every_value: evaluate every move, not only the best.
        """
        self._num_analyses += 1
        self._engine.follow(past)
        analysis = self._engine.analyse(
            position,
            key=stream_key(self._seed, self._num_analyses, "engine: thought"),
            limits=stricter(limits, self._own),
            stop=stop,
            progress=progress,
            progress_at=_growing_while_short(),
            every_value=every_value,
        )
        draw = stream(self._seed, self._num_analyses, "engine: choice")
        move = analysis.best_moves[int(draw.integers(len(analysis.best_moves)))]
        return analysis if move == analysis.pv[0] else replace(analysis, pv=(move,))

    def make_room(self, position: Any, move: str) -> None:
        """After this move: free memory now rather than when the clock runs again."""
        after = next(legal.after for legal in self.game.legal_moves(position) if legal.text == move)
        self._engine.make_room(after)

    def abandon_search(self) -> None:
        """Stop the running search, if any; it reports nothing any more."""
        if self.search is not None:
            self.search.abandon()

    def close(self) -> None:
        """Abandon the search and wait until it has ended."""
        self.abandon_search()
        if self.search is not None:
            self.search.wait()


def named_limits(specification: str) -> Limits:
    """Return the limits that a specification names, without defaults."""
    own = {key: int(number) for key, number in _LIMIT.findall(specification)}
    return Limits(own.get("depth"), own.get("playouts", own.get("nodes")), own.get("time"))


def stricter(first: Limits, second: Limits) -> Limits:
    """Return the smaller limits of depth and nodes."""
    depths, nodes = (first.depth, second.depth), (first.nodes, second.nodes)
    return Limits(min(filter(None, depths), default=None), min(filter(None, nodes), default=None))


def _growing_while_short() -> Iterator[int]:
    """Yield the numbers of playouts at which a tree reports; the step doubles until one takes long."""
    done, size = 0, _FIRST_PLAYOUTS
    while True:
        begin = time.perf_counter()
        done += size
        yield done
        if time.perf_counter() - begin < _LONG_SECONDS:
            size *= 2


def protocol_score(value: float, analysis: Analysis) -> float:
    """Return a value of an analysis as protocols send it, in men for the side to move.

    Weight units count as men; an expected score becomes its log-odds, so that 0.73 is a man. A proven win is
    `WIN_SCORE` minus a hundredth for each ply.
    """
    plies, lead = plies_to_end(value), value
    if analysis.is_score:
        plies, lead = analysis.plies_to_end if value == analysis.value != 0.5 else None, value - 0.5
    if plies is not None:
        return math.copysign(WIN_SCORE - min(plies, 1000) / 100, lead)
    if not analysis.is_score:
        return max(-_MOST_MEN, min(_MOST_MEN, value))
    # Log-odds of 0 or 1 would be infinite.
    bounded = min(max(value, 1e-9), 1 - 1e-9)
    return max(-_MOST_LOG_ODDS, min(_MOST_LOG_ODDS, math.log(bounded / (1 - bounded))))


@dataclass(eq=False)
class EngineSearch:
    """A search in its own thread, which starts when the engine's previous search has ended.

    position: must have a legal move. limits: depth and nodes. budget: time, counted from `begin`, a reading
    of `time.perf_counter`; None: no limit. past: earlier positions of the game. is_new_game: whether the
    engine's memory is of another game. makes_room: whether the engine plays its move, so that all that does
    not follow from it may be forgotten. every_value: compute the value of every move, not only of the best.

    finish: receives the analysis, also that of a stopped search, and the seconds since `begin`.
    fail: receives a message instead if the search fails. progress: receives intermediate results, at most
    once in `every` seconds. All are called in the thread of the search, with `lock` held, and never after the
    search was abandoned.
    """

    engine: ProtocolEngine
    position: Any
    limits: Limits
    budget: InitVar[Budget | None] = None
    _: KW_ONLY
    begin: float = 0.0
    past: Sequence[Any] = ()
    is_new_game: bool = False
    makes_room: bool = False
    every_value: bool = False
    finish: Callable[[Analysis, float], None]
    fail: Callable[[str], None]
    progress: Progress | None = None
    every: float = 0.0
    lock: AbstractContextManager[object] = field(default_factory=threading.RLock)

    def __post_init__(self, budget: Budget | None) -> None:
        self._last_progress, self._is_abandoned = time.perf_counter(), False
        self.begin = self.begin or time.perf_counter()
        self._budget = budget or Budget(math.inf, math.inf)
        previous = None if self.engine.search is None else self.engine.search._background
        self.engine.search = self
        self._background: Background[None] = Background(self._run, after=previous)
        if budget is not None:
            self.start_clock(budget, self.begin)

    @property
    def is_stopping(self) -> bool:
        """Whether it was asked to stop or its time is up."""
        return self._background.stop.is_requested

    def start_clock(self, budget: Budget, begin: float) -> None:
        """Give the search a new budget, counted from `begin`."""
        self.begin, self._budget = begin, budget
        self._background.stop_at(begin + budget.hard)

    def stop(self) -> None:
        """Request the analysis now, without waiting for it."""
        self._background.stop.request()

    def abandon(self) -> None:
        """Stop; the search reports nothing any more."""
        with self.lock:
            self._is_abandoned = True
        self.stop()

    def wait(self) -> None:
        """Wait until the search and its callbacks have ended."""
        self._background.wait()

    def _run(self, stop: Stop) -> None:
        def hear(analysis: Analysis) -> None:
            now = time.perf_counter()
            if self._budget.is_spent(now - self.begin, analysis.seconds):
                stop.request()
            if now - self._last_progress >= self.every:
                self._last_progress = now
                self._call(self.progress, analysis)

        stop.deadline = self.begin + self._budget.hard
        try:
            if self.is_new_game:
                self.engine.new_game()
            analysis = self.engine.analyse(
                self.position, self.limits, stop, hear, self.past, every_value=self.every_value
            )
            self._call(self.finish, analysis, time.perf_counter() - self.begin)
            # After the answer, so that it takes no time on the clock.
            if self.makes_room and not self._is_abandoned:
                self.engine.make_room(self.position, analysis.pv[0])
        except BaseException as fault:
            self._call(self.fail, f"the search failed: {type(fault).__name__}: {fault}")

    def _call(self, callback: Callable[..., None] | None, *arguments: Any) -> None:
        with self.lock:
            if callback is not None and not self._is_abandoned:
                callback(*arguments)
