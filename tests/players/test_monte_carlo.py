"""Specifications of players that use playouts."""

from contextlib import suppress
from dataclasses import replace

import pytest

from neche.compiled.cuda import require_device
from neche.errors import InputError
from neche.games.catalogue import game
from neche.network.decode import material_network
from neche.players.mcrd import DEFAULT_ALLOCATION, Mcrd
from neche.players.spec import parse_player
from neche.players.uct import DEFAULT_EXPLORATION, NetworkLeaf, Uct

CHECKERS = game("checkers")
C = f"{DEFAULT_EXPLORATION:g}"


def uct(text):
    player = parse_player(text)
    assert isinstance(player, Uct)
    return player


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("uct", f"uct:playouts=5000,c={C},leaf=1"),
        ("uct:playouts=300", f"uct:playouts=300,c={C},leaf=1"),
        ("uct:c=1.40,playouts=300,leaf=8", "uct:playouts=300,c=1.40,leaf=8"),
        ("uct:time=200", f"uct:time=200,c={C},leaf=1"),
        ("uct:time=200,playouts=9,solver=0", f"uct:playouts=9,time=200,c={C},leaf=1,solver=0"),
        ("uct:leaf=material,scale=2", f"uct:playouts=5000,c={C},leaf=material,scale=2"),
        ("uct:leaf=material,static=1", f"uct:playouts=5000,c={C},leaf=material,static=1"),
        ("uct:batch=16", f"uct:playouts=5000,c={C},leaf=1,batch=16"),
    ],
)
def test_a_name_is_the_full_specification_and_is_read_back(text, name):
    player = parse_player(text)
    assert player.name == name
    assert (parse_player(name).name, parse_player(name).digest) == (name, player.digest)
    assert player.batch_search is None


def test_options_reach_the_search():
    found = uct("uct:playouts=7,c=0.5,leaf=3,solver=0,batch=4")
    expected = Uct(playouts=7, exploration=0.5, leaf=3, is_solving=False, batch=4)
    assert found == replace(expected, name=found.name)
    assert uct("uct:time=50") == Uct(time_ms=50)


def test_a_network_of_leaves_is_part_of_the_digest():
    found = uct("uct:leaf=material")
    assert isinstance(found.leaf, NetworkLeaf)
    assert found.leaf.network.digest == material_network().digest
    assert parse_player("uct:leaf=material").digest == material_network().digest
    assert parse_player("uct:leaf=champion").digest not in ("", material_network().digest)
    assert parse_player("uct").digest == ""


def test_a_time_limit_is_known():
    assert parse_player("uct:time=50").time_ms == 50
    assert parse_player("uct:playouts=50").time_ms is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("uct:playouts=0", "playouts=0 is out of range 1..1000000000"),
        ("uct:playouts=1e3", "playouts=1e3: a whole number"),
        ("uct:time=-5", "time=-5: a whole number from 1"),
        ("uct:time=0", "time=0 is out of range"),
        ("uct:c=-1", "c=-1: a number from 0 to 1e+06 is needed"),
        ("uct:c=nan", "c=nan: a number from 0 to 1e+06 is needed"),
        ("uct:leaf=0", "leaf=0 is out of range"),
        ("uct:leaf=materiel", "leaf=materiel: a number of playouts, material, or a network is needed"),
        ("uct:scale=2", "scale and static need a leaf valued by a network"),
        ("uct:static=1", "scale and static need a leaf valued by a network"),
        ("uct:leaf=material,scale=0", "scale=0: a number from"),
        ("uct:leaf=material,batch=4", "a device and batches are for playouts"),
        ("uct:device=gpu", "device=gpu is not known"),
        ("uct:solver=yes", "solver=yes is not known (known: 0, 1)"),
        ("uct:playout=5", "uct has no option 'playout' (did you mean playouts?)"),
        ("mcrd:playouts=0", "playouts=0 is out of range"),
        ("mcrd:time=-1", "time=-1: a whole number from 1"),
        ("mcrd:allocation=fair", "allocation=fair is not known (known: bandit, equal"),
        ("mcrd:device=gpu", "device=gpu is not known"),
        ("mcrd:c=1", "mcrd has no option 'c'"),
    ],
)
def test_bad_options_are_named_in_one_line(text, fault):
    with pytest.raises(InputError) as caught:
        parse_player(text)
    assert fault in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("mcrd", f"mcrd:playouts=20000,allocation={DEFAULT_ALLOCATION}"),
        ("mcrd:allocation=halving,playouts=300", "mcrd:playouts=300,allocation=halving"),
        ("mcrd:time=200,allocation=bandit", "mcrd:time=200,allocation=bandit"),
    ],
)
def test_a_random_descent_is_named_in_full(text, name):
    player = parse_player(text)
    assert player.name == name
    assert parse_player(name) == player


def test_the_options_of_a_random_descent_reach_it():
    player = parse_player("mcrd:playouts=7,allocation=proportional")
    assert player == Mcrd(playouts=7, allocation="proportional")


@pytest.mark.parametrize("kind", ["mcrd", "uct"])
def test_a_missing_device_is_refused_before_any_game(kind):
    with suppress(InputError):
        require_device()
        return
    with pytest.raises(InputError, match="CUDA"):
        parse_player(f"{kind}:device=cuda")
