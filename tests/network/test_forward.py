"""The output of a network, refreshed and updated, equals the slow twin's exactly."""

import random
from fractions import Fraction

import numpy as np
import pytest

from neche.games.catalogue import game
from neche.genome import dna
from neche.network.decode import PERSPECTIVES, Network, decode, decode_population, material_network
from neche.network.forward import evaluate, refresh, table_start, update
from neche.network.packing import pack_networks, unit
from neche.network.topology import Topology
from tests.network import wiring
from tests.oracles import checkers_twin as twin, genome_twin, minimax

CHECKERS = game("checkers")
WHITE, BLACK = 0, 1
VIEWERS = {"W": WHITE, "B": BLACK}
START = CHECKERS.start()
SWAPPED = str.maketrans("wWbB", "bBwW")


def output(packed, position, viewer, index=0):
    """Return the value of a position for a viewer, computed from scratch, in the network's unit."""
    sums = refresh(packed, np.int64(index), np.int64(viewer), position)
    return evaluate(packed, np.int64(index), np.int64(viewer), position, sums)


def packed_of(*texts, perspective="own"):
    return pack_networks([decode(dna.encode(text), perspective=perspective) for text in texts])


def exact(packed, position, viewer, index=0):
    return Fraction(int(output(packed, position, viewer, index))) / Fraction(unit(packed, index))


def slow(text, position, viewer, perspective="own"):
    """Return the twin's value for a viewer, W or B, in weight units."""
    judge = minimax.judge_for(text, perspective, viewer)
    return Fraction(judge(frozenset(position.board.items()), viewer), minimax.UNIT)


def fast(position):
    return CHECKERS.parse_fen(twin.fen(position))


def some_positions(seed, count):
    """Return positions of random games, and random placements with many kings."""
    line = list(twin.random_game(seed))
    return [
        *random.Random(seed).sample(line, count // 2),
        *map(twin.random_position, range(seed, seed + count // 2)),
    ]


@pytest.mark.parametrize("perspective", PERSPECTIVES)
@pytest.mark.parametrize("kind", wiring.KINDS)
def test_output_equals_the_twin_for_both_viewers(kind, perspective):
    for seed in range(120):
        text = wiring.dna_of(kind, random.Random(seed))
        packed = packed_of(text, perspective=perspective)
        for position in some_positions(seed, 6):
            for viewer, turn in VIEWERS.items():
                assert exact(packed, fast(position), turn) == slow(text, position, viewer, perspective)


@pytest.mark.slow
@pytest.mark.parametrize("perspective", PERSPECTIVES)
def test_output_of_ten_thousand_random_genomes_equals_the_twin_bit_for_bit(perspective):
    population = np.random.default_rng(5).integers(4, size=(10_000, 3200), dtype=np.uint8)
    packed = pack_networks(decode_population(population, perspective=perspective))
    for index, digits in enumerate(population):
        text = dna.decode(digits)
        for position in some_positions(index, 4):
            for viewer, turn in VIEWERS.items():
                assert exact(packed, fast(position), turn, index) == slow(text, position, viewer, perspective)


@pytest.mark.parametrize("perspective", PERSPECTIVES)
@pytest.mark.parametrize("kind", wiring.KINDS)
def test_sums_updated_by_every_legal_move_equal_sums_from_scratch(kind, perspective):
    for seed in range(20):
        packed = packed_of(wiring.dna_of(kind, random.Random(seed)), perspective=perspective)
        for position in map(fast, some_positions(seed, 8)):
            for viewer in (WHITE, BLACK):
                sums = refresh(packed, np.int64(0), np.int64(viewer), position)
                table = table_start(packed, np.int64(0), np.int64(viewer))
                for move in CHECKERS.legal_moves(position):
                    after = update(packed.words, table, np.int64(viewer), position, move.after, sums)
                    assert after == refresh(packed, np.int64(0), np.int64(viewer), move.after), move


def test_sums_survive_a_capture_that_ends_where_it_began():
    packed = packed_of(wiring.material_dna())
    circle = CHECKERS.parse_fen("W:WK31:B26,27,18,19")
    (move,) = CHECKERS.legal_moves(circle)
    sums = refresh(packed, np.int64(0), np.int64(WHITE), circle)
    table = table_start(packed, np.int64(0), np.int64(WHITE))
    assert sums == (2 - 4) * unit(packed, 0)
    assert update(packed.words, table, np.int64(WHITE), circle, move.after, sums) == 2 * unit(packed, 0)


def test_the_material_network_counts_men_one_and_kings_two():
    packed = pack_networks([material_network()])
    position = CHECKERS.parse_fen("W:W21,22,K32:BK1,K2,12,11")
    assert exact(packed, position, WHITE) == 4 - 6
    assert exact(packed, position, BLACK) == 6 - 4
    assert exact(packed, START, BLACK) == 0


@pytest.mark.parametrize(
    ("fen", "value"),
    [("W:W29:B", 1), ("W:WK29:B", 2), ("W:W:BK29", -2), ("B:W:BK29", -2), ("W:W30:BK1", 0)],
)
def test_the_documented_gene_sees_one_corner_with_weight_one(fen, value):
    assert exact(packed_of("AAATTTGAAGCTACAA"), CHECKERS.parse_fen(fen), WHITE) == value


@pytest.mark.parametrize(("fen", "value"), [("W:W:B4", 1), ("W:WK4:B", -2), ("W:W29:B", 0)])
def test_black_sees_the_board_turned_with_the_documented_gene(fen, value):
    assert exact(packed_of("AAATTTGAAGCTACAA"), CHECKERS.parse_fen(fen), BLACK) == value


def test_the_documented_hidden_gene_is_silent_until_it_is_connected():
    hidden = "CGATGGTAGTCGGATC"
    # sensor 24 sees C1, square 30; neuron 58 feeds the output with weight −2
    position = CHECKERS.parse_fen("W:W30:B")
    assert exact(packed_of(hidden), position, WHITE) == 0
    connected = packed_of(hidden + wiring.gene(58, 63, -20_000))
    assert exact(connected, position, WHITE) == -2 * Fraction(308_877, 10_000)
    assert exact(connected, CHECKERS.parse_fen("W:W:BK30"), WHITE) == 0


@pytest.mark.parametrize("kind", wiring.KINDS)
def test_antisymmetric_values_are_opposite_for_the_two_viewers(kind):
    for seed in range(20):
        packed = packed_of(wiring.dna_of(kind, random.Random(seed)), perspective="antisymmetric")
        for position in map(fast, some_positions(seed, 6)):
            assert output(packed, position, WHITE) == -output(packed, position, BLACK)


@pytest.mark.parametrize("perspective", PERSPECTIVES)
def test_a_turned_board_with_the_colours_swapped_is_worth_the_same_to_the_other_player(perspective):
    for seed in range(20):
        packed = packed_of(wiring.crowded_dna(random.Random(seed)), perspective=perspective)
        for position in some_positions(seed, 6):
            swapped = twin.Position(
                {
                    (7 - column, 7 - row): letter.translate(SWAPPED)
                    for (column, row), letter in position.board.items()
                },
                minimax.other(position.turn),
            )
            assert output(packed, fast(position), WHITE) == output(packed, fast(swapped), BLACK)


@pytest.mark.parametrize("perspective", PERSPECTIVES)
@pytest.mark.parametrize("kind", ["random", "crowded"])
def test_the_side_to_move_changes_nothing(kind, perspective):
    for seed in range(20):
        packed = packed_of(wiring.dna_of(kind, random.Random(seed)), perspective=perspective)
        for position in some_positions(seed, 6):
            moved = position._replace(turn=minimax.other(position.turn))
            assert output(packed, fast(position), WHITE) == output(packed, fast(moved), WHITE)


def heaviest_dna(seed):
    """Write every allowed synapse with the largest weight, so that the sums are as large as possible."""
    rng = random.Random(seed)
    genes = []
    for sink in range(39, 64):
        for source in range(63):
            if genome_twin.is_allowed(source, sink):
                sign = -1 if source < 32 and rng.random() < 0.2 * (seed % 4) else 1
                genes.append(wiring.gene(source, sink, 2**19 - 1 if sign > 0 else -(2**19)))
    return "".join(genes)


HEAVY = "W:WK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12:B"


@pytest.mark.parametrize("perspective", PERSPECTIVES)
@pytest.mark.parametrize("seed", range(8))
def test_the_heaviest_networks_stay_in_range_and_lose_only_the_last_digits(seed, perspective):
    text = heaviest_dna(seed)
    packed = packed_of(text, perspective=perspective)
    positions = [twin.parse(HEAVY), *some_positions(seed, 20)]
    for position in positions:
        for viewer, turn in VIEWERS.items():
            true = slow(text, position, viewer, perspective)
            error = abs(exact(packed, fast(position), turn) - true)
            # each of the 16 second-layer terms and the sum of all others is rounded down once
            assert error <= 17 / Fraction(unit(packed, 0))
            assert abs(int(output(packed, fast(position), turn))) < 2**61


def test_many_neurons_of_the_heaviest_weights_do_not_wrap():
    shape, most, hidden = Topology(32, 1, 160, 1), 2**19 - 1, 160
    ends = [(shape.first_layer1, shape.first_layer2), (shape.first_layer2, shape.output), (shape.output,) * 2]
    pairs = [(a, b) for low, high in ends for b in range(low, max(high, low + 1)) for a in range(low)]
    source, sink = np.array(pairs, np.int32).T
    weight, live = np.full(len(pairs), most, np.int32), np.ones(len(pairs), np.bool_)
    packed = pack_networks([Network(shape, source, sink, weight, live, "own")])
    # twelve kings and a bias reach every neuron, and the output
    heavy = Fraction(most, 10_000)
    seen = 25 * heavy
    first = seen * heavy * hidden
    true = seen + first + (seen + first) * heavy
    error = abs(exact(packed, CHECKERS.parse_fen(HEAVY), WHITE) - true)
    assert error <= 2 / Fraction(unit(packed, 0))
