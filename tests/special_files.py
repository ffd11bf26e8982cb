"""Pipes and links as output files of commands."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest


def written_into_a_pipe(folder: Path, write: Callable[[Path], object]) -> bytes:
    """Return what `write` writes to a pipe, at most 4096 bytes; it must still be a pipe afterwards."""
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes with a name on this system")
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write(pipe)
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        assert os.listdir(folder) == ["pipe"]
        return os.read(reader, 1 << 12)
    finally:
        os.close(reader)


def link_to_an_old_file(folder: Path) -> tuple[Path, Path]:
    """Return a link, and the file that it points to in another folder."""
    file, link = folder / "there" / "file", folder / "link"
    file.parent.mkdir()
    file.write_text("old")
    try:
        link.symlink_to(file)
    except OSError:
        pytest.skip("no links may be made here")
    return link, file
