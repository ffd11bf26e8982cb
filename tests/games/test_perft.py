"""The compiled rules have the perft of independent programs (see tests/oracles/*.json)."""

import pytest

from neche.games.catalogue import GAMES, game
from neche.games.generic import perft_with
from tests.oracles import draughts, english, othello

TABLES = {
    "checkers": english.POSITIONS,
    "brazilian": draughts.BRAZILIAN,
    "international": draughts.INTERNATIONAL,
    "othello": othello.POSITIONS,
}
ENTRIES = [
    pytest.param(name, entry, id=f"{name} {entry['fen']}")
    for name, entries in TABLES.items()
    for entry in entries
]
FROM_START = {
    "checkers": english.PUBLISHED_FROM_START,
    "othello": othello.PUBLISHED_FROM_START,
    **{name: TABLES[name][0]["published"]["perft"] for name in ("brazilian", "international")},
}
QUICK_DEPTHS = {"checkers": 8, "brazilian": 8, "international": 8, "othello": 10}
SLOW_DEPTHS = {"checkers": (9, 10, 11), "brazilian": (11, 12), "international": (10,), "othello": (11, 12)}
OTHELLO = game("othello")
strict_perft = perft_with(OTHELLO.max_moves * OTHELLO.move_words, OTHELLO.move_type)


@pytest.mark.parametrize(("name", "entry"), ENTRIES)
def test_perft_is_exact_at_every_listed_depth(name, entry):
    rules = game(name)
    position = rules.parse_fen(entry["fen"])
    depths = range(1, len(entry["perft"]) + 1)
    assert [rules.perft(position, depth) for depth in depths] == entry["perft"]
    assert len(rules.legal_moves(position)) == entry.get("perft_strict", entry["perft"])[0]


@pytest.mark.parametrize("name", GAMES)
def test_perft_from_the_start_is_as_published(name):
    rules, deepest = game(name), QUICK_DEPTHS[name]
    counted = [rules.perft(rules.start(), depth) for depth in range(1, deepest + 1)]
    assert counted == FROM_START[name][:deepest]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "depth"), [(name, depth) for name, depths in SLOW_DEPTHS.items() for depth in depths]
)
def test_deep_perft_from_the_start_is_as_published(name, depth):
    rules = game(name)
    assert rules.perft(rules.start(), depth) == FROM_START[name][depth - 1]


@pytest.mark.slow
@pytest.mark.parametrize("entry", [entry for entry in draughts.INTERNATIONAL[1:] if "published" in entry])
def test_perft_of_published_positions_is_as_published(entry):
    rules = game("international")
    position = rules.parse_fen(entry["fen"])
    published = [count for count in entry["published"].get("perft", []) if count < 5e8]
    assert [rules.perft(position, depth) for depth in range(1, len(published) + 1)] == published


@pytest.mark.parametrize("name", GAMES)
def test_perft_of_depth_zero_is_one(name):
    assert game(name).perft(game(name).start(), 0) == 1


@pytest.mark.parametrize("entry", othello.POSITIONS, ids=othello.ids(othello.POSITIONS))
def test_perft_without_finished_games_is_exact_too(entry):
    position = OTHELLO.parse_fen(entry["fen"])
    depths = range(1, len(entry["perft_strict"]) + 1)
    assert [strict_perft(position, depth) for depth in depths] == entry["perft_strict"]


def test_games_that_end_before_the_last_ply_are_counted_separately():
    assert strict_perft(OTHELLO.start(), 10) == othello.STRICT_FROM_START[9] == 24_571_056
    assert othello.PUBLISHED_FROM_START[9] - othello.STRICT_FROM_START[9] == 228


@pytest.mark.slow
@pytest.mark.parametrize("depth", [11, 12])
def test_deep_perft_without_finished_games_is_as_published(depth):
    assert strict_perft(OTHELLO.start(), depth) == othello.STRICT_FROM_START[depth - 1]
