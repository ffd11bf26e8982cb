"""Values of moves on the board and beside it: what is marked, what is written, what fits."""

import xml.etree.ElementTree as ET

import pytest

from neche.games.catalogue import GAMES, game, geometry_of
from neche.report.verdict import MoveValue, Verdict, marks_of, num_rows, overlay_of, verdict_svg

SVG = "{http://www.w3.org/2000/svg}"
OTHELLO, CHECKERS = game("othello"), game("checkers")
FOUR = Verdict(
    "1,000 playouts",
    "line d3",
    (
        MoveValue("d3", 0.48, "0.480", 600),
        MoveValue("c4", 0.52, "0.520", 300),
        MoveValue("f5", 0.40, "0.400", 99),
        MoveValue("e6", 0.50, "", 0),
    ),
)


def all_moves(name, visits):
    rules = game(name)
    moves = rules.legal_moves(rules.start())
    entries = tuple(
        MoveValue(move.text, number / 10, f"+{number / 10}", 10 * number if visits else None)
        for number, move in enumerate(moves)
    )
    return Verdict("heading", "below", entries)


def words(text):
    return [node.text or "" for node in ET.fromstring(text).iter(f"{SVG}text")]


def test_the_best_value_and_the_most_visits_are_marked_each_for_itself():
    assert marks_of(FOUR) == {"c4": ("best",), "d3": ("most",)}
    assert marks_of(FOUR._replace(moves=FOUR.moves[:1])) == {"d3": ("best", "most")}


def test_untried_moves_are_not_marked_and_have_no_colour():
    assert marks_of(Verdict("", "", (MoveValue("d3", 0.5, "", 0),))) == {}
    overlay = overlay_of(geometry_of(OTHELLO), FOUR, (0.4, 0.6))
    assert set(overlay.values) == {"d3", "c4", "f5"}
    assert overlay.labels["d3"] == ("0.480", "600")


def test_without_visits_there_is_only_a_best_value():
    verdict = all_moves("checkers", visits=False)
    assert list(marks_of(verdict).values()) == [("best",)]
    assert "most visits" not in words(verdict_svg(CHECKERS, CHECKERS.start(), verdict))


@pytest.mark.parametrize("visits", [True, False])
def test_steps_are_arrows_that_are_heavier_the_better(visits):
    verdict = all_moves("checkers", visits)
    overlay = overlay_of(geometry_of(CHECKERS), verdict, (0.0, 1.0))
    weights = [overlay.arrows.get(move.text, 0.0) for move in verdict.moves]
    assert weights == sorted(weights)
    assert weights[-1] == 1.0
    assert not overlay.values


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("visits", [True, False])
def test_every_game_is_drawn_with_its_moves_in_a_list(name, visits):
    rules, verdict = game(name), all_moves(name, visits)
    text = verdict_svg(rules, rules.start(), verdict)
    assert {move.text for move in verdict.moves} <= set(words(text))
    assert text == verdict_svg(rules, rules.start(), verdict)
    description = ET.fromstring(text).findtext(f"{SVG}desc")
    assert all(f"{move.text} {move.label}" in str(description) for move in verdict.moves)


def test_a_list_ends_where_the_board_does():
    moves = tuple(MoveValue(f"{at}-{at + 1}", 0.0, f"label {at}", 1) for at in range(1, 32))
    shown = words(verdict_svg(CHECKERS, CHECKERS.start(), Verdict("", "", moves)))
    assert sum(word.startswith("label") for word in shown) == num_rows(geometry_of(CHECKERS)) == 15


def test_a_long_line_is_cut_between_moves():
    line = "expected score 0.500, line " + " ".join(["22x15x8"] * 20)
    shown = words(verdict_svg(OTHELLO, OTHELLO.start(), FOUR._replace(below=line)))
    cut = next(word for word in shown if word.startswith("expected"))
    assert len(cut) <= 46
    assert cut.endswith("22x15x8 …")


def test_a_pass_stands_in_the_list_alone():
    verdict = Verdict("", "", (MoveValue("pass", 0.1, "0.100", 5),))
    assert "pass" in words(verdict_svg(OTHELLO, OTHELLO.start(), verdict))


def test_a_certain_win_does_not_spoil_the_colours_or_arrows_of_the_others():
    moves = (
        MoveValue("11-15", 1e12, "wins in 3 plies"),
        MoveValue("9-13", 0.2, "+0.20"),
        MoveValue("9-14", -1e12, "loses in 4 plies"),
    )
    overlay = overlay_of(geometry_of(CHECKERS), Verdict("", "", moves), (0.0, 1.0))
    assert overlay.arrows["11-15"] == 1.0
    assert 0.4 < overlay.arrows["9-13"] < 0.7
