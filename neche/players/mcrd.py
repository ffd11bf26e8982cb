"""The player `mcrd`: Monte Carlo random descent, moves compared by random games without a tree.

Source: Levy 2016.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neche.compiled.batches import check_device
from neche.compiled.streams import stream_keys
from neche.errors import InputError, suggestion
from neche.games.game import Game, Move
from neche.games.playouts import PlayoutRule
from neche.montecarlo.allocation import Playouts as PlayoutsByChild, new_allocation
from neche.montecarlo.counting import RULE, PlayoutCounts, count_playouts_on
from neche.players.engine import Analysis, Engine, Limits, MoveAnalysis, Player, interval, require_moves
from neche.players.options import Playouts, TimeMs, check_ranges, written

ALLOCATIONS = ("equal", "proportional", "halving", "bandit")
"""How the playouts of a move are divided; see `allocation`."""
DEFAULT_ALLOCATION = "equal"
# Under a deadline the first rounds only measure the speed of playouts.
_TRIAL_PLAYOUTS, _TRIAL_GROWTH, _TRIAL_SHARE = 2, 4, 0.03
_TIMED_ROUNDS = 16
_UNLIMITED = 2**62
# Rough cost of a game, seconds.
_GAME_SECONDS, _PLAYOUT_SECONDS = 0.05, 1e-5


@dataclass(frozen=True)
class Mcrd(Player):
    """An MCRD player; give `playouts` or `time_ms`, or both.

    playouts: per move of the game, summed over all children; every child gets at least one. time_ms:
    thinking time for a move. allocation: one of `ALLOCATIONS`. device: where playouts are computed. rule: of
    the playouts. InputError if a value is unknown or out of range.
    """

    playouts: Playouts | None = None
    time_ms: TimeMs | None = None
    allocation: str = DEFAULT_ALLOCATION
    device: str = "cpu"
    rule: PlayoutRule = RULE
    name: str = ""
    effort = "number of playouts"
    gives_scores = True
    is_stoppable = False
    needs_key = True
    compiled_part = "playouts"

    def __post_init__(self) -> None:
        if self.playouts is None and self.time_ms is None:
            raise InputError("mcrd needs a number of playouts or a time")
        check_ranges("mcrd", self, {"time_ms": "time"})
        if self.allocation not in ALLOCATIONS:
            hint = suggestion(self.allocation, ALLOCATIONS)
            raise InputError(f"mcrd: unknown allocation {self.allocation!r}{hint}")
        check_device(self.device)
        if not self.name:
            given = {"playouts": self.playouts, "time": self.time_ms, "allocation": self.allocation}
            device = None if self.device == "cpu" else self.device
            object.__setattr__(self, "name", written("mcrd", {**given, "device": device}))

    @property
    def seconds_a_game(self) -> float:
        """Approximate time of its moves in a game."""
        return _GAME_SECONDS + _PLAYOUT_SECONDS * (self.playouts or 0)

    def new_game(self, game: Game, *, memory_mb: int | None = None) -> "McrdEngine":
        """Begin a game; nothing is remembered from move to move."""
        return McrdEngine(self, game)


class McrdEngine(Engine):
    """An MCRD player at one game; it remembers nothing from move to move."""

    def __init__(self, player: Mcrd, game: Game) -> None:
        self.limits = Limits(nodes=player.playouts, time_ms=player.time_ms)
        self._player, self._game = player, game
        # A missing device is detected before the game begins.
        count_playouts_on(player.device)

    def analyse(self, position: Any, *, key: int = 0, limits: Limits | None = None, **_: Any) -> Analysis:
        """Compare the moves; see `engine.Engine`. A move that wins immediately needs no playouts."""
        moves, game = require_moves(self._game, position), self._game
        limits = limits or self.limits
        if limits.nodes is None and limits.time_ms is None:
            raise InputError("mcrd needs a number of playouts or a time")
        # An immediate win is certain, which no number of playouts would show.
        is_won = np.array([not game.legal_moves(one.after) and game.outcome(one.after) < 0 for one in moves])
        effort = _Effort(self._player, game, moves, key, limits)
        if is_won.any():
            return _analysis(moves, effort, is_won, is_won)
        rounds = 1 if limits.time_ms is None else _TIMED_ROUNDS
        allocation = new_allocation(self._player.allocation, len(moves), key, rounds=rounds)
        effort.try_out()
        while (playouts := allocation.next_round(effort.counts, effort.left())) is not None:
            # At least one for every child: a move without playouts has no value to compare.
            effort.play(playouts if effort.spent else np.maximum(playouts, 1))
        return _analysis(moves, effort, allocation.candidates(), is_won)


class _Effort:
    """The playouts of one move: their results so far, and how many more are allowed."""

    def __init__(self, player: Mcrd, game: Game, moves: Sequence[Move], key: int, limits: Limits) -> None:
        self._player, self._game, self._limits = player, game, limits
        self._count = count_playouts_on(player.device)
        self._positions = [move.after for move in moves]
        self._keys = stream_keys(key, 0, "mcrd: playouts", len(moves)).tolist()
        self._sums = np.zeros((4, len(moves)), np.int64)
        self._begin = time.perf_counter()
        # playouts a second, of the last ones
        self._rate = 0.0

    @property
    def counts(self) -> PlayoutCounts:
        """Results for the side to move at the root, whose wins are the losses of the children."""
        wins, draws, losses, plies = self._sums
        return PlayoutCounts(losses, draws, wins, plies)

    @property
    def spent(self) -> int:
        """Playouts so far."""
        return int(self._sums[:3].sum())

    @property
    def seconds(self) -> float:
        """Wall time since the move began."""
        return time.perf_counter() - self._begin

    def left(self) -> int:
        """Return how many playouts are left; under a deadline, an estimate from the time left."""
        counted = _UNLIMITED if self._limits.nodes is None else self._limits.nodes - self.spent
        if self._limits.time_ms is None:
            return max(0, counted)
        time_left = self._limits.time_ms / 1000 - self.seconds
        return max(0, min(counted, int(self._rate * time_left)))

    def try_out(self) -> None:
        """Under a deadline, measure the speed of playouts: play growing numbers for a share of the time."""
        if self._limits.time_ms is None:
            return
        each = _TRIAL_PLAYOUTS
        while not self.spent or self.seconds < _TRIAL_SHARE * self._limits.time_ms / 1000:
            if self._limits.nodes is not None:
                each = min(each, (self._limits.nodes - self.spent) // len(self._positions))
            if not each:
                return
            self.play(np.full(len(self._positions), each))
            each *= _TRIAL_GROWTH

    def play(self, playouts: PlayoutsByChild) -> None:
        """Play out each child this many more times."""
        began = time.perf_counter()
        # Games continue each child's stream where they ended: rounds add up to one longer run.
        first = self._sums[:3].sum(axis=0)
        wanted = np.flatnonzero(playouts)
        counts = self._count(
            self._game,
            [self._positions[child] for child in wanted],
            playouts[wanted].tolist(),
            [self._keys[child] for child in wanted],
            first=first[wanted].tolist(),
            rule=self._player.rule,
        )
        self._sums[:, wanted] += np.array(counts)
        # From the last round with playouts only: larger ones run faster, and the machine's load may change.
        self._rate = int(playouts.sum()) / max(time.perf_counter() - began, 1e-9) or self._rate


def _analysis(
    moves: Sequence[Move], effort: _Effort, candidates: NDArray[np.bool_], is_won: NDArray[np.bool_]
) -> Analysis:
    """Return the results of each move's playouts; moves that win immediately have none."""
    counts, seconds = effort.counts, effort.seconds
    values = np.where(is_won, 1.0, counts.values)
    best = np.flatnonzero(candidates & (values == values[candidates].max())).tolist()
    found = []
    for number, move in enumerate(moves):
        visits, value = int(counts.visits[number]), float(values[number])
        wins, draws, losses = (int(column[number]) for column in counts[:3])
        low, high = (value, value) if is_won[number] else interval(value, visits)
        found.append(MoveAnalysis(move.text, value, visits, wins, draws, losses, low, high))
    return Analysis(
        moves=tuple(found),
        best_moves=tuple(moves[number].text for number in best),
        pv=(moves[best[0]].text,),
        value=float(values[best[0]]),
        is_score=True,
        depth=1,
        nodes=effort.spent,
        playouts=effort.spent,
        seconds=seconds,
        figures={
            "playouts_per_second": effort.spent / max(seconds, 1e-9),
            "mean_plies": int(counts.plies.sum()) / max(effort.spent, 1),
        },
    )
