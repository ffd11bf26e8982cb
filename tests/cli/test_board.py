import pytest
from rich.console import Console

from neche.cli.board import NUMBER_OF, draw_board, pieces_of, read_squares, square_name
from neche.errors import InputError


def plain(text):
    console = Console(width=80, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(text, end="")
    return [line.rstrip() for line in capture.get().splitlines()]


def test_square_numbers_are_those_of_the_wcdf_board():
    names = [square_name(number) for number in (1, 4, 5, 8, 29, 32)]
    assert names == ["b8", "h8", "a7", "g7", "a1", "g1"]
    assert len(NUMBER_OF) == 32


def test_a_board_shows_each_piece_on_its_square():
    lines = plain(draw_board("B:W22,K32:B1,K5", bottom="w"))
    assert lines[0] == lines[-1] == "      a    b    c    d    e    f    g    h"
    assert lines[2].split() == ["8", "b", ".", ".", ".", "8"]
    assert lines[4].split() == ["7", "B", ".", ".", ".", "7"]
    assert lines[11].split() == ["21", "22", "23", "24"]
    assert lines[12].split() == ["3", ".", "w", ".", ".", "3"]
    assert lines[16].split() == ["1", ".", ".", ".", "W", "1"]


def test_in_colour_pieces_are_discs_and_crowns():
    lines = plain(draw_board("B:W22,K32:B1", bottom="w", in_colour=True))
    assert [lines[row].count("●") for row in (2, 12, 16)] == [1, 1, 0]
    assert lines[16].split() == ["1", ".", ".", ".", "♛", "1"]


def test_black_sees_the_board_from_the_other_side():
    lines = plain(draw_board("B:W22:B1", bottom="b"))
    assert lines[0].split() == list("hgfedcba")
    assert lines[1].split() == ["32", "31", "30", "29"]
    assert lines[2].split()[0] == "1"


def test_a_side_without_pieces_is_no_fault():
    assert pieces_of("B:W:B1") == {1: ("b", False)}


@pytest.mark.parametrize(
    ("text", "squares"),
    [
        ("11-15", (11, 15)),
        ("22x15", (22, 15)),
        ("22x15x8", (22, 15, 8)),
        ("11 15", (11, 15)),
        (" F6-E5 ", (11, 15)),
        ("f6e5", (11, 15)),
        ("f6xd4xf2", (11, 18, 27)),
    ],
)
def test_moves_are_read_in_numbers_and_coordinates(text, squares):
    assert read_squares(text) == squares


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("11-33", "no square '33'"),
        ("0-4", "no square '0'"),
        ("a8-b7", "a8 is a light square"),
        ("i9-h8", "no square 'i9'"),
        ("hello", "no square 'hello'"),
    ],
)
def test_what_is_no_square_is_named(text, fault):
    with pytest.raises(InputError, match=fault):
        read_squares(text)
