"""Where compiled code is kept between processes.

numba keys its cache by the file of the cached function alone, so after an edit in another file it would go on
loading the old code. The directory is therefore named by a digest of every source that a compiled function
may be built from, and of the one flag that numba leaves out of its own key.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

import platformdirs

_COMPILED_PACKAGES = ("compiled", "games", "network", "search")
_PARTLY_COMPILED_PACKAGES = ("genome", "endings", "montecarlo", "arena", "dataset", "prediction")
# Imports of the two gateways to numba, and records, whose order of fields is compiled in.
_COMPILES = re.compile(rb"neche\.compiled\.(jit|cuda)\b|\bNamedTuple\b")
_DIGEST = "[0-9a-f]" * 16
_KEPT_DIGESTS = 4


@cache
def source_digest() -> str:
    """Return a digest of the sources that compiled functions are built from, and of the bounds-check flag.

    The sources are whole packages, and those files of the packages above them that compile functions or
    define records.
    """
    package = Path(__file__).parent.parent
    # numba leaves this flag out of its own key: code without checks would be taken for code with them.
    digest = hashlib.sha256(os.environ.get("NUMBA_BOUNDSCHECK", "").encode())
    for name in (*_COMPILED_PACKAGES, *_PARTLY_COMPILED_PACKAGES):
        # Editors keep files of their own beside a source, such as .#bits.py.
        for path in sorted((package / name).rglob("[!.]*.py")):
            source = path.read_bytes()
            if name in _COMPILED_PACKAGES or _COMPILES.search(source):
                digest.update(str(path.relative_to(package)).encode() + source)
    return digest.hexdigest()[:16]


def user_directory() -> Path:
    """Return where the user's files are kept: `NECHE_CACHE_DIR`, else the platform's cache directory."""
    if given := os.environ.get("NECHE_CACHE_DIR"):
        return Path(given)
    with suppress(RuntimeError):
        return Path(platformdirs.user_cache_dir("neche")).expanduser()
    return Path(os.devnull)  # a user without a home directory: nothing can be kept


@cache
def cache_directory() -> Path:
    """Return the directory for this version of the sources; it may not exist if it cannot be created."""
    base = user_directory() / "compiled"
    directory = base / source_digest()
    # A cache that cannot be written is not an error: the next process compiles again.
    with suppress(OSError):
        directory.mkdir(parents=True, exist_ok=True)
        # The folder may belong to another program too.
        drop_old(base.glob(_DIGEST), keep=directory)
    return directory


def drop_old(directories: Iterable[Path], *, keep: Path) -> None:
    """Remove all but the newest few of the directories of earlier sources."""
    # A few are kept, so that an older commit that is checked out again finds its code (docs/decisions/0004).
    # Another process may be removing the same directories.
    with suppress(OSError):
        others = sorted((path for path in directories if path != keep), key=lambda path: path.stat().st_mtime)
        for path in others[: max(0, len(others) - _KEPT_DIGESTS + 1)]:
            shutil.rmtree(path, ignore_errors=True)


def is_warm(entry_point: str) -> bool:
    """Return whether a compiled specialisation of the named function is on disk."""
    return any(cache_directory().rglob(f"*.{entry_point}-*.nbi"))
