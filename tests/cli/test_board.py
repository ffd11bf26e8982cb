import pytest
from rich.console import Console

from neche.cli.board import Note, Shown, draw_board
from neche.games.catalogue import GAMES, game
from neche.games.game import geometry_of

CHECKERS, OTHELLO = game("checkers"), game("othello")


def plain(text):
    console = Console(width=80, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(text, end="")
    return [line.rstrip() for line in capture.get().splitlines()]


def checkers(fen, **options):
    return plain(draw_board(CHECKERS, CHECKERS.parse_fen(fen), **options))


def test_a_board_shows_each_piece_on_its_square():
    lines = checkers("B:W22,K32:B1,K5")
    assert lines[0] == lines[-2] == "      a    b    c    d    e    f    g    h"
    assert lines[2].split() == ["8", "b", ".", ".", ".", "8"]
    assert lines[4].split() == ["7", "B", ".", ".", ".", "7"]
    assert lines[11].split() == ["21", "22", "23", "24"]
    assert lines[12].split() == ["3", ".", "w", ".", ".", "3"]
    assert lines[16].split() == ["1", ".", ".", ".", "W", "1"]
    assert lines[-1].strip() == "White w 2, Black b 2"


def test_in_colour_pieces_are_discs_and_crowns():
    lines = checkers("B:W22,K32:B1", in_colour=True)
    assert [lines[row].count("●") for row in (2, 12, 16)] == [1, 1, 0]
    assert lines[16].split() == ["1", ".", ".", ".", "♛", "1"]


def test_a_turned_board_is_seen_from_the_other_side():
    lines = checkers("B:W22:B1", flipped=True)
    assert lines[0].split() == list("hgfedcba")
    assert lines[1].split() == ["32", "31", "30", "29"]
    assert lines[2].split()[0] == "1"


def test_a_side_without_pieces_is_no_fault():
    assert checkers("B:W:B1")[-1].strip() == "White w 0, Black b 1"


def test_othello_has_its_discs_and_the_squares_where_one_may_be_put():
    lines = plain(draw_board(OTHELLO, OTHELLO.start(), shown=Shown(spots=("d3",))))
    assert lines[6].split() == ["3", ".", ".", ".", "+", ".", ".", ".", ".", "3"]
    assert lines[8].split() == ["4", ".", ".", ".", "O", "X", ".", ".", ".", "4"]
    assert lines[1] == ""


def test_notes_stand_in_their_square():
    note = Note("0.512", "1.2k", "bold")
    lines = plain(draw_board(OTHELLO, OTHELLO.start(), shown=Shown(notes={"d3": note})))
    assert lines[5].strip() == "0.512"
    assert lines[6].split() == ["3", ".", ".", ".", "1.2k", ".", ".", ".", ".", "3"]


def test_a_long_note_leaves_the_edges_in_line():
    rules = game("checkers")
    notes = {"22": Note("", "-30.50", "bold")}
    lines = plain(draw_board(rules, None, shown=Shown(notes=notes), is_low=True))
    assert lines[6].split() == ["3", ".", "-30.50", ".", ".", "3"]
    assert len({line.rindex(line.split()[-1]) for line in lines[1:9]}) == 1


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("in_colour", [True, False])
def test_every_board_fits_a_terminal_of_80_columns_with_its_edges_in_line(name, in_colour):
    lines = plain(draw_board(game(name), game(name).start(), in_colour=in_colour))
    size = len(geometry_of(game(name)).rows)
    assert max(map(len, lines)) <= 80
    assert len(lines) == 2 * size + 3
    ends = {lines[row].rindex(lines[row].split()[-1]) for row in range(2, 2 * size + 1, 2)}
    assert len(ends) == 1
