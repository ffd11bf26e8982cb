"""Where compiled code is kept between processes.

numba keys its cache by the file of the cached function alone, so an edit in another file would go on
returning the old result. The directory is therefore named by a digest of every source a compiled function may
be built from, and by the one flag that numba leaves out of its own key.
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
# Imports of the two doors to numba, and records: code that takes one is built from the order of its fields.
_COMPILES = re.compile(rb"neche\.compiled\.(jit|cuda)\b|\bNamedTuple\b")
_DIGEST = "[0-9a-f]" * 16
_KEPT_DIGESTS = 4


@cache
def source_digest() -> str:
    """Digest of the sources that compiled functions are built from, and of the bounds-check flag.

    Those are whole packages, and of the packages above them the files that compile something themselves or
    define records.
    """
    package = Path(__file__).parent.parent
    # numba leaves this flag out of its own key: code without checks would be taken for code with them.
    digest = hashlib.sha256(os.environ.get("NUMBA_BOUNDSCHECK", "").encode())
    for name in (*_COMPILED_PACKAGES, *_PARTLY_COMPILED_PACKAGES):
        # Editors keep files of their own beside a source, .#bits.py.
        for path in sorted((package / name).rglob("[!.]*.py")):
            source = path.read_bytes()
            if name in _COMPILED_PACKAGES or _COMPILES.search(source):
                digest.update(str(path.relative_to(package)).encode() + source)
    return digest.hexdigest()[:16]


def user_directory() -> Path:
    """Return where files of the user are kept: `NECHE_CACHE_DIR`, else the platform's cache directory."""
    if given := os.environ.get("NECHE_CACHE_DIR"):
        return Path(given)
    with suppress(RuntimeError):
        return Path(platformdirs.user_cache_dir("neche")).expanduser()
    return Path(os.devnull)  # of a user without a home: nothing can be kept there


@cache
def cache_directory() -> Path:
    """Return the directory for this version of the sources; it may not be there, nor possible to make."""
    base = user_directory() / "compiled"
    directory = base / source_digest()
    # A cache that cannot be written is no fault: code is compiled again in the next process.
    with suppress(OSError):
        directory.mkdir(parents=True, exist_ok=True)
        # The folder may be another program's too.
        drop_old(base.glob(_DIGEST), keep=directory)
    return directory


def drop_old(directories: Iterable[Path], *, keep: Path) -> None:
    """Remove all but the newest few of the directories of earlier sources."""
    # A few are kept, so that going back to an older commit finds its code still there (docs/decisions/0004).
    # Another process may be removing the same directories.
    with suppress(OSError):
        others = sorted((path for path in directories if path != keep), key=lambda path: path.stat().st_mtime)
        for path in others[: max(0, len(others) - _KEPT_DIGESTS + 1)]:
            shutil.rmtree(path, ignore_errors=True)


def is_warm(entry_point: str) -> bool:
    """Return whether a compiled specialisation of the named function is on disk."""
    return any(cache_directory().rglob(f"*.{entry_point}-*.nbi"))
