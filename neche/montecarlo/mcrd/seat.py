"""An MCRD player at one game: plays the children of the root out, and says what came of it."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neche.compiled.streams import stream_keys
from neche.errors import InputError
from neche.games.catalogue import Game, Move
from neche.montecarlo.allocation import Playouts, new_allocation
from neche.montecarlo.counting import PlayoutCounts, count_playouts_on
from neche.montecarlo.interval import interval
from neche.montecarlo.mcrd.player import Mcrd
from neche.montecarlo.thinking import MoveThought, Thought

# Under a deadline the first rounds only find out how fast playouts are.
_TRIAL_PLAYOUTS, _TRIAL_GROWTH, _TRIAL_SHARE = 32, 4, 0.03
_TIMED_ROUNDS = 16
_UNLIMITED = 2**62


class McrdSeat:
    """An MCRD player at one game; it remembers nothing from move to move."""

    def __init__(self, player: Mcrd, game: Game) -> None:
        self._player, self._game = player, game
        # A missing device is found before the game begins.
        count_playouts_on(player.device)

    def think(self, position: Any, key: int) -> Thought:
        """Compare the moves; see `thinking.Seat`. A move that wins at once needs no playouts."""
        moves = self._game.legal_moves(position)
        if not moves:
            raise InputError(f"the game is over: {self._game.side_to_move(position)} has no legal move")
        is_won = np.array([self._wins(move) for move in moves])
        effort = _Effort(self._player, self._game, moves, key)
        if is_won.any():
            return _thought(moves, effort, is_won, is_won)
        rounds = 1 if self._player.time_ms is None else _TIMED_ROUNDS
        allocation = new_allocation(self._player.allocation, len(moves), key, rounds=rounds)
        effort.try_out()
        while (playouts := allocation.next_round(effort.counts, effort.left())) is not None:
            effort.play(playouts if effort.spent else np.maximum(playouts, 1))
        return _thought(moves, effort, allocation.candidates(), is_won)

    def _wins(self, move: Move) -> bool:
        """Tell whether a move ends the game, and wins it."""
        return not self._game.legal_moves(move.after) and self._game.outcome(move.after) < 0


class _Effort:
    """The playouts of one move: what they came to so far, and how many more there may be."""

    def __init__(self, player: Mcrd, game: Game, moves: Sequence[Move], key: int) -> None:
        self._player, self._game = player, game
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
    def plies(self) -> int:
        """Plies of all of them."""
        return int(self._sums[3].sum())

    @property
    def seconds(self) -> float:
        """Wall time since the move began."""
        return time.perf_counter() - self._begin

    def left(self) -> int:
        """Return how many playouts there may be yet; under a deadline as many as it has time for."""
        counted = _UNLIMITED if self._player.playouts is None else self._player.playouts - self.spent
        if self._player.time_ms is None:
            return max(0, counted)
        time_left = self._player.time_ms / 1000 - self.seconds
        return max(0, min(counted, int(self._rate * time_left)))

    def try_out(self) -> None:
        """Under a deadline, find out how fast playouts are: play ever more, till some of the time is over."""
        if self._player.time_ms is None:
            return
        each = _TRIAL_PLAYOUTS
        while not self.spent or self.seconds < _TRIAL_SHARE * self._player.time_ms / 1000:
            if self._player.playouts is not None:
                each = min(each, (self._player.playouts - self.spent) // len(self._positions))
            if not each:
                return
            self.play(np.full(len(self._positions), each))
            each *= _TRIAL_GROWTH

    def play(self, playouts: Playouts) -> None:
        """Play the children out so many times more."""
        began = time.perf_counter()
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
        self._rate = int(playouts.sum()) / max(time.perf_counter() - began, 1e-9)


def _thought(
    moves: Sequence[Move], effort: _Effort, candidates: NDArray[np.bool_], is_won: NDArray[np.bool_]
) -> Thought:
    """Say what the playouts of each move came to; those that end the game won without any."""
    counts, seconds = effort.counts, effort.seconds
    values = np.where(is_won, 1.0, counts.values)
    best = np.flatnonzero(candidates & (values == values[candidates].max())).tolist()
    thoughts = []
    for number, move in enumerate(moves):
        visits, value = int(counts.visits[number]), float(values[number])
        wins, draws, losses = (int(column[number]) for column in counts[:3])
        low, high = (value, value) if is_won[number] else interval(value, visits)
        thoughts.append(MoveThought(move.text, value, visits, wins, draws, losses, low, high))
    return Thought(
        value=float(values[best[0]]),
        moves=tuple(thoughts),
        best=tuple(moves[number].text for number in best),
        pv=(moves[best[0]].text,),
        playouts=effort.spent,
        seconds=seconds,
        facts={
            "playouts_per_second": effort.spent / max(seconds, 1e-9),
            "mean_plies": effort.plies / max(effort.spent, 1),
        },
    )
