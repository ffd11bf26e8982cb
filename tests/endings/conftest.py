"""The endings of four pieces in checkers and of three in brazilian, each solved once for all tests."""

import pytest

from neche.endings.probing import open_endings
from neche.endings.solving import solve_endings
from neche.games.catalogue import game


def _solved(folder, name, pieces):
    found = list(solve_endings(game(name), folder, pieces, with_distances=True))
    assert all(is_new for _, _, is_new in found)
    return {of: counts for of, counts, _ in found}, open_endings(game(name), folder)


@pytest.fixture(scope="session")
def checkers(tmp_path_factory):
    """Return the counts by slice, and the endings."""
    return _solved(tmp_path_factory.mktemp("checkers"), "checkers", 4)


@pytest.fixture(scope="session")
def brazilian(tmp_path_factory):
    return _solved(tmp_path_factory.mktemp("brazilian"), "brazilian", 3)
