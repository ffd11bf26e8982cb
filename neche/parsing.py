"""Text and files from outside, read within bounds: numbers, structures and signs that no honest input has.

Python's own readers raise more than they promise: a number of 5000 digits is a ValueError deep inside, 3000
nested brackets are a RecursionError, and a null byte is refused by the system long after it was read. What
comes from outside passes here first, so that each is one clear line.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from neche.errors import InputError

MOST_DIGITS = 1000
"""Of any number from outside; Python itself reads 4300."""
_LONG_NUMBER = re.compile(rf"[0-9_]{{{MOST_DIGITS + 1},}}|0x[0-9a-fA-F_]{{{MOST_DIGITS},}}")


def check_text(text: str, name: str) -> str:
    """Return a text from outside if everything that reads it can; `name` opens the message.

    InputError if it has a null byte, or a number of more than 1000 digits.
    """
    if "\0" in text:
        raise InputError(f"{name}: a null byte is in it")
    if _LONG_NUMBER.search(text):
        raise InputError(f"{name}: a number of more than {MOST_DIGITS} digits is in it")
    return text


def whole_number(text: str, most: int) -> int | None:
    """Return the number that decimal digits write; None if they write none, or one above `most`.

    >>> whole_number("27531", 65535), whole_number("9" * 5000, 65535), whole_number("²", 9)
    (27531, None, None)
    """
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most))):
        return None
    number = int(text)
    return number if number <= most else None


def read_toml(text: str, name: str) -> dict[str, Any]:
    """Return the tables of a TOML text; `name` opens the message.

    InputError if it is none, or nested too deeply, or has a number that is too long.
    """
    check_text(text, name)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise InputError(f"{name}: not valid TOML: {fault}") from None
    except RecursionError:
        raise InputError(f"{name}: nested too deeply") from None


def read_json(text: bytes, name: str) -> Any:
    """Return the value of a JSON text; `name` opens the message.

    InputError if it is none, or nested too deeply, or has a number that is too long.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise InputError(f"{name}: nested too deeply") from None
    except ValueError as fault:
        raise InputError(f"{name}: not valid JSON: {fault}") from None


def system_fault(error: OSError) -> str:
    """Return a fault of the operating system in words, after the name of its file if it has one."""
    return f"{f'{error.filename}: ' if error.filename else ''}{error.strerror or error}"


@contextmanager
def naming_file(path: object, action: str) -> Iterator[None]:
    """Turn a fault of the operating system into an `InputError`: `PATH: cannot be ACTION: REASON`.

    action: read, written, created, …
    """
    try:
        yield
    except BrokenPipeError:  # no fault of the file: who read what is written has gone
        raise
    except (OSError, ValueError) as error:
        if not isinstance(error, OSError) and "embedded null" not in str(error):
            raise
        raise InputError(f"{path}: cannot be {action}: {getattr(error, 'strerror', '') or error}") from error
