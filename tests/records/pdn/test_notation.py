"""Square numberings of files, and the positions that they set up."""

import pytest

from neche.errors import InputError
from neche.games.catalogue import game
from neche.records.pdn.notation import numbering, own_numbering, read_positions, square_name, write_position

START = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


@pytest.mark.parametrize(
    ("attributes", "first", "second", "last"),
    [
        # bottom left, bottom right, top left, top right, as the side that begins sees the board
        ("W,8,8,A0,0", "a1", "c1", "h8"),
        ("W,8,8,N1,0", "g1", "e1", "b8"),
        ("W,8,8,N2,0", "b8", "d8", "g1"),
        ("W,8,8,N3,1", "h8", "f8", "a1"),
        ("B,8,8,N1,0", "b8", "d8", "g1"),
        ("b, 8, 8, n0", "h8", "f8", "a1"),
    ],
)
def test_a_game_type_says_from_which_corner_squares_are_counted(attributes, first, second, last):
    numbers = numbering("brazilian", attributes)
    assert numbers is not None
    letters = square_name("brazilian")
    assert [letters[numbers[number]] for number in (1, 2, 32)] == [first, second, last]


@pytest.mark.parametrize("name", ["checkers", "international"])
def test_the_standard_counts_as_the_games_do(name):
    notation = game(name).pdn
    assert notation is not None
    assert numbering(name, notation.attributes) == own_numbering(name)


@pytest.mark.parametrize("attributes", ["", "W", "W,8,8", "W,8,8,N4,0", "W,8,8,X0,0", "W,8,8,N0,0,0"])
def test_other_attributes_say_nothing(attributes):
    assert numbering("checkers", attributes) is None


@pytest.mark.parametrize(
    "text", ["W:W21-32:B1-12", "w:b1-12:w21-32.", '"W:W 21-24,25-32:B1-12"', "W:W21-32:B1-12:H0:F1"]
)
def test_positions_in_many_spellings(text):
    rules = game("brazilian")
    assert read_positions(text, rules, own_numbering("brazilian")) == [START]


@pytest.mark.parametrize("text", ["W:WK22-24:B", "W:WK22-K24:B", "W:Wk22-K24:B"])
def test_a_range_is_of_kings_from_its_beginning_on(text):
    assert read_positions(text, game("brazilian"), own_numbering("brazilian")) == ["W:WK22,K23,K24:B"]


def test_positions_are_read_in_the_numbers_of_the_file():
    rules, numbers = game("brazilian"), numbering("brazilian", "W,8,8,A0,0")
    assert numbers is not None
    assert read_positions("W:W1-12:B21-32", rules, numbers) == [START]


def test_a_position_in_letters_is_written_and_read():
    rules = game("brazilian")
    written = write_position("B:WK1,29:B9", rules)
    assert written == "B:WKb8,a1:Bb6"
    assert read_positions(written, rules, own_numbering("brazilian")) == ["B:WK1,29:B9"]
    assert write_position("B:WK1:B9", game("checkers")) == "B:WK1:B9"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "expected SIDE"),
        ("W", "expected SIDE"),
        ("X:W1:B2", "expected SIDE"),
        ("W:W1:W2", "one list for W and one for B"),
        ("W:W5,5:B", "named twice"),
        ("W:Wa2:B", "a2 is no square that pieces stand on"),
        ("W:W33:B", "33 is no square"),
        ("W:W9-7:B", "'9-7' is no range"),
        ("W:Wa1-c1:B", "'a1-c1' is no range"),
        ("W:W22-K24:B", "'22-K24' is no range"),
        ("W:Wzz:B", "'zz' is no square"),
        ("W:W2 1:B5", "'2 1' is no square"),
        ("W:W5:B:H0:F0:x", "expected one list"),
    ],
)
def test_positions_that_are_none(text, fault):
    with pytest.raises(InputError) as caught:
        read_positions(text, game("checkers"), own_numbering("checkers"))
    assert fault in str(caught.value)
