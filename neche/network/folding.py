"""Fold a network: what sees one square, or can never be off, becomes a value by square and piece.

Symbols: `N` networks; `H` and `K` room for neurons that combine squares, of the first and second layer (two
copies when antisymmetric). A neuron is described by its weights [64] of the squares, its bias, and its weight
to the output. An input from a square is one of −2, −1, 0, 1, 2, so the sum of a neuron lies between
bias − 2·Σ|w| and bias + 2·Σ|w|: one that is always positive is linear, one that is never is not needed.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import F64, I64, Array, Bool, jit_allocating

PIECES = 4
SQUARES = 64
"""Room for the squares of any board, by bit: a constant, so that searches need not carry it about."""
SHIFT, NUM_HIDDEN, NUM_SECOND, BIAS, SECOND_SCALE, UNIT, MOBILITY, BEYOND = range(8)
LANES, BLOCK, KING_ROWS, HEADER = range(8, 12)
"""Words of a header. MOBILITY: worth of a move, in the unit. BEYOND: 0 if squares and bias are all, MOVER for
a dense network; the words LANES, BLOCK and KING_ROWS are for that one alone, see `dense`."""
MOVER = -1
MOST_MOVES = 64
"""More than the mobility of any position."""
_SCALE = np.int64(10_000)
# Sums stay below this, so that win scores fit above them in an int64.
_LIMIT = 2.0**61


class Folded(NamedTuple):
    """Networks in parts. The first axis is the network.

    header: [N, 12] int64 – see the constants above. table: [N, 2, 4, 64] int64, unit – value by side, piece
    (own man, own king, foe man, foe king) and square. rows: [N, 2, H + K, 64] int32 – weights of squares by
    side and neuron. seen: [N, 2, H + K] int64 – squares that each neuron has a weight for, as a board word.
    hidden_bias, hidden_out: [N, H] int64. second_bias, second_out: [N, K] int64. second_hidden: [N, K, H]
    int64.
    """

    header: Array
    table: Array
    rows: Array
    seen: Array
    hidden_bias: Array
    hidden_out: Array
    second_bias: Array
    second_out: Array
    second_hidden: Array


class SensorMap(NamedTuple):
    """Squares of the sensors. bits: [sensors] int64. opposite: [64] int64 – bit of the square opposite."""

    bits: Array
    opposite: Array


class Neurons(NamedTuple):
    """Where the kinds of neurons begin: the first ids of a `Topology`."""

    first_bias: I64
    first_layer1: I64
    first_layer2: I64
    output: I64


@jit_allocating
def fold_networks(
    folded: Folded, rows: Array, sensors: SensorMap, neurons: Array, live: Any, kinds: tuple[Array, Array]
) -> None:
    """Fold networks into rows [N] of `folded`, which are zero.

    neurons: [N, 4] int64 – first ids as in `Neurons`. live: ends [N + 1] int64, those of network n are
    ends[n] … ends[n + 1] − 1, and source, sink, weight [S] int32 of live synapses. kinds: is antisymmetric
    [N] bool; mobility [N] int64, ten-thousandths of a weight unit.
    """
    ends, source, sink, weight = live
    num_neurons = np.int64(0)
    for network in range(len(rows)):
        num_neurons = max(num_neurons, neurons[network, 3] + 1)
    dense = np.zeros((num_neurons, num_neurons), np.int64)
    for network in range(len(rows)):
        begin, end = ends[network], ends[network + 1]
        for at in range(begin, end):
            dense[source[at], sink[at]] = weight[at]
        first_bias, layer1, layer2, output = neurons[network]
        shape = Neurons(first_bias, layer1, layer2, output)
        _fold_network(folded, rows[network], sensors, shape, dense, kinds[0][network], kinds[1][network])
        for at in range(begin, end):
            dense[source[at], sink[at]] = 0


@jit_allocating
def _fold_network(
    folded: Folded,
    index: I64,
    sensors: SensorMap,
    neurons: Neurons,
    dense: Array,
    antisymmetric: Bool,
    mobility: I64,
) -> None:
    """Fold a network into row `index` of `folded`, which is zero.

    dense: [neurons, neurons] int64, ten-thousandths of a weight unit – weight by source and sink. mobility:
    ten-thousandths of a weight unit.
    """
    first, second, output = neurons.first_layer1, neurons.first_layer2, neurons.output
    header = folded.header[index]
    # each layer multiplies by a weight, in ten-thousandths: the unit grows with the layers there are
    layers = 0
    if _has_weight(dense, (np.int64(0), output), (first, output)):
        layers = 2 if _has_weight(dense, (first, second), (second, output)) else 1
    header[SECOND_SCALE] = _SCALE if layers == 2 else 1
    header[UNIT] = _SCALE ** (1 + layers)
    # as a number: for each literal truth value it would be compiled anew
    for mirrored in range(2 if antisymmetric else 1):
        _add_copy(folded, index, sensors, neurons, dense, mirrored)
    # the opponent's view of the difference in mobility is its opposite
    header[MOBILITY] = mobility * (header[UNIT] // _SCALE) * (2 if antisymmetric else 1)
    header[BEYOND] = header[NUM_HIDDEN] + (header[MOBILITY] != 0)
    # a larger unit where a sum could leave 61 bits
    largest = _largest_sum(folded, index)
    while largest >= _LIMIT:
        header[SHIFT] += 1
        largest /= 2


# Loops, no functions of NumPy: each of those takes most of a second to compile, at the first start of all.
@jit_allocating
def _has_weight(dense: Array, sources: tuple[I64, I64], sinks: tuple[I64, I64]) -> Bool:
    """Return whether a synapse leads from one range of neurons to another."""
    for source in range(sources[0], sources[1]):
        for sink in range(sinks[0], sinks[1]):
            if dense[source, sink] != 0:
                return True
    return False


@jit_allocating
def _relu(value: I64) -> I64:
    return value if value > 0 else np.int64(0)


@jit_allocating
def _add_square(folded: Folded, index: I64, sensors: SensorMap, square: I64, values: Array) -> None:
    """Add values [own man, own king, foe man, foe king] of a square as White sees it, and for Black."""
    for piece in range(PIECES):
        folded.table[index, 0, piece, square] += values[piece]
        folded.table[index, 1, piece, sensors.opposite[square]] += values[piece]


@jit_allocating
def _add_linear(folded: Folded, index: I64, sensors: SensorMap, weights: Array, factor: I64) -> None:
    """Add a sum over squares that nothing cuts off: a king counts twice, an enemy the opposite."""
    for square in range(len(weights)):
        value = weights[square] * factor
        if value != 0:
            _add_square(folded, index, sensors, square, (value, 2 * value, -value, -2 * value))


@jit_allocating
def _add_one_square(
    folded: Folded, index: I64, sensors: SensorMap, weights: Array, bias: I64, out: I64
) -> None:
    """Add a neuron that sees at most one square."""
    # what it says of the empty square goes to the bias, the difference of each piece to the table
    resting = _relu(bias)
    folded.header[index, BIAS] += out * resting
    for square in range(len(weights)):
        weight = weights[square]
        if weight != 0:
            values = (
                out * (_relu(bias + weight) - resting),
                out * (_relu(bias + 2 * weight) - resting),
                out * (_relu(bias - weight) - resting),
                out * (_relu(bias - 2 * weight) - resting),
            )
            _add_square(folded, index, sensors, square, values)


@jit_allocating
def _write_row(folded: Folded, index: I64, sensors: SensorMap, row: I64, weights: Array) -> None:
    """Write the weights of a neuron for both sides, and the squares it has a weight for."""
    # for Black, who sees the board turned, the weight belongs to the opposite square
    for square in range(len(weights)):
        if weights[square] != 0:
            opposite = sensors.opposite[square]
            folded.rows[index, 0, row, square] = weights[square]
            folded.rows[index, 1, row, opposite] = weights[square]
            folded.seen[index, 0, row] |= np.int64(1) << square
            folded.seen[index, 1, row] |= np.int64(1) << opposite


@jit_allocating
def _add_hidden_row(
    folded: Folded, index: I64, sensors: SensorMap, weights: Array, bias: I64, out: I64
) -> I64:
    """Add a first-layer neuron that is evaluated at every leaf; return its row."""
    row = folded.header[index, NUM_HIDDEN]
    folded.header[index, NUM_HIDDEN] = row + 1
    _write_row(folded, index, sensors, row, weights)
    folded.hidden_bias[index, row] = bias
    folded.hidden_out[index, row] = out
    return row


@jit_allocating
def _reach(weights: Array) -> I64:
    """Return how far a sum can be from its bias, with kings on all squares."""
    total = np.int64(0)
    for weight in weights:
        total += abs(np.int64(weight))
    return 2 * total


@jit_allocating
def _add_neuron(folded: Folded, index: I64, sensors: SensorMap, weights: Array, bias: I64, out: I64) -> None:
    """Add a hidden neuron that feeds the output alone, in the cheapest form."""
    reach, num_squares = _reach(weights), 0
    for weight in weights:
        num_squares += weight != 0
    # never on, or not heard
    if bias + reach <= 0 or out == 0:
        return
    # never off: its ReLU changes nothing
    if bias - reach >= 0:
        folded.header[index, BIAS] += out * bias
        _add_linear(folded, index, sensors, weights, out)
    elif num_squares <= 1:
        _add_one_square(folded, index, sensors, weights, bias, out)
    else:
        _add_hidden_row(folded, index, sensors, weights, bias, out)


@jit_allocating
def _square_weights(dense: Array, sensors: SensorMap, sink: I64, mirrored: I64) -> Array:
    """Return the weights [64] of the squares in a neuron; `mirrored`: as the opponent sees."""
    weights = np.zeros(len(sensors.opposite), np.int64)
    for sensor in range(len(sensors.bits)):
        square = sensors.bits[sensor]
        if mirrored:
            weights[sensors.opposite[square]] = -dense[sensor, sink]
        else:
            weights[square] = dense[sensor, sink]
    return weights


@jit_allocating
def _add_second(
    folded: Folded,
    index: I64,
    sensors: SensorMap,
    neurons: Neurons,
    dense: Array,
    sink: I64,
    mirrored: I64,
    row_of: Array,
) -> None:
    """Add a second-layer neuron that has first-layer inputs; their rows are in row_of (−1 where not live)."""
    sign = np.int64(-1) if mirrored else np.int64(1)
    row = folded.header[index, NUM_SECOND]
    folded.header[index, NUM_SECOND] = row + 1
    hidden = folded.hidden_bias.shape[1]
    _write_row(folded, index, sensors, hidden + row, _square_weights(dense, sensors, sink, mirrored))
    folded.second_bias[index, row] = _bias(neurons, dense, sink)
    folded.second_out[index, row] = sign * dense[sink, neurons.output]
    for neuron in range(neurons.first_layer1, neurons.first_layer2):
        if row_of[neuron] >= 0:
            folded.second_hidden[index, row, row_of[neuron]] = dense[neuron, sink]


@jit_allocating
def _bias(neurons: Neurons, dense: Array, sink: I64) -> I64:
    total = np.int64(0)
    for source in range(neurons.first_bias, neurons.first_layer1):
        total += dense[source, sink]
    return total


@jit_allocating
def _add_copy(
    folded: Folded, index: I64, sensors: SensorMap, neurons: Neurons, dense: Array, mirrored: I64
) -> None:
    """Add the network as one side sees it; `mirrored` is the opponent's view, subtracted."""
    sign = np.int64(-1) if mirrored else np.int64(1)
    second_scale = folded.header[index, SECOND_SCALE]
    out_scale = folded.header[index, UNIT] // _SCALE
    first, second, output = neurons.first_layer1, neurons.first_layer2, neurons.output
    # what feeds the output directly
    folded.header[index, BIAS] += sign * out_scale * _bias(neurons, dense, output)
    _add_linear(folded, index, sensors, _square_weights(dense, sensors, output, mirrored), sign * out_scale)
    # hidden neurons in the order of their ids, so the first layer has its rows when the second needs them
    row_of = np.empty(output, np.int64)
    for neuron in range(first, output):
        here = (neuron, neuron + 1)
        row_of[neuron] = -1
        if not _has_weight(dense, here, (second, output + 1)):
            continue
        if neuron >= second and _has_weight(dense, (first, second), here):
            _add_second(folded, index, sensors, neurons, dense, neuron, mirrored, row_of)
            continue
        weights, bias = _square_weights(dense, sensors, neuron, mirrored), _bias(neurons, dense, neuron)
        out = sign * second_scale * dense[neuron, output]
        # a neuron that feeds the second layer keeps its row: its value is needed there
        if neuron < second and _has_weight(dense, here, (second, output)):
            row_of[neuron] = _add_hidden_row(folded, index, sensors, weights, bias, out)
        else:
            _add_neuron(folded, index, sensors, weights, bias, out)


@jit_allocating
def _largest_sum(folded: Folded, index: I64) -> F64:
    """Return a bound on the size of any evaluation, and of any part of it, before the shift."""
    header = folded.header[index]
    hidden = folded.hidden_bias.shape[1]
    total = abs(np.float64(header[BIAS]))
    for piece in range(PIECES):
        for value in folded.table[index, 0, piece]:
            total += abs(np.float64(value))
    total += abs(np.float64(header[MOBILITY])) * MOST_MOVES
    # first layer: the largest value of each neuron, which the second layer is fed
    excitation = np.zeros(hidden)
    for row in range(header[NUM_HIDDEN]):
        reach = _reach(folded.rows[index, 0, row])
        excitation[row] = max(np.float64(folded.hidden_bias[index, row]) + reach, 0.0)
        total += excitation[row] * abs(np.float64(folded.hidden_out[index, row]))
    # second layer: on top of its own sensors
    for row in range(header[NUM_SECOND]):
        reach = _reach(folded.rows[index, 0, hidden + row])
        top = (abs(np.float64(folded.second_bias[index, row])) + reach) * np.float64(header[SECOND_SCALE])
        fed = 0.0
        for before in range(hidden):
            fed += excitation[before] * abs(np.float64(folded.second_hidden[index, row, before]))
        top += fed
        total += top * abs(np.float64(folded.second_out[index, row]))
    return total
