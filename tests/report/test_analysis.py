"""Values of moves on the board and beside it: what is marked, what is written, what fits."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from neche.games.catalogue import GAMES, game
from neche.games.game import geometry_of
from neche.players.engine import WIN_VALUE, Analysis, MoveAnalysis
from neche.report.analysis import (
    analysis_svg,
    heading_of,
    label_of,
    marks_of,
    num_rows,
    overlay_of,
    subheading_of,
)
from neche.report.board import BoardView

SVG = "{http://www.w3.org/2000/svg}"
OTHELLO, CHECKERS = game("othello"), game("checkers")


def analysis(*moves, is_score=True, pv=None, **others):
    """Return an analysis of moves, each a text, a value and visits; the first is the best."""
    found = tuple(MoveAnalysis(*move) for move in moves)
    best = (found[0].text,)
    return Analysis(found, best, pv or best, found[0].value, is_score=is_score, **others)


FOUR = analysis(("d3", 0.48, 600), ("c4", 0.52, 300), ("f5", 0.40, 99), ("e6", 0.50, 0), playouts=1000)


def all_moves(name, visits):
    rules = game(name)
    moves = rules.legal_moves(rules.start())
    entries = [(move.text, at / 10, 10 * at if visits else 0) for at, move in enumerate(moves)]
    return analysis(*entries, is_score=visits, playouts=100 if visits else 0)


def words(text):
    return [node.text or "" for node in ET.fromstring(text).iter(f"{SVG}text")]


def test_the_best_value_and_the_most_visits_are_marked_each_for_itself():
    assert marks_of(FOUR) == {"c4": ("best",), "d3": ("most",)}
    assert marks_of(replace(FOUR, moves=FOUR.moves[:1])) == {"d3": ("best", "most")}


def test_untried_moves_are_not_marked_and_have_no_colour():
    assert marks_of(analysis(("d3", 0.5, 0), playouts=1)) == {}
    assert marks_of(replace(FOUR, moves=FOUR.moves[2:])) == {"f5": ("best", "most")}
    overlay = overlay_of(geometry_of(OTHELLO), FOUR, (0.4, 0.6))
    assert set(overlay.values) == {"d3", "c4", "f5"}
    assert overlay.labels["d3"] == ("0.480", "600")


def test_without_visits_there_is_only_a_best_value():
    found = all_moves("checkers", visits=False)
    assert list(marks_of(found).values()) == [("best",)]
    assert "most visits" not in words(analysis_svg(CHECKERS, CHECKERS.start(), found))


@pytest.mark.parametrize("visits", [True, False])
def test_steps_are_arrows_that_are_heavier_the_better(visits):
    found = all_moves("checkers", visits)
    overlay = overlay_of(geometry_of(CHECKERS), found, (0.0, 1.0))
    weights = [overlay.arrows.get(move.text, 0.0) for move in found.moves]
    assert weights == sorted(weights)
    assert weights[-1] == 1.0
    assert not overlay.values


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("visits", [True, False])
def test_every_game_is_drawn_with_its_moves_in_a_list(name, visits):
    rules, found = game(name), all_moves(name, visits)
    text = analysis_svg(rules, rules.start(), found)
    assert {move.text for move in found.moves} <= set(words(text))
    assert text == analysis_svg(rules, rules.start(), found)
    description = ET.fromstring(text).findtext(f"{SVG}desc")
    assert all(f"{move.text} {label_of(found, move)}" in str(description) for move in found.moves)


def test_a_list_ends_where_the_board_does():
    found = analysis(*((f"{at}-{at + 1}", at / 100, 1) for at in range(1, 32)), playouts=31)
    shown = words(analysis_svg(CHECKERS, CHECKERS.start(), found))
    assert sum(word.startswith("0.") for word in shown) == num_rows(BoardView(geometry_of(CHECKERS))) == 15


def test_a_long_line_is_cut_between_moves():
    shown = words(analysis_svg(OTHELLO, OTHELLO.start(), replace(FOUR, pv=("22x15x8",) * 20)))
    cut = next(word for word in shown if word.startswith("expected score 0.480, line 22x15x8"))
    assert len(cut) <= 46
    assert cut.endswith("22x15x8 …")


def test_a_pass_stands_in_the_list_alone():
    found = analysis(("pass", 0.1, 5), playouts=5)
    assert "pass" in words(analysis_svg(OTHELLO, OTHELLO.start(), found))


def test_a_certain_win_does_not_spoil_the_colours_or_arrows_of_the_others():
    found = analysis(("11-15", WIN_VALUE - 3), ("9-13", 0.2), ("9-14", 4 - WIN_VALUE), is_score=False)
    labels = [label_of(found, move) for move in found.moves]
    assert labels == ["wins in 3 plies", "+0.2000", "loses in 4 plies"]
    overlay = overlay_of(geometry_of(CHECKERS), found, (0.0, 1.0))
    assert overlay.arrows["11-15"] == 1.0
    assert 0.4 < overlay.arrows["9-13"] < 0.7


def test_the_heading_counts_playouts_or_names_the_best_move():
    assert (heading_of(FOUR), subheading_of(FOUR)) == ("1,000 playouts", "expected score 0.480, line d3")
    assert subheading_of(FOUR, "uct") == "uct, line d3"
    found = analysis(("11-15", 0.25), ("9-13", -0.5), is_score=False)
    assert (heading_of(found), subheading_of(found)) == ("11-15, +0.2500", "line 11-15")
