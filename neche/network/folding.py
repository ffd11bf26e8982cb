"""Fold networks: whatever sees one square, or can never be off, becomes a value by square and piece.

Symbols: `N` networks, `H` = 48 and `K` = 16 neurons at most that combine squares (two copies when
antisymmetric). A neuron is described by its sensor weights [32], its bias, and its weight to the output. An
input from a square is one of −2, −1, 0, 1, 2, so its sum lies between bias − 2·Σ|w| and bias + 2·Σ|w|.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import jit_allocating

SQUARES = 32
PIECES = 4
MAX_HIDDEN = 48
MAX_SECOND = 16
SHIFT, NUM_HIDDEN, NUM_SECOND, BIAS, SECOND_SCALE, UNIT, HEADER = 0, 1, 2, 3, 4, 5, 8
_SCALE = np.int64(10_000)
_LAYER_1, _LAYER_2, _OUTPUT, _BIAS = 39, 55, 63, 32
# Sums stay below this, so that win scores fit above them in an int64.
_LIMIT = 2.0**61


class Folded(NamedTuple):
    """Networks in parts. The first axis is the network.

    header: [N, 8] int64 – see the constants above. table: [N, 2, 4, 32] int64, unit – value by viewer, piece
    (own man, own king, foe man, foe king) and square. rows: [N, 2, H + K, 32] int32 – sensor weights by
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


def empty_folded(count: int) -> Folded:
    """Room for `count` networks, all zero."""

    def zeros(*shape: int) -> Any:
        return np.zeros((count, *shape), np.int64)

    return Folded(
        zeros(HEADER),
        zeros(2, PIECES, SQUARES),
        np.zeros((count, 2, MAX_HIDDEN + MAX_SECOND, SQUARES), np.int32),
        zeros(2, MAX_HIDDEN + MAX_SECOND),
        zeros(MAX_HIDDEN),
        zeros(MAX_HIDDEN),
        zeros(MAX_SECOND),
        zeros(MAX_SECOND),
        zeros(MAX_SECOND, MAX_HIDDEN),
    )


@jit_allocating
def turned_square(square: Any) -> Any:
    """Return the square opposite, when the board is turned by 180 degrees."""
    return (39 - square) % 32


@jit_allocating
def _relu(value: Any) -> Any:
    return value if value > 0 else np.int64(0)


@jit_allocating
def _add_square(folded: Any, index: Any, square: Any, values: Any) -> None:
    """Add values [own man, own king, foe man, foe king] of a square seen by White, and the same for Black."""
    for piece in range(PIECES):
        folded.table[index, 0, piece, square] += values[piece]
        folded.table[index, 1, piece, turned_square(square)] += values[piece]


@jit_allocating
def _add_linear(folded: Any, index: Any, weights: Any, factor: Any) -> None:
    for square in range(SQUARES):
        value = weights[square] * factor
        if value != 0:
            _add_square(folded, index, square, (value, 2 * value, -value, -2 * value))


@jit_allocating
def _add_one_square(folded: Any, index: Any, weights: Any, bias: Any, out: Any) -> None:
    """Add a neuron that sees at most one square."""
    resting = _relu(bias)
    folded.header[index, BIAS] += out * resting
    for square in range(SQUARES):
        weight = weights[square]
        if weight != 0:
            values = (
                out * (_relu(bias + weight) - resting),
                out * (_relu(bias + 2 * weight) - resting),
                out * (_relu(bias - weight) - resting),
                out * (_relu(bias - 2 * weight) - resting),
            )
            _add_square(folded, index, square, values)


@jit_allocating
def _write_row(folded: Any, index: Any, row: Any, weights: Any) -> None:
    for square in range(SQUARES):
        if weights[square] != 0:
            opposite = turned_square(square)
            folded.rows[index, 0, row, square] = weights[square]
            folded.rows[index, 1, row, opposite] = weights[square]
            folded.seen[index, 0, row] |= np.int64(1) << square
            folded.seen[index, 1, row] |= np.int64(1) << opposite


@jit_allocating
def _add_hidden_row(folded: Any, index: Any, weights: Any, bias: Any, out: Any) -> Any:
    row = folded.header[index, NUM_HIDDEN]
    folded.header[index, NUM_HIDDEN] = row + 1
    _write_row(folded, index, row, weights)
    folded.hidden_bias[index, row] = bias
    folded.hidden_out[index, row] = out
    return row


@jit_allocating
def _reach(weights: Any) -> Any:
    total = np.int64(0)
    for square in range(SQUARES):
        total += abs(weights[square])
    return 2 * total


@jit_allocating
def _add_neuron(folded: Any, index: Any, weights: Any, bias: Any, out: Any) -> None:
    """Add a hidden neuron that feeds the output alone, in the cheapest form."""
    reach = _reach(weights)
    num_squares = np.count_nonzero(weights)
    if bias + reach <= 0 or out == 0:
        return
    if bias - reach >= 0:
        folded.header[index, BIAS] += out * bias
        _add_linear(folded, index, weights, out)
    elif num_squares <= 1:
        _add_one_square(folded, index, weights, bias, out)
    else:
        _add_hidden_row(folded, index, weights, bias, out)


@jit_allocating
def _sensor_weights(dense: Any, sink: Any, mirrored: Any) -> Any:
    """Sensor weights of a neuron; `mirrored` for its copy that sees the board as the opponent does."""
    weights = np.zeros(SQUARES, np.int64)
    for square in range(SQUARES):
        if mirrored:
            weights[turned_square(square)] = -dense[square, sink]
        else:
            weights[square] = dense[square, sink]
    return weights


@jit_allocating
def _add_second(
    folded: Any, index: Any, dense: Any, sink: Any, mirrored: Any, row_of: Any, sign: Any
) -> None:
    """Add a second-layer neuron that has first-layer inputs; their rows are in row_of (−1 where not live)."""
    weights = _sensor_weights(dense, sink, mirrored)
    row = folded.header[index, NUM_SECOND]
    folded.header[index, NUM_SECOND] = row + 1
    _write_row(folded, index, MAX_HIDDEN + row, weights)
    folded.second_bias[index, row] = dense[_BIAS:_LAYER_1, sink].sum()
    folded.second_out[index, row] = sign * dense[sink, _OUTPUT]
    for neuron in range(_LAYER_1, _LAYER_2):
        if row_of[neuron] >= 0:
            folded.second_hidden[index, row, row_of[neuron]] = dense[neuron, sink]


@jit_allocating
def _add_copy(folded: Any, index: Any, dense: Any, mirrored: Any) -> None:
    """Add the network as one side sees it; `mirrored` is the opponent's view, subtracted."""
    sign = np.int64(-1) if mirrored else np.int64(1)
    second_scale = folded.header[index, SECOND_SCALE]
    out_scale = folded.header[index, UNIT] // _SCALE
    folded.header[index, BIAS] += sign * out_scale * dense[_BIAS:_LAYER_1, _OUTPUT].sum()
    _add_linear(folded, index, _sensor_weights(dense, _OUTPUT, mirrored), sign * out_scale)
    row_of = np.full(64, -1, np.int64)
    for neuron in range(_LAYER_1, _OUTPUT):
        weights = _sensor_weights(dense, neuron, mirrored)
        bias = dense[_BIAS:_LAYER_1, neuron].sum()
        out = sign * second_scale * dense[neuron, _OUTPUT]
        if neuron < _LAYER_2 and np.any(dense[neuron, _LAYER_2:_OUTPUT]):
            row_of[neuron] = _add_hidden_row(folded, index, weights, bias, out)
        elif neuron >= _LAYER_2 and np.any(dense[_LAYER_1:_LAYER_2, neuron]):
            _add_second(folded, index, dense, neuron, mirrored, row_of, sign)
        else:
            _add_neuron(folded, index, weights, bias, out)


@jit_allocating
def _largest_sum(folded: Any, index: Any) -> Any:
    """Bound on the size of any evaluation, and of any part of it, before the shift."""
    header = folded.header[index]
    total = abs(np.float64(header[BIAS])) + np.abs(folded.table[index, 0].astype(np.float64)).sum()
    excitation = np.zeros(MAX_HIDDEN)
    for row in range(header[NUM_HIDDEN]):
        reach = _reach(folded.rows[index, 0, row].astype(np.int64))
        excitation[row] = max(np.float64(folded.hidden_bias[index, row]) + reach, 0.0)
        total += excitation[row] * abs(np.float64(folded.hidden_out[index, row]))
    for row in range(header[NUM_SECOND]):
        reach = _reach(folded.rows[index, 0, MAX_HIDDEN + row].astype(np.int64))
        top = (abs(np.float64(folded.second_bias[index, row])) + reach) * np.float64(header[SECOND_SCALE])
        top += (excitation * np.abs(folded.second_hidden[index, row].astype(np.float64))).sum()
        total += top * abs(np.float64(folded.second_out[index, row]))
    return total


@jit_allocating
def _fold(folded: Any, index: Any, dense: Any, antisymmetric: Any) -> None:
    layers = 0
    if np.any(dense[:, _LAYER_1:_OUTPUT]):
        layers = 2 if np.any(dense[_LAYER_1:_LAYER_2, _LAYER_2:_OUTPUT]) else 1
    folded.header[index, SECOND_SCALE] = _SCALE if layers == 2 else 1
    folded.header[index, UNIT] = _SCALE ** (1 + layers)
    _add_copy(folded, index, dense, False)
    if antisymmetric:
        _add_copy(folded, index, dense, True)
    largest = _largest_sum(folded, index)
    while largest >= _LIMIT:
        folded.header[index, SHIFT] += 1
        largest /= 2


@jit_allocating
def fold_networks(networks: Any, folded: Any) -> None:
    """Fold the live synapses of networks (see `bank.Synapses`) into `folded`, one after the other."""
    for index in range(len(networks.start) - 1):
        dense = np.zeros((64, 64), np.int64)
        for synapse in range(networks.start[index], networks.start[index + 1]):
            dense[networks.source[synapse], networks.sink[synapse]] = networks.weight[synapse]
        _fold(folded, index, dense, networks.antisymmetric[index])
