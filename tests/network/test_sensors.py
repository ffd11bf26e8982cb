"""A network plays the games whose board its sensors see; the blind network plays all."""

from dataclasses import replace

import numpy as np
import pytest

from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.sensors import ALL_8X8, SensorLayout
from neche.genome.dna import WEIGHT_ZERO, Genes, encode, write_genes
from neche.network.decode import blind_network, decode, material_network, square_network
from neche.network.forward import evaluate, refresh
from neche.network.packing import pack_networks, unit
from neche.network.sensors import check_sensors, sensor_squares
from neche.network.topology import Topology
from neche.players.alpha_beta import search_position
from tests.network.wiring import gene


@pytest.mark.parametrize("name", ["checkers", "brazilian"])
def test_a_network_sees_the_32_squares_of_small_draughts(name):
    check_sensors(game(name), material_network())


@pytest.mark.parametrize(("name", "squares"), [("othello", 64), ("international", 50)])
def test_another_board_is_refused_in_one_line(name, squares):
    expected = f"a network with 32 sensors does not see the board of {name}, which has {squares} squares"
    with pytest.raises(InputError, match=expected):
        check_sensors(game(name), material_network())


@pytest.mark.parametrize("name", ["othello", "international"])
def test_the_blind_network_needs_no_board(name):
    check_sensors(game(name), blind_network())


@pytest.mark.parametrize("name", ["othello", "international"])
def test_a_network_of_biases_alone_has_the_same_value_on_a_larger_board(name):
    # on a larger board the ids of these biases would be sensors
    network = decode(encode("".join(gene(bias, 63, 10_000 * (bias - 33)) for bias in range(32, 39))))
    rules = game(name)
    check_sensors(rules, network)
    packed, position = pack_networks([network], rules.sensors), rules.legal_moves(rules.start())[0].after
    for side in (np.int64(0), np.int64(1)):
        sums = refresh(packed, np.int64(0), side, position)
        assert evaluate(packed, np.int64(0), side, position, sums) / unit(packed, 0) == 14.0


@pytest.mark.parametrize("name", ["othello", "international"])
def test_an_antisymmetric_network_of_biases_is_worth_0_on_another_board(name):
    topology = Topology(32, 16, 16, 1)
    biases, hidden = np.arange(32, 48), np.arange(48, 64)
    source = np.concatenate([np.repeat(biases, 16), hidden])
    sink = np.concatenate([np.tile(hidden, 16), np.full(16, topology.output)])
    genome = write_genes(Genes(source, sink, np.full_like(source, WEIGHT_ZERO + 800)), topology.gene_format)
    network, rules = decode(genome, perspective="antisymmetric", topology=topology), game(name)
    check_sensors(rules, network)
    packed, position = pack_networks([network], rules.sensors), rules.start()
    for side in (np.int64(0), np.int64(1)):
        sums = refresh(packed, np.int64(0), side, position)
        assert evaluate(packed, np.int64(0), side, position, sums) == 0


def test_search_of_othello_finds_the_end_of_the_game():
    othello = game("othello")
    # Black turns White's last disc with c1; b1 is no move
    position = othello.parse_fen("XO------" + "-" * 56 + " X")
    found = search_position(othello, position, blind_network(), depth=3)
    assert found.best_moves == ("c1",)
    assert found.value == 1e12 - 1


def test_search_of_othello_knows_draws_and_losses_at_the_end():
    othello = game("othello")
    values = {}
    for blacks in (31, 32, 33):
        # White has one empty square left, a1, and turns one disc there: b1
        board = "-XO" + "O" * (61 - blacks) + "X" * blacks
        found = search_position(othello, othello.parse_fen(board + " O"), blind_network(), depth=2)
        values[blacks] = found.value
    assert values[31] > 0
    assert values[32] == 0
    assert values[33] < 0


@pytest.mark.parametrize(("turned", "worth"), [(None, 64.0), (tuple(range(64)), 1.0)])
def test_the_second_side_sees_the_board_turned_or_as_its_game_says(turned, worth):
    """In a game whose pieces fall down, the board turned by 180° is no position of the game."""
    layout = SensorLayout(ALL_8X8.squares, ALL_8X8.bits, has_kings=False, turned=turned)
    rules = replace(game("othello"), sensors=layout)
    assert sensor_squares(rules, 1)[0] == ("h8" if turned is None else "a1")
    packed = pack_networks([square_network(range(1, 65))], layout)
    position = rules.parse_fen("X" + "-" * 63 + " X")
    values = [refresh(packed, np.int64(0), np.int64(side), position) / unit(packed, 0) for side in (0, 1)]
    assert values == [1.0, -worth]
