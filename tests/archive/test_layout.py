import tomllib

import pytest
from hypothesis import given, strategies as st

from neche.archive.layout import format_config, parse_config
from neche.errors import InputError
from neche.evolution.recipes import load_recipe, override, recipe_names
from neche.evolution.settings import Settings

TEXT = format_config(Settings(), 7)


@pytest.mark.parametrize("recipe", recipe_names())
def test_settings_and_seed_come_back(recipe):
    settings = override(load_recipe(recipe), "creep_sd=0.1")
    config = parse_config(format_config(settings, 2**63), "config.toml")
    assert (config.settings, config.seed) == (settings, 2**63)


def test_the_file_is_readable_without_neche():
    document = tomllib.loads(TEXT.decode())
    assert (document["format"], document["seed"]) == (1, 7)
    assert document["settings"]["members"]["population"] == 100
    assert set(document["versions"]) == {"neche", "python", "numba", "numpy"}
    assert list(document)[-1] == "integrity"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"population = 100", b"population = 200"),
        (b"seed = 7", b"seed = 8"),
        (b"elites = 5\n", b""),
        (b'ranking = "descent"', b'ranking = "swiss"'),
        (b"elites = 5", b"elites = 1979-05-27"),
        (b"elites = 5", b"elites = 5\nfavourites = 5"),
    ],
)
def test_a_change_by_hand_is_noticed_and_the_way_to_do_it_named(old, new):
    assert old in TEXT
    with pytest.raises(
        InputError, match=r"^run/config.toml: damaged, or changed by hand .* start another run"
    ):
        parse_config(TEXT.replace(old, new), "run/config.toml")


def test_comments_and_spacing_may_change():
    text = TEXT.replace(b"population = 100", b"population   = 100  # enough")
    assert parse_config(text, "config.toml") == parse_config(TEXT, "config.toml")


def test_another_format_version_is_named_with_its_writer():
    text = TEXT.replace(b"format = 1", b"format = 2").replace(b'neche = "', b'neche = "9.')
    with pytest.raises(
        InputError, match=r"config.toml: run directory of format 2, written by neche 9\.\S+; neche"
    ):
        parse_config(text, "config.toml")


@pytest.mark.parametrize("version", [b'"1"', b"true", b"1.0", b"[1]"])
def test_a_format_version_of_another_kind_is_refused(version):
    with pytest.raises(InputError, match=r"config.toml: run directory of format|changed by hand"):
        parse_config(TEXT.replace(b"format = 1", b"format = " + version), "config.toml")


def test_another_programs_configuration_is_refused():
    with pytest.raises(InputError, match=r"config.toml: not the configuration of a run: no format version"):
        parse_config(b'[server]\nport = 80\nversions = "x"\n', "config.toml")


def test_a_file_cut_off_anywhere_is_refused():
    for length in range(0, len(TEXT.rstrip()), 7):
        with pytest.raises(
            InputError, match=r"^config.toml: (cut off|not the configuration|changed by hand)"
        ):
            parse_config(TEXT[:length], "config.toml")


@given(position=st.integers(0, len(TEXT) - 1), bit=st.integers(0, 7))
def test_a_flipped_bit_is_refused_or_harmless(position, bit):
    content = bytearray(TEXT)
    content[position] ^= 1 << bit
    try:
        config = parse_config(bytes(content), "config.toml")
    except InputError as fault:
        refusal = str(fault)
        config = parse_config(TEXT, refusal)
    assert config == parse_config(TEXT, "config.toml")
