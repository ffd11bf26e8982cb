"""Solved slices on disk: one file for the values of a slice, and one for its distances if they are kept.

A file is a line of JSON, padded with spaces to 512 bytes, followed by an array that is mapped into memory:
`values` has two bits per position (0 lost, 1 drawn, 2 won for the side to move, four in a byte, the first
lowest), `distances` a byte, half the plies to the end of the game. The line names the game and the slice,
counts its results, and holds a checksum of itself and of the array.

A file is either complete or absent, and its bytes follow from the rules alone.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from neche.compiled.cache import user_directory
from neche.endings.slices import FEWEST_PIECES, MOST_PIECES, Slice, board_of, slices_of
from neche.errors import InputError
from neche.games.catalogue import rules_digest
from neche.games.game import Game
from neche.parsing import naming_file
from neche.storage import write_file

FORMAT = "neche endings 1"
FOLDER = "NECHE_ENDINGS"
"""Environment variable: the directory of the solved endings of all games."""
VALUES, DISTANCES = "values", "distances"
LOSS, DRAW, WIN = 0, 1, 2
"""Values, for the side to move."""
HEADER_BYTES = 512
_CHECK = "check"
_LONGEST_WAIT = 300.0
"""Seconds to wait for another process to write a file."""

Bytes = NDArray[np.uint8]


class SliceCounts(NamedTuple):
    """The results of a slice's positions, for the side to move.

    longest: plies of the longest win or loss; 0 if distances are not kept, or if there is none.
    """

    losses: int
    draws: int
    wins: int
    longest: int

    @property
    def positions(self) -> int:
        """Number of positions in all."""
        return self.losses + self.draws + self.wins


class SolvedSlice(NamedTuple):
    """A slice as stored. values, distances: as in the files; distances are empty if not kept."""

    counts: SliceCounts
    values: Bytes
    distances: Bytes


def usual_directory() -> Path:
    """Return the default directory of solved endings: the one that `FOLDER` names, or one in the cache."""
    given = os.environ.get(FOLDER)
    return Path(given) if given else user_directory() / "endings"


def slice_path(directory: Path, game: str, of: Slice, kind: str = VALUES) -> Path:
    """Return the file of a slice."""
    return directory / game / f"{of.name}.{kind}"


def num_pieces_solved(directory: Path, game: str) -> int:
    """Return the number of pieces up to which all slices exist; 0 for none."""
    for pieces in range(MOST_PIECES, FEWEST_PIECES - 1, -1):
        if all(os.path.exists(slice_path(directory, game, of)) for of in slices_of(pieces)):
            return pieces
    return 0


def write_slice(path: Path, game: str, of: Slice, counts: SliceCounts, array: Bytes) -> None:
    """Write one file of a slice, completely or not at all; InputError if it cannot be written."""
    header = {**_identity(path, game, of), **counts._asdict()}
    line = json.dumps({**header, _CHECK: _checksum(header, array)})
    with naming_file(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        # Two processes that solve the same slice would take away each other's partial file.
        with FileLock(path.with_name(".lock"), timeout=_LONGEST_WAIT):
            write_file(path, [line.ljust(HEADER_BYTES - 1).encode() + b"\n", array.data])


def read_slice(path: Path, game: str, of: Slice, num_bytes: int) -> tuple[SliceCounts, Bytes]:
    """Return the counts of a slice and one of its arrays, mapped into memory.

    num_bytes: required size of the array. InputError if the file cannot be read, is damaged, or belongs to
    another game or slice.
    """
    damaged = InputError(f"{path}: is damaged, or not of the endings of {game}; delete it and solve it again")
    with naming_file(path, "read"):
        if path.stat().st_size != HEADER_BYTES + num_bytes:
            raise damaged
        array = np.memmap(path, np.uint8, "r", HEADER_BYTES)
        with path.open("rb") as file:
            line = file.read(HEADER_BYTES)
    try:
        header = json.loads(line)
        check = header.pop(_CHECK)
        counts = SliceCounts(*(header[key] for key in SliceCounts._fields))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise damaged from None
    if not _identity(path, game, of).items() <= header.items() or check != _checksum(header, array):
        raise damaged
    return counts, array


def read_solved(rules: Game, directory: Path, of: Slice, *, with_distances: bool) -> SolvedSlice:
    """Return a slice from its files; InputError if one is missing or damaged."""
    size = board_of(rules).num_positions(of)
    counts, values = read_slice(slice_path(directory, rules.name, of), rules.name, of, -(-size // 4))
    distances = np.zeros(0, np.uint8)
    if with_distances:
        path = slice_path(directory, rules.name, of, DISTANCES)
        counts, distances = read_slice(path, rules.name, of, size)
    return SolvedSlice(counts, values, distances)


def _identity(path: Path, game: str, of: Slice) -> dict[str, str]:
    """Return what a file says it is: a user's game by its name and a digest of its rules."""
    name = f"{game} {rules_digest(game)}".rstrip()
    return {"format": FORMAT, "game": name, "slice": of.name, "kind": path.suffix[1:]}


def _checksum(header: dict[str, Any], array: Bytes) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    digest.update(array.data)
    return digest.hexdigest()
