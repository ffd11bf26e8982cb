import copy
import time

import pytest
from hypothesis import given, strategies as st

from neche import errors
from neche.errors import InputError, fault_of_others, one_line


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


def test_a_long_run_of_spaces_takes_no_time():
    began = time.process_time()
    assert one_line(f"a{' ' * 60_000}b").startswith("a  ")
    # the square of their number took some ten seconds
    assert time.process_time() - began < 2


def test_a_message_that_was_made_one_line_stays_as_it_is():
    error = InputError("x\n" * 10_000)
    assert str(copy.copy(error)) == str(InputError(str(error))) == str(error)


def test_what_code_of_others_raises_is_told_by_its_file_and_line(monkeypatch):
    monkeypatch.setattr(errors, "CODE_OF_OTHERS", ["/games/mine.py", "/games/errors.py"])
    with pytest.raises(ZeroDivisionError) as raised:
        exec(compile("\n1 / 0", "/older/mine.py", "exec"))
    assert fault_of_others(raised.value) == "/games/mine.py, line 2: ZeroDivisionError: division by zero"
    with pytest.raises(ZeroDivisionError) as raised:
        exec(compile("\n1 / 0", "/older/not_mine.py", "exec"))
    assert fault_of_others(raised.value) is None
    with pytest.raises(InputError) as refused:
        errors.check_whole(0, "games", 1)
    assert fault_of_others(refused.value) is None
