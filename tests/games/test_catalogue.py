"""Games are found by name, and naming them costs nothing."""

import subprocess
import sys

import pytest

from neche.errors import InputError
from neche.games.catalogue import GAMES, game


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_found_under_its_own_name(name):
    assert game(name).name == name
    assert game(name) is game(name)


def test_an_unknown_game_is_refused_and_the_nearest_name_suggested():
    with pytest.raises(InputError, match=r"'chekers'.*checkers"):
        game("chekers")


def test_knowing_the_names_imports_no_compiler():
    code = "import sys, neche.games.catalogue; print([m for m in ('numba', 'numpy') if m in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
