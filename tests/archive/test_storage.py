import errno
import hashlib
import os

import pytest

from neche.archive.run import RunDirectory
from neche.errors import InputError
from neche.storage import append_file, read_file, write_file
from tests.archive.builders import contents, continue_run, small_settings, straight_generations, write_run
from tests.special_files import link_to_an_old_file, written_into_a_pipe


class FaultyDisk:
    """Lets a number of system calls succeed, then fails; a failing write still writes half of its bytes."""

    def __init__(self, monkeypatch, good_calls, code):
        self.left, self.code, self.failed = good_calls, code, False
        self.write, self.fsync, self.replace = os.write, os.fsync, os.replace
        for name in ("write", "fsync", "replace"):
            monkeypatch.setattr(os, name, getattr(self, f"try_{name}"))

    def spend(self):
        self.left -= 1
        if self.left < 0:
            self.failed = True
            raise OSError(self.code, os.strerror(self.code))

    def try_write(self, descriptor, content):
        if self.left == 0:
            self.write(descriptor, bytes(content)[: len(content) // 2])
        self.spend()
        return self.write(descriptor, content)

    def try_fsync(self, descriptor):
        self.spend()
        self.fsync(descriptor)

    def try_replace(self, source, target):
        self.spend()
        self.replace(source, target)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EIO])
def test_a_generation_that_cannot_be_written_leaves_no_trace_at_whichever_call_it_fails(
    tmp_path, monkeypatch, code
):
    first, *rest = straight_generations(4)
    faults = 0
    with RunDirectory.create(tmp_path / "run", small_settings(), 5) as run:
        run.save(first)
        for generation in rest:
            before = contents(tmp_path / "run")
            for good_calls in range(100):
                with monkeypatch.context() as context:
                    disk = FaultyDisk(context, good_calls, code)
                    try:
                        run.save(generation)
                    except InputError as fault:
                        message = str(fault)
                if not disk.failed:
                    break
                faults += 1
                assert message.startswith(str(tmp_path / "run"))
                assert message.endswith(f": cannot be written: {os.strerror(code)}")
                assert contents(tmp_path / "run") == before
    assert faults > 15
    write_run(tmp_path / "straight", total=4)
    with RunDirectory.open(tmp_path / "run") as run:
        assert run.resumption.notices == ()
        continue_run(run, 4)
    assert contents(tmp_path / "run") == contents(tmp_path / "straight")


def test_a_run_that_cannot_be_begun_leaves_no_directory(tmp_path, monkeypatch):
    for good_calls in range(3):
        with monkeypatch.context() as context:
            FaultyDisk(context, good_calls, errno.ENOSPC)
            with pytest.raises(InputError, match=r"config.toml: cannot be written: No space left on device"):
                RunDirectory.create(tmp_path / "run", small_settings(), 5)
        assert list(tmp_path.iterdir()) == []


def test_a_crowning_that_fails_keeps_the_champion_before(tmp_path, monkeypatch):
    write_run(tmp_path / "run", total=2)
    before = contents(tmp_path / "run")
    with RunDirectory.open(tmp_path / "run") as run:
        last = run.last
        FaultyDisk(monkeypatch, 0, errno.ENOSPC)
        assert last is not None
        with pytest.raises(InputError, match=r"champion.fasta: cannot be written: No space left on device"):
            run.crown(last.members[1], generation=1, scores={})
    assert contents(tmp_path / "run") == before


def test_a_directory_that_cannot_be_written_is_named_before_anything_is_computed(tmp_path, monkeypatch):
    write_run(tmp_path / "run", total=2)
    before = contents(tmp_path / "run")
    open_file = os.open

    def read_only(path, flags, *rest, **named):
        if flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        return open_file(path, flags, *rest, **named)

    with monkeypatch.context() as context:
        context.setattr(os, "open", read_only)
        with pytest.raises(InputError, match=r"\.lock: cannot be written: Read-only file system"):
            RunDirectory.open(tmp_path / "run")
        with pytest.raises(InputError, match=r"\.lock: cannot be written: Read-only file system"):
            RunDirectory.create(tmp_path / "other", small_settings(), 5)
    assert contents(tmp_path / "run") == before
    assert not (tmp_path / "other").exists()


def test_an_append_that_fails_leaves_the_file_as_long_as_before(tmp_path, monkeypatch):
    path = tmp_path / "file"
    append_file(path, b"one\n")
    FaultyDisk(monkeypatch, 0, errno.ENOSPC)
    with pytest.raises(InputError, match="file: cannot be written: No space left on device"):
        append_file(path, b"two\n")
    with pytest.raises(InputError, match="new: cannot be written"):
        append_file(tmp_path / "new", b"two\n")
    assert contents(tmp_path) == {"file": b"one\n"}


def test_a_write_replaces_the_whole_file(tmp_path):
    write_file(tmp_path / "file", b"a long text")
    write_file(tmp_path / "file", b"short")
    assert contents(tmp_path) == {"file": b"short"}


def test_nothing_takes_the_place_of_a_pipe(tmp_path):
    """As with /dev/null and /dev/stdout, if the user may write to their folder."""
    assert written_into_a_pipe(tmp_path, lambda pipe: write_file(pipe, b"text")) == b"text"


def test_a_write_through_a_link_leaves_it_one(tmp_path):
    link, file = link_to_an_old_file(tmp_path)
    write_file(link, b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    assert os.listdir(file.parent) == ["file"]


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(InputError, match="file: cannot be read: No such file or directory"):
        read_file(tmp_path / "file")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        read_file(tmp_path)


def test_a_file_written_in_pieces_is_the_whole_and_its_digest_is_told(tmp_path):
    digest = hashlib.sha256(b"a long text").hexdigest()
    assert write_file(tmp_path / "file", iter([b"a long", b"", b" text"])) == digest
    assert (tmp_path / "file").read_bytes() == b"a long text"


def test_pieces_that_break_off_leave_the_old_file(tmp_path):
    def pieces():
        yield b"half of"
        raise RuntimeError("no more")

    write_file(tmp_path / "file", b"the old one")
    with pytest.raises(RuntimeError):
        write_file(tmp_path / "file", pieces())
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"the old one"


def test_a_file_is_written_into_a_directory_that_may_not_be_read(tmp_path, monkeypatch):
    opened = os.open

    def refuse_directory(path, flags, *mode):
        if os.path.isdir(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return opened(path, flags, *mode)

    monkeypatch.setattr(os, "open", refuse_directory)
    write_file(tmp_path / "games.pdn", b"*")
    assert (tmp_path / "games.pdn").read_bytes() == b"*"
