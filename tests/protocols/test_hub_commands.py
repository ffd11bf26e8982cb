"""Lines of Hub as interfaces write them: protocol.txt of Scan, and what Scan's own reader takes."""

import pytest

from neche.errors import InputError
from neche.protocols.hub_commands import read_command, read_level


@pytest.mark.parametrize(
    ("line", "command", "arguments"),
    [
        ("level moves=9 time=291.587", "level", {"moves": "9", "time": "291.587"}),
        ("level\tdepth = 3  nodes= 5 inc =1", "level", {"depth": "3", "nodes": "5", "inc": "1"}),
        ('pos pos=Wbe moves = "32-28 19-23"', "pos", {"pos": "Wbe", "moves": "32-28 19-23"}),
        ('pos pos=Wbe moves=""', "pos", {"pos": "Wbe", "moves": ""}),
        ("pos moves= pos=Wbe", "pos", {"moves": "", "pos": "Wbe"}),
        ("set-param name=player value=uct:nodes=9", "set-param", {"name": "player", "value": "uct:nodes=9"}),
        ("go think", "go", {"think": ""}),
        ("  ping ", "ping", {}),
        ("", "", {}),
    ],
)  # fmt: skip
def test_commands_and_arguments(line, command, arguments):
    """Scan skips blanks on both sides of the sign; a value with an equals sign needs no quotes here."""
    assert read_command(line) == (command, arguments)


def time_left(text):
    """The seconds of a level with a clock."""
    clock = read_level({"time": text}).clock
    assert clock is not None
    return clock.left


@pytest.mark.parametrize("value", [60 - 0.3, 0.1 + 0.2, 0.00005, 100.0, 1 / 3])
def test_a_number_may_have_all_digits_of_a_double(value):
    """As pydraughts writes a clock: `str` of a float."""
    assert time_left(str(value)) == value


@pytest.mark.parametrize(("text", "value"), [(".5", 0.5), ("+60", 60.0), ("60.", 60.0), ("-0.25", -0.25)])
def test_a_number_as_c_reads_it(text, value):
    assert time_left(text) == value


@pytest.mark.parametrize(
    "text", ["", ".", "e5", "1e", "1e999", "nan", "inf", "0x10", "1_000", "٣", "1" * 5000]
)
def test_what_is_no_number_or_too_large_is_refused(text):
    with pytest.raises(InputError, match="a number from"):
        read_level({"time": text})


def test_whole_numbers_have_no_point_and_no_exponent():
    assert read_level({"depth": "12"}).limits.depth == 12
    for text in ("1e1", "12.0", "-3", "+"):
        with pytest.raises(InputError, match="a whole number"):
            read_level({"depth": text})
