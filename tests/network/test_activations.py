"""The activations that are shown equal the slow twin's, and their value is the one that play uses."""

import random
from dataclasses import astuple
from typing import Any

import numpy as np
import pytest

from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.game import geometry_of
from neche.games.sensors import ALL_8X8
from neche.genome import dna
from neche.network.decode import PERSPECTIVES, blind_network, decode, square_network
from neche.network.forward import evaluate, refresh
from neche.network.packing import pack_networks, unit
from neche.network.sensors import activations, default_topology, sensor_layout
from tests.oracles import network_twin as twin


def positions(rules, count, seed):
    """Positions of random games."""
    rng = random.Random(seed)
    found: list[Any] = []
    position = rules.start()
    while len(found) < count:
        moves = rules.legal_moves(position)
        position = rng.choice(moves).after if moves and rng.random() < 0.97 else rules.start()
        found.append(position)
    return rng.sample(found, 12)


def random_network(rules, perspective, seed):
    topology = default_topology(rules)
    length = 400 * topology.gene_format.length
    digits = np.random.default_rng(seed).integers(4, size=length, dtype=np.uint8)
    return dna.decode(digits), decode(digits, perspective=perspective, topology=topology)


@pytest.mark.parametrize("perspective", PERSPECTIVES)
@pytest.mark.parametrize("name", GAMES)
def test_the_value_equals_that_of_the_slow_twin_and_of_play(name, perspective):
    rules = game(name)
    text, network = random_network(rules, perspective, 7)
    packed = pack_networks([network], rules.sensors)
    counts = (*astuple(network.topology)[:4], 1)
    for position in positions(rules, 150, 3):
        board = {
            geometry_of(rules).coordinates[square].upper(): (piece.side == 0, "k" if piece.is_king else "m")
            for square, piece in geometry_of(rules).pieces(position).items()
        }
        for viewer in (0, 1):
            found = activations(network, rules, position, viewer)
            squares = sensor_layout(rules).squares
            slow = twin.evaluate(text, counts, squares, board, viewer=viewer == 0, perspective=perspective)
            assert found.value == pytest.approx(float(slow), abs=1e-6)
            sums = refresh(packed, 0, np.int64(viewer), position)
            played = evaluate(packed, 0, np.int64(viewer), position, sums) / unit(packed, 0)
            assert found.value == pytest.approx(played, abs=1e-3)


def test_the_weighted_inputs_of_a_neuron_add_up_to_its_value():
    rules = game("checkers")
    _, network = random_network(rules, "own", 5)
    found = activations(network, rules, positions(rules, 60, 1)[0], 0)
    for neuron in range(network.topology.first_layer1, network.topology.num_neurons):
        total = found.carried[network.sink == neuron].sum()
        expected = total if neuron == network.topology.output else max(total, 0.0)
        assert found.values[neuron] == pytest.approx(expected)


def test_a_sensor_is_shown_on_the_square_it_sees_from_either_side():
    rules = game("checkers")
    network = square_network((1,) * 32)
    start = rules.start()
    white, black = (activations(network, rules, start, viewer) for viewer in (0, 1))
    assert white.squares[0] == "29"  # A1, the corner of White's back row
    assert black.squares[0] == "4"  # the corner that Black sees there
    for found in (white, black):
        own = [value for value in found.values[:32] if value > 0]
        assert len(own) == 12


def test_a_network_of_another_board_is_refused_and_the_blind_one_is_not():
    othello = game("othello")
    with pytest.raises(InputError, match="32 sensors"):
        activations(square_network((1,) * 32), othello, othello.start(), 0)
    assert activations(blind_network(), othello, othello.start(), 0).value == 0
    assert len(ALL_8X8.squares) == 64
