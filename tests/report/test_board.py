"""Boards as SVG: every piece and word in its square, equal arguments, equal text."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from neche.cli.board import draw_board
from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.game import geometry_of
from neche.games.geometry import BoardGeometry, Piece
from neche.players.engine import Analysis, MoveAnalysis
from neche.report.analysis import analysis_svg
from neche.report.board import CELL, FRAME, BoardView, board_svg, describe
from tests.games.toys.loading import TICTACTOE, load

SVG = "{http://www.w3.org/2000/svg}"
CHECKERS, INTERNATIONAL, OTHELLO = game("checkers"), game("international"), game("othello")


def read(text):
    return ET.fromstring(text)


def words_at(picture):
    """Return the texts of a picture with the column and row of the square they stand in."""
    return {
        (node.text, int((float(node.get("x")) - FRAME) // CELL), int((float(node.get("y")) - FRAME) // CELL))
        for node in picture.iter(f"{SVG}text")
    }


def discs(picture):
    """Return column and row of every piece, from the circle that fills it."""
    return {
        (int((float(node.get("cx")) - FRAME) // CELL), int((float(node.get("cy")) - FRAME) // CELL))
        for node in picture.iter(f"{SVG}circle")
        if node.get("fill") in ("#FBF6EA", "#2E2B29")
    }


@pytest.mark.parametrize("name", GAMES)
def test_every_start_position_is_drawn_with_all_its_pieces(name):
    rules = game(name)
    text = board_svg(rules, rules.start())
    picture = read(text)
    assert discs(picture) == set(
        map(tuple, (geometry_of(rules).places[s] for s in geometry_of(rules).pieces(rules.start())))
    )
    assert text == board_svg(rules, rules.start())
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|<script|\bon\w+=", text)


@pytest.mark.parametrize("name", GAMES)
def test_a_turned_board_turns_pieces_labels_and_numbers_together(name):
    rules = game(name)
    size = len(geometry_of(rules).rows)
    fen = {"othello": f"{'-' * 60}XOOX X", "international": "W:W49:BK6"}.get(name, "W:W32:BK6")
    straight = read(board_svg(rules, rules.parse_fen(fen)))
    turned = read(board_svg(rules, rules.parse_fen(fen), flipped=True))
    assert discs(turned) == {(size - 1 - column, size - 1 - row) for column, row in discs(straight)}
    inner = range(size)
    assert {
        (word, size - 1 - column, size - 1 - row)
        for word, column, row in words_at(straight)
        if column in inner and row in inner
    } == {(w, c, r) for w, c, r in words_at(turned) if c in inner and r in inner}
    first = geometry_of(rules).columns[0]
    assert (first, 0, -1) in words_at(straight)
    assert (first, size - 1, -1) in words_at(turned)


def test_screen_readers_hear_game_side_pieces_and_last_move():
    position = CHECKERS.parse_fen("B:W21,K30:B5")
    picture = read(board_svg(CHECKERS, position, last_move="25-21"))
    title, description = picture.find(f"{SVG}title"), picture.find(f"{SVG}desc")
    assert title.text == "Checkers, Black to move"
    assert description.text == "White: 21. White kings: 30. Black: 5. Last move: 25-21."
    assert picture.get("role") == "img"
    assert picture.get("aria-labelledby").split() == [title.get("id"), description.get("id")]
    assert describe(CHECKERS, None) == "An empty board."


def test_different_pictures_in_one_page_have_different_names():
    names = {
        read(board_svg(OTHELLO, position)).find(f"{SVG}title").get("id")
        for position in (None, OTHELLO.start(), OTHELLO.legal_moves(OTHELLO.start())[0].after)
    }
    assert len(names) == 3


def test_values_are_coloured_and_written_in_their_squares():
    picture = read(
        board_svg(OTHELLO, OTHELLO.start(), values={"d3": 0.25, "c4": -0.5}, labels={"c4": ("low", "12")})
    )
    words = {(word, column, row) for word, column, row in words_at(picture) if column in range(8)}
    assert {("0.25", 3, 2), ("low", 2, 3), ("12", 2, 3)} <= words
    fills = {node.get("fill") for node in picture.iter(f"{SVG}rect")}
    assert "#c45400" in fills  # the lowest value has the colour of the end
    negative = board_svg(OTHELLO, None, values={"a1": -1.5})
    assert ">−1.50<" in negative


def test_a_coloured_square_shows_its_name_over_its_colour():
    parts = list(read(board_svg(CHECKERS, None, values={"14": 0.5}, title="x")).iter())
    at = [place for place, node in enumerate(parts) if node.text == "14"][-1]
    assert [node.get("rx") for node in parts[:at]][-1] == "4"
    assert parts[at].get("fill") in ("#000000", "#ffffff")


def test_equal_values_are_no_fault():
    read(board_svg(OTHELLO, None, values={"a1": 0.5, "b1": 0.5}))


@pytest.mark.parametrize(
    ("name", "fen", "move"),
    [
        ("international", "W:WK35:B7,21,19,40,23,10", "35x35"),
        ("brazilian", "W:WK17:B11,14,24,22,12", "17x17"),
        ("checkers", "W:WK14:B17,25,18,26,19,8", "14x14"),
    ],
)
def test_a_capture_that_ends_where_it_began_is_a_ring(name, fen, move):
    rules = game(name)
    position = rules.parse_fen(fen)
    assert move in [legal.text for legal in rules.legal_moves(position)]
    drawn = board_svg(rules, position, arrows={move: 1.0}, last_move=move, marks={move: "best"})
    x, y = BoardView(geometry_of(rules)).middle(move.split("x")[0])
    rings = [one for one in read(drawn).iter(f"{SVG}circle") if one.get("stroke-width") == "12"]
    assert [(float(one.get("cx")), float(one.get("cy"))) for one in rings] == [(x, y)]


def test_arrows_and_marks_follow_the_squares_of_a_move():
    position = CHECKERS.start()
    bare = board_svg(CHECKERS, position)
    picture = read(
        board_svg(CHECKERS, position, arrows={"11-15": 1.0, "9-13": 0.2}, marks={"11-15": ("best", "most")})
    )
    lines = list(picture.iter(f"{SVG}polyline"))
    assert "polyline" not in bare
    assert len(lines) == 2
    assert lines[-1].get("stroke") == "#00C2D6"
    assert float(lines[-1].get("stroke-width")) > float(lines[0].get("stroke-width"))
    # 11 is f6 and 15 is e5: the arrow begins in the middle of f6
    begin = lines[-1].get("points").split()[0]
    assert begin == f"{FRAME + CELL * 5.5:g},{FRAME + CELL * 2.5:g}"


def test_a_pass_can_be_the_last_move_and_a_mark():
    read(board_svg(OTHELLO, OTHELLO.start(), last_move="pass", marks={"pass": "best"}, arrows={"pass": 1.0}))


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"values": {"z9": 1.0}}, "no square 'z9'"),
        ({"labels": {"33": "x"}}, "no square '33'"),
        ({"marks": {"d3": "bst"}}, "unknown mark 'bst'.*best"),
        ({"last_move": "e2e4"}, "'e2e4' names no square"),
        ({"arrows": {"<svg>": 1.0}}, "'<svg>' names no square"),
    ],
)
def test_what_is_not_on_the_board_is_named(options, fault):
    with pytest.raises(InputError, match=fault):
        board_svg(OTHELLO, OTHELLO.start(), **options)


def test_what_is_written_cannot_leave_its_element():
    text = board_svg(
        OTHELLO, None, labels={"a1": "</text><script>"}, title='"><script>alert(1)</script>', last_move="a1"
    )
    assert "<script" not in text
    assert read(text).find(f"{SVG}title").text == '"><script>alert(1)</script>'


def test_a_game_of_other_people_is_drawn_from_its_geometry():
    rules = load(TICTACTOE)
    geometry = BoardGeometry(
        columns=tuple("abc"),
        rows=tuple("321"),
        squares=tuple(f"{column}{row}" for row in "321" for column in "abc"),
        pieces=lambda position: {
            f"{'abc'[bit % 3]}{bit // 3 + 1}": Piece(
                int(position.turn) ^ int(bool(position.foe & (1 << bit)))
            )
            for bit in range(9)
            if (position.own | position.foe) & (1 << bit)
        },
        letters=("X", "O"),
    )
    rules, position = replace(rules, geometry=geometry), rules.start()
    for text in ("b2", "a3"):
        position = next(move.after for move in rules.legal_moves(position) if move.text == text)
    assert discs(read(board_svg(rules, position, last_move="a3", values={"c1": 0.5}))) == {(1, 1), (0, 0)}
    moves = tuple(MoveAnalysis(move.text, 0.5, 1) for move in rules.legal_moves(position))
    analysis = Analysis(moves, (moves[0].text,), (moves[0].text,), 0.5, is_score=True)
    read(analysis_svg(rules, position, analysis))
    assert "X X 1, O O 1" in draw_board(rules, position).plain
