"""Folding leaves no more neurons than needed and changes no value."""

import random
from fractions import Fraction

import numpy as np
import pytest

from neche.games.catalogue import game
from neche.games.sensors import SensorLayout
from neche.genome import dna
from neche.network.decode import PERSPECTIVES, blind_network, decode, decode_population, material_network
from neche.network.folding import NUM_HIDDEN, NUM_SECOND, RECORD, SHIFT
from neche.network.forward import evaluate, refresh
from neche.network.packing import pack_networks, unit
from tests.network import wiring
from tests.network.wiring import gene
from tests.oracles import checkers_twin as twin, minimax

CHECKERS = game("checkers")
ONE = 10_000
TO_OUTPUT = gene(39, 63, 2 * ONE)
TWO_SQUARES = gene(0, 39, ONE) + gene(1, 39, -3 * ONE)


def network(*genes, perspective="own"):
    return decode(dna.encode("".join(genes)), perspective=perspective)


def value(packed, index, position, viewer):
    sums = refresh(packed, np.int64(index), np.int64(viewer), position)
    found = evaluate(packed, np.int64(index), np.int64(viewer), position, sums)
    return Fraction(int(found)) / Fraction(unit(packed, index))


def neurons(packed, index=0):
    """Count the neurons left after folding: those fed by the board only, and those also fed by the first."""
    return int(packed.records[index, NUM_HIDDEN]), int(packed.records[index, NUM_SECOND])


def positions():
    return [*map(twin.random_position, range(40)), *twin.random_game(3)]


CASES = {
    "no synapse at all": ([], (0, 0)),
    "sensors straight to the output": ([gene(0, 63, ONE), gene(9, 63, -7)], (0, 0)),
    "bias straight to the output": ([gene(32, 63, ONE), gene(38, 63, 5)], (0, 0)),
    "a neuron that combines squares": ([TWO_SQUARES, TO_OUTPUT], (1, 0)),
    "a neuron that nothing feeds": ([TO_OUTPUT, gene(3, 63, ONE)], (0, 0)),
    "a neuron that feeds nothing": ([TWO_SQUARES, gene(3, 63, ONE)], (0, 0)),
    "a neuron that is never on": ([TWO_SQUARES, TO_OUTPUT, gene(33, 39, -8 * ONE)], (0, 0)),
    "a neuron that is hardly ever on": ([TWO_SQUARES, TO_OUTPUT, gene(33, 39, -8 * ONE + 1)], (1, 0)),
    "a neuron that is never off": ([TWO_SQUARES, TO_OUTPUT, gene(33, 39, 8 * ONE)], (0, 0)),
    "a neuron that is hardly ever off": ([TWO_SQUARES, TO_OUTPUT, gene(33, 39, 8 * ONE - 1)], (1, 0)),
    "a neuron of one square": ([gene(5, 39, ONE), TO_OUTPUT], (0, 0)),
    "a neuron of one square with a bias": ([gene(5, 39, ONE), gene(32, 39, -ONE), TO_OUTPUT], (0, 0)),
    "a neuron of one square, inverted": ([gene(5, 39, -ONE), gene(32, 39, ONE), TO_OUTPUT], (0, 0)),
    "a neuron of biases": ([gene(34, 39, ONE), gene(35, 39, 7), TO_OUTPUT], (0, 0)),
    "a second-layer neuron of squares": (
        [gene(0, 55, ONE), gene(1, 55, -ONE), gene(55, 63, ONE)],
        (1, 0),
    ),
    "a second-layer neuron of one square": ([gene(0, 55, ONE), gene(55, 63, ONE)], (0, 0)),
    "a chain through both layers": ([TWO_SQUARES, gene(39, 55, -ONE), gene(55, 63, 3)], (1, 1)),
    "a chain with a bias and squares on the way": (
        [TWO_SQUARES, gene(39, 55, -ONE), gene(32, 55, 3 * ONE), gene(7, 55, 9), gene(55, 63, 3)],
        (1, 1),
    ),
    "a chain beside a straight neuron": (
        [TWO_SQUARES, TO_OUTPUT, gene(39, 56, ONE), gene(3, 56, -ONE), gene(56, 63, -4)],
        (1, 1),
    ),
    "a chain beside a straight second-layer neuron": (
        [
            TWO_SQUARES,
            gene(39, 55, ONE),
            gene(55, 63, 3),
            gene(2, 56, ONE),
            gene(3, 56, ONE),
            gene(56, 63, 2),
        ],
        (2, 1),
    ),
    "a dead neuron in a chain": (
        [TWO_SQUARES, gene(33, 39, -8 * ONE), gene(39, 55, ONE), gene(32, 55, ONE), gene(55, 63, ONE)],
        None,
    ),
}


@pytest.mark.parametrize("perspective", PERSPECTIVES)
@pytest.mark.parametrize("case", CASES)
def test_folding_keeps_every_value(case, perspective):
    genes, _ = CASES[case]
    packed = pack_networks([network(*genes, perspective=perspective)])
    for position in positions():
        for viewer, turn in (("W", 0), ("B", 1)):
            judge = minimax.judge_for("".join(genes), perspective, viewer)
            slow = Fraction(judge(frozenset(position.board.items()), viewer), minimax.UNIT)
            assert value(packed, 0, CHECKERS.parse_fen(twin.fen(position)), turn) == slow


@pytest.mark.parametrize("case", [case for case, (_, left) in CASES.items() if left is not None])
def test_folding_leaves_only_the_neurons_that_are_needed(case):
    genes, left = CASES[case]
    assert neurons(pack_networks([network(*genes)])) == left


def test_both_views_of_an_antisymmetric_network_keep_their_neurons():
    assert neurons(pack_networks([network(TWO_SQUARES, TO_OUTPUT, perspective="antisymmetric")])) == (2, 0)


def test_a_pack_of_several_networks_values_each_as_a_pack_of_its_own_does():
    rng = random.Random(4)
    networks = [blind_network(), material_network(), material_network("antisymmetric")]
    for kind in wiring.KINDS:
        for perspective in PERSPECTIVES:
            networks += [network(wiring.dna_of(kind, rng), perspective=perspective) for _ in range(3)]
    rng.shuffle(networks)
    together = pack_networks(networks)
    here = [CHECKERS.parse_fen(twin.fen(position)) for position in positions()[::5]]
    for index, single in enumerate(networks):
        alone = pack_networks([single])
        assert neurons(together, index) == neurons(alone)
        assert unit(together, index) == unit(alone, 0)
        for position in here:
            for viewer in (0, 1):
                assert value(together, index, position, viewer) == value(alone, 0, position, viewer)


def test_ordinary_networks_are_not_shifted():
    rng = random.Random(6)
    packed = pack_networks([network(wiring.random_dna(rng), perspective="antisymmetric") for _ in range(200)])
    assert not packed.records[:, SHIFT].any()


def test_the_largest_weights_through_both_layers_are_shifted():
    largest = 2**19 - 1
    genes = [gene(sensor, hidden, largest) for sensor in range(32) for hidden in range(39, 55)]
    genes += [gene(hidden, second, largest) for hidden in range(39, 55) for second in range(55, 63)]
    genes += [gene(second, 63, largest) for second in range(55, 63)]
    packed = pack_networks([network(*genes)])
    assert packed.words[SHIFT] > 0
    assert unit(packed, 0) == 10_000**3 * 2.0 ** -int(packed.words[SHIFT])


@pytest.mark.parametrize("name", ["checkers", "international", "othello"])
@pytest.mark.parametrize("perspective", PERSPECTIVES)
def test_networks_decoded_together_are_packed_like_those_decoded_one_by_one(name, perspective):
    # Checkers networks on larger boards occur in benchmarks.
    rng = np.random.default_rng(1)
    for num_genes in (1, 40, 400, 2000):
        genomes = [dna.random_genome(num_genes, rng) for _ in range(9)]
        together = decode_population(genomes, perspective=perspective)
        alone = [decode(genome, perspective=perspective) for genome in genomes]
        for one, other in zip(
            pack_networks(together, game(name).sensors), pack_networks(alone, game(name).sensors), strict=True
        ):
            assert np.array_equal(one, other)


def test_sensors_that_a_smaller_board_does_not_have_are_ignored():
    # Such a network once wrote outside its table.
    layout = SensorLayout(("A1", "B1", "C1"), (0, 1, 2))
    all_squares = network(*(gene(square, 63, ONE) for square in range(32)))
    first_three = network(*(gene(square, 63, ONE) for square in range(3)))
    packed = (pack_networks([one], layout) for one in (all_squares, first_three))
    for one, other in zip(*packed, strict=True):
        assert np.array_equal(one, other)


def test_a_large_network_does_not_enlarge_the_records_of_others():
    few = [network(gene(0, 63, ONE), perspective="antisymmetric")] * 50
    chain = [gene(sensor, hidden, ONE) for sensor in range(32) for hidden in range(39, 55)]
    chain += [gene(hidden, second, -ONE) for hidden in range(39, 55) for second in range(55, 63)]
    chain += [gene(second, 63, ONE) for second in range(55, 63)]
    crowded = network(*chain, perspective="antisymmetric")
    alone, together = pack_networks([crowded]), pack_networks([*few, crowded])
    assert neurons(alone) == neurons(together, 50) == (32, 16)
    assert together.rows.nbytes == alone.rows.nbytes == 2 * 48 * 64 * 4
    assert together.words.nbytes == alone.words.nbytes + 50 * RECORD * 8
