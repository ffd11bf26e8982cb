"""Networks of any topology see the boards of 50 and of 64 squares as the slow twin does, exactly."""

import random
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

from neche.games.catalogue import GAMES, game
from neche.genome import dna
from neche.network.decode import PERSPECTIVES, decode, square_network
from neche.network.forward import evaluate, refresh, table_start, update
from neche.network.packing import pack_networks, unit
from neche.network.sensors import default_topology, sensor_layout
from neche.network.topology import Topology
from tests.oracles import network_twin as twin
from tests.oracles.boards import SQUARES, board_of, opposite
from tools.checks import compare_networks

TOPOLOGIES = {
    "international": [(50, 28, 118, 59, 1), (50, 2, 5, 3, 1)],
    "othello": [(64, 28, 109, 54, 1), (64, 1, 4, 2, 1)],
    "brazilian": [(32, 7, 16, 8, 1), (32, 3, 40, 30, 1)],
}
CASES = [(name, counts) for name, shapes in TOPOLOGIES.items() for counts in shapes]


def random_game(name, rng):
    """Yield the positions of a random game, all but the last one."""
    position = game(name).start()
    while moves := game(name).legal_moves(position):
        yield position
        position = rng.choice(moves).after


def genome(counts, rng, num_genes=60):
    """Write genes that share few neurons, so that there are paths through both hidden layers."""
    sensors, biases, layer1, layer2, _ = counts
    output = sum(counts) - 1
    some = [*rng.sample(range(sensors + biases, sensors + biases + layer1), 3)]
    more = [*rng.sample(range(output - layer2, output), 2)]
    digits = Topology(*counts[:4]).gene_format.id_digits
    text = ""
    for _ in range(num_genes):
        source = rng.choice(
            [rng.randrange(sensors)] * 4 + [rng.randrange(sensors, sensors + biases), *some, *more]
        )
        sink = rng.choice([*some, *more, output])
        text += _base4(source, digits) + _base4(sink, digits) + _base4(rng.randrange(4**10), 10)
    return text


def _base4(number, digits):
    return "".join("ACGT"[number >> 2 * place & 3] for place in reversed(range(digits)))


def packed_of(name, counts, text, perspective):
    network = decode(dna.encode(text), perspective=perspective, topology=Topology(*counts[:4]))
    return pack_networks([network], game(name).sensors)


@pytest.mark.parametrize("perspective", PERSPECTIVES)
@pytest.mark.parametrize(("name", "counts"), CASES)
def test_output_equals_the_twin_for_both_viewers(name, counts, perspective):
    for seed in range(6):
        rng = random.Random(seed)
        text = genome(counts, rng)
        packed = packed_of(name, counts, text, perspective)
        for position in rng.sample([*random_game(name, rng)], 3):
            board = board_of(name, game(name).format_fen(position))
            for viewer in (0, 1):
                sums = refresh(packed, np.int64(0), np.int64(viewer), position)
                found = evaluate(packed, np.int64(0), np.int64(viewer), position, sums)
                expected = twin.evaluate(
                    text, counts, SQUARES[name], board, viewer=viewer == 0, perspective=perspective
                )
                # exact unless the sums are too large for 61 bits and are kept in larger units
                assert (
                    abs(Fraction(int(found)) / Fraction(unit(packed, 0)) - expected) <= abs(expected) / 2**40
                )


@pytest.mark.parametrize("perspective", PERSPECTIVES)
@pytest.mark.parametrize(("name", "counts"), CASES)
def test_sums_updated_by_every_legal_move_equal_sums_from_scratch(name, counts, perspective):
    rng = random.Random(3)
    packed = packed_of(name, counts, genome(counts, rng), perspective)
    for position in [*random_game(name, rng)][:80]:
        for viewer in (0, 1):
            sums = refresh(packed, np.int64(0), np.int64(viewer), position)
            table = table_start(packed, np.int64(0), np.int64(viewer))
            for move in game(name).legal_moves(position):
                after = update(packed.words, table, np.int64(viewer), position, move.after, sums)
                assert after == refresh(packed, np.int64(0), np.int64(viewer), move.after), move


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_layouts_name_the_squares_in_the_order_of_their_sensors(name):
    layout = sensor_layout(game(name))
    assert list(layout.squares) == SQUARES[name]
    assert [layout.squares[turned] for turned in layout.turned] == [
        opposite(square, SQUARES[name]) for square in SQUARES[name]
    ]


@pytest.mark.parametrize(("name", "topology"), [(name, shapes[0]) for name, shapes in TOPOLOGIES.items()])
def test_boards_of_any_size_get_a_topology_in_the_proportions_of_the_original(name, topology):
    assert default_topology(game(name)) == Topology(*topology[:4])
    assert sum(topology) == 4 ** default_topology(game(name)).gene_format.id_digits


def test_an_evaluator_of_mobility_counts_the_moves_of_both_sides():
    othello = game("othello")
    network = square_network([0] * 64, mobility=3)
    packed = pack_networks([network], othello.sensors)
    for position in random_game("othello", random.Random(1)):
        own = sum(move.text != "pass" for move in othello.legal_moves(position))
        swapped = type(position)(position.foe, position.own, position.turn)
        foe = sum(move.text != "pass" for move in othello.legal_moves(swapped))
        for viewer in (0, 1):
            sums = refresh(packed, np.int64(0), np.int64(viewer), position)
            value = evaluate(packed, np.int64(0), np.int64(viewer), position, sums) / unit(packed, 0)
            assert value == 3 * (own - foe) * (1 if viewer == int(position.turn) else -1)


@pytest.mark.parametrize("name", GAMES)
def test_random_genomes_value_positions_as_their_twins_do(name):
    batch = [*islice(compare_networks.cases(game(name), 2), 10)]
    assert compare_networks.difference(game(name), batch) is None
    case = batch[1]
    wrong = case._replace(text=case.text[::-1])
    assert compare_networks.difference(game(name), [batch[0], wrong]) is not None
