"""Files written completely or not at all.

Every function here turns an error of the operating system into an `InputError` that names the file.
"""

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from neche.errors import InputError
from neche.parsing import naming_file

PARTIAL_FILES = ".*.partial"
"""The names of temporary files, which an interrupted `write_file` leaves."""


def read_file(path: Path) -> bytes:
    """Return the bytes of a file."""
    with naming_file(path, "read"):
        return path.read_bytes()


def content_of(path: Path) -> bytes:
    """Return the bytes of a file; none if it is missing."""
    return read_file(path) if path.exists() else b""


def make_directory(path: Path) -> None:
    """Create a directory and missing parents."""
    with naming_file(path, "created"):
        path.mkdir(parents=True, exist_ok=True)


def write_file(
    path: str | Path, content: bytes | Iterable[bytes | memoryview], *, flush_name: bool = True
) -> str:
    """Write a file completely, to a temporary file that is flushed and renamed, or leave it untouched.

    content: all of it, or pieces in order. flush_name: also wait until the new name would survive a power
    cut. Returns the SHA-256 of what was written.
    """
    pieces = (content,) if isinstance(content, bytes) else content
    with naming_file(path, "written"):
        # In place of a pipe, a device or a directory no file may be put.
        if os.path.exists(path) and not os.path.isfile(path):
            return _write_out(path, pieces, 0, flush=False)
        place = Path(os.path.realpath(path))  # writes to the target of a link, which stays a link
        partial = place.with_name(f".{place.name}.partial")
        try:
            # Flushed before the rename: otherwise a power cut may leave an empty file under the new name.
            digest = _write_out(partial, pieces, os.O_CREAT | os.O_TRUNC, flush=True)
            # Atomic within a directory: readers see either the old file or the new one.
            os.replace(partial, place)
        except BaseException:
            # The first error is reported; a leftover that cannot be removed now is removed on resume.
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            raise
        # A rename changes the directory, not the file, and needs its own flush.
        if flush_name:
            _flush_directory(place.parent)
    return digest


def append_file(path: Path, content: bytes, *, flush: bool = True) -> None:
    """Add bytes to the end of a file, or leave it as long as it was; flush: to survive a power cut."""
    with naming_file(path, "written"):
        # If the disk fills up, part of a line is left: cut the file back to its old size.
        size = file_size(path)
        try:
            _write_out(path, (content,), os.O_CREAT | os.O_APPEND, flush=flush)
        except BaseException:
            with suppress(InputError):
                restore_size(path, size)
            raise
        # Only a new file changes the directory.
        if flush and size is None:
            _flush_directory(path.parent)


def rename_directory(old: Path, new: Path) -> None:
    """Rename a directory, replacing an empty one of the new name."""
    with naming_file(new, "written"):
        os.replace(old, new)
        _flush_directory(new.parent)


def file_size(path: Path) -> int | None:
    """Return the size of a file in bytes, None if it does not exist."""
    return path.stat().st_size if path.exists() else None


def restore_size(path: Path, size: int | None) -> None:
    """Cut off what was appended since `file_size` returned `size`."""
    with naming_file(path, "written"):
        if size is None:
            path.unlink(missing_ok=True)
        elif path.stat().st_size > size:
            os.truncate(path, size)


def remove_file(path: Path) -> None:
    """Remove a file that may be missing."""
    with naming_file(path, "removed"):
        path.unlink(missing_ok=True)


def remove_partial_files(directory: Path) -> None:
    """Remove temporary files left by an interrupted `write_file`."""
    for path in directory.glob(PARTIAL_FILES):
        remove_file(path)


def _write_out(path: str | Path, pieces: Iterable[bytes | memoryview], flags: int, *, flush: bool) -> str:
    digest = hashlib.sha256()
    # O_BINARY exists on Windows only, where a line feed would otherwise become two bytes.
    descriptor = os.open(path, os.O_WRONLY | flags | getattr(os, "O_BINARY", 0), 0o666)
    try:
        for piece in pieces:
            digest.update(piece)
            rest = memoryview(piece)
            while rest:
                # The system may write less than it was given.
                rest = rest[os.write(descriptor, rest) :]
        if flush:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return digest.hexdigest()


def _flush_directory(path: Path) -> None:
    """Make a rename or a new file survive a power cut, if the system can open this directory."""
    if os.name == "posix":
        # The user may be allowed to write into a directory, and not to read it.
        with suppress(PermissionError):
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
