"""The slow twin of the draughts rules is itself right: it counts what three independent programs count."""

import pytest

from tests.oracles.draughts import BRAZILIAN, INTERNATIONAL
from tests.oracles.draughts_twin import BRAZILIAN as SMALL, INTERNATIONAL as LARGE

BOARDS = [(SMALL, BRAZILIAN), (LARGE, INTERNATIONAL)]
ENTRIES = [
    pytest.param(board, entry, id=f"{board.size} {entry['fen']}")
    for board, entries in BOARDS
    for entry in entries
]


@pytest.mark.parametrize(("board", "entry"), ENTRIES)
def test_twin_counts_the_published_leaves_to_depth_two(board, entry):
    position = board.parse(entry["fen"])
    assert [board.perft(position, depth) for depth in (1, 2)] == entry["perft"][:2]


@pytest.mark.slow
@pytest.mark.parametrize(("board", "entry"), ENTRIES)
def test_twin_counts_the_published_leaves_to_depth_four(board, entry):
    assert board.perft(board.parse(entry["fen"]), 4) == entry["perft"][3]


@pytest.mark.parametrize(("board", "entries"), BOARDS)
def test_twin_writes_back_what_it_reads(board, entries):
    for entry in entries:
        position = board.parse(entry["fen"])
        assert board.parse(board.fen(position)) == position


@pytest.mark.parametrize("board", [SMALL, LARGE])
def test_random_positions_bring_kings_and_long_captures(board):
    positions = [board.random_position(seed) for seed in range(200)]
    assert sum(any(letter.isupper() for letter in position.board.values()) for position in positions) > 120
    assert max(len(move.captured) for position in positions for move in board.moves(position)) >= 4
