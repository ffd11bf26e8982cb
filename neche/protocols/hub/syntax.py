"""Lines of Hub: a command and arguments, such as `level moves=9 time=291.5`; values may be quoted."""

import re

from neche.errors import InputError, one_line
from neche.protocols.squares import shown

_ARGUMENT = re.compile(r'([^\s="]+)(?:=("[^"]*"|[^\s"]*))?(?=\s|$)')
_SPECIAL = re.compile(r'[\s="]')


def read_command(line: str) -> tuple[str, dict[str, str]]:
    """Return a line's command and arguments; an argument without a value has an empty one.

    >>> read_command('pos pos=Wbbee moves="32-28 19-23"')
    ('pos', {'pos': 'Wbbee', 'moves': '32-28 19-23'})
    >>> read_command("go think")
    ('go', {'think': ''})

    Raises:
        InputError: a word is neither NAME nor NAME=VALUE.
    """
    command, _, rest = line.strip().partition(" ")
    arguments: dict[str, str] = {}
    rest = rest.strip()
    while rest:
        match = _ARGUMENT.match(rest)
        if match is None:
            raise InputError(f"{shown(rest)} is not NAME=VALUE")
        arguments[match[1]] = (match[2] or "").strip('"')
        rest = rest[match.end() :].strip()
    return command, arguments


def write_command(command: str, **arguments: object) -> str:
    """Return a line; quotation marks where they are needed. In names _ stands for -.

    >>> write_command("done", move="32-28", ponder=None)
    'done move=32-28'
    >>> write_command("info", mean_depth=2.5, pv="32-28 19-23")
    'info mean-depth=2.5 pv="32-28 19-23"'
    """
    words = [command]
    for name, value in arguments.items():
        if value is not None:
            words.append(f"{name.replace('_', '-')}={_quoted(str(value))}")
    return " ".join(words)


def _quoted(value: str) -> str:
    value = one_line(value).replace('"', "'")
    return f'"{value}"' if not value or _SPECIAL.search(value) else value
