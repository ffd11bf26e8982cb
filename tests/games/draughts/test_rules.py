"""Points of the rules that are easily got wrong, one position each; and progress for the draw rules."""

import pytest

from neche.compiled.jit import jit
from neche.games import contract
from neche.games.catalogue import game
from tests.oracles.draughts import BRAZILIAN


def texts(name, fen):
    rules = game(name)
    return sorted(move.text for move in rules.legal_moves(rules.parse_fen(fen)))


@pytest.mark.parametrize(
    ("name", "rule", "fen", "expected"),
    [
        ("checkers", "men step forward only", "W:W18:B1", ["18-14", "18-15"]),
        (
            "checkers",
            "kings step one square in all directions",
            "W:WK18:B1",
            ["18-14", "18-15", "18-22", "18-23"],
        ),
        ("checkers", "a capture is compulsory", "W:W18,31:B14", ["18x9"]),
        ("checkers", "men do not capture backwards", "W:W18:B22,28", ["18-14", "18-15"]),
        ("checkers", "kings capture backwards", "W:WK18:B22", ["18x25"]),
        ("checkers", "a capture is completed", "W:W31:B27,19", ["31x15"]),
        ("checkers", "any capture may be chosen, also the shorter", "W:W31:B26,27,18", ["31x15", "31x24"]),
        ("checkers", "a man that reaches the king row by a capture stops", "W:W10:B6,7,8", ["10x1", "10x3"]),
        ("checkers", "a man may capture a king", "W:W18:BK14", ["18x9"]),
        ("checkers", "a king may return to the square it left", "W:WK22:B17,18,10,9", ["22x22"]),
        ("checkers", "a side without a legal move has lost", "W:W29:B25,22", []),
        ("checkers", "a side without a piece has lost", "W:W:B1", []),
        ("brazilian", "men step forward only (3.4)", "W:W18:B1", ["18-14", "18-15"]),
        (
            "brazilian",
            "kings fly (3.9)",
            "W:WK29,5:B1",
            ["29-11", "29-15", "29-18", "29-22", "29-25", "29-4", "29-8"],
        ),
        ("brazilian", "men capture backward too (4.1)", "W:W14:B18,17", ["14x21", "14x23"]),
        (
            "brazilian",
            "kings capture from afar and land anywhere behind (4.3)",
            "W:WK29:B15",
            ["29x11", "29x4", "29x8"],
        ),
        ("brazilian", "a capture is compulsory (4.5)", "W:W22,31:B18", ["22x15"]),
        ("brazilian", "a capture is completed (4.6)", "W:W31:B26,18", ["31x15"]),
        ("brazilian", "the most pieces must be captured (4.13)", "W:W31:B26,27,18", ["31x15"]),
        (
            "brazilian",
            "a man may take what a king may take (4.14)",
            "W:W22,K4:B18,K8",
            ["22x15", "4x11", "4x15"],
        ),
        ("brazilian", "a man that passes the king row goes on as a man (4.15)", "W:W10:B6,7,8", ["10x12"]),
        ("brazilian", "a man that ends on the king row is crowned (3.5)", "W:W10:B6", ["10x1"]),
        ("brazilian", "the square a piece left is free in its own capture", "B:W6,7,14,15:BK2", ["2x2"]),
        (
            "brazilian",
            "pieces taken stay until the end and cannot be jumped again (4.11)",
            "W:WK15:B3,5,9,11,17,18,19,21,23,K27",
            ["15x16", "15x20", "15x22x13x2x20x31", "15x22x13x6x24x31"],
        ),
        ("brazilian", "a side without a legal move has lost", "W:W29:B25,22", []),
        ("brazilian", "a side without a piece has lost", "W:W:B1", []),
    ],
)
def test_rule(name, rule, fen, expected):
    assert texts(name, fen) == sorted(expected), rule


def test_the_sample_position_of_the_lab_has_exactly_its_seven_moves():
    (entry,) = [entry for entry in BRAZILIAN if entry["fen"] == "W:W12,23,27,29,30,31:B1,3,4,8,22"]
    assert texts("brazilian", entry["fen"]) == sorted(entry["legal_moves"])
    assert len(entry["legal_moves"]) == 7


@jit
def progress(before, after, man_moves_count):
    return contract.is_progress(before, after, man_moves_count)


@pytest.mark.parametrize(
    ("name", "fen", "text", "always", "with_man_moves"),
    [
        ("checkers", "W:W18:BK1", "18-14", False, True),
        ("checkers", "W:WK18:BK1", "18-14", False, False),
        ("checkers", "W:WK18,22:BK1", "22-17", False, True),
        ("checkers", "W:WK18:BK14,1", "18x9", True, True),
        ("checkers", "W:W6:BK32", "6-1", True, True),
        ("checkers", "W:W6,K18:BK32", "6-1", True, True),
        ("checkers", "B:W6:BK32", "32-28", False, False),
        ("brazilian", "W:W18:BK1", "18-14", False, True),
        ("brazilian", "W:WK18:BK1", "18-4", False, False),
        ("brazilian", "W:WK29:BK18,1", "29x15", True, True),
        ("brazilian", "W:W6,K18:BK32", "6-1", True, True),
        ("international", "W:W28:BK1", "28-22", False, True),
        ("international", "W:WK46:BK1,44", "46-5", False, False),
        ("international", "W:W7:BK50", "7-1", True, True),
    ],
)
def test_captures_and_promotions_are_progress_and_man_moves_optionally(
    name, fen, text, always, with_man_moves
):
    rules = game(name)
    before = rules.parse_fen(fen)
    (move,) = [move for move in rules.legal_moves(before) if move.text == text]
    assert progress(before, move.after, False) == always
    assert progress(before, move.after, True) == with_man_moves
