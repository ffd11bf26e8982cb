"""The name of a UCT player is its full specification; impossible players are refused in one line."""

import pytest

from neche.errors import InputError
from neche.network.decode import material_network
from neche.players.uct import NetworkLeaf, Uct

MATERIAL = NetworkLeaf("material", material_network())


@pytest.mark.parametrize(
    ("player", "name"),
    [
        (Uct(playouts=5000), "uct:playouts=5000,c=0.5,leaf=1"),
        (Uct(time_ms=250, exploration=1.4), "uct:time=250,c=1.4,leaf=1"),
        (Uct(playouts=10, time_ms=5, leaf=8), "uct:playouts=10,time=5,c=0.5,leaf=8"),
        (Uct(playouts=10, leaf=MATERIAL), "uct:playouts=10,c=0.5,leaf=material"),
        (
            Uct(playouts=10, leaf=NetworkLeaf("material", MATERIAL.network, 2.5, True)),
            "uct:playouts=10,c=0.5,leaf=material,scale=2.5,static=1",
        ),
        (Uct(playouts=10, batch=64, is_solving=False), "uct:playouts=10,c=0.5,leaf=1,batch=64,solver=0"),
        (Uct(playouts=10, device="cuda"), "uct:playouts=10,c=0.5,leaf=1,device=cuda"),
    ],
)
def test_the_name_is_the_specification(player, name):
    assert player.name == name


def test_a_device_gets_many_leaves_at_once_by_default():
    assert Uct(playouts=10).num_rows == 1
    assert Uct(playouts=10, device="cuda").num_rows > 100
    assert Uct(playouts=10, device="cuda", batch=7).num_rows == 7


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "uct needs a number of playouts or a time"),
        ({"playouts": 0}, r"uct: playouts=0 is out of range 1\.\."),
        ({"playouts": 10**10}, r"uct: playouts=10000000000 is out of range"),
        ({"time_ms": -5}, r"uct: time=-5 is out of range 1\.\.86400000"),
        ({"playouts": 9, "exploration": -0.1}, r"uct: c=-0.1 is out of range"),
        ({"playouts": 9, "exploration": float("nan")}, r"uct: c=nan is out of range"),
        ({"playouts": 9, "leaf": 0}, r"uct: leaf=0 is out of range"),
        ({"playouts": 9, "batch": 0}, r"uct: batch=0 is out of range"),
        ({"playouts": 9, "capacity": 5}, r"uct: capacity=5 is out of range"),
        ({"playouts": 9, "confident_visits": 0}, r"uct: confident_visits=0 is out of range"),
        ({"playouts": 9, "device": "gpu"}, r"unknown device 'gpu'"),
        ({"playouts": 9, "leaf": MATERIAL, "batch": 8}, "are for playouts"),
        ({"playouts": 9, "leaf": MATERIAL, "device": "cuda"}, "are for playouts"),
        ({"playouts": 9, "leaf": NetworkLeaf("m", MATERIAL.network, scale=0.0)}, r"scale=0 is not positive"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(InputError, match=message) as error:
        Uct(**options)
    assert "\n" not in str(error.value)
