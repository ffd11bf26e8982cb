"""Players and their analyses of positions, in the vocabulary of UCI and python-chess.

A `Player` is a specification without state. For each game it creates an `Engine`, which may remember results
of earlier moves and analyses position after position within `Limits`:

    engine = parse_player("uct:playouts=2000").new_game(checkers)
    analysis = engine.analyse(position, key=1)
    analysis.best_moves, analysis.value, analysis.pv

Engines run their compiled code with `run_until`, so that it ends in time; front ends that keep listening
run an analysis in a `Background`.
"""

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np

from neche.endings.probing import Endings
from neche.errors import InputError, check_whole
from neche.games.game import Game, Move
from neche.network.decode import Network

MAX_DEPTH, MAX_NODES, MAX_TIME_MS = 60, 10**9, 24 * 3600 * 1000
"""Plies of the deepest search; most playouts of a tree; the longest time for a move."""
WIN_VALUE = 1e12
"""Value of a win unless values are scores; one in n plies has WIN_VALUE − n. No evaluation is half that."""
_NORMAL_95 = 1.959964

Result = TypeVar("Result")


@dataclass(frozen=True)
class Limits:
    """How far an analysis may go; None: no limit of that kind. InputError if one is out of range.

    depth: plies of a search; tree search, which has no depth, doubles its playouts for every two plies.
    nodes: positions that a search visits, or playouts of a tree search. time_ms: thinking time, milliseconds.
    """

    depth: int | None = None
    nodes: int | None = None
    time_ms: int | None = None

    def __post_init__(self) -> None:
        for name, high in (("depth", MAX_DEPTH), ("nodes", 1 << 62), ("time_ms", MAX_TIME_MS)):
            if (limit := getattr(self, name)) is not None and not (type(limit) is int and 0 < limit <= high):
                check_whole(limit, name, 1, high)


@dataclass(frozen=True)
class MoveAnalysis:
    """The analysis of one legal move.

    text: the move. value: for the side that makes it, in the units of the analysis; in a search an upper
    bound for moves that are not the best, unless every value was requested. visits: playouts, or visits in a
    tree, behind it; 0 if none are counted. wins, draws, losses: results of playouts for that side; zero if
    values come from elsewhere. low, high: 95 % bounds of the value if it is an expected score.
    """

    text: str
    value: float
    visits: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True)
class Analysis:
    """The result of analysing one position.

    moves: each legal move, in the game's order. best_moves: the equally best moves, one of which is drawn to
    be played. pv: best play for both sides as far as known; begins with the first of `best_moves`. value: of
    the best move for the side to move: an expected score 0 … 1 if `is_score`, else weight units, or
    ±(WIN_VALUE − plies) if the game is decided. is_judged: False for a player without evaluation, whose
    values are all 0. is_exact: whether the values of all moves are exact, not only of the best. depth: plies
    of the deepest finished search, or of the deepest line of a tree. nodes: positions visited, or playouts.
    playouts: random games. seconds: wall time. figures: others by name. proven: 1, 0, −1 by solved endings.
    """

    moves: tuple[MoveAnalysis, ...]
    best_moves: tuple[str, ...]
    pv: tuple[str, ...]
    value: float = 0.0
    is_judged: bool = True
    is_score: bool = False
    is_exact: bool = True
    depth: int = 0
    nodes: int = 0
    playouts: int = 0
    seconds: float = 0.0
    figures: dict[str, float | int] = field(default_factory=dict)
    proven: int | None = None

    @property
    def plies_to_end(self) -> int | None:
        """Plies to the end of the game if its result is proven, else None."""
        if self.is_score:
            proven = self.figures.get("proven_plies")
            return None if proven is None else int(proven)
        return plies_to_end(self.value)

    @property
    def values(self) -> dict[str, float]:
        """The values by move."""
        return {move.text: move.value for move in self.moves}

    def ranked(self) -> list[MoveAnalysis]:
        """Return the moves, best ones first; those of a tree by visits, all others by value."""
        is_tree = "tree_depth" in self.figures

        def rank(move: MoveAnalysis) -> tuple[bool, float, float]:
            return move.text in self.best_moves, move.visits if is_tree else move.value, move.value

        return sorted(self.moves, key=rank, reverse=True)


def plies_to_end(value: float) -> int | None:
    """Return the plies to the end of a game that is decided by a value in weight units, else None.

    >>> plies_to_end(WIN_VALUE - 3), plies_to_end(4 - WIN_VALUE), plies_to_end(2.5)
    (3, 4, None)
    """
    return round(WIN_VALUE - abs(value)) if abs(value) > WIN_VALUE / 2 else None


def score_of(value: float, scale: float) -> float:
    """Return the expected score 0 … 1 (logistic) of a value in weight units; that of `scale` is 0.73.

    >>> round(score_of(1.5, 1.5), 2), score_of(0, 1), score_of(4 - WIN_VALUE, 1)
    (0.73, 0.5, 0.0)
    """
    if abs(value) > WIN_VALUE / 2:
        return 1.0 if value > 0 else 0.0
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, value / scale))))


class Stop:
    """A request to stop, which cannot be withdrawn: every search that gets it ends soon, with a move."""

    def __init__(self) -> None:
        self.deadline = math.inf  # a reading of `time.perf_counter`, if known
        self._lock = threading.Lock()
        self._flag: tuple[Any, int] | None = None
        self._is_requested = False

    @property
    def is_requested(self) -> bool:
        """Whether the request was made."""
        return self._is_requested

    def request(self) -> None:
        """Make the request, from any thread and any number of times."""
        with self._lock:
            self._is_requested = True
            self._raise_flag()

    @contextmanager
    def raising(self, flags: Any, index: int) -> Iterator[None]:
        """Set flags[index], which compiled code polls, when the request is made: now, or within this context.

        flags: [n] int64. Only one search at a time may be in this context.
        """
        with self._lock:
            self._flag = flags, index
            if self._is_requested:
                self._raise_flag()
        try:
            yield
        finally:
            with self._lock:
                self._flag = None

    def _raise_flag(self) -> None:
        if self._flag is not None:
            flags, index = self._flag
            flags[index] = 1


def interval(value: float, count: int) -> tuple[float, float]:
    """Return 95 % bounds of an expected score that is the mean of `count` results 0 … 1; Wilson 1927.

    Draws count half: with many of them the bounds are wider than necessary.

    >>> interval(0.5, 0)
    (0.0, 1.0)
    >>> tuple(round(bound, 3) for bound in interval(0.5, 100))
    (0.404, 0.596)
    """
    if count == 0:
        return 0.0, 1.0
    square = _NORMAL_95**2
    middle = value + square / (2 * count)
    reach = _NORMAL_95 * math.sqrt(value * (1 - value) / count + square / (4 * count**2))
    low, high = ((middle + sign * reach) / (1 + square / count) for sign in (-1, 1))
    return max(0.0, min(low, value)), min(1.0, max(high, value))


Progress = Callable[[Analysis], None]
"""Called with the analysis so far: after each depth of a search, after growing numbers of playouts."""


class Engine(Protocol):
    """A player in one game, with its memory. One thread at a time may use it.

    limits: the player's own, which apply when an analysis is given none.
    """

    limits: Limits = Limits()

    def analyse(
        self,
        position: Any,
        *,
        key: int = 0,
        limits: Limits | None = None,
        stop: Stop | None = None,
        progress: Progress | None = None,
        progress_at: Iterable[int] | None = None,
        every_value: bool = False,
        line: bool = True,
    ) -> Analysis:
        """Analyse a position.

        key: 64-bit stream key of all draws: equal keys after an equal history give equal analyses, unless
        time is limited. limits: replace the player's own. stop: ends the analysis early, with the results so
        far. progress: called during the analysis, which it does not affect. progress_at: rising numbers of
        playouts after which tree search calls it. every_value: give every move its exact value, not only the
        best. line: follow the principal variation to its end. InputError if the game is over, or nothing
        would end the search.
        """

    def follow(self, positions: Sequence[Any]) -> None:
        """Take the positions of the game before the one to be analysed, oldest first, for repetitions."""
        return

    def look_up(self, endings: Endings) -> None:
        """Use solved endings inside the search, if it can: those that the position may reach."""
        return

    def make_room(self, position: Any) -> None:
        """Forget what cannot occur after `position`, so that no later analysis spends its time on it."""
        return

    def expected_score(self, analysis: Analysis) -> float | None:
        """Return the expected score 0 … 1 of the side to move; None from a player without evaluation.

        One scale for all players; from weight units a guess, by the spread of evaluations over random games.
        """
        return analysis.value if analysis.is_score else None


class BatchSearch(NamedTuple):
    """How a player that searches plays whole games in compiled code.

    network: evaluates positions. depth: plies of search before quiescence; 0: moves are drawn at random.
    """

    network: Network
    depth: int


@runtime_checkable
class Player(Protocol):
    """A specification of how moves are chosen; it has no state.

    name: the full specification. time_ms: thinking time for a move; None for a player whose moves do not
    depend on time. effort: what limits such a player, in words. threads: number of its search threads.

    Properties that callers test instead of the kind of a player: judges: whether its analyses have a value.
    gives_scores: whether values are expected scores. is_stoppable: whether an analysis can be stopped.
    is_tree: whether it reports after given numbers of playouts. needs_key: whether an analysis draws from its
    key. compiled_part: the compiled code that it needs, see `cli.workers`; empty for none.
    """

    name: str
    time_ms: int | None = None
    effort: str = "depth"
    threads: int = 1
    judges: bool = True
    gives_scores: bool = False
    is_stoppable: bool = True
    is_tree: bool = False
    needs_key: bool = False
    compiled_part: str = ""

    @property
    def digest(self) -> str:
        """Digest of what was read from files, which the name does not identify; empty without files."""
        return "" if self.evaluating_network is None else self.evaluating_network.digest

    @property
    def is_repeatable(self) -> bool:
        """Whether it plays the same each time: it has no time limit, and no threads that race."""
        return self.time_ms is None and self.threads == 1

    @property
    def batch_search(self) -> BatchSearch | None:
        """How it plays in batches of compiled games; None: it plays move by move."""
        return None

    @property
    def evaluating_network(self) -> Network | None:
        """The network that evaluates positions, for pictures; None without one."""
        return None

    @property
    def seconds_a_game(self) -> float:
        """Approximate time of its moves in a game, on any machine: good for ratios only."""
        return 0.05

    def require_board(self, game: Game) -> None:
        """Check that the player can play a game. Raises: InputError: it cannot see the board."""
        return

    def at_depth(self, depth: int) -> "Player | None":
        """Return the same player at another depth; None if no depth fixes its moves."""
        return None

    def for_clock(self) -> "Player":
        """Return the player as it plays best under a clock."""
        return self

    def new_game(self, game: Game, *, memory_mb: int | None = None) -> Engine:
        """Begin a game with empty memory. memory_mb: most that a tree may use; None for its default."""


class Choice(NamedTuple):
    """A move drawn from the best ones, and the analysis that found them."""

    move: Move
    analysis: Analysis


def choose_move(
    player: Player, game: Game, position: Any, draw: np.random.Generator, *, engine: Engine | None = None
) -> Choice:
    """Return the player's move, drawn from equals; InputError if there is none. engine: of this game."""
    moves = require_moves(game, position)
    engine = engine or player.new_game(game)
    key = int(draw.integers(1 << 63)) if player.needs_key else 0
    # Time is for choosing: the only legal move is made at once, and nothing is solved before it.
    limits = Limits(1, nodes=1, time_ms=1) if len(moves) == 1 and player.time_ms is not None else None
    analysis = engine.analyse(position, key=key, limits=limits, line=False)
    chosen = analysis.best_moves[draw.integers(len(analysis.best_moves))]
    return Choice(next(move for move in moves if move.text == chosen), analysis)


def require_moves(game: Game, position: Any) -> list[Move]:
    """Return the legal moves of a position; InputError if there is none, the game is over."""
    if not (moves := game.legal_moves(position)):
        raise InputError(f"the game is over: {game.side_to_move(position)} has no legal move")
    return moves


def run_until(
    search: Callable[[], Result],
    flags: Any,
    index: int,
    *,
    deadline: float | None = None,
    stop: Stop | None = None,
    is_short: bool = False,
) -> tuple[Result, bool]:
    """Run compiled code that ends early when flags[index] is set; return its result, and whether it finished.

    It runs in its own thread, so that this one can set the flag: at the deadline (a reading of
    `time.perf_counter`), on request, or when interrupted (Ctrl-C). Without a deadline it runs in this thread
    if it has a stop, which another thread requests, or is_short: it ends before a thread could start.

    flags: [n] int64; the flag is cleared before, and after unless interrupted.
    """
    is_watched = deadline is not None or (stop is None and not is_short)
    results: list[Result] = []
    thread = threading.Thread(target=lambda: results.append(search()), daemon=True)
    flags[index], was_done = 0, True
    try:
        with nullcontext() if stop is None else stop.raising(flags, index):
            if is_watched:
                thread.start()
                thread.join(None if deadline is None else max(0.0, deadline - time.perf_counter()))
                was_done = not thread.is_alive()
            else:
                results.append(search())
    finally:
        flags[index] = 1
        if thread.is_alive():  # one that Ctrl-C met as it started may not be, and will find the flag set
            thread.join()
    flags[index] = 0
    return results[0], was_done and (stop is None or not stop.is_requested)
