"""Fold networks: whatever sees one square, or can never be off, becomes a value by square and piece.

Symbols: `N` networks; `H` and `K` room for neurons that combine squares, of the first and second layer (two
copies when antisymmetric). A neuron is described by its weights [64] of the squares, its bias, and its weight
to the output. An input from a square is one of −2, −1, 0, 1, 2, so its
sum lies between bias − 2·Σ|w| and bias + 2·Σ|w|.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import jit_allocating

PIECES = 4
SQUARES = 64
"""Room for the squares of any board, by bit: a constant, so that searches need not carry it about."""
SHIFT, NUM_HIDDEN, NUM_SECOND, BIAS, SECOND_SCALE, UNIT, MOBILITY, BEYOND, HEADER = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""Words of a header. MOBILITY: worth of a move, in the unit. BEYOND: 0 if squares and bias are all."""
MOST_MOVES = 64
"""More than the mobility of any position."""
_SCALE = np.int64(10_000)
# Sums stay below this, so that win scores fit above them in an int64.
_LIMIT = 2.0**61


class Folded(NamedTuple):
    """Networks in parts. The first axis is the network.

    header: [N, 8] int64 – see the constants above. table: [N, 2, 4, 64] int64, unit – value by viewer, piece
    (own man, own king, foe man, foe king) and square. rows: [N, 2, H + K, 64] int32 – weights of squares by
    viewer and neuron. seen: [N, 2, H + K] int64 – squares that each neuron has a weight for, as a board word.
    hidden_bias, hidden_out: [N, H] int64. second_bias, second_out: [N, K] int64. second_hidden: [N, K, H]
    int64.
    """

    header: Any
    table: Any
    rows: Any
    seen: Any
    hidden_bias: Any
    hidden_out: Any
    second_bias: Any
    second_out: Any
    second_hidden: Any


class Eye(NamedTuple):
    """What sensors see. bits: [sensors] int64. opposite: [64] int64 – bit of the square opposite, by bit."""

    bits: Any
    opposite: Any


class Neurons(NamedTuple):
    """Where the kinds of neurons begin: the first ids of a `Topology`."""

    first_bias: Any
    first_layer1: Any
    first_layer2: Any
    output: Any


class Synapses(NamedTuple):
    """Live synapses of several networks end to end; those of network n are start[n] … start[n + 1] − 1.

    neurons: [N, 4] int64, see `Neurons`. antisymmetric: [N] bool. mobility: [N] int64, ten-thousandths of a
    weight unit.
    """

    start: Any
    source: Any
    sink: Any
    weight: Any
    neurons: Any
    antisymmetric: Any
    mobility: Any


def empty_folded(count: int, hidden: int, second: int) -> Folded:
    """Room for `count` networks, all zero."""

    def zeros(*shape: int) -> Any:
        return np.zeros((count, *shape), np.int64)

    return Folded(
        zeros(HEADER),
        zeros(2, PIECES, SQUARES),
        np.zeros((count, 2, hidden + second, SQUARES), np.int32),
        zeros(2, hidden + second),
        zeros(hidden),
        zeros(hidden),
        zeros(second),
        zeros(second),
        zeros(second, hidden),
    )


@jit_allocating
def _relu(value: Any) -> Any:
    return value if value > 0 else np.int64(0)


@jit_allocating
def _add_square(folded: Any, index: Any, eye: Any, square: Any, values: Any) -> None:
    """Add values [own man, own king, foe man, foe king] of a square seen by White, and the same for Black."""
    for piece in range(PIECES):
        folded.table[index, 0, piece, square] += values[piece]
        folded.table[index, 1, piece, eye.opposite[square]] += values[piece]


@jit_allocating
def _add_linear(folded: Any, index: Any, eye: Any, weights: Any, factor: Any) -> None:
    for square in range(len(weights)):
        value = weights[square] * factor
        if value != 0:
            _add_square(folded, index, eye, square, (value, 2 * value, -value, -2 * value))


@jit_allocating
def _add_one_square(folded: Any, index: Any, eye: Any, weights: Any, bias: Any, out: Any) -> None:
    """Add a neuron that sees at most one square."""
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
            _add_square(folded, index, eye, square, values)


@jit_allocating
def _write_row(folded: Any, index: Any, eye: Any, row: Any, weights: Any) -> None:
    for square in range(len(weights)):
        if weights[square] != 0:
            opposite = eye.opposite[square]
            folded.rows[index, 0, row, square] = weights[square]
            folded.rows[index, 1, row, opposite] = weights[square]
            folded.seen[index, 0, row] |= np.int64(1) << square
            folded.seen[index, 1, row] |= np.int64(1) << opposite


@jit_allocating
def _add_hidden_row(folded: Any, index: Any, eye: Any, weights: Any, bias: Any, out: Any) -> Any:
    row = folded.header[index, NUM_HIDDEN]
    folded.header[index, NUM_HIDDEN] = row + 1
    _write_row(folded, index, eye, row, weights)
    folded.hidden_bias[index, row] = bias
    folded.hidden_out[index, row] = out
    return row


@jit_allocating
def _reach(weights: Any) -> Any:
    total = np.int64(0)
    for square in range(len(weights)):
        total += abs(weights[square])
    return 2 * total


@jit_allocating
def _add_neuron(folded: Any, index: Any, eye: Any, weights: Any, bias: Any, out: Any) -> None:
    """Add a hidden neuron that feeds the output alone, in the cheapest form."""
    reach = _reach(weights)
    num_squares = np.count_nonzero(weights)
    if bias + reach <= 0 or out == 0:
        return
    if bias - reach >= 0:
        folded.header[index, BIAS] += out * bias
        _add_linear(folded, index, eye, weights, out)
    elif num_squares <= 1:
        _add_one_square(folded, index, eye, weights, bias, out)
    else:
        _add_hidden_row(folded, index, eye, weights, bias, out)


@jit_allocating
def _square_weights(dense: Any, eye: Any, sink: Any, mirrored: Any) -> Any:
    """Weights [64] of the squares in a neuron; `mirrored` for its copy that sees as the opponent does."""
    weights = np.zeros(len(eye.opposite), np.int64)
    for sensor in range(len(eye.bits)):
        square = eye.bits[sensor]
        if mirrored:
            weights[eye.opposite[square]] = -dense[sensor, sink]
        else:
            weights[square] = dense[sensor, sink]
    return weights


@jit_allocating
def _add_second(
    folded: Any, index: Any, eye: Any, neurons: Any, dense: Any, sink: Any, mirrored: Any, row_of: Any
) -> None:
    """Add a second-layer neuron that has first-layer inputs; their rows are in row_of (−1 where not live)."""
    sign = np.int64(-1) if mirrored else np.int64(1)
    row = folded.header[index, NUM_SECOND]
    folded.header[index, NUM_SECOND] = row + 1
    hidden = folded.hidden_bias.shape[1]
    _write_row(folded, index, eye, hidden + row, _square_weights(dense, eye, sink, mirrored))
    folded.second_bias[index, row] = _bias(neurons, dense, sink)
    folded.second_out[index, row] = sign * dense[sink, neurons.output]
    for neuron in range(neurons.first_layer1, neurons.first_layer2):
        if row_of[neuron] >= 0:
            folded.second_hidden[index, row, row_of[neuron]] = dense[neuron, sink]


@jit_allocating
def _bias(neurons: Any, dense: Any, sink: Any) -> Any:
    return dense[neurons.first_bias : neurons.first_layer1, sink].sum()


@jit_allocating
def _add_copy(folded: Any, index: Any, eye: Any, neurons: Any, dense: Any, mirrored: Any) -> None:
    """Add the network as one side sees it; `mirrored` is the opponent's view, subtracted."""
    sign = np.int64(-1) if mirrored else np.int64(1)
    second_scale = folded.header[index, SECOND_SCALE]
    out_scale = folded.header[index, UNIT] // _SCALE
    first, second, output = neurons.first_layer1, neurons.first_layer2, neurons.output
    folded.header[index, BIAS] += sign * out_scale * _bias(neurons, dense, output)
    _add_linear(folded, index, eye, _square_weights(dense, eye, output, mirrored), sign * out_scale)
    row_of = np.full(output, -1, np.int64)
    for neuron in range(first, output):
        if not np.any(dense[neuron, second : output + 1]):
            continue
        if neuron >= second and np.any(dense[first:second, neuron]):
            _add_second(folded, index, eye, neurons, dense, neuron, mirrored, row_of)
            continue
        weights, bias = _square_weights(dense, eye, neuron, mirrored), _bias(neurons, dense, neuron)
        out = sign * second_scale * dense[neuron, output]
        if neuron < second and np.any(dense[neuron, second:output]):
            row_of[neuron] = _add_hidden_row(folded, index, eye, weights, bias, out)
        else:
            _add_neuron(folded, index, eye, weights, bias, out)


@jit_allocating
def _largest_sum(folded: Any, index: Any) -> Any:
    """Bound on the size of any evaluation, and of any part of it, before the shift."""
    header = folded.header[index]
    hidden = folded.hidden_bias.shape[1]
    total = abs(np.float64(header[BIAS])) + np.abs(folded.table[index, 0].astype(np.float64)).sum()
    total += abs(np.float64(header[MOBILITY])) * MOST_MOVES
    excitation = np.zeros(hidden)
    for row in range(header[NUM_HIDDEN]):
        reach = _reach(folded.rows[index, 0, row].astype(np.int64))
        excitation[row] = max(np.float64(folded.hidden_bias[index, row]) + reach, 0.0)
        total += excitation[row] * abs(np.float64(folded.hidden_out[index, row]))
    for row in range(header[NUM_SECOND]):
        reach = _reach(folded.rows[index, 0, hidden + row].astype(np.int64))
        top = (abs(np.float64(folded.second_bias[index, row])) + reach) * np.float64(header[SECOND_SCALE])
        top += (excitation * np.abs(folded.second_hidden[index, row].astype(np.float64))).sum()
        total += top * abs(np.float64(folded.second_out[index, row]))
    return total


@jit_allocating
def _fold(folded: Any, index: Any, eye: Any, neurons: Any, dense: Any, antisymmetric: Any) -> None:
    first, second, output = neurons.first_layer1, neurons.first_layer2, neurons.output
    layers = 0
    if np.any(dense[:output, first:output]):
        layers = 2 if np.any(dense[first:second, second:output]) else 1
    folded.header[index, SECOND_SCALE] = _SCALE if layers == 2 else 1
    folded.header[index, UNIT] = _SCALE ** (1 + layers)
    _add_copy(folded, index, eye, neurons, dense, False)
    if antisymmetric:
        _add_copy(folded, index, eye, neurons, dense, True)


@jit_allocating
def fold_networks(synapses: Any, eye: Any, most_neurons: Any, folded: Any) -> None:
    """Fold the synapses of networks of `most_neurons` at most into `folded`, one after the other."""
    dense = np.zeros((most_neurons, most_neurons), np.int64)
    for index in range(len(synapses.start) - 1):
        begin, end = synapses.start[index], synapses.start[index + 1]
        for synapse in range(begin, end):
            dense[synapses.source[synapse], synapses.sink[synapse]] = synapses.weight[synapse]
        first = synapses.neurons[index]
        neurons = Neurons(first[0], first[1], first[2], first[3])
        _fold(folded, index, eye, neurons, dense, synapses.antisymmetric[index])
        _add_mobility(folded, index, synapses.mobility[index], synapses.antisymmetric[index])
        largest = _largest_sum(folded, index)
        while largest >= _LIMIT:
            folded.header[index, SHIFT] += 1
            largest /= 2
        for synapse in range(begin, end):
            dense[synapses.source[synapse], synapses.sink[synapse]] = 0


@jit_allocating
def _add_mobility(folded: Any, index: Any, mobility: Any, antisymmetric: Any) -> None:
    """Add what moves are worth; the opponent's view of the difference is its opposite."""
    header = folded.header[index]
    header[MOBILITY] = mobility * (header[UNIT] // _SCALE) * (2 if antisymmetric else 1)
    header[BEYOND] = header[NUM_HIDDEN] + (header[MOBILITY] != 0)
