"""history.jsonl: one line a generation, each sealed and chained to the one before it.

    {"generation": 12, "depth": 1, …, "moved_up_at": null, "sha256": "…", "check": "0f…"}

`sha256` is that of the generation's population file. `check`, always last, holds the first 16 hex digits of
SHA-256 over the check of the line before (the fingerprint of config.toml before the first) and the line up to
`, "check"`.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

CHECK_DIGITS = 16

_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_TAIL = re.compile(rb', "check": "([0-9a-f]{16})"\}')
_TAIL_LENGTH = len(b', "check": "0123456789abcdef"}')


class Entry(NamedTuple):
    """One line of the history.

    line: number in the file, from 1
    values: what the line says, without the check; empty when the line is damaged
    check: as it stands in the line, empty when none can be read
    intact: the line is whole and follows from the one before it
    end: bytes from the start of the file to the end of the line
    """

    line: int
    values: dict[str, Any]
    check: str
    intact: bool
    end: int


def format_line(values: Mapping[str, Any], previous_check: str) -> tuple[bytes, str]:
    """Write one line, line feed included; returns it with its check."""
    body = json.dumps(values, allow_nan=False).encode()[:-1]
    check = _check(body, previous_check)
    return body + f', "check": "{check}"}}\n'.encode(), check


def parse_history(content: bytes, fingerprint: str) -> list[Entry]:
    """Read every line, marking those that are not intact; a last line without line feed is not."""
    entries: list[Entry] = []
    previous_check, end = fingerprint, 0
    for number, line in enumerate(_LINE.findall(content), 1):
        end += len(line)
        entry = _parse_line(line, number, previous_check, end)
        entries.append(entry)
        previous_check = entry.check
    return entries


def _parse_line(line: bytes, number: int, previous_check: str, end: int) -> Entry:
    body, tail = line[: -_TAIL_LENGTH - 1], line[-_TAIL_LENGTH - 1 :]
    match = _TAIL.fullmatch(tail.removesuffix(b"\n"))
    check = match[1].decode() if match and tail.endswith(b"\n") else ""
    if not check or not previous_check or check != _check(body, previous_check):
        return Entry(number, {}, check, False, end)
    return Entry(number, json.loads(body + b"}"), check, True, end)


def _check(body: bytes, previous_check: str) -> str:
    return hashlib.sha256(previous_check.encode() + body).hexdigest()[:CHECK_DIGITS]
