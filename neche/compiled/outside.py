"""The cache of compiled code that is built from sources outside this package, such as a user's game.

`cache.source_digest` covers only neche's own sources, and an index of numba's cache that names a class can be
read only where that class can be imported. So such code is kept in separate folders, named by a digest of the
outside sources: after an edit there it is recompiled, and no process without those sources loads it.
"""

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import types
from numba.core.caching import _Cache

from neche.compiled.cache import cache_directory, drop_old
from neche.compiled.sealing import SealedCache

_PACKAGE = __name__.partition(".")[0]
_FIRST: dict[tuple[str, str], type] = {}
"""Records by module and name: the first seen with each name."""


class RoutedCache(_Cache):  # type: ignore[misc]
    """The cache of one function: neche's own, or one in a folder for the outside sources it is built from."""

    def __init__(self, function: Callable[..., Any], own: Any) -> None:
        self._function = function
        self._own = own
        self._outside: dict[Path, Any] = {}

    @property
    def cache_path(self) -> str:
        """The folder of code that is built from neche's own sources alone."""
        return str(self._own.cache_path)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code compiled for these argument types; None if there is none."""
        found = self._cache_for(sig)
        return None if found is None else found.load_overload(sig, target_context)

    def load_entry(self, sig: Any, target_context: Any) -> Any:
        """Return the entry for these argument types; None if there is none."""
        found = self._cache_for(sig)
        return None if found is None else found.load_entry(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code compiled for these argument types, if it can be found again."""
        if found := self._cache_for(sig):
            found.save_overload(sig, data)

    def end_turn(self, sig: Any) -> None:
        """Let other processes load or compile the code for these argument types."""
        if found := self._cache_for(sig):
            found.end_turn(sig)

    def enable(self) -> None:
        """Use the cache."""
        self._own.enable()

    def disable(self) -> None:
        """Do not use the cache."""
        self._own.disable()

    def flush(self) -> None:
        """Forget what is kept for this function."""
        for found in (self._own, *self._outside.values()):
            found.flush()

    def _cache_for(self, argument_types: Any) -> Any:
        records = {record for one in argument_types for record in _records_of(one)}
        modules = {record.__module__ for record in records} | {self._function.__module__} - {"__main__"}
        outside = sorted(module for module in modules if module.partition(".")[0] != _PACKAGE)
        if not outside:
            return self._own
        if not all(map(digest_of, outside)) or not all(map(_is_importable, records)):
            return None  # typed in at a prompt, or reloaded: nothing tells whether it is still the same
        directory = _directory_for(tuple(outside))
        if directory not in self._outside:
            self._outside[directory] = in_directory(directory, lambda: SealedCache(self._function))
        return self._outside[directory]


def in_directory(directory: Path, make: Callable[[], Any]) -> Any:
    """Return what `make` returns with numba's cache directory set to `directory`."""
    # numba reads the setting when a cache is made; it is restored so that other packages keep their own.
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(directory)
    try:
        return make()
    finally:
        numba.config.CACHE_DIR = previous


def _records_of(argument_type: Any) -> Iterator[type]:
    """Yield all records in a type."""
    if isinstance(argument_type, types.BaseNamedTuple):
        yield argument_type.instance_class
    if isinstance(argument_type, types.BaseTuple):
        for part in argument_type:
            yield from _records_of(part)


def note_sources(record: type) -> None:
    """Note a record's sources while its module is imported: later edits are not part of its code."""
    _FIRST.setdefault((record.__module__, record.__qualname__), record)
    digest_of(record.__module__)


def _is_importable(record: type) -> bool:
    """Return whether other processes find this record under its name, as it was when first seen here.

    They find none of a script's own records, and a reloaded module has new ones.
    """
    name = record.__module__, record.__qualname__
    found = getattr(sys.modules.get(record.__module__), record.__qualname__, None)
    return record.__module__ != "__main__" and found is record is _FIRST.setdefault(name, record)


def _sources(module: str) -> tuple[Path, ...]:
    """Return the sources that a module may be built from.

    They are its package, or its file and the files and packages beside it that it mentions by name.
    """
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return ()
    folder = Path(file).parent
    if not (folder / "__init__.py").exists():
        beside, found, new = list(folder.glob("[!.]*")), {Path(file)}, {Path(file)}
        while new:
            words = {word for path in new for word in re.findall(r"\w+", path.read_text("utf-8", "replace"))}
            named = [path for path in beside if path.stem in words]
            new = {source for path in named for source in _sources_in(path)} - found
            found |= new
        return tuple(sorted(found))
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return tuple(sorted(_sources_in(folder)))


def _sources_in(path: Path) -> Iterable[Path]:
    """Return the Python sources of a file or a package; none for any other file or folder."""
    found = path.rglob("[!.]*.py") if os.path.isfile(path / "__init__.py") else (path,)
    # Python imports nothing else: no broken link, no folder named like a source, no unreadable file.
    return (one for one in found if one.suffix == ".py" and os.path.isfile(one) and os.access(one, os.R_OK))


@cache
def digest_of(module: str) -> str:
    """Return a digest of a module's sources, as first seen; empty if it was not loaded from a file."""
    digest, paths = hashlib.sha256(), _sources(module)
    for path in paths:
        # Names and contents, but no times: after a fresh checkout the same sources give the same folder.
        digest.update(f"{module} {path.name}".encode() + path.read_bytes())
    return digest.hexdigest() if paths else ""


def is_edited(module: str) -> bool:
    """Return whether a module's sources have changed since they were first seen here."""
    return digest_of.__wrapped__(module) != digest_of(module)


@cache
def _directory_for(modules: tuple[str, ...]) -> Path:
    digest = hashlib.sha256("".join(map(digest_of, modules)).encode())
    base = cache_directory() / "outside"
    directory = base / f"{modules[0]}-{digest.hexdigest()[:16]}"
    # Drops only older versions of this module: the folders of other modules are still in use.
    drop_old(base.glob(f"{modules[0]}-*"), keep=directory)
    return directory
