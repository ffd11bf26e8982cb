"""Fold a network: neurons that see one square, or can never be off, become values by square and piece.

Symbols: `N` networks; `h` and `k` neurons of a network that combine squares, in the first and second layer
(two copies if antisymmetric). A neuron is described by the weights [64] of its squares, its bias, and its
weight to the output. The input from a square is −2, −1, 0, 1 or 2, so the sum of a neuron lies between
bias − 2·Σ|w| and bias + 2·Σ|w|: if it is always positive the neuron is linear, if never it is not needed.
"""

from typing import NamedTuple

import numpy as np

from neche.compiled.jit import F64, I64, Array, Bool, jit, jit_inlined
from neche.network.decode import Columns

PIECES = 4
SQUARES = 64
"""Room for the squares of any board, by bit: a constant, so that searches need not pass it around."""
SHIFT, NUM_HIDDEN, NUM_SECOND, BIAS, SECOND_SCALE, UNIT, MOBILITY, BEYOND = range(8)
LANES, BLOCK, LINKS, OTHER_SIDE, GROUPS, IS_SUM, NEURONS, HEADER = range(8, 16)
"""Words of a header. MOBILITY: value of a move, in the unit. BEYOND: 0 if table and bias are the whole
network, MOVER for a dense one, see `dense`. Only dense networks have LANES and LINKS to IS_SUM; their
NUM_SECOND neurons have no words. NEURONS: where the words of the neurons begin, see `neuron_words`; BLOCK:
where the network's part of `rows` begins."""
RECORD = HEADER + 2 * PIECES * SQUARES
"""Words that every network has: its header and its table."""
MOVER = -1
MOST_MOVES = 64
"""More than the mobility in any position."""
_SCALE = np.int64(10_000)
_SILENT, _LINEAR, _ONE_SQUARE, _ROW = range(4)
"""Forms of a hidden neuron: never on, or with output weight 0; never off, so that its ReLU changes nothing;
seeing at most one square; evaluated at every leaf."""
# Sums stay below this, so that scores of wins fit above them in an int64.
_LIMIT = 2.0**61


class Folded(NamedTuple):
    """Folded networks. The first axis is the network.

    records: [N, 527] int64 – a header, see the constants above, and a table [2, 4, 64], unit: value by side,
    piece (own man, own king, foe man, foe king) and square. words: int64 – the records, which are a view of
    it, then the words of neurons. rows: int32 – for each network [2, h + k, 64], weights by side, neuron,
    square.
    """

    records: Array
    words: Array
    rows: Array


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


class Scratch(NamedTuple):
    """Working memory for one network.

    into: [neurons + 1] int64 – live synapses into neuron n are into[n] … into[n + 1] − 1 of source and
    weight, [S] int32. feeds_second, out, row_of: [neurons] int64 – whether a neuron feeds the second layer,
    its weight to the output, its row. filled: [2] int64 – rows written so far, by layer. squares, weights:
    [64] int64, see `Inputs`. worth: [64, 4] int64, unit – values by square and piece so far. excitation:
    [2 · neurons] float64 – largest value of each row.
    """

    into: Array
    feeds_second: Array
    out: Array
    row_of: Array
    filled: Array
    squares: Array
    weights: Array
    worth: Array
    source: Array
    weight: Array
    excitation: Array


class Inputs(NamedTuple):
    """What a neuron sees: the first `count` of squares, by bit, and of their weights, and its bias."""

    squares: Array
    weights: Array
    count: I64
    bias: I64


@jit_inlined
def neuron_words(words: Array, record: I64) -> tuple[I64, I64, I64]:
    """Return where three groups of words of a network's neurons begin; its record begins at `record`.

    First seen [2, h + k]: the squares that each neuron has weights for, as a board word, by side. Then hidden
    bias [h] and out [h]; then second bias [k], second out [k] and second hidden [k, h].
    """
    hidden = words[record + NEURONS] + 2 * (words[record + NUM_HIDDEN] + words[record + NUM_SECOND])
    return words[record + NEURONS], hidden, hidden + 2 * words[record + NUM_HIDDEN]


@jit
def count_rows(room: Array, rows: Array, sensors: SensorMap, columns: Columns, scratch: Scratch) -> None:
    """Count in `room` [N, 2], zero, the neurons of each layer that networks `rows` [R] of `columns` keep."""
    for network in rows:
        neurons = _note_synapses(columns, network, scratch)
        # the opponent's view has a copy of every neuron
        copies = 2 if columns.is_antisymmetric[network] else 1
        for neuron in range(neurons.first_layer1, neurons.output):
            begin, end = scratch.into[neuron], scratch.into[neuron + 1]
            if begin == end:
                continue
            if scratch.feeds_second[neuron]:
                room[network, 0] += copies
            elif scratch.source[end - 1] >= neurons.first_layer1:
                room[network, 1] += copies
            elif begin + 1 < end and scratch.source[begin + 1] < len(sensors.bits):
                # sources ascend: it sees at least two squares
                inputs = _inputs(scratch, neurons, sensors, neuron, np.int64(0))
                room[network, 0] += copies if _form(inputs, scratch.out[neuron]) == _ROW else 0


@jit
def fold_networks(
    folded: Folded, rows: Array, sensors: SensorMap, columns: Columns, scratch: Scratch
) -> None:
    """Fold networks `rows` [R] of `columns` into `folded`, zero except for numbers and places of neurons."""
    for network in rows:
        neurons, header = _note_synapses(columns, network, scratch), folded.records[network]
        antisymmetric, mobility = columns.is_antisymmetric[network], columns.mobility[network]
        # each layer multiplies by a weight in ten-thousandths: the unit grows with the number of layers
        layers = 1 if scratch.into[neurons.output] > scratch.into[neurons.first_layer1] else 0
        for neuron in range(neurons.first_layer1, neurons.first_layer2):
            layers = 2 if scratch.feeds_second[neuron] else layers
        scratch.filled[:] = 0
        header[SECOND_SCALE] = _SCALE if layers == 2 else 1
        header[UNIT] = _SCALE
        for _ in range(layers):
            header[UNIT] *= _SCALE
        _add_copy(folded, network, sensors, neurons, scratch, np.int64(0))
        if antisymmetric and header[NUM_HIDDEN] + header[NUM_SECOND] > 0:
            _add_copy(folded, network, sensors, neurons, scratch, np.int64(1))
        _put_table(folded, network, sensors, scratch, antisymmetric)
        # the opponent sees the difference in mobility with the opposite sign
        header[MOBILITY] = mobility * (header[UNIT] // _SCALE) * (2 if antisymmetric else 1)
        header[BEYOND] = header[NUM_HIDDEN] + (header[MOBILITY] != 0)
        # a larger unit if a sum could exceed 61 bits
        largest = _largest_sum(folded, network, scratch.excitation)
        while largest >= _LIMIT:
            header[SHIFT] += 1
            largest /= 2


@jit
def _note_synapses(columns: Columns, network: I64, scratch: Scratch) -> Neurons:
    """Note the live synapses of a network, and which neurons feed the output and the second layer."""
    borders = columns.borders
    neurons = Neurons(borders[network, 0], borders[network, 1], borders[network, 2], borders[network, 3])
    # views, so that no index is counted from the end: a third faster
    part = slice(columns.ends[network], columns.ends[network + 1])
    source, sink, weight = columns.source[part], columns.sink[part], columns.weight[part]
    live, count, reached = columns.live[part], np.int64(0), np.int64(0)
    scratch.out[:] = scratch.feeds_second[:] = 0
    for at in range(len(live)):
        if live[at]:
            while reached <= sink[at]:
                scratch.into[reached] = count
                reached += 1
            scratch.source[count], scratch.weight[count] = source[at], weight[at]
            count += 1
            if sink[at] == neurons.output:
                scratch.out[source[at]] = weight[at]
            elif sink[at] >= neurons.first_layer2:
                scratch.feeds_second[source[at]] = 1
    scratch.into[reached : neurons.output + 2] = count
    return neurons


@jit_inlined
def _inputs(scratch: Scratch, neurons: Neurons, sensors: SensorMap, sink: I64, mirrored: I64) -> Inputs:
    """Return the inputs of a neuron other than hidden neurons; `mirrored`: in the opponent's view."""
    count = bias = np.int64(0)
    for at in range(scratch.into[sink], scratch.into[sink + 1]):
        source, weight = scratch.source[at], np.int64(scratch.weight[at])
        # a network that sees nothing may belong to another board, with fewer squares
        if source < min(neurons.first_bias, len(sensors.bits)):
            square = sensors.bits[source]
            scratch.squares[count] = sensors.opposite[square] if mirrored else square
            scratch.weights[count] = -weight if mirrored else weight
            count += 1
        if neurons.first_bias <= source < neurons.first_layer1:
            bias += weight
    return Inputs(scratch.squares, scratch.weights, count, bias)


@jit_inlined
def _relu(value: I64) -> I64:
    return value if value > 0 else np.int64(0)


@jit_inlined
def _add_square(scratch: Scratch, square: I64, values: Array) -> None:
    """Add the values [own man, own king, foe man, foe king] of a square, as White sees it."""
    for piece in range(PIECES):
        scratch.worth[square, piece] += values[piece]


@jit
def _put_table(folded: Folded, index: I64, sensors: SensorMap, scratch: Scratch, antisymmetric: Bool) -> None:
    """Write the values of squares in each side's view, and clear `worth` for the next network."""
    worth, table = scratch.worth, folded.records[index, HEADER:]
    for square in sensors.bits:
        opposite = sensors.opposite[square]
        for piece in range(PIECES):
            value = worth[square, piece]
            if antisymmetric:
                # the opponent sees the own piece as an enemy's, on the opposite square
                value -= worth[opposite, (piece + 2) % PIECES]
            table[piece * SQUARES + square] = table[(PIECES + piece) * SQUARES + opposite] = value
    if antisymmetric:
        folded.records[index, BIAS] = 0
    worth[:] = 0


@jit_inlined
def _add_linear(scratch: Scratch, inputs: Inputs, factor: I64) -> None:
    """Add a sum over squares that no ReLU cuts off: a king counts double, an enemy piece the negative."""
    for at in range(inputs.count):
        value = inputs.weights[at] * factor
        _add_square(scratch, inputs.squares[at], (value, 2 * value, -value, -2 * value))


@jit_inlined
def _add_one_square(folded: Folded, index: I64, scratch: Scratch, inputs: Inputs, out: I64) -> None:
    """Add a neuron that sees at most one square."""
    # its value with the square empty goes to the bias, the difference that each piece makes to the square
    bias, resting = inputs.bias, _relu(inputs.bias)
    folded.records[index, BIAS] += out * resting
    for at in range(inputs.count):
        weight = inputs.weights[at]
        values = (
            out * (_relu(bias + weight) - resting),
            out * (_relu(bias + 2 * weight) - resting),
            out * (_relu(bias - weight) - resting),
            out * (_relu(bias - 2 * weight) - resting),
        )
        _add_square(scratch, inputs.squares[at], values)


@jit
def _add_row(
    folded: Folded, index: I64, sensors: SensorMap, scratch: Scratch, inputs: Inputs, layer: I64, out: I64
) -> I64:
    """Add a neuron of layer 0 or 1 that is evaluated at every leaf; return its row within its layer."""
    header, words, rows = folded.records, folded.words, folded.rows
    row, count = scratch.filled[layer], header[index, NUM_HIDDEN]
    both = count + header[index, NUM_SECOND]
    scratch.filled[layer] += 1
    seen, bias, second = neuron_words(words, index * RECORD)
    seen, start = seen + row, header[index, BLOCK] + row * SQUARES
    if layer == 1:
        seen, start, bias, count = seen + count, start + count * SQUARES, second, both - count
    words[bias + row], words[bias + count + row] = inputs.bias, out
    # Black sees the board turned: there the weight belongs to the opposite square
    for at in range(inputs.count):
        square, weight = inputs.squares[at], inputs.weights[at]
        opposite = sensors.opposite[square]
        rows[start + square] = rows[start + both * SQUARES + opposite] = weight
        words[seen] |= np.int64(1) << square
        words[seen + both] |= np.int64(1) << opposite
    return row


@jit_inlined
def _form(inputs: Inputs, out: I64) -> I64:
    """Return the cheapest form of a hidden neuron that feeds only the output."""
    reach = np.int64(0)
    for at in range(inputs.count):
        # as if kings were on all squares
        reach += 2 * abs(inputs.weights[at])
    if inputs.bias + reach <= 0 or out == 0:
        return _SILENT
    if inputs.bias - reach >= 0:
        return _LINEAR
    return _ONE_SQUARE if inputs.count <= 1 else _ROW


@jit
def _add_copy(
    folded: Folded, index: I64, sensors: SensorMap, neurons: Neurons, scratch: Scratch, mirrored: I64
) -> None:
    """Add the network as one side sees it; `mirrored`: rows of the opponent's view, which is subtracted."""
    sign = np.int64(-1) if mirrored else np.int64(1)
    second_scale = sign * folded.records[index, SECOND_SCALE]
    _, _, second = neuron_words(folded.words, index * RECORD)
    if not mirrored:
        # synapses directly into the output
        direct = _inputs(scratch, neurons, sensors, neurons.output, mirrored)
        out_scale = folded.records[index, UNIT] // _SCALE
        folded.records[index, BIAS] += out_scale * direct.bias
        _add_linear(scratch, direct, out_scale)
    # hidden neurons in the order of their ids, so that the second layer finds the rows of the first
    for neuron in range(neurons.first_layer1, neurons.output):
        begin, end = scratch.into[neuron], scratch.into[neuron + 1]
        if begin == end:
            continue
        inputs = _inputs(scratch, neurons, sensors, neuron, mirrored)
        out = second_scale * scratch.out[neuron]
        if neuron < neurons.first_layer2 and scratch.feeds_second[neuron]:
            # a neuron that feeds the second layer keeps its row: its value is needed there
            scratch.row_of[neuron] = _add_row(folded, index, sensors, scratch, inputs, np.int64(0), out)
        elif scratch.source[end - 1] < neurons.first_layer1:
            form = _form(inputs, out)
            if form == _ROW:
                _add_row(folded, index, sensors, scratch, inputs, np.int64(0), out)
            elif form == _LINEAR and not mirrored:
                folded.records[index, BIAS] += out * inputs.bias
                _add_linear(scratch, inputs, out)
            elif form == _ONE_SQUARE and not mirrored:
                _add_one_square(folded, index, scratch, inputs, out)
        else:
            row = _add_row(folded, index, sensors, scratch, inputs, np.int64(1), sign * scratch.out[neuron])
            links = second + 2 * folded.records[index, NUM_SECOND] + row * folded.records[index, NUM_HIDDEN]
            for at in range(begin, end):
                source = scratch.source[at]
                if source >= neurons.first_layer1:
                    folded.words[links + scratch.row_of[source]] = scratch.weight[at]


@jit
def _reach(folded: Folded, index: I64, row: I64) -> I64:
    """Return the largest distance of a row's sum from its bias, as if kings were on all squares."""
    total = np.int64(0)
    start = folded.records[index, BLOCK] + row * SQUARES
    for at in range(start, start + SQUARES):
        total += abs(np.int64(folded.rows[at]))
    return 2 * total


@jit
def _largest_sum(folded: Folded, index: I64, excitation: Array) -> F64:
    """Return a bound on the magnitude of any evaluation, and of any part of it, before the shift."""
    header, words = folded.records, folded.words
    num_hidden, num_second = header[index, NUM_HIDDEN], header[index, NUM_SECOND]
    _, hidden, second = neuron_words(words, index * RECORD)
    total = abs(np.float64(header[index, BIAS]))
    # separate sums for the kinds of pieces, so that fewer additions depend on one another
    table, men, kings, foe_men, foe_kings = header[index, HEADER:], 0.0, 0.0, 0.0, 0.0
    for square in range(SQUARES):
        men += abs(np.float64(table[square]))
        kings += abs(np.float64(table[SQUARES + square]))
        foe_men += abs(np.float64(table[2 * SQUARES + square]))
        foe_kings += abs(np.float64(table[3 * SQUARES + square]))
    total += men + kings + foe_men + foe_kings
    total += abs(np.float64(header[index, MOBILITY])) * MOST_MOVES
    # first layer: the largest value of each neuron, which may feed the second layer
    for row in range(num_hidden):
        reach = _reach(folded, index, row)
        excitation[row] = max(np.float64(words[hidden + row]) + reach, 0.0)
        total += excitation[row] * abs(np.float64(words[hidden + num_hidden + row]))
    # second layer: its own sensors plus the first layer
    for row in range(num_second):
        reach = _reach(folded, index, num_hidden + row)
        top = (abs(np.float64(words[second + row])) + reach) * header[index, SECOND_SCALE]
        links, fed = second + 2 * num_second + row * num_hidden, 0.0
        for before in range(num_hidden):
            fed += excitation[before] * abs(np.float64(words[links + before]))
        total += (top + fed) * abs(np.float64(words[second + num_second + row]))
    return total
