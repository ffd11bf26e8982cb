"""Compiled code on disk, checked before it is loaded: what is damaged is compiled again.

numba trusts the files of its cache. A cut index is an exception at every start, a flipped bit in an object a
crash of the process, and a disk that is full ends the work. Here each file ends with a seal, a digest of its
name and its content, and each object says which index entry it belongs to, since two processes that compile
at once may give their objects the same name.

Processes that begin side by side on a cold cache share the work: who compiles a specialisation holds a lock
of its name, and whoever needs the same waits and loads it.
"""

import hashlib
import io
import os
import pickle
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from filelock import FileLock
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    IPythonCacheLocator,
    UserProvidedCacheLocator,
)
from numba.core.environment import _rebuild_env

from neche.compiled.parts import rebuilt
from neche.errors import CompiledCodeWarning

_SEAL_BYTES = 16
_LONGEST_WAIT = 300.0
"""Seconds after which a specialisation is compiled here too: the other process may be stopped."""


class SealedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """The index of one function and its objects. Faults of the disk cost time: none is raised."""

    @property
    def _folder(self) -> str:
        """What faults are told of: beneath it each folder of sources has its own."""
        return str(Path(self._cache_path).parent)

    def load(self, key: Any) -> Any:
        """Return what is kept for a specialisation, None if there is nothing or it is damaged."""
        stored = super().load(key)
        return stored[1] if stored is not None and stored[0] == key else None

    def save(self, key: Any, data: Any) -> None:
        """Keep a specialisation, if the disk lets it."""
        try:
            # An index is read, changed and written: two processes that do so at once would lose an entry.
            with FileLock(Path(self._cache_path) / "indices.lock", timeout=_LONGEST_WAIT):
                super().save(key, (key, data))
        except OSError as fault:
            _tell(f"cannot be kept ({fault.strerror or fault}): every start compiles anew", self._folder)

    def _load_index(self) -> dict[Any, str]:
        return {} if self._intact(self._index_path) is None else super()._load_index()

    def _load_data(self, name: str) -> Any:
        content = self._intact(self._data_path(name))
        return None if content is None else _Unpickler(io.BytesIO(content)).load()

    def _intact(self, path: str) -> bytes | None:
        """Return the content of a file without its seal; None if it is not there, unreadable or damaged."""
        try:
            stored = Path(path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as fault:
            _tell(f"cannot be read ({fault.strerror or fault}) and is compiled again", self._folder)
            return None
        content = stored[:-_SEAL_BYTES]
        if stored[-_SEAL_BYTES:] != _seal(path, content):
            _tell("was damaged and is compiled again", self._folder)
            return None
        return content

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[BinaryIO]:
        with super()._open_for_write(filepath) as file:
            content = io.BytesIO()
            yield content
            file.write(content.getvalue() + _seal(filepath, content.getvalue()))
            # Renamed before its bytes are on the disk, it would be empty after a power cut.
            file.flush()
            os.fsync(file.fileno())


class _Unpickler(pickle.Unpickler):
    """Reads what was kept."""

    def find_class(self, module: str, name: str) -> Any:
        return _environment if name == "_rebuild_env" else super().find_class(module, name)


def _environment(module: str, constants: list[Any], name: str) -> Any:
    """Return the environment of that name, with the constants that are kept here.

    A caller is linked from a part, whose environment it is kept with, and the wrapper of an entry adds
    constants to that: which of them is loaded first must not matter.
    """
    environment = _rebuild_env(module, constants, name)
    environment.consts.extend(constants[len(environment.consts) :])
    return environment


def seal(cache: Any) -> None:
    """Let a cache of numba's kind, such as that of a kernel, keep sealed files."""
    files = cache._cache_file
    sealed = SealedFiles(cache._cache_path, cache._impl.filename_base, files._source_stamp)
    # Kernels are pickled by functions of their own.
    sealed._dump = files._dump
    cache._cache_file = sealed


class _Place(UserProvidedCacheLocator):  # type: ignore[misc]
    def ensure_cache_path(self) -> None:
        """Make the directory; without one nothing is kept.

        numba would fall back on folders that no digest of the sources names, and load old code from there.
        """
        with suppress(OSError):
            os.makedirs(self.get_cache_path(), exist_ok=True)


class _Implementation(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Place, IPythonCacheLocator)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Return the part of what was kept."""
        return rebuilt(target_context, payload, is_entry=False)


class SealedCache(FunctionCache):  # type: ignore[misc]
    """numba's cache of one function in `numba.config.CACHE_DIR`, its files sealed."""

    _impl_class = _Implementation

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = SealedFiles(self._cache_path, self._impl.filename_base, stamp)
        self._locks: dict[Any, FileLock] = {}

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code compiled for these argument types; None if it is to be compiled here.

        If another process compiles it, wait for what that one keeps. Then no other compiles it until
        `end_turn`.
        """
        found = super().load_overload(sig, target_context)
        if found is None:
            self._begin_turn(sig)
            # Another process may have come first.
            found = super().load_overload(sig, target_context)
        return found

    def load_entry(self, sig: Any, target_context: Any) -> Any:
        """Return the entry for these argument types; None, as above, if it is to be linked here."""
        target_context.refresh()
        found = self._load_entry(sig, target_context)
        if found is None:
            self._begin_turn(sig)
            found = self._load_entry(sig, target_context)
        return found

    def _load_entry(self, sig: Any, target_context: Any) -> Any:
        kept = self._cache_file.load(self._index_key(sig, target_context.codegen()))
        return kept and rebuilt(target_context, kept, is_entry=True)

    def _begin_turn(self, sig: Any) -> None:
        if sig in self._locks:
            return
        self._impl.locator.ensure_cache_path()
        name = hashlib.blake2b(
            f"{self._impl.filename_base} {sig}".encode(), digest_size=_SEAL_BYTES
        ).hexdigest()
        # Compiled by one thread at a time, but not by the same one always. One lock to a specialisation: a
        # function may call itself for other types.
        lock = FileLock(Path(self._cache_path) / f"{name}.lock", timeout=_LONGEST_WAIT, thread_local=False)
        # Where nothing can be written, and where the other process is stopped, it is compiled here too.
        with suppress(OSError):
            lock.acquire()
            self._locks[sig] = lock

    def end_turn(self, sig: Any) -> None:
        """Let other processes have the specialisation: it is kept, or it was none."""
        lock = self._locks.pop(sig, None)
        if lock is not None:
            lock.release()
            # Who waits holds it open. If yet another process comes now, both find what is kept.
            with suppress(OSError):
                os.unlink(lock.lock_file)


def _seal(path: str, content: bytes) -> bytes:
    digest = hashlib.blake2b(os.path.basename(path).encode(), digest_size=_SEAL_BYTES)
    digest.update(content)
    return digest.digest()


@cache
def _tell(what: str, directory: str) -> None:
    """Warn, once a process, of what happened to the code in a directory."""
    warnings.warn(
        f"compiled code in {directory} {what} (NECHE_CACHE_DIR names another place)",
        CompiledCodeWarning,
        stacklevel=2,
    )
