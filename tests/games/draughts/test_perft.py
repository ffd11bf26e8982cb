"""The compiled rules count the leaves that independent programs count (see tests/oracles/*.json)."""

import pytest

from neche.games.catalogue import game
from tests.oracles.draughts import BRAZILIAN, INTERNATIONAL

TABLES = {"brazilian": BRAZILIAN, "international": INTERNATIONAL}
ENTRIES = [
    pytest.param(name, entry, id=f"{name} {entry['fen']}")
    for name, entries in TABLES.items()
    for entry in entries
]
FROM_START = {name: entries[0]["published"]["perft"] for name, entries in TABLES.items()}


@pytest.mark.parametrize(("name", "entry"), ENTRIES)
def test_perft_is_exact_at_every_listed_depth(name, entry):
    rules = game(name)
    position = rules.parse_fen(entry["fen"])
    depths = range(1, len(entry["perft"]) + 1)
    assert [rules.perft(position, depth) for depth in depths] == entry["perft"]
    assert len(rules.legal_moves(position)) == entry["perft"][0]


@pytest.mark.parametrize("name", TABLES)
def test_perft_from_the_start_is_as_published(name):
    rules = game(name)
    counted = [rules.perft(rules.start(), depth) for depth in range(1, 9)]
    assert counted == FROM_START[name][:8]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth"), [("brazilian", 11), ("brazilian", 12), ("international", 10)])
def test_deep_perft_from_the_start_is_as_published(name, depth):
    rules = game(name)
    assert rules.perft(rules.start(), depth) == FROM_START[name][depth - 1]


@pytest.mark.slow
@pytest.mark.parametrize("entry", [entry for entry in INTERNATIONAL[1:] if "published" in entry])
def test_perft_of_published_positions_is_as_published(entry):
    rules = game("international")
    position = rules.parse_fen(entry["fen"])
    published = [count for count in entry["published"].get("perft", []) if count < 5e8]
    assert [rules.perft(position, depth) for depth in range(1, len(published) + 1)] == published


@pytest.mark.parametrize("name", TABLES)
def test_perft_of_depth_zero_is_one(name):
    assert game(name).perft(game(name).start(), 0) == 1
