"""Dense networks, which strands write: their synapses, and their arrays for compiled code.

The network sees the board as the side to move does, turned for Black, and its value is for that side. With
weights in steps (`strands.STEPS_A_UNIT` to a unit)

    value = 125 · (constant + Σ direct) + Σ out · max(0, bias + Σ hidden)

summed over the pieces on the board, each of which excites the sensor of its kind and square. A weight unit is
15 625 in this value. With a second hidden layer

    value = 125² · (constant + Σ direct) + Σ second · max(0, Σ out · max(0, bias + Σ hidden))

and a weight unit is 1 953 125. Integers keep all of it exact: a hidden sum of 63 pieces fits in 16 bits, the
weighted sum of 128 hidden neurons in 32 bits.

A network that sees single pieces and one that sees patterns (`games.sensors`) differ only in their rows.

The constant and the direct weights of pieces form an accumulator that a move updates: a pair of numbers in
one int64, so that one addition serves both. The upper half is the value for the network's own side if that is
to move, the lower half the value for the other side if that is to move. Hidden neurons are summed from
scratch, and so are direct weights of patterns, as one more neuron that is always on.

Block of a network, int16, each row with one lane per hidden neuron, padded with zeros to whole vectors:
bias | out | rows of the states of each group (`groups`) | of own kings by bit | of enemy kings; once more for
the second side to move if the board is not turned for it. With a second layer the row `out` is unused, and
the block is followed by its links: a row of 32 lanes for each lane of the first layer, one lane per second
neuron, and a row of their weights to the output.

Symbols: N networks, W weights, S sensors, H hidden neurons, K of the second layer.
"""

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from neche.compiled.lanes import LANES as VECTOR_LANES, SECOND_LANES, STATES
from neche.compiled.pointers import aligned_zeros
from neche.errors import InputError
from neche.games.sensors import SensorLayout
from neche.genome.dna import WEIGHT_SCALE
from neche.genome.strands import LEAST_WEIGHT, MOST_WEIGHT, RAW_STEP, STEPS_A_UNIT, Layers, split_weights
from neche.network.decode import Network
from neche.network.folding import (
    BEYOND,
    BIAS,
    BLOCK,
    GROUPS,
    HEADER,
    IS_SUM,
    LANES,
    LINKS,
    MOVER,
    NUM_SECOND,
    OTHER_SIDE,
    PIECES,
    SECOND_SCALE,
    SQUARES,
    UNIT,
    Folded,
    SensorMap,
)
from neche.network.groups import fill_groups, num_rows, patterns_of_rows, rows_of_men
from neche.network.topology import MAX_SECOND, Topology

MANY_SYNAPSES = 256
"""Networks with fewer are folded: that leaves few neurons, each of which sees few squares."""
_KING, _LARGEST_SUM = 2, 32767
_ALWAYS_ON = -LEAST_WEIGHT * SQUARES // 4
"""A constant that the direct weights of one pattern per group cannot outweigh."""


def pack_dense(folded: Folded, dense: Mapping[int, Layers], layout: SensorLayout) -> NDArray[np.int32]:
    """Write dense networks, by number, into records that are zero; return the rows plus their blocks."""
    networks, rows = [_with_direct_neuron(layers, layout) for layers in dense.values()], folded.rows
    sides, side_rows = 1 if layout.grouping.is_turned else 2, num_rows(layout)
    # whole vectors
    widths = [-(-len(layers.out) // VECTOR_LANES) * VECTOR_LANES for layers in networks]
    block_rows = 2 + sides * side_rows
    sizes = [
        block_rows * lanes + (SECOND_LANES * (lanes + 1) if layers.second.size else 0)
        for lanes, layers in zip(widths, networks, strict=True)
    ]
    ends = 2 * len(rows) + np.cumsum([0, *sizes])
    every = aligned_zeros((int(ends[-1]),), np.int16)
    every[: 2 * len(rows)] = rows.view(np.int16)
    for index, layers, lanes, start, end in zip(dense, networks, widths, ends, ends[1:], strict=False):
        header = folded.records[index]
        header[UNIT], header[SECOND_SCALE], header[BEYOND] = STEPS_A_UNIT * STEPS_A_UNIT, 1, MOVER
        header[LANES], header[NUM_SECOND] = lanes, layers.second.size
        header[GROUPS], header[IS_SUM] = len(layout.grouping.groups), not _sees_patterns(layers, layout)
        header[LINKS], header[OTHER_SIDE] = block_rows * lanes, (sides - 1) * side_rows * lanes
        header[BIAS] = _pair(*[np.int64(STEPS_A_UNIT) * layers.constant] * 2)
        header[HEADER:] = _table(layers, layout).ravel()
        if lanes:
            header[BLOCK], links = start, start + block_rows * lanes
            _fill_block(every[start:links].reshape(block_rows, lanes), layers, layout)
            if layers.second.size:
                header[UNIT] *= STEPS_A_UNIT
                hidden, second = layers.out.shape
                # from the first layer to the second, then from the second to the output
                table = every[links:end].reshape(lanes + 1, SECOND_LANES)
                table[:hidden, :second], table[-1, :second] = layers.out, layers.second
    return every.view(np.int32)


def _sees_patterns(layers: Layers, layout: SensorLayout) -> bool:
    return bool(layers.direct.shape[0] == layout.num_pattern_sensors)


def _with_direct_neuron(layers: Layers, layout: SensorLayout) -> Layers:
    """Move direct weights of patterns to a hidden neuron that is always on; InputError if it has no room."""
    if not _sees_patterns(layers, layout):
        return layers
    num_kings, second = layout.has_kings * 2 * len(layout.squares), layers.second
    direct, hidden = layers.direct.copy(), layers.direct.copy()
    direct[: len(direct) - num_kings], hidden[len(hidden) - num_kings :] = 0, 0
    if second.size == MAX_SECOND:
        raise InputError(f"sensors by pattern: a second layer has {MAX_SECOND - 1} neurons at most")
    # with a second layer, one more neuron there passes the sum on
    out = np.pad(layers.out, ((0, 1), (0, second.size > 0)))
    out[-1, -1] = STEPS_A_UNIT
    return Layers(
        np.append(second, np.int16(STEPS_A_UNIT)) if second.size else second,
        layers.constant.astype(np.int64) - _ALWAYS_ON,
        direct,
        out,
        np.append(layers.bias, np.int16(_ALWAYS_ON)),
        np.concatenate([layers.hidden, hidden[None]]),
    )


def dense_layers(network: Network, layout: SensorLayout) -> Layers | None:
    """Return a network as matrices over its sensors if it is dense; None if it must be folded.

    Networks of strands are dense; so are networks of genes with many synapses and one hidden layer, if
    strands could write all their weights. InputError if a network of strands has sensors for another board,
    or weights that strands cannot write.
    """
    if network.topology.is_dense:
        check_layout(network.topology, layout)
        return split_weights(weights_of(network), network.topology.strand_format)
    is_own_board = network.topology.sensors == len(layout.squares)
    is_wired = is_own_board and np.count_nonzero(network.live) >= MANY_SYNAPSES
    if not is_wired or network.perspective != "antisymmetric" or network.mobility:
        return None
    return _layers_of_genes(network, layout)


def _layers_of_genes(network: Network, layout: SensorLayout) -> Layers | None:
    """Return an antisymmetric network as a dense one, with its neurons once for each side's view.

    A king counts double and an enemy piece the negative, so one weight of a square gives those of all kinds.
    """
    shape, live = network.topology, network.live
    weights = np.zeros((shape.num_neurons, shape.num_neurons), np.int64)
    weights[network.source[live], network.sink[live]] = network.weight[live]
    first, output = shape.first_layer1, shape.output
    steps = weights // RAW_STEP
    if (steps * RAW_STEP != weights).any() or weights[first:output, first:output].any():
        return None
    squares = steps[: shape.sensors, [output, *range(first, output)]]
    bias = steps[shape.first_bias : first, first:output].sum(axis=0)
    # even with kings everywhere a sum must fit in 16 bits
    if (np.abs(bias) + _KING * np.abs(squares[:, 1:]).sum(axis=0) > _LARGEST_SUM).any():
        return None
    worth = np.array([1, _KING, -1, -_KING] if layout.has_kings else [1, -1])
    own = (worth[:, None, None] * squares).reshape(-1, squares.shape[1])
    other = (-worth[:, None, None] * squares[np.array(layout.turned)]).reshape(-1, squares.shape[1])
    out = steps[first:output, output]
    used = np.flatnonzero(out)
    if np.abs(out).max(initial=0) > MOST_WEIGHT:
        return None
    layers = (
        np.zeros(0, np.int16),
        np.zeros((), np.int16),
        own[:, 0] - other[:, 0],
        np.concatenate([out[used], -out[used]])[:, None],
        np.tile(bias[used], 2),
        np.concatenate([own[:, 1 + used], other[:, 1 + used]], axis=1).T,
    )
    return Layers(*(part.astype(np.int16) for part in layers))


def weights_of(network: Network) -> NDArray[np.int16]:
    """Return the weights [W] of a dense network, in steps, in the order of the strands; 0 without a synapse.

    InputError if one is not a whole number of steps, or outside what strands can write.
    """
    raw = network.weight
    # not divmod, which takes ten times as long: NumPy vectorises division by one number
    steps = raw // RAW_STEP
    wrong = np.flatnonzero((steps * RAW_STEP != raw) | (steps < LEAST_WEIGHT) | (steps > MOST_WEIGHT))
    if wrong.size:
        raise InputError(
            f"perspective mover: the weight {raw[wrong[0]] / WEIGHT_SCALE:g} is not a multiple of "
            f"{1 / STEPS_A_UNIT:g} between {LEAST_WEIGHT / STEPS_A_UNIT:g} and {MOST_WEIGHT / STEPS_A_UNIT:g}"
        )
    topology = network.topology
    weights = np.zeros(topology.strand_format.num_weights, np.int16)
    source, _, place = topology.dense_synapses
    # a decoded network has all synapses, in their order
    weights[place if network.source is source else _places(topology)[network.sink, network.source]] = steps
    return weights


@cache
def _places(topology: Topology) -> NDArray[np.int64]:
    """Return the number of each synapse's weight on the strands, by sink and source."""
    places = np.zeros((topology.num_neurons, topology.num_neurons), np.int64)
    source, sink, place = topology.dense_synapses
    places[sink, source] = place
    return places


def check_layout(topology: Topology, layout: SensorLayout) -> None:
    """Raise InputError unless the sensors of a dense network fit a board."""
    kinds, patterns = layout.num_kind_sensors, layout.num_pattern_sensors
    if topology.sensors not in (kinds, patterns):
        others = f", or {patterns} by pattern" if patterns else ""
        raise InputError(
            f"a dense network with {topology.sensors} sensors does not see a board of "
            f"{len(layout.squares)} squares, which has {kinds} by kind{others}"
        )


@cache
def sensor_map(layout: SensorLayout) -> SensorMap:
    """Return the bit of each sensor's square, and the bit of the square opposite each bit."""
    bits = np.array(layout.bits, np.int64)
    opposite = np.full(SQUARES, -1, np.int64)
    opposite[bits] = bits[np.array(layout.turned)]
    return SensorMap(bits, opposite)


def group_rows(records: NDArray[np.int64], rows: NDArray[np.int32]) -> list[NDArray[np.int16]]:
    """Return the group rows [groups · 81, lanes], by side, of all packed networks whose rows are sums."""
    blocks, every = records[(records[:, LANES] > 0) & (records[:, IS_SUM] != 0)], rows.view(np.int16)
    return [
        every[first : first + groups * STATES * lanes].reshape(-1, lanes)
        for start, lanes, groups, other in blocks[:, [BLOCK, LANES, GROUPS, OTHER_SIDE]].tolist()
        for first in {start + 2 * lanes, start + 2 * lanes + other}
    ]


def block_sizes(records: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of elements in the block of each network; 0 if it is not dense."""
    has_links = (records[:, LANES] > 0) & (records[:, NUM_SECOND] > 0)
    return records[:, LINKS] + np.where(has_links, SECOND_LANES * (records[:, LANES] + 1), 0)


def _pair(upper: NDArray[np.int64], lower: NDArray[np.int64]) -> NDArray[np.int64]:
    return upper * np.int64(2**32) + lower


# of the kinds own man, own king, enemy man, enemy king
_MEN, _KINGS = [0, 2], [1, 3]
_TO_OTHER_SIDE = [2, 3, 0, 1]


@cache
def _sensor_of_bit(layout: SensorLayout) -> NDArray[np.int64]:
    """Return the sensor by kind [2, 4, 64] of each bit, for White and for Black to move; S for no sensor."""
    kinds, squares = len(layout.kinds), len(layout.squares)
    sensors = np.full((2, PIECES, SQUARES), kinds * squares)
    bits, opposite = sensor_map(layout)
    for number, kind in enumerate(range(PIECES) if layout.has_kings else _MEN):
        ids = number * squares + np.arange(squares)
        sensors[0, kind, bits] = ids
        sensors[1, kind, opposite[bits]] = ids
    return sensors


def _table(layers: Layers, layout: SensorLayout) -> NDArray[np.int64]:
    """Return the table [2, 4, 64] of pairs, by side played for, piece as that side sees it, and bit."""
    by_kind = layers.direct
    if _sees_patterns(layers, layout):
        # the weights of men are in a hidden neuron
        squares = len(layout.squares)
        own, foe = np.split(by_kind[len(by_kind) - layout.has_kings * 2 * squares :], 2)
        men = np.zeros(squares, np.int16)
        by_kind = np.concatenate([men, own, men, foe] if layout.has_kings else [men, men])
    direct = STEPS_A_UNIT * np.append(by_kind, 0).astype(np.int64)
    seen = direct[_sensor_of_bit(layout)]
    return _pair(seen, seen[::-1, _TO_OTHER_SIDE])


def _fill_block(block: NDArray[np.int16], layers: Layers, layout: SensorLayout) -> None:
    """Write the block of a network, [rows, lanes], into zeros."""
    num_sensors, hidden = layers.direct.shape[0], layers.bias.shape[0]
    by_sensor = np.zeros((num_sensors + 1, block.shape[1]), np.int16)
    by_sensor[:-1, :hidden] = layers.hidden.T
    block[0, :hidden] = layers.bias
    if not layers.second.size:
        block[1, :hidden] = layers.out[:, 0]
    sees_patterns, first_king = _sees_patterns(layers, layout), STATES * len(layout.grouping.groups)
    for side, rows in enumerate(np.split(block[2:], 1 if layout.grouping.is_turned else 2)):
        groups, kings = rows[:first_king], rows[first_king:].reshape(2, -1, block.shape[1])
        if sees_patterns:
            np.take(by_sensor, patterns_of_rows(layout)[side], axis=0, out=groups, mode="clip")
        else:
            for sensors, at in zip(_sensor_of_bit(layout)[side, _MEN], rows_of_men(layout), strict=True):
                groups[at[at >= 0]] = by_sensor[sensors[at >= 0]]
            fill_groups(groups)
        # kings are the last of the sensors by pattern, own kings first
        sensors_of_kings = _sensor_of_bit(layout)[side, _KINGS, : kings.shape[1]]
        if sees_patterns and layout.has_kings:
            squares = len(layout.squares)
            skipped = np.array([[squares], [2 * squares]]) - (num_sensors - 2 * squares)
            sensors_of_kings = np.minimum(sensors_of_kings - skipped, num_sensors)
        kings[:] = by_sensor[sensors_of_kings]
