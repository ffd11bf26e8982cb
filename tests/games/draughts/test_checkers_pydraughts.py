"""pydraughts, an independent program, lists the same legal moves."""

import itertools

import pytest
from draughts import Board

from neche.games.catalogue import game
from tests.oracles import checkers_twin as twin
from tools.checks.compare_rules import positions

CHECKERS = game("checkers")
POSITIONS_PER_SEED = 600


def moves_of_pydraughts(fen):
    """List (from, to, number of captures); the hub form of a move has the captured squares at the end."""
    moves = set()
    for move in Board("english", fen).legal_moves():
        start, end, *captured = map(int, move.hub_move.replace("-", "x").split("x"))
        moves.add((start, end, len(captured)))
    return moves


def moves_of_neche(fen):
    position = CHECKERS.parse_fen(fen)
    before = len(twin.parse(fen).board)
    moves = set()
    for move in CHECKERS.legal_moves(position):
        squares = [int(square) for square in move.text.replace("-", "x").split("x")]
        after = twin.parse(CHECKERS.format_fen(move.after))
        moves.add((squares[0], squares[-1], before - len(after.board)))
    return moves


@pytest.mark.parametrize("seed", range(100, 104))
def test_pydraughts_lists_the_same_moves_on_random_positions(seed):
    for position in itertools.islice(positions(seed), POSITIONS_PER_SEED):
        fen = twin.fen(position)
        assert moves_of_neche(fen) == moves_of_pydraughts(fen), fen
