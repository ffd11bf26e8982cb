"""The name of an MCRD player is its full specification; impossible players are refused in one line."""

import pytest

from neche.errors import InputError
from neche.players.mcrd import ALLOCATIONS, Mcrd
from neche.players.spec import parse_player


@pytest.mark.parametrize(
    ("player", "name"),
    [
        (Mcrd(playouts=2000), "mcrd:playouts=2000,allocation=equal"),
        (Mcrd(time_ms=50, allocation="bandit"), "mcrd:time=50,allocation=bandit"),
        (Mcrd(playouts=9, time_ms=50, device="cuda"), "mcrd:playouts=9,time=50,allocation=equal,device=cuda"),
    ],
)
def test_the_name_is_the_specification(player, name):
    assert player.name == name


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("mcrd", Mcrd(playouts=20_000)),
        ("mcrd:time=30", Mcrd(time_ms=30)),
        ("mcrd:playouts=7,allocation=halving", Mcrd(playouts=7, allocation="halving")),
        ("mcrd:playouts=1000000000", Mcrd(playouts=10**9)),
    ],
)
def test_a_specification_is_read_as_the_player(text, player):
    found = parse_player(text)
    assert found == player
    assert found.name == player.name == parse_player(found.name).name
    assert (found.batch_search, found.time_ms) == (None, player.time_ms)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "mcrd needs a number of playouts or a time"),
        ({"playouts": 0}, r"mcrd: playouts=0 is out of range 1\.\."),
        ({"time_ms": -5}, r"mcrd: time=-5 is out of range 1\.\.86400000"),
        (
            {"playouts": 9, "allocation": "halfing"},
            r"unknown allocation 'halfing' \(did you mean halving\?\)",
        ),
        ({"playouts": 9, "device": "gpu"}, r"unknown device 'gpu'"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(InputError, match=message) as error:
        Mcrd(**options)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mcrd:playouts=0", r"playouts=0 is out of range"),
        ("mcrd:playouts=x", "a whole number from 1 to"),
        ("mcrd:time=-1", "a whole number from 1 to"),
        ("mcrd:allocation=fair", f"known: {', '.join(sorted(ALLOCATIONS))}"),
        ("mcrd:depth=3", "mcrd has no option 'depth'"),
        ("mcrd:device=gpu", "device=gpu is not known"),
    ],
)
def test_bad_specifications_are_refused(text, message):
    with pytest.raises(InputError, match=message):
        parse_player(text)
