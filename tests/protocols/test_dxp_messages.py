"""Messages of DXP, with the examples of its description."""

import random

import pytest

from neche.errors import InputError
from neche.protocols.draughts_notation import SquareMove
from neche.protocols.dxp_messages import (
    LONGEST,
    BackAnswer,
    BackRequest,
    Chat,
    GameAnswer,
    GameEnd,
    GameRequest,
    PlayedMove,
    decode,
    encode,
)

EXAMPLES = {
    "R01Tornado voor Windows 4.0        W060065A": GameRequest("Tornado voor Windows 4.0", "W", 60, 65),
    "ATornado voor Windows 4.0        0": GameAnswer("Tornado voor Windows 4.0", 0),
    "M0012061100": PlayedMove(12, SquareMove(6, 11, frozenset())),
    "M001205250422122320": PlayedMove(12, SquareMove(5, 25, frozenset({22, 12, 23, 20}))),
    "E00": GameEnd(0, False),
    "CWhat do you think about move 35?": Chat("What do you think about move 35?"),
    "B005Z": BackRequest(5, "B"),
    "K0": BackAnswer(0),
}


@pytest.mark.parametrize(("text", "message"), EXAMPLES.items())
def test_the_examples_of_the_description_are_read(text, message):
    assert decode(text) == message


@pytest.mark.parametrize("message", EXAMPLES.values())
def test_what_is_written_is_read_back(message):
    assert decode(encode(message)) == message
    assert len(encode(message)) <= LONGEST


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("R 1Tornado voor Windows 4.0        W 6065 A", GameRequest("Tornado voor Windows 4.0", "W", 60, 65)),
        ("M  12 6110 ", PlayedMove(12, SquareMove(6, 11, frozenset()))),
        ("M12   525 4221223 9", PlayedMove(12, SquareMove(5, 25, frozenset({22, 12, 23, 9})))),
        ("B  5Z", BackRequest(5, "B")),
    ],
)
def test_blanks_may_stand_for_leading_zeros(text, message):
    """As Scan reads them, by `stoi` of the C++ library."""
    assert decode(text) == message


@pytest.mark.parametrize(
    ("time", "seconds"), [("12.7", 12), (" .5 ", 0), ("    ", 0), ("-001", 0), ("1e3 ", 0)]
)
def test_a_time_that_is_for_people_only_ends_no_game(time, seconds):
    """The description has it for informational purposes only; programs that play fast send fractions."""
    assert decode(f"M{time}061100") == PlayedMove(seconds, SquareMove(6, 11, frozenset()))


def test_a_position_is_written_with_z_for_black():
    position = "B" + "b" * 20 + "e" * 10 + "W" + "w" * 19
    request = GameRequest("neche", "B", 5, 75, position)
    assert encode(request).endswith("BZ" + "z" * 20 + "e" * 10 + "W" + "w" * 19)
    assert decode(encode(request)) == request


@pytest.mark.parametrize(("seconds", "written"), [(-1, "0000"), (0, "0000"), (9999, "9999"), (20000, "9999")])
def test_the_time_of_a_move_is_written_in_four_digits(seconds, written):
    assert encode(PlayedMove(seconds, SquareMove(6, 11, frozenset()))) == f"M{written}061100"


def test_chat_is_ascii_and_short():
    assert encode(Chat("é\n" + "x" * 500)) == "C??" + "x" * (LONGEST - 3)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "X",
        "M",
        "M00120611",
        "M0012061101",
        "M0012065100",
        "M0012  1100",
        "M0012-61100",
        "R01Tornado voor Windows 4.0        W   065A",
        "E",
        "E9",
        "R",
        "R01",
        "A",
        "B00",
        "K7",
    ],
)
def test_what_is_no_message_is_refused(text):
    with pytest.raises(InputError):
        decode(text)


def test_any_text_is_read_or_refused():
    draw = random.Random(5)
    for _ in range(2000):
        text = list(draw.choice(list(EXAMPLES)))
        for _ in range(draw.randrange(4)):
            text[draw.randrange(len(text))] = chr(draw.randrange(1, 128))
        try:
            message = decode("".join(text))
        except InputError:
            continue
        assert decode(encode(message)) == message or isinstance(message, Chat | GameRequest | GameAnswer)
