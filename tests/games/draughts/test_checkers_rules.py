"""Points of the rules that go wrong, one position each; and what counts as progress for the draw rules."""

import pytest

from neche.compiled.jit import jit
from neche.games import contract
from neche.games.catalogue import game

CHECKERS = game("checkers")


def texts(fen):
    return sorted(move.text for move in CHECKERS.legal_moves(CHECKERS.parse_fen(fen)))


@pytest.mark.parametrize(
    ("rule", "fen", "expected"),
    [
        ("men step forward only", "W:W18:B1", ["18-14", "18-15"]),
        ("kings step one square in all directions", "W:WK18:B1", ["18-14", "18-15", "18-22", "18-23"]),
        ("a capture is compulsory", "W:W18,31:B14", ["18x9"]),
        ("men do not capture backwards", "W:W18:B22,28", ["18-14", "18-15"]),
        ("kings capture backwards", "W:WK18:B22", ["18x25"]),
        ("a capture is completed", "W:W31:B27,19", ["31x15"]),
        ("any capture may be chosen, also the shorter", "W:W31:B26,27,18", ["31x15", "31x24"]),
        ("a man that reaches the king row by a capture stops", "W:W10:B6,7,8", ["10x1", "10x3"]),
        ("a man may capture a king", "W:W18:BK14", ["18x9"]),
        ("a king may return to the square it left", "W:WK22:B17,18,10,9", ["22x22"]),
        ("a side without a legal move has lost", "W:W29:B25,22", []),
        ("a side without a piece has lost", "W:W:B1", []),
    ],
)
def test_rule(rule, fen, expected):
    assert texts(fen) == expected


@jit
def progress(before, after, man_moves_count):
    return contract.is_progress(before, after, man_moves_count)


@pytest.mark.parametrize(
    ("fen", "text", "always", "with_man_moves"),
    [
        ("W:W18:BK1", "18-14", False, True),
        ("W:WK18:BK1", "18-14", False, False),
        ("W:WK18,22:BK1", "22-17", False, True),
        ("W:WK18:BK14,1", "18x9", True, True),
        ("W:W6:BK32", "6-1", True, True),
        ("W:W6,K18:BK32", "6-1", True, True),
        ("B:W6:BK32", "32-28", False, False),
    ],
)
def test_captures_and_promotions_are_progress_and_man_moves_where_asked(fen, text, always, with_man_moves):
    before = CHECKERS.parse_fen(fen)
    (move,) = [move for move in CHECKERS.legal_moves(before) if move.text == text]
    assert progress(before, move.after, False) == always
    assert progress(before, move.after, True) == with_man_moves
