"""Dense networks equal their slow twin on every board, whether computed from scratch or updated."""

import itertools
import json
import re
from fractions import Fraction

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.genome import dna
from neche.genome.strands import split_weights, write_weights
from neche.network.decode import decode, decode_population, material_network
from neche.network.dense import weights_of
from neche.network.drawing import MOST_SYNAPSES, to_dot
from neche.network.forward import evaluate, refresh, table_start, update
from neche.network.interchange import MOST_HIDDEN, to_graph, to_json, to_onnx
from neche.network.packing import pack_networks, unit
from neche.network.sensors import activations
from neche.network.topology import dense_topology
from neche.report.network_picture import draw_network, lay_out, synapses_of
from neche.report.piece_values import value_pieces
from tests.games.random_games import games, positions
from tests.genome.drawn import random_strands
from tests.oracles import patterns_twin, strands_twin as twin
from tests.oracles.boards import SQUARES, board_of

KINDS = {"checkers": 4, "brazilian": 4, "international": 4, "othello": 2}
SENSORS = {name: KINDS[name] * len(SQUARES[name]) for name in GAMES}
PATTERNS = {"checkers": 712, "brazilian": 712, "international": 1153, "othello": 1296}
HIDDEN = ((0, 0), (1, 0), (8, 0), (32, 0), (33, 0), (64, 0), (100, 0), (1, 1), (33, 2), (70, 16), (161, 32))


def seen_by_mover(name, position, *, by_pattern=False):
    board, first_moves = board_of(name, game(name).format_fen(position)), int(position.turn) == 0
    if by_pattern:
        return patterns_twin.sensors(name, board, first_moves=first_moves)
    return twin.sensors(SQUARES[name], board, num_kinds=KINDS[name], first_moves=first_moves)


def value(packed, index, side, position):
    at, side = np.int64(index), np.int64(side)
    return evaluate(packed, at, side, position, refresh(packed, at, side, position))


def networks(name, hidden, count, sd=0.5, seed=0, second=0, *, by_pattern=False):
    topology = dense_topology((PATTERNS if by_pattern else SENSORS)[name], hidden, second)
    genomes = random_strands(topology.strand_format, np.random.default_rng(seed), sd=sd, count=count)
    return genomes, decode_population(genomes, perspective="mover", topology=topology)


@pytest.mark.parametrize(("hidden", "second"), HIDDEN)
@pytest.mark.parametrize("name", GAMES)
def test_value_equals_the_twin_for_both_sides(name, hidden, second):
    genomes, decoded = networks(name, hidden, 5, second=second)
    packed = pack_networks(decoded, game(name).sensors)
    draw = np.random.default_rng(hidden)
    every = positions(name)
    for index, genome in enumerate(genomes):
        text = dna.decode(genome)
        for position in (every[at] for at in draw.integers(len(every), size=4)):
            expected = twin.evaluate(text, hidden, seen_by_mover(name, position), second)
            mover = int(position.turn)
            for side, sign in ((mover, 1), (1 - mover, -1)):
                found = Fraction(int(value(packed, index, side, position)), int(unit(packed, index)))
                assert found == sign * expected


@pytest.mark.parametrize(
    ("hidden", "second"), [(0, 0), (1, 0), (31, 0), (32, 0), (129, 0), (33, 2), (70, 31)]
)
@pytest.mark.parametrize("name", GAMES)
def test_value_by_patterns_equals_the_twin_for_both_sides(name, hidden, second):
    genomes, decoded = networks(name, hidden, 2, second=second, by_pattern=True)
    packed = pack_networks(decoded, game(name).sensors)
    draw, every = np.random.default_rng(hidden), positions(name)
    for index, genome in enumerate(genomes):
        text = dna.decode(genome)
        for position in (every[at] for at in draw.integers(len(every), size=3)):
            expected = twin.evaluate(text, hidden, seen_by_mover(name, position, by_pattern=True), second)
            mover = int(position.turn)
            for side, sign in ((mover, 1), (1 - mover, -1)):
                found = Fraction(int(value(packed, index, side, position)), int(unit(packed, index)))
                assert found == sign * expected


@pytest.mark.parametrize("links", [511, -512])
@pytest.mark.parametrize("second", [0, 31])
def test_extreme_weights_of_patterns_do_not_overflow(links, second):
    hidden, topology = 255, dense_topology(PATTERNS["international"], 255, second)
    written = np.full(topology.strand_format.num_weights, 511, np.int16)
    layers = split_weights(written, topology.strand_format)
    layers.out[:], layers.constant[...], layers.direct[:] = links, -512, -512
    network = decode(write_weights(written), perspective="mover", topology=topology)
    rules = game("international")
    packed = pack_networks([network], rules.sensors)
    # twenty kings a side fill all rows but two; there is no man
    full = rules.parse_fen(
        f"W:W{','.join(f'K{n}' for n in range(31, 51))}:B{','.join(f'K{n}' for n in range(1, 21))}"
    )
    pieces = 13 + 40
    heard = max(0, hidden * links * (1 + pieces) * 511) if second else hidden * links * (1 + pieces) * 511
    scale = 125 * 125 if second else 125
    assert value(packed, 0, 0, full) == scale * (1 + pieces) * -512 + (second * 511 if second else 1) * heard


def test_a_full_second_layer_has_no_neuron_to_spare_for_patterns():
    _, decoded = networks("checkers", 2, 1, second=32, by_pattern=True)
    with pytest.raises(InputError, match="a second layer has 31 neurons at most"):
        pack_networks(decoded)


@pytest.mark.parametrize("by_pattern", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_an_accumulator_updated_along_games_equals_one_from_scratch(name, by_pattern):
    _, decoded = networks(name, 3, 1, by_pattern=by_pattern)
    packed = pack_networks(decoded, game(name).sensors)
    for line in games(name)[:4]:
        for side in (np.int64(0), np.int64(1)):
            table = table_start(packed, np.int64(0), side)
            accumulator = refresh(packed, np.int64(0), side, line[0])
            for before, after in itertools.pairwise(line):
                accumulator = update(packed.words, table, side, before, after, accumulator)
                assert accumulator == refresh(packed, np.int64(0), side, after)


@pytest.mark.parametrize("weights", [(511, 511), (-512, -512), (511, -512), (-512, 511)])
def test_extreme_weights_on_a_board_of_63_pieces_do_not_overflow(weights):
    others, out = weights
    hidden = 64
    topology = dense_topology(128, hidden)
    written = np.full(topology.strand_format.num_weights, others)
    written[129::130] = out
    network = decode(write_weights(written), perspective="mover", topology=topology)
    rules = game("othello")
    packed = pack_networks([network], rules.sensors)
    start = rules.start()
    full = start._replace(own=np.uint64(2**40 - 1), foe=np.uint64(2**63 - 2**40))
    direct = 125 * 64 * others
    assert value(packed, 0, 0, full) == direct + hidden * out * max(0, 64 * others)


@pytest.mark.parametrize("links", [511, -512])
def test_extreme_weights_of_two_layers_do_not_overflow(links):
    hidden, second = 256, 32
    topology = dense_topology(128, hidden, second)
    written = np.full(topology.strand_format.num_weights, 511, np.int16)
    layers = split_weights(written, topology.strand_format)
    layers.out[:] = links
    layers.constant[...] = layers.direct[:] = -512
    network = decode(write_weights(written), perspective="mover", topology=topology)
    rules = game("othello")
    packed = pack_networks([network], rules.sensors)
    full = rules.start()._replace(own=np.uint64(2**40 - 1), foe=np.uint64(2**63 - 2**40))
    heard = max(0, hidden * links * 64 * 511)
    assert value(packed, 0, 0, full) == 125 * 125 * 64 * -512 + second * 511 * heard


def test_dense_and_sparse_networks_share_a_pack():
    _, wide = networks("checkers", 64, 2)
    _, narrow = networks("checkers", 8, 1, seed=1)
    _, bare = networks("checkers", 0, 1, seed=2)
    sparse = material_network("antisymmetric")
    _, layered = networks("checkers", 40, 2, seed=3, second=9)
    _, patterned = networks("checkers", 20, 2, seed=4, by_pattern=True)
    mixed = [wide[0], sparse, narrow[0], layered[0], patterned[0], bare[0], wide[1], layered[1], *patterned]
    together = pack_networks(mixed)
    for position in positions("checkers")[::97]:
        for index, network in enumerate(mixed):
            alone = pack_networks([network])
            for side in (0, 1):
                assert value(together, index, side, position) == value(alone, 0, side, position)


def test_weights_of_a_decoded_network_are_those_written():
    topology = dense_topology(128, 5)
    weights = np.random.default_rng(1).integers(-512, 512, topology.strand_format.num_weights)
    network = decode(write_weights(weights), perspective="mover", topology=topology)
    assert np.array_equal(weights_of(network), weights)
    order = np.lexsort((network.source, network.sink))
    assert np.array_equal(order, np.arange(len(order)))


def test_only_synapses_that_can_change_a_value_are_live():
    topology = dense_topology(4, 3)
    parts = topology.strand_format.strands
    weights = np.ones(topology.strand_format.num_weights, np.int16)
    weights[parts[1].start] = 0  # feeds nothing
    weights[parts[2]] = [7, 0, 0, 0, 0, 0]  # nothing feeds it
    weights[parts[3]] = [7, 0, 0, 5, 0, 0]
    network = decode(write_weights(weights), perspective="mover", topology=topology)
    live = {(int(a), int(b)) for a, b in zip(network.source, network.sink, strict=True)}
    live = {
        pair for pair, alive in zip(sorted(live, key=lambda p: p[::-1]), network.live, strict=True) if alive
    }
    output = topology.output
    assert live == {(1, 7), (7, output), *((source, output) for source in range(5))}


def test_in_two_layers_only_synapses_that_can_change_a_value_are_live():
    topology = dense_topology(2, 3, 2)
    weights = np.ones(topology.strand_format.num_weights, np.int16)
    layers = split_weights(weights, topology.strand_format)
    layers.second[1] = 0  # feeds nothing
    layers.out[1] = [0, 5]  # feeds only the neuron above
    layers.bias[2] = layers.hidden[2] = 0  # nothing feeds it
    network = decode(write_weights(weights), perspective="mover", topology=topology)
    pairs = zip(network.source.tolist(), network.sink.tolist(), network.live, strict=True)
    first, second, output = topology.first_layer1, topology.first_layer2, topology.output
    into_first, into_output = ({(source, sink) for source in range(3)} for sink in (first, output))
    found = {(source, sink) for source, sink, alive in pairs if alive}
    assert found == into_first | {(first, second), (second, output)} | into_output


def test_weights_that_strands_cannot_write_are_refused():
    _, (network,) = networks("checkers", 1, 1)
    for raw in (81, 80 * 512, -80 * 513):
        changed = network.weight.copy()
        changed[3] = raw
        with pytest.raises(InputError, match="perspective mover: the weight"):
            pack_networks([type(network)(**{**vars(network), "weight": changed})])


def test_strands_and_the_mover_need_each_other():
    genome = random_strands(dense_topology(128, 1).strand_format, np.random.default_rng(0), sd=1.0)
    with pytest.raises(InputError, match="strands need the perspective mover"):
        decode(genome, perspective="own", topology=dense_topology(128, 1))
    with pytest.raises(InputError, match="strands need the perspective mover"):
        material_network("mover")


def test_a_network_for_another_board_is_refused():
    _, decoded = networks("checkers", 1, 1)
    with pytest.raises(
        InputError,
        match="128 sensors does not see a board of 50 squares, which has 200 by kind, or 1153 by pattern",
    ):
        pack_networks(decoded, game("international").sensors)


@pytest.mark.parametrize("by_pattern", [False, True])
@pytest.mark.parametrize("second", [0, 3])
@pytest.mark.parametrize("name", GAMES)
def test_activations_are_those_of_the_twin_for_either_side(name, second, by_pattern):
    rules = game(name)
    genomes, decoded = networks(name, 5, 1, second=second, by_pattern=by_pattern)
    text = dna.decode(genomes[0])
    for position in positions(name)[::211]:
        seen = seen_by_mover(name, position, by_pattern=by_pattern)
        expected = float(twin.evaluate(text, 5, seen, second))
        mover = rules.sides.index(rules.side_to_move(position))
        for side in (0, 1):
            found = activations(decoded[0], rules, position, side)
            assert found.value == pytest.approx(expected if side == mover else -expected)
            assert found.values[: len(seen)].tolist() == seen
            into_output = decoded[0].sink == decoded[0].topology.output
            assert found.carried[into_output].sum() == pytest.approx(expected)
    assert len(found.squares) == len(found.pieces) == len(seen)
    assert found.pieces[0].startswith("empty empty" if by_pattern else "own")
    assert found.pieces[-1].startswith("enemy")


@pytest.mark.parametrize(
    ("hidden", "second", "by_pattern"), [(0, 0, False), (4, 0, False), (4, 2, False), (4, 0, True)]
)
def test_onnx_gives_the_values_of_the_twin(hidden, second, by_pattern):
    genomes, decoded = networks("checkers", hidden, 1, second=second, by_pattern=by_pattern)
    model = onnx.load_from_string(to_onnx(decoded[0]))
    onnx.checker.check_model(model, full_check=True)
    evaluator = ReferenceEvaluator(model)
    seen = [seen_by_mover("checkers", one, by_pattern=by_pattern) for one in positions("checkers")[::101]]
    (values,) = evaluator.run(None, {"sensors": np.array(seen, np.float32)})
    assert values.shape == (len(seen), 1)
    exact = [float(twin.evaluate(dna.decode(genomes[0]), hidden, one, second)) for one in seen]
    assert values[:, 0].tolist() == pytest.approx(exact, abs=1e-3)


def test_json_names_the_piece_and_square_of_every_sensor():
    _, decoded = networks("checkers", 2, 1)
    document = json.loads(to_json(decoded[0]))
    assert document["perspective"] == "mover"
    assert document["topology"] == {"sensors": 128, "bias": 1, "layer1": 2, "layer2": 0}
    squares = SQUARES["checkers"]
    pieces = ["own man", "own king", "enemy man", "enemy king"]
    named = [(neuron["piece"], neuron["square"]) for neuron in document["neurons"][:128]]
    assert named == [(piece, square) for piece in pieces for square in squares]
    assert len(document["synapses"]) == len(decoded[0].weight)
    named = json.loads(to_json(decoded[0], layout=game("othello").sensors))["neurons"][64]
    assert (named["piece"], named["square"]) == ("enemy", "A1")


def test_json_names_the_pieces_and_squares_of_every_pattern():
    _, decoded = networks("othello", 1, 1, by_pattern=True)
    document = json.loads(to_json(decoded[0], layout=game("othello").sensors))
    named = [(neuron["piece"], neuron["square"]) for neuron in document["neurons"][81 : 81 + 6]]
    assert named[1] == ("own empty empty empty", "E1 F1 E2 F2")
    assert named[5] == ("enemy own empty empty", "E1 F1 E2 F2")


def test_a_picture_shows_the_heaviest_synapses_and_says_so():
    _, decoded = networks("checkers", 8, 1)
    network = decoded[0]
    text = to_dot(network, name="wide")
    assert f"the {MOST_SYNAPSES} live synapses of largest weight, of {network.live.sum()}" in text
    drawn = to_graph(network, most=MOST_SYNAPSES)
    assert drawn.number_of_edges() == MOST_SYNAPSES
    weights = {
        (int(source), int(sink)): abs(int(weight))
        for source, sink, weight in zip(network.source, network.sink, network.weight, strict=True)
    }
    # the heaviest synapse into and out of each hidden neuron, then the heaviest of all others
    expected = set()
    for neuron, end in itertools.product(range(129, 129 + 8), (0, 1)):
        expected.add(max((ends for ends in weights if ends[end] == neuron), key=weights.__getitem__))
    for ends in sorted(weights, key=lambda ends: -weights[ends]):
        if len(expected) < MOST_SYNAPSES:
            expected.add(ends)
    drawn_weights = sorted(abs(facts["raw"]) for _, _, facts in drawn.edges(data=True))
    assert drawn_weights == sorted(weights[ends] for ends in expected)


def test_a_picture_of_a_wide_network_shows_the_neurons_of_most_weight():
    _, decoded = networks("checkers", 60, 1)
    network = decoded[0]
    carried = {}
    for neuron in range(129, 129 + 60):
        squares = [
            sum(float(weight) ** 2 for weight in network.weight[(ends == neuron) & network.live])
            for ends in (network.sink, network.source)
        ]
        carried[neuron] = squares[0] * squares[1]
    expected = {*sorted(carried, key=lambda neuron: -carried[neuron])[:MOST_HIDDEN]}
    drawn = to_graph(network, most=MOST_SYNAPSES)
    assert {neuron for neuron, kind in drawn.nodes(data="kind") if kind == "layer1"} <= expected
    assert drawn.graph["hidden_neurons"] == sum(weight > 0 for weight in carried.values())
    assert drawn.number_of_edges() == MOST_SYNAPSES
    assert re.search(rf", at \d+ of {drawn.graph['hidden_neurons']} hidden neurons, persp", to_dot(network))
    assert to_graph(network).number_of_edges() == network.live.sum()


def test_a_picture_of_a_network_that_sees_patterns_has_a_column_of_readable_length():
    """With 300 synapses, nearly each from a sensor of its own, the column of sensors had 6 000 pixels."""
    _, decoded = networks("othello", 60, 1, by_pattern=True)
    text = to_dot(decoded[0], layout=game("othello").sensors)
    assert "the 100 live synapses of largest weight" in text
    assert len(re.findall(r"sensor of (?:own|enemy|empty) ", text)) <= 100


@pytest.mark.parametrize(("second", "by_pattern"), [(0, False), (3, False), (0, True)])
def test_a_report_draws_and_values_a_dense_network(second, by_pattern):
    rules = game("checkers")
    _, decoded = networks("checkers", 8, 1, second=second, by_pattern=by_pattern)
    network = decoded[0]
    worth = value_pieces(network, rules, 1)
    drawing = lay_out(network, rules, worth)
    svg = draw_network(drawing, name="wide")
    assert f"The heaviest {MOST_SYNAPSES} of {network.live.sum()} live synapses" in svg
    assert ("enemy enemy on squares" if by_pattern else "enemy man on square") in svg
    assert len(synapses_of(drawing)) == MOST_SYNAPSES
    assert len(worth.men) > 20
    assert len(worth.kings) == 32


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_ten_thousand_random_genomes_and_positions_equal_the_twin(name):
    every, draw = positions(name), np.random.default_rng(5)
    for number in range(2500):
        hidden = int(draw.integers(0, 12))
        second = int(draw.integers(0, 5)) if hidden else 0
        sd = float(draw.uniform(0.05, 3))
        genomes, decoded = networks(name, hidden, 1, sd=sd, seed=number, second=second)
        packed, position = pack_networks(decoded, game(name).sensors), every[draw.integers(len(every))]
        expected = twin.evaluate(dna.decode(genomes[0]), hidden, seen_by_mover(name, position), second)
        found = value(packed, 0, int(position.turn), position)
        assert Fraction(int(found), int(unit(packed, 0))) == expected
