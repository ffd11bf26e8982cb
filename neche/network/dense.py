"""Dense networks, which strands write: their synapses, and their arrays for compiled code.

The network sees the board as the side to move does, turned for Black, and its value is for that side. In
steps of a weight (`strands.STEPS_A_UNIT` a unit)

    value = 125 · (constant + Σ direct) + Σ out · max(0, bias + Σ hidden)

over the pieces on the board: a piece has the sensor of its kind and square. 15 625 are a weight unit. All is
exact in integers: a hidden sum fits 16 bits with 63 pieces, a value 32 bits with 64 hidden neurons.

The constant and the direct weights become an accumulator that a move updates: a pair of numbers in one int64,
so that one addition serves both. The upper half is the value as the side sees it that the network plays for,
were it to move; the lower half as the other side does. Hidden neurons are summed from scratch.

Block of a network, int16, each row with one lane a hidden neuron, padded with zeros to whole vectors:
bias | out | for White, then for Black to move: own man, enemy man, own king, enemy king by bit of the square.

Symbols: N networks, W weights, S sensors, H hidden neurons.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neche.compiled.vectors import LANES as VECTOR_LANES
from neche.errors import InputError
from neche.games.sensors import SensorLayout
from neche.genome.dna import WEIGHT_SCALE
from neche.genome.strands import (
    LEAST_WEIGHT,
    MOST_WEIGHT,
    RAW_STEP,
    STEPS_A_UNIT,
    Layers,
    Weights,
    split_weights,
)
from neche.network.decode import Network
from neche.network.folding import (
    BEYOND,
    BIAS,
    BLOCK,
    KING_ROWS,
    LANES,
    MOVER,
    PIECES,
    SECOND_SCALE,
    SQUARES,
    UNIT,
    Folded,
    SensorMap,
)
from neche.network.topology import Topology


def pack_dense(
    folded: Folded, at: Sequence[int], networks: Sequence[Network], layout: SensorLayout, begin: int
) -> NDArray[np.int32]:
    """Write dense networks into rows `at` of `folded`, which are zero; return all their blocks.

    begin: where the blocks will stand among the rows of all networks, in int32.

    Raises:
        InputError: a network has sensors for another board, or weights that strands cannot write.
    """
    widths = [_num_lanes(network.topology.layer1) for network in networks]
    blocks = []
    for index, network, lanes in zip(at, networks, widths, strict=True):
        check_layout(network.topology, layout)
        topology = network.topology
        layers = split_weights(weights_of(network), topology.strand_format)
        header = folded.header[index]
        header[UNIT], header[SECOND_SCALE], header[BEYOND] = STEPS_A_UNIT * STEPS_A_UNIT, 1, MOVER
        header[LANES], header[BLOCK], header[KING_ROWS] = lanes, 2 * begin, 2 * _num_bits(layout)
        header[BIAS] = _pair(*[np.int64(STEPS_A_UNIT) * layers.constant] * 2)
        folded.table[index] = _table(layers, layout)
        if lanes:
            blocks.append(_block(layers, layout, lanes).view(np.int32))
            begin += len(blocks[-1])
    return np.concatenate([np.zeros(0, np.int32), *blocks])


def weights_of(network: Network) -> Weights:
    """Return the weights [W] of a dense network, in steps, in the order of the strands; 0 where nothing is.

    Raises:
        InputError: one is no number of steps, or more than strands can write.
    """
    steps, rest = np.divmod(network.weight, RAW_STEP)
    wrong = np.flatnonzero((rest != 0) | (steps < LEAST_WEIGHT) | (steps > MOST_WEIGHT))
    if wrong.size:
        raw = int(network.weight[wrong[0]])
        raise InputError(
            f"perspective mover: the weight {raw / WEIGHT_SCALE:g} is no multiple of {1 / STEPS_A_UNIT:g} "
            f"between {LEAST_WEIGHT / STEPS_A_UNIT:g} and {MOST_WEIGHT / STEPS_A_UNIT:g}"
        )
    topology = network.topology
    weights = np.zeros(topology.strand_format.num_weights, np.int16)
    weights[_places(topology)[network.sink, network.source]] = steps
    return weights


@cache
def _places(topology: Topology) -> NDArray[np.int64]:
    """Return the number of the weight of each synapse on the strands, by sink and source."""
    places = np.zeros((topology.num_neurons, topology.num_neurons), np.int64)
    source, sink, place = topology.dense_synapses
    places[sink, source] = place
    return places


def check_layout(topology: Topology, layout: SensorLayout) -> None:
    """Check that the sensors of a dense network are those of a board.

    Raises:
        InputError: they are not.
    """
    needed = len(layout.kinds) * len(layout.squares)
    if topology.sensors != needed:
        raise InputError(
            f"a network with {topology.sensors} sensors by kind does not see a board of "
            f"{len(layout.squares)} squares, which has {needed}"
        )


@cache
def sensor_map(layout: SensorLayout) -> SensorMap:
    """Return the squares of the sensors as bits, and the bit of the square opposite each."""
    bits = np.array(layout.bits, np.int64)
    opposite = np.full(SQUARES, -1, np.int64)
    opposite[bits] = bits[np.array(layout.turned)]
    return SensorMap(bits, opposite)


def aligned(array: NDArray[Any]) -> NDArray[Any]:
    """Return a copy whose memory begins at a multiple of a vector, so that no load crosses two lines."""
    line = 64
    room = np.empty(array.nbytes + line, np.uint8)
    shift = -room.ctypes.data % line
    copy = room[shift : shift + array.nbytes].view(array.dtype)
    copy[:] = array
    return copy


def _num_lanes(hidden: int) -> int:
    return -(-hidden // VECTOR_LANES) * VECTOR_LANES


def _num_bits(layout: SensorLayout) -> int:
    """Return 32 where the squares of both sides fit a word together, else 64."""
    return 32 if max(layout.bits) < 32 else 64


def _pair(upper: NDArray[np.int64], lower: NDArray[np.int64]) -> NDArray[np.int64]:
    return upper * np.int64(2**32) + lower


# of the kinds own man, own king, enemy man, enemy king
_DISCS = (0, 2)
_TO_OTHER_SIDE = [2, 3, 0, 1]
# men of both sides stand before the kings in a block, so that a king's row is a fixed distance further
_IN_BLOCK = [0, 2, 1, 3]


@cache
def _sensor_of_bit(layout: SensorLayout) -> NDArray[np.int64]:
    """Return the sensor by kind [2, 4, 64] of each bit, as White and as Black to move; S where none is."""
    kinds, squares = len(layout.kinds), len(layout.squares)
    sensors = np.full((2, PIECES, SQUARES), kinds * squares)
    bits, opposite = sensor_map(layout)
    for number, kind in enumerate(range(PIECES) if layout.has_kings else _DISCS):
        ids = number * squares + np.arange(squares)
        sensors[0, kind, bits] = ids
        sensors[1, kind, opposite[bits]] = ids
    return sensors


def _table(layers: Layers, layout: SensorLayout) -> NDArray[np.int64]:
    """Return the table [2, 4, 64] of pairs by the side played for, piece as it sees it, and bit."""
    direct = STEPS_A_UNIT * np.append(layers.direct, 0).astype(np.int64)
    seen = direct[_sensor_of_bit(layout)]
    return _pair(seen, seen[::-1, _TO_OTHER_SIDE])


def _block(layers: Layers, layout: SensorLayout, lanes: int) -> NDArray[np.int16]:
    hidden = len(layers.bias)
    by_sensor = np.zeros((len(layers.direct) + 1, lanes), np.int16)
    by_sensor[:-1, :hidden] = layers.hidden.T
    ends = np.zeros((2, lanes), np.int16)
    ends[:, :hidden] = layers.bias, layers.out
    rows = _sensor_of_bit(layout)[:, _IN_BLOCK, : _num_bits(layout)]
    return np.concatenate([ends, by_sensor[rows.ravel()]]).ravel()
