"""One process to a run directory: a lock that the system takes back even from a killed process."""

from contextlib import suppress

from filelock import FileLock, Timeout

from neche.archive.layout import Layout
from neche.errors import InputError


class RunLock:
    """Hold of a run directory, from its creation until `release`."""

    def __init__(self, layout: Layout) -> None:
        """Take the lock.

        Raises:
            InputError: another process holds it, or the directory cannot be written.
        """
        self._path = layout.lock
        self._lock = FileLock(layout.lock, thread_local=False)
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise InputError(
                f"{layout.root}: in use by another neche process; wait until it ends or take another --run"
            ) from None
        except OSError as error:
            raise InputError(f"{layout.lock}: cannot be written: {error.strerror or error}") from error

    def release(self) -> None:
        """Let the next process in, and leave no lock file behind; a second call does nothing."""
        if self._lock.is_locked:
            # Removed while held: a waiting process that has opened it finds it nameless and starts over.
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
            self._lock.release()
