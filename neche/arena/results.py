"""A results file: the games played so far, from which a stopped match resumes.

It is JSON lines: a header that identifies the tournament, then one line for every finished pair of games.
Each line ends with its own checksum. Lines are appended and flushed, so a kill loses at most the line being
written.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from neche.errors import InputError
from neche.parsing import naming_file, read_json

FORMAT = "neche results 1"


class PairResult(NamedTuple):
    """One finished pair: two games from one opening with the colours swapped.

    number: place in the schedule, from 0. outcomes: of both games, +1 won, 0 drawn, −1 lost by the first of
    the two players. plies: length of both games.
    """

    number: int
    outcomes: tuple[int, int]
    plies: tuple[int, int]


class ResultsFile:
    """An open results file, made by `open_results`. Only `append` changes it."""

    def __init__(self, path: Path, pairs: list[PairResult], size: int) -> None:
        self.path = path
        self.pairs = tuple(pairs)
        self._size = size

    def append(self, pairs: Iterable[PairResult]) -> None:
        """Append pairs, and flush them to disk; InputError if this fails, or another process has written."""
        block = b"".join(
            _line({"pair": pair.number, "outcomes": list(pair.outcomes), "plies": list(pair.plies)})
            for pair in pairs
        )
        with naming_file(self.path, "written"), self.path.open("ab") as file:
            if file.tell() != self._size:
                raise InputError(f"{self.path}: another process is writing to this results file")
            file.write(block)
            file.flush()
            os.fsync(file.fileno())
        self._size += len(block)


def open_results(path: Path, identity: Mapping[str, Any]) -> ResultsFile:
    """Open the results file of a tournament, creating it if there is none.

    A truncated last line is dropped and its pair played again.

    identity: everything that determines the results of pairs (players, seed, openings, rules): JSON values.
    InputError if the file is damaged (the line is named) or of another tournament (so is the difference).
    """
    header = _line({"format": FORMAT, **identity})
    with naming_file(path, "opened"):
        content = path.read_bytes() if path.exists() else b""
        kept = content[: content.rfind(b"\n") + 1]
        if not kept:
            if not header.startswith(content):
                raise InputError(f"{path}: is not a results file")
            path.write_bytes(header)
            return ResultsFile(path, [], len(header))
        pairs = _read(path, kept.splitlines(), header)
        if len(kept) < len(content):
            os.truncate(path, len(kept))
    return ResultsFile(path, pairs, len(kept))


def _line(fields: Mapping[str, Any]) -> bytes:
    body = json.dumps(fields, separators=(", ", ": "))
    digest = hashlib.sha256(body.encode()).hexdigest()[:16]
    return f'{body[:-1]}, "check": "{digest}"}}\n'.encode()


def _read(path: Path, lines: list[bytes], header: bytes) -> list[PairResult]:
    there, here = (_checked(path, 1, line) for line in (lines[0], header.rstrip()))
    if there.get("format") != FORMAT:
        raise InputError(f"{path}: is not a results file of this version of neche")
    for key in (*here, *there):
        if there.get(key) != here.get(key):
            differs = f"{key} is {json.dumps(there.get(key))} there, {json.dumps(here.get(key))} here"
            raise InputError(f"{path}: holds the results of another event: {differs}")
    return [_pair(path, index, _checked(path, index + 2, line)) for index, line in enumerate(lines[1:])]


def _checked(path: Path, number: int, line: bytes) -> dict[str, Any]:
    """Return the fields of a line, without its checksum; InputError if it is damaged."""
    fields = None
    with suppress(ValueError):
        fields = read_json(line, str(path))
    if isinstance(fields, dict) and fields.pop("check", "") and line + b"\n" == _line(fields):
        return fields
    raise InputError(f"{path}: line {number} is damaged")


def _pair(path: Path, index: int, fields: dict[str, Any]) -> PairResult:
    match fields:
        case {"pair": number, "outcomes": [(-1 | 0 | 1) as a, (-1 | 0 | 1) as b], "plies": [m, n]}:
            if number == index:
                return PairResult(index, (a, b), (m, n))
    raise InputError(f"{path}: line {index + 2} is not the result of pair {index}")
