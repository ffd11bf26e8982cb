"""Dense networks on the board of a user's game, which registers no groups and does not turn its board."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from neche.games.contract import register
from neche.games.sensors import ALL_8X8, DARK_8X8, SensorLayout
from neche.network.decode import decode
from neche.network.forward import evaluate, refresh
from neche.network.packing import pack_networks, unit
from neche.network.sensors import neuron_values
from neche.network.topology import dense_topology
from tests.genome.drawn import random_strands


class OwnBoard(NamedTuple):
    """A position; all fields are uint64."""

    own: Any
    foe: Any
    kings: Any
    turn: Any


register(OwnBoard, sensor_words=lambda position: (position.own, position.foe, position.kings))

LAYOUTS = {
    "64 squares": SensorLayout(ALL_8X8.squares, ALL_8X8.bits, has_kings=False),
    # eight of the sixteen groups have no square
    "32 squares, kings": SensorLayout(DARK_8X8.squares, DARK_8X8.bits),
    "mirrored": SensorLayout(
        ALL_8X8.squares, ALL_8X8.bits, has_kings=False, turned=tuple(square ^ 56 for square in range(64))
    ),
}


@pytest.mark.parametrize("by_pattern", [False, True])
@pytest.mark.parametrize("second", [0, 3])
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_values_equal_those_of_the_neurons_for_either_side_to_move(layout, second, by_pattern):
    sensors = layout.num_pattern_sensors if by_pattern else layout.num_kind_sensors
    topology, rng = dense_topology(sensors, 5, second), np.random.default_rng(1)
    (genome,) = random_strands(topology.strand_format, rng, sd=0.5, count=1)
    network = decode(genome, perspective="mover", topology=topology)
    packed = pack_networks([network], layout)
    for number in range(40):
        turn = number % 2
        # by square, not turned: 0 empty, 1 and 2 own man and king, −1 and −2 the enemy's
        board = rng.choice([0, 0, 1, -1, *([2, -2] if layout.has_kings else [])], len(layout.squares))
        own, foe, kings = (
            np.uint64(sum(1 << bit for bit, piece in zip(layout.bits, board, strict=True) if is_there(piece)))
            for is_there in (lambda piece: piece > 0, lambda piece: piece < 0, lambda piece: abs(piece) == 2)
        )
        position, side = OwnBoard(own, foe, kings, np.uint64(turn)), np.int64(turn)
        seen = board[list(layout.turned)] if turn else board
        expected = neuron_values(network, seen[None].astype(float), layout)[0, -1]
        value = evaluate(packed, np.int64(0), side, position, refresh(packed, np.int64(0), side, position))
        assert int(value) / unit(packed, 0) == pytest.approx(expected)
