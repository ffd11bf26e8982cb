"""Damaged compiled code on disk is never loaded: it is compiled again, with one line of notice, and kept."""

import errno
import os
import shutil
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from numba.core.errors import TypingError

from neche.compiled import cuda, outside, sealing
from neche.compiled.jit import jit
from neche.errors import CompiledCodeWarning


def double(number):
    return 2 * number


@pytest.fixture
def directory(tmp_path, monkeypatch):
    """Where compiled code goes; everything written there and told before is forgotten."""
    monkeypatch.setattr(outside, "cache_directory", lambda: tmp_path / "code")
    outside._directory_for.cache_clear()
    sealing._tell.cache_clear()
    yield tmp_path / "code"
    outside._directory_for.cache_clear()


def call(number=21, function=double):
    """Call as a process does that has just started; return the value, cache hits and warnings."""
    sealing._tell.cache_clear()
    compiled = jit(function)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        value = compiled(number)
    return value, sum(compiled.stats.cache_hits.values()), [str(one.message) for one in told]


def files_of(directory):
    return sorted(directory.rglob("*.nb[ic]"))


DAMAGE = {
    "empty": lambda content, at: b"",
    "cut": lambda content, at: content[: at // 8],
    "one bit": lambda content, at: (
        content[: at // 8] + bytes([content[at // 8] ^ 1 << at % 8]) + content[at // 8 + 1 :]
    ),
    "zeros from there on": lambda content, at: content[: at // 8] + bytes(len(content) - at // 8),
    "one byte more": lambda content, at: content + b"\0",
    "twice": lambda content, at: content + content,
}


@pytest.mark.parametrize("which", [0, 1], ids=["object", "index"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_costs_one_compilation_and_one_line(directory, damage, which):
    assert call()[:2] == (42, 0)
    assert call() == (42, 1, [])
    intact = {path: path.read_bytes() for path in files_of(directory)}
    # the object is the .nbc, the index the .nbi
    victim = sorted(intact, key=lambda path: path.suffix)[which]

    @settings(max_examples=6)
    @example(0)
    @example(8 * len(intact[victim]) - 1)
    @given(st.integers(0, 8 * len(intact[victim]) - 1))
    def damaged(at):
        content = DAMAGE[damage](intact[victim], at)
        for path, before in intact.items():
            path.write_bytes(content if path == victim else before)
        if content == intact[victim]:
            return
        value, hits, told = call()
        assert (value, hits) == (42, 0)
        assert len(told) == 1
        assert "damaged" in told[0]
        assert "\n" not in told[0]
        assert call() == (42, 1, [])

    damaged()


def test_an_object_that_belongs_to_another_entry_is_not_run(directory, tmp_path):
    """As two processes leave them that compile two specialisations at once: same names, other code."""
    assert call(21)[0] == 42
    index, _ = reversed(files_of(directory))
    shutil.copy(index, tmp_path / "index")
    for path in files_of(directory):
        path.unlink()
    assert call(1.5)[0] == 3.0
    shutil.copy(tmp_path / "index", index)
    assert call(21)[:2] == (42, 0)
    assert call(21) == (42, 1, [])


def test_files_that_changed_places_are_not_loaded(directory):
    compiled = jit(double)
    assert (compiled(21), compiled(1.5)) == (42, 3.0)
    first, second = (path for path in files_of(directory) if path.suffix == ".nbc")
    content = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)
    assert call(21)[:2] == (42, 0)
    assert call(1.5)[:2] == (3.0, 0)


def test_a_full_disk_costs_time_and_nothing_else(directory, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    value, hits, told = call()
    assert (value, hits) == (42, 0)
    assert len(told) == 1
    assert "No space left on device" in told[0]
    assert "NECHE_CACHE_DIR" in told[0]
    # Nothing half written, but for the empty file that processes lock.
    assert [path.stat().st_size for path in directory.rglob("*") if path.is_file()] in ([], [0])


def test_a_directory_in_place_of_a_file_costs_time_and_nothing_else(directory):
    call()
    for path in files_of(directory):
        path.unlink()
        path.mkdir()
    value, hits, told = call()
    assert (value, hits) == (42, 0)
    assert told
    assert all("NECHE_CACHE_DIR" in line for line in told)


def test_a_file_in_place_of_the_directory_costs_time_and_nothing_else(directory):
    directory.write_text("in the way", encoding="utf-8")
    value, hits, told = call()
    assert (value, hits) == (42, 0)
    assert "NECHE_CACHE_DIR" in told[0]
    assert directory.read_text(encoding="utf-8") == "in the way"


def test_what_is_told_is_a_warning_of_its_own_kind(directory):
    call()
    for path in files_of(directory):
        path.write_bytes(b"")
    sealing._tell.cache_clear()
    with pytest.warns(CompiledCodeWarning, match="damaged"):
        assert jit(double)(np.int64(4)) == 8


MODULE = """
import sys

from numba import types

from neche.compiled.jit import jit


@jit
def treble(number):
    return 3 * number


def hits():
    return sum(treble.stats.cache_hits.values())


if __name__ == "__main__":
    import shared

    if sys.argv[1] == "first":
        shared.treble._cache.load_overload((types.int64,), shared.treble.targetctx)
    print("ready", flush=True)
    if sys.argv[1] == "first":
        sys.stdin.readline()
    print(shared.treble(7), shared.hits())
"""


def test_a_process_waits_for_what_another_compiles_and_loads_it(tmp_path):
    (tmp_path / "shared.py").write_text(MODULE)
    variables = os.environ | {"NECHE_CACHE_DIR": str(tmp_path / "code"), "PYTHONPATH": str(tmp_path)}

    def begin(which):
        process = subprocess.Popen(
            [sys.executable, str(tmp_path / "shared.py"), which],
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    with begin("first") as first, begin("second") as second:
        # Without a turn the second one would have compiled it by now.
        time.sleep(1.5)
        said = [first.communicate("go on\n")[0], second.communicate()[0]]
    assert said == ["21 0\n", "21 1\n"]


def refused(number):
    return number.no_such_attribute


def test_what_cannot_be_compiled_keeps_nobody_waiting(directory):
    for _ in range(2):
        with pytest.raises(TypingError, match="no_such_attribute"):
            jit(refused)(21)
    assert call() == (42, 0, [])
    assert call() == (42, 1, [])


@pytest.mark.kernels
def test_kernels_are_sealed_too(tmp_path, monkeypatch):
    monkeypatch.setattr(cuda, "cache_directory", lambda: tmp_path)
    files = cuda.kernel(double)._cache._cache_file
    files.save(("int64", (9, 0)), {"cubin": b"code"})
    kept = {path: path.read_bytes() for path in files_of(tmp_path)}
    assert len(kept) == 2
    for path, content in kept.items():
        assert cuda.kernel(double)._cache._cache_file.load(("int64", (9, 0))) == {"cubin": b"code"}
        path.write_bytes(content[:-20] + bytes([content[-20] ^ 1]) + content[-19:])
        sealing._tell.cache_clear()
        with pytest.warns(CompiledCodeWarning, match="was damaged and is compiled again"):
            assert files.load(("int64", (9, 0))) is None
        path.write_bytes(content)
