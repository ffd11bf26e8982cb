"""Probes: positions from random play on which networks are compared, without games or search.

The seed determines the positions: 4, 5, … random plies from the start, the same in every generation.

Symbols: N networks, M positions.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.arena.game_loop import GameWorkspace, random_opening
from neche.arena.playing import workspace_of
from neche.compiled.bits import invert64, lowest_index, pop_lowest
from neche.compiled.jit import I64, Array, Position, jit
from neche.compiled.streams import stream_keys
from neche.games.catalogue import game
from neche.games.contract import patterns, register, sensor_words, side_to_move
from neche.games.sensors import DARK_8X8
from neche.network.folding import NEURONS, RECORD, SHIFT, SQUARES, UNIT
from neche.network.forward import evaluate, refresh
from neche.network.packing import PackedNetworks

NUM_PROBES = 32
_FEWEST_PLIES = 4


def evaluate_probes(packed: PackedNetworks, seed: int, *, name: str = "checkers") -> NDArray[np.float64]:
    """Return each network's evaluations of the probes: [N, M], weight units, for the side to move."""
    start, keys, space = game(name).start(), stream_keys(seed, 0, "probes", NUM_PROBES), workspace_of(name)
    values = np.zeros((packed.words[NEURONS] // RECORD, NUM_PROBES), np.int64)
    _fill_values(start, packed, keys, space, values)
    return np.asarray(values / _units(packed, range(len(values))))


class _SensorWords(NamedTuple):
    """A network's view of a position of any game, which can be modified; uint64, and the position."""

    own: Any
    foe: Any
    kings: Any
    turn: Any
    board: Any


register(
    _SensorWords,
    sensor_words=lambda position: (position.own, position.foe, position.kings),
    patterns=lambda position, own, foe, kings: patterns(position.board, own, foe, kings),
)


def value_men(
    packed: PackedNetworks, chosen: Sequence[int], seed: int, *, name: str = "checkers"
) -> NDArray[np.float64]:
    """Return the worth of a man to networks `chosen` [N] of `packed`, by sensor: [N, sensors], weight units.

    That is the mean loss of an evaluation, hidden neurons included, when the man is removed from a probe; nan
    for squares on which no probe has a man of the side to move, which sees the board as White does.
    """
    start, keys, space = game(name).start(), stream_keys(seed, 0, "probes", NUM_PROBES), workspace_of(name)
    layout = game(name).sensors or DARK_8X8
    networks, bits = np.asarray(chosen, np.int64), np.array(layout.bits)
    worth = np.zeros((2, len(networks), SQUARES), np.int64)
    count = np.zeros((2, SQUARES), np.int64)
    _fill_worth(start, packed, networks, keys, space, np.empty_like(networks), worth, count)
    turned = bits[np.array(layout.turned)]
    men = count[0, bits] + count[1, turned]
    total = worth[0][:, bits] + worth[1][:, turned]
    return np.asarray(total / np.where(men > 0, men, np.nan) / _units(packed, chosen))


def _units(packed: PackedNetworks, chosen: Sequence[int]) -> NDArray[np.float64]:
    records = np.asarray(chosen)[:, None] * RECORD  # for each network as in `packing.unit`
    units, shifts = packed.words[records + UNIT], packed.words[records + SHIFT]
    return np.asarray(np.ldexp(units.astype(np.float64), -shifts))


@jit
def _fill_values(
    start: Position, packed: PackedNetworks, keys: Array, space: GameWorkspace, values: Array
) -> None:
    for probe in range(len(keys)):
        position, _ = random_opening(start, np.int64(_FEWEST_PLIES + probe), keys[probe], space)
        side = np.int64(side_to_move(position))
        for index in range(len(values)):
            accumulator = refresh(packed, index, side, position)
            values[index, probe] = evaluate(packed, index, side, position, accumulator)


@jit
def _fill_worth(
    start: Position,
    packed: PackedNetworks,
    chosen: Array,
    keys: Array,
    space: GameWorkspace,
    full: Array,
    worth: Array,
    count: I64,
) -> None:
    """Add the worth of each man of the side to move to `worth` [2, N, 64], and 1 to `count` [2, 64].

    Both are by the side to move and the man's bit in the words of `sensor_words`. full: room for [N] int64.
    """
    for probe in range(len(keys)):
        position, _ = random_opening(start, np.int64(_FEWEST_PLIES + probe), keys[probe], space)
        side = np.int64(side_to_move(position))
        own, foe, kings = sensor_words(position)
        for row in range(len(chosen)):
            index = chosen[row]
            full[row] = evaluate(packed, index, side, position, refresh(packed, index, side, position))
        # One man at a time is removed; kings stay.
        men = np.uint64(np.uint64(own) & invert64(kings))
        while men:
            man, men = pop_lowest(men)
            square = np.int64(lowest_index(man))
            left = np.uint64(np.uint64(own) ^ man)
            without = _SensorWords(left, np.uint64(foe), np.uint64(kings), np.uint64(position.turn), position)
            count[side, square] += 1
            for row in range(len(chosen)):
                index = chosen[row]
                less = evaluate(packed, index, side, without, refresh(packed, index, side, without))
                worth[side, row, square] += full[row] - less
