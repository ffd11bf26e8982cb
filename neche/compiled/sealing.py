"""Compiled code on disk, checked before it is loaded: damaged code is compiled again.

numba trusts its cache files. A truncated index raises an exception at every start, a flipped bit in an object
crashes the process, and a full disk ends the work. Here each file ends with a seal, a digest of its name and
content, and each object names the index entry it belongs to, since two processes that compile at once may
give their objects the same name.

Processes that start together on a cold cache share the work: the one that compiles a specialisation holds a
lock named after it, and others that need the same one wait and load it.
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
"""Seconds after which a specialisation is compiled here too: the other process may be suspended."""


class SealedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """The index of one function and its objects. Disk errors only cost time: none is raised."""

    @property
    def _folder(self) -> str:
        """The directory that warnings name: each source folder has its own below it."""
        return str(Path(self._cache_path).parent)

    def load(self, key: Any) -> Any:
        """Return what is stored for a specialisation; None if nothing is, or it is damaged."""
        stored = super().load(key)
        return stored[1] if stored is not None and stored[0] == key else None

    def save(self, key: Any, data: Any) -> None:
        """Store a specialisation if the disk allows it."""
        try:
            # An index is read, changed and written back: two processes at once would lose an entry.
            with FileLock(Path(self._cache_path) / "indices.lock", timeout=_LONGEST_WAIT):
                super().save(key, (key, data))
        except OSError as fault:
            _tell(f"cannot be kept ({fault.strerror or fault}): every start recompiles it", self._folder)

    def _load_index(self) -> dict[Any, str]:
        return {} if self._intact(self._index_path) is None else super()._load_index()

    def _load_data(self, name: str) -> Any:
        content = self._intact(self._data_path(name))
        return None if content is None else _Unpickler(io.BytesIO(content)).load()

    def _intact(self, path: str) -> bytes | None:
        """Return the content of a file without its seal; None if it is missing, unreadable or damaged."""
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
            # If it were renamed before its bytes are on the disk, a power cut could leave it empty.
            file.flush()
            os.fsync(file.fileno())


class _Unpickler(pickle.Unpickler):
    """Reads stored code."""

    def find_class(self, module: str, name: str) -> Any:
        return _environment if name == "_rebuild_env" else super().find_class(module, name)


def _environment(module: str, constants: list[Any], name: str) -> Any:
    """Return the environment of that name, with the constants stored here.

    A caller is stored with the environments of the parts that it was linked from, and the wrapper of an entry
    adds constants to them: the order of loading must not matter.
    """
    environment = _rebuild_env(module, constants, name)
    environment.consts.extend(constants[len(environment.consts) :])
    return environment


def seal(cache: Any) -> None:
    """Make a numba cache, such as that of a kernel, keep sealed files."""
    files = cache._cache_file
    sealed = SealedFiles(cache._cache_path, cache._impl.filename_base, files._source_stamp)
    # numba-cuda pickles kernels by its own functions.
    sealed._dump = files._dump
    cache._cache_file = sealed


class _Place(UserProvidedCacheLocator):  # type: ignore[misc]
    def ensure_cache_path(self) -> None:
        """Create the directory; if that fails, nothing is kept.

        numba would fall back on folders that are not named by a digest of the sources, and load old code.
        """
        with suppress(OSError):
            os.makedirs(self.get_cache_path(), exist_ok=True)


class _Implementation(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Place, IPythonCacheLocator)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Return the stored part."""
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
        """Return the code compiled for these argument types; None if it must be compiled here.

        If another process is compiling it, wait for its result. After None, no other process compiles it
        until `end_turn`.
        """
        found = super().load_overload(sig, target_context)
        if found is None:
            self._begin_turn(sig)
            # Another process may have stored it meanwhile.
            found = super().load_overload(sig, target_context)
        return found

    def load_entry(self, sig: Any, target_context: Any) -> Any:
        """Return the entry for these argument types; None, as above, if it must be linked here."""
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
        specialisation = f"{self._impl.filename_base} {sig}".encode()
        name = hashlib.blake2b(specialisation, digest_size=_SEAL_BYTES).hexdigest()
        # One thread compiles at a time, but not always the same one. One lock per specialisation, since a
        # function may call itself with other types.
        lock = FileLock(Path(self._cache_path) / f"{name}.lock", timeout=_LONGEST_WAIT, thread_local=False)
        # If nothing can be written, or the other process is suspended, it is compiled here too.
        with suppress(OSError):
            lock.acquire()
            self._locks[sig] = lock

    def end_turn(self, sig: Any) -> None:
        """Release the specialisation to other processes: it was stored, or compiling it failed."""
        lock = self._locks.pop(sig, None)
        if lock is not None:
            lock.release()
            # Waiting processes hold the file open. If another process comes now, both find the stored code.
            with suppress(OSError):
                os.unlink(lock.lock_file)


def _seal(path: str, content: bytes) -> bytes:
    digest = hashlib.blake2b(os.path.basename(path).encode(), digest_size=_SEAL_BYTES)
    digest.update(content)
    return digest.digest()


@cache
def _tell(what: str, directory: str) -> None:
    """Warn, once per process, of what happened to the code in a directory."""
    warnings.warn(
        f"compiled code in {directory} {what} (set NECHE_CACHE_DIR to use another place)",
        CompiledCodeWarning,
        stacklevel=2,
    )
