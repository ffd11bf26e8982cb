"""The geometry of boards: where the squares of every game are, their pieces, and the squares of a move."""

import pytest

from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.game import geometry_of
from neche.games.geometry import GridPlace, Piece

POSITIONS = {
    "checkers": "W:W32,31,K7:B1,2,K30",
    "brazilian": "W:W12,23,27,29,30,31:B1,3,4,8,22",
    "international": "B:W31,K5,46:B1,K50,20",
    "othello": "---------------------------OX------XO--------------------------- O",
}


@pytest.mark.parametrize("name", GAMES)
def test_every_board_has_a_name_or_nothing_for_each_square(name):
    geometry = geometry_of(game(name))
    assert len(geometry.squares) == len(geometry.rows) * len(geometry.columns)
    assert len(geometry.places) == {"checkers": 32, "brazilian": 32, "international": 50, "othello": 64}[name]
    assert all(geometry.square_at(place) == square for square, place in geometry.places.items())
    assert len(set(geometry.coordinates.values())) == len(geometry.places)


@pytest.mark.parametrize("name", GAMES)
def test_a_move_changes_the_squares_it_names_and_the_mover_stands_on_the_last(name):
    rules = game(name)
    geometry = geometry_of(rules)
    for position in (rules.start(), rules.parse_fen(POSITIONS[name])):
        before, side = geometry.pieces(position), int(position.turn)
        for move in rules.legal_moves(position):
            after, named = geometry.pieces(move.after), geometry.squares_of(move.text)
            assert named
            assert after[named[-1]].side == side
            assert named[-1] not in before
            assert all(square not in after for square in named[:-1])


def test_white_is_at_the_bottom_of_draughts_boards_and_row_1_at_the_top_in_othello():
    checkers, international, othello = (
        geometry_of(game(name)) for name in ("checkers", "international", "othello")
    )
    assert checkers.pieces(game("checkers").start())["1"] == Piece(1)
    assert [checkers.coordinates[square] for square in ("1", "4", "5", "29", "32")] == [
        *("b8", "h8", "a7", "a1", "g1")
    ]
    assert [international.coordinates[square] for square in ("1", "5", "6", "46", "50")] == [
        *("b10", "j10", "a9", "a1", "i1")
    ]
    assert othello.places["d3"] == GridPlace(3, 2)
    # Source: World Othello Federation: Black on e4 and d5
    pieces = othello.pieces(game("othello").start())
    assert {square for square, piece in pieces.items() if othello.is_dark[piece.side]} == {"e4", "d5"}


def test_kings_are_distinguished_from_men():
    geometry = geometry_of(game("international"))
    pieces = geometry.pieces(game("international").parse_fen(POSITIONS["international"]))
    assert {square for square, piece in pieces.items() if piece.is_king} == {"5", "50"}
    assert pieces["5"].side == pieces["46"].side == 0


def test_a_board_is_turned_for_the_side_that_does_not_sit_at_the_bottom():
    assert geometry_of(game("checkers")).is_turned_for(1)
    assert not geometry_of(game("checkers")).is_turned_for(0)
    assert not any(geometry_of(game("othello")).is_turned_for(side) for side in (0, 1))


def test_a_pass_names_no_square():
    assert geometry_of(game("othello")).squares_of("pass") == ()


@pytest.mark.parametrize(
    ("name", "text", "squares"),
    [
        ("checkers", "11-15", ("11", "15")),
        ("checkers", "22x15x8", ("22", "15", "8")),
        ("checkers", "11 15", ("11", "15")),
        ("checkers", " F6-E5 ", ("11", "15")),
        ("checkers", "f6e5", ("11", "15")),
        ("checkers", "f6xd4xf2", ("11", "18", "27")),
        ("checkers", "9-013", ("9", "13")),
        ("international", "32-28", ("32", "28")),
        ("international", "d4-e5", ("32", "28")),
        ("international", "j10-i9", ("5", "10")),
        ("international", "a1b2", ("46", "41")),
        ("othello", "D3", ("d3",)),
    ],
)
def test_typed_moves_are_read_in_numbers_and_coordinates(name, text, squares):
    assert geometry_of(game(name)).read_squares(text) == squares


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("checkers", "11-33", "no square '33'"),
        ("checkers", "0-4", "no square '0'"),
        ("checkers", "a8-b7", "a8 is a light square"),
        ("checkers", "i9-h8", "no square 'i9'"),
        ("checkers", "hello", "no square 'hello'"),
        ("international", "a10", "a10 is a light square"),
        ("international", "b11", "no square 'b11'"),
        ("othello", "d9", "no square 'd9'"),
        ("othello", "11", "no square '11'"),
    ],
)
def test_text_that_is_no_square_is_refused_by_name(name, text, fault):
    with pytest.raises(InputError, match=fault):
        geometry_of(game(name)).read_squares(text)


def test_a_game_without_geometry_is_refused():
    from dataclasses import replace

    with pytest.raises(InputError, match="othello does not say what its board looks like"):
        geometry_of(replace(game("othello"), geometry=None))
