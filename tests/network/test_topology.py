import numpy as np
import pytest

from neche.network.topology import ORIGINAL, ROTATED_SENSOR, SENSOR_SQUARES, Topology
from tests.oracles import genome_twin


def test_neurons_are_numbered_as_in_the_original():
    assert ORIGINAL.ranges == {
        "sensor": range(32),
        "bias": range(32, 39),
        "layer1": range(39, 55),
        "layer2": range(55, 63),
        "output": range(63, 64),
    }
    assert (ORIGINAL.output, ORIGINAL.num_neurons) == (63, 64)


BORDERS = {0: "sensor", 31: "sensor", 32: "bias", 38: "bias", 39: "layer1", 54: "layer1", 55: "layer2"}


@pytest.mark.parametrize(("neuron", "kind"), [*BORDERS.items(), (62, "layer2"), (63, "output")])
def test_the_kind_of_a_neuron_is_told_at_its_borders(neuron, kind):
    assert ORIGINAL.kind(neuron) == kind


@pytest.mark.parametrize("neuron", [-1, 64])
def test_a_neuron_that_is_not_there_has_no_kind(neuron):
    with pytest.raises(ValueError, match="no neuron"):
        ORIGINAL.kind(neuron)


def test_every_pair_of_neurons_is_allowed_exactly_where_the_slow_twin_allows_it():
    source, sink = (grid.ravel() for grid in np.mgrid[0:70, 0:70])
    expected = [genome_twin.is_allowed(*pair) for pair in zip(source.tolist(), sink.tolist(), strict=True)]
    assert ORIGINAL.allowed(source, sink).tolist() == expected


def test_a_smaller_topology_keeps_the_same_rule():
    small = Topology(sensors=4, bias=1, layer1=2, layer2=1)
    assert small.output == 8
    assert (
        small.allowed(np.array([4, 5, 7, 5, 8]), np.array([5, 7, 8, 6, 8])).tolist()
        == [True] * 3 + [False] * 2
    )


def test_sensors_see_the_32_dark_squares():
    assert len(set(SENSOR_SQUARES)) == 32
    assert all(("ABCDEFGH".index(square[0]) + int(square[1])) % 2 for square in SENSOR_SQUARES)
    assert SENSOR_SQUARES[24] == "C1"


def test_rotation_maps_each_sensor_to_the_square_across_the_board():
    assert list(ROTATED_SENSOR) == [genome_twin.turned(sensor) for sensor in range(32)]
