"""A run directory, locked by the one process that works on it: begin, resume, save, crown."""

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

from filelock import FileLock, Timeout

from neche import storage
from neche.archive import checkpoint
from neche.archive.exchange import write_emigrants
from neche.archive.layout import Config, RunLayout, format_config, is_kept, parse_config
from neche.archive.resume import Resumption, recover
from neche.errors import InputError
from neche.evolution.population import Generation, Member
from neche.evolution.settings import Settings, resolve
from neche.genome.fasta import Record, format_record, format_records
from neche.parsing import naming_file
from neche.players.plugged import PluginIdentity

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]


class RunLock:
    """A lock on a directory, held until `release`; the system releases it even if the process is killed."""

    def __init__(self, layout: RunLayout) -> None:
        """Take the lock; InputError if another process holds it, or the directory cannot be written."""
        self._path, self._root = layout.lock, None
        # Not bound to a thread: another one may close the run.
        self._lock = FileLock(layout.lock, thread_local=False)
        with naming_file(layout.lock, "written"):
            try:
                self._lock.acquire(timeout=0.2)  # seconds, since `is_in_use` takes it for a moment
            except Timeout:
                raise _in_use(layout) from None
            try:
                self._root = _hold(layout.root)
            except BlockingIOError:
                # Another process works on the run, but its lock file was removed.
                self._lock.release()
                raise _in_use(layout) from None

    def release(self) -> None:
        """Release the lock and remove its file; a second call does nothing."""
        if self._lock.is_locked:
            # Removed while held: a waiting process that has it open finds it unlinked and starts over.
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
            self._lock.release()
        if self._root is not None:
            os.close(self._root)
            self._root = None


def is_in_use(layout: RunLayout) -> bool:
    """Return whether a process works on the run; a killed one leaves a lock file that nobody holds.

    True if that cannot be told; a lock held on another machine may look like one that nobody holds.
    """
    if fcntl is not None:
        with suppress(OSError), layout.lock.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
    return os.path.exists(layout.lock)


def _in_use(layout: RunLayout) -> InputError:
    return InputError(
        f"{layout.root}: in use by another neche process, or in Python by an evolution that is not closed;"
        " wait until it ends or take another directory"
    )


def _hold(directory: Path) -> int | None:
    """Lock the directory itself, which unlike a lock file cannot be removed meanwhile.

    None if the system cannot lock directories; on Windows a locked file cannot be removed. BlockingIOError if
    another process has locked it.
    """
    if fcntl is None:
        return None
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as fault:
        os.close(descriptor)
        if isinstance(fault, BlockingIOError):
            raise
        return None
    return descriptor


class RunDirectory:
    """A run directory, locked until `close` or the end of a `with` block.

    path: as given; settings, seed, origin, plugins: what the run began with, see `Config`
    resumption: where the run continues and what was found damaged
    last: the newest generation on disk, None before the first
    """

    def __init__(self, layout: RunLayout, config: Config, lock: RunLock, resumption: Resumption) -> None:
        self.path = layout.root
        self.settings = config.settings
        self.seed, self.origin, self.plugins = config.seed, config.origin, config.plugins
        self.resumption = resumption
        self._layout = layout
        self._lock = lock
        self.last = resumption.generation
        self._check = resumption.check
        self._champions = set(resumption.champions)

    @classmethod
    def create(
        cls,
        path: Path | str,
        settings: Settings,
        seed: int,
        origin: str | None = None,
        plugins: Sequence[PluginIdentity] = (),
    ) -> Self:
        """Begin a run in a new or empty directory. origin: digest of the DNA of its generation 0, if given.

        InputError if the directory holds a run or other files, is in use, or cannot be written.
        """
        layout = RunLayout(Path(path))
        check_unused(layout.root)
        is_new = not os.path.exists(layout.root)  # unlike Path.exists, for any name
        storage.make_directory(layout.root)
        with ExitStack() as undo:
            if is_new:
                undo.callback(remove_empty, layout.root)
            lock = RunLock(layout)
            undo.callback(lock.release)
            # Again under the lock: another process may have begun a run since.
            check_unused(layout.root)
            undo.callback(remove_empty, layout.generations)
            storage.make_directory(layout.generations)
            content = format_config(resolve(settings), seed, origin, plugins)
            undo.callback(storage.remove_file, layout.config_copy)
            storage.write_file(layout.config_copy, content)
            # Written last: without it a directory is not a run yet.
            storage.write_file(layout.config, content)
            # From here on nothing is undone: the directory is a run.
            undo.pop_all()
        config = parse_config(storage.read_file(layout.config), str(layout.config))
        return cls(layout, config, lock, Resumption(None, (), config.fingerprint, ()))

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open a run to resume it, cut back to its last intact generation; see `resumption`.

        InputError if there is no run, it is damaged beyond use, has another format version, was changed by
        hand or is in use by another process, or its files cannot be read or written.
        """
        layout = RunLayout(Path(path))
        _check_is_run(layout)
        lock = RunLock(layout)
        try:
            config = parse_config(storage.read_file(layout.config), str(layout.config))
            config = config._replace(settings=resolve(config.settings))
            storage.make_directory(layout.generations)
            found = recover(layout, config)
            found = found._replace(notices=(*found.notices, *_mend_copy(layout, config.fingerprint)))
            return cls(layout, config, lock, found)
        except BaseException:
            lock.release()
            raise

    def record_plugins(self, plugins: Sequence[PluginIdentity]) -> None:
        """Store the digests of plug-ins that were mended before the run had a generation."""
        if self.last is None and tuple(plugins) != self.plugins:
            content = format_config(self.settings, self.seed, self.origin, plugins)
            for path in (self._layout.config, self._layout.config_copy):
                storage.write_file(path, content)
            self.plugins, self._check = tuple(plugins), parse_config(content, "").fingerprint

    def save(self, generation: Generation) -> None:
        """Write a generation to disk completely, or after an error not at all.

        InputError if a file cannot be written, ValueError if the generation does not follow the last one.
        """
        if self.last is not None and generation.number != self.last.number + 1:
            raise ValueError(f"generation {generation.number} does not follow {self.last.number}")
        # A run that somebody is removing would otherwise begin a new history.
        if not self._layout.config.exists() or (self.last and not self._layout.history.exists()):
            raise InputError(f"{self.path}: its files were removed meanwhile")
        champion = checkpoint.measured_champion(checkpoint.history_values(generation, ""))
        addition = ""
        if champion and champion not in self._champions:
            addition = checkpoint.champion_text(generation, champion, self.settings)
        # Before the generation exists, so that the next island need not check that it does. If a kill
        # prevents that, the same bytes are written again later.
        write_emigrants(self._layout, generation, self.settings)
        self._check = self._commit(generation, addition.encode())
        self.last = generation
        if champion:
            self._champions.add(champion)
        oldest = generation.number - self.settings.run.keep_last
        if oldest >= 0 and not is_kept(oldest, generation.number, self.settings.run):
            storage.remove_file(self._layout.population(oldest))

    def add_champions(self, records: Sequence[Record]) -> None:
        """Add champions from before the first generation; InputError if they cannot be written."""
        if records:
            storage.append_file(self._layout.champions, format_records(records))
        self._champions.update(record.id for record in records)

    def crown(self, member: Member, *, generation: int, scores: Mapping[str, float]) -> None:
        """Write champion.fasta. generation: last of this invocation. scores: points a game, by benchmark."""
        fields = {"generation": str(generation), **checkpoint.identity_of(self.settings)}
        ladder = {checkpoint.score_field(player): repr(float(score)) for player, score in scores.items()}
        record = Record(member.id, member.genome, {**fields, **ladder})
        storage.write_file(self._layout.champion, format_record(record).encode())

    def close(self) -> None:
        """Release the run to other processes."""
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _commit(self, generation: Generation, champion: bytes) -> str:
        """Write the three parts of a generation in order; the line in the history makes it exist.

        Returns the check of that line.

        A flush to disk costs about 4 ms, and two are needed: the history must not reach the disk before the
        population. Resume repairs what a power cut may still lose: a lost name costs a generation, a lost
        champion nothing.
        """
        path = self._layout.population(generation.number)
        population = checkpoint.format_population(generation, self.settings)
        # Remembered, so that the champion can be removed again after an error.
        champions_size = storage.file_size(self._layout.champions)
        try:
            digest = storage.write_file(path, population, flush_name=False)
            values = checkpoint.history_values(generation, digest)
            line, check = checkpoint.format_line(values, self._check)
            if champion:
                storage.append_file(self._layout.champions, champion, flush=False)
            storage.append_file(self._layout.history, line)
        except BaseException:
            with suppress(InputError):
                storage.remove_file(path)
                storage.restore_size(self._layout.champions, champions_size)
            raise
        return check


def _mend_copy(layout: RunLayout, fingerprint: str) -> list[str]:
    """Rewrite the copy of config.toml if it differs; return a notice if it did."""
    copy = layout.config_copy
    # A run begun before copies were introduced gets one without notice.
    was_there = copy.exists()
    with suppress(InputError):
        if was_there and parse_config(storage.read_file(copy), str(copy)).fingerprint == fingerprint:
            return []
    storage.write_file(copy, storage.read_file(layout.config))
    return [f"{copy}: damaged; written again from {layout.config}"] if was_there else []


def check_unused(root: Path) -> None:
    """Raise InputError if the place for a new run is taken; an empty directory is not."""
    layout = RunLayout(root)
    if not os.path.exists(root):
        return
    if not root.is_dir():
        raise InputError(f"{root}: a file, not a directory; choose another directory")
    if layout.config.exists():
        how = "resume it (--resume, in Python resume=True) or choose another directory"
        raise InputError(f"{root}: holds a run already; {how}")
    for path in root.iterdir():
        is_ours = path in (layout.lock, layout.generations) or path.match(storage.PARTIAL_FILES)
        if not is_ours or layout.population_numbers():
            found = layout.lack if layout.config_copy.exists() else f"{path.name} is in it"
            raise InputError(f"{root}: exists and is not a run ({found}); choose another directory")


def _check_is_run(layout: RunLayout) -> None:
    root = layout.root
    if not os.path.exists(root):
        raise InputError(f"{root}: nothing to resume, there is no such run")
    if not root.is_dir():
        raise InputError(f"{root}: a file, not a run directory")
    if not layout.config.exists():
        raise InputError(f"{root}: nothing to resume, not a run directory ({layout.lack})")


def remove_empty(directory: Path) -> None:
    """Remove a directory if it is empty."""
    with suppress(OSError):
        directory.rmdir()
