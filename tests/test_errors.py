import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neche.errors import InputError, one_line


@given(st.text())
def test_a_message_is_one_line_that_can_be_shown_whatever_it_quotes(text):
    message = str(InputError(f"file {text!s}: bad"))
    assert message.isprintable()
    assert message.splitlines() == [message]
    assert message.encode()


@given(st.text(alphabet=st.characters(max_codepoint=126, min_codepoint=32)))
def test_plain_text_is_kept_as_it_is(text):
    assert str(InputError(f"<{text}>")) == f"<{text}>"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb", "a b"),
        (" a\r\n\n  b\u2028c\n", "a b c"),
        ("a  b", "a  b"),
        ("red \x1b[31m bell \a", r"red \x1b[31m bell \x07"),
        ("half \udcff of a name", r"half \udcff of a name"),
        ("grün – ▁▅█", "grün – ▁▅█"),
    ],
)
def test_odd_spaces_become_spaces_and_other_odd_characters_escapes(text, shown):
    assert one_line(text) == shown


def test_a_very_long_message_keeps_its_beginning_and_its_end():
    message = str(InputError(f"FEN '{'W' * 1_000_000}': square 33 is not on the board"))
    assert len(message) == 1000
    assert message.startswith("FEN 'WWW")
    assert message.endswith("WW': square 33 is not on the board")
    assert " … " in message
    assert str(InputError("\0" * 1_000_000)).count("…") == 1


def test_a_message_that_was_made_one_line_stays_as_it_is():
    error = InputError("x\n" * 10_000)
    assert str(copy.copy(error)) == str(InputError(str(error))) == str(error)
