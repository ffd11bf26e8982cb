"""Array files: equal bytes for equal content, readable by numpy alone, damage found wherever it is."""

import io
import json
import zipfile

import numpy as np
import pytest

from neche.errors import InputError
from neche.network.array_file import HEADER, Arrays, from_bytes, to_bytes

WORDS = {"format": "test 1", "seed": 7, "options": ["a", "ä"]}
ARRAYS: Arrays = {
    "boards": np.arange(12, dtype=np.uint32).reshape(3, 4),
    "labels": np.array([0.5, -1.0], np.float32),
    "none": np.zeros(0, np.uint8),
}


def test_what_is_written_is_read():
    header, arrays = from_bytes(to_bytes(WORDS, ARRAYS), "f.npz")
    assert header == WORDS
    assert list(arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].tolist() == array.tolist()


def test_equal_content_gives_equal_bytes_whenever_it_is_written(monkeypatch):
    first = to_bytes(WORDS, ARRAYS)
    monkeypatch.setattr("time.time", lambda: 2e9)
    monkeypatch.setattr("time.localtime", lambda *_: (2033, 5, 18, 3, 33, 20, 0, 0, 0))
    assert to_bytes(dict(WORDS), {name: array.copy() for name, array in ARRAYS.items()}) == first


def test_numpy_reads_the_arrays_and_any_zip_program_the_header():
    content = to_bytes(WORDS, ARRAYS)
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        assert file["boards"].tolist() == ARRAYS["boards"].tolist()
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        assert json.loads(file.read(HEADER))["seed"] == 7
        assert file.testzip() is None


def test_every_flipped_bit_is_found():
    content = to_bytes(WORDS, ARRAYS)
    rng = np.random.default_rng(0)
    for at in range(0, len(content), 3):
        damaged = bytearray(content)
        damaged[at] ^= 1 << rng.integers(8)
        with pytest.raises(InputError, match=r"^dir/f\.npz: is damaged"):
            from_bytes(bytes(damaged), "dir/f.npz")


@pytest.mark.parametrize("kept", [0, 1, 100, -1, -30])
def test_a_missing_end_is_found(kept):
    with pytest.raises(InputError, match="is damaged"):
        from_bytes(to_bytes(WORDS, ARRAYS)[:kept], "f.npz")


def test_other_files_are_refused():
    buffer = io.BytesIO()
    np.savez(buffer, boards=ARRAYS["boards"])
    for content in (b"", b"hello", buffer.getvalue(), to_bytes(WORDS, ARRAYS) + b"x"):
        with pytest.raises(InputError, match="not a file of neche"):
            from_bytes(content, "f.npz")


def test_a_damaged_file_of_another_program_is_refused():
    buffer = io.BytesIO()
    np.savez_compressed(buffer, boards=np.arange(1000))
    for at in range(60, len(buffer.getvalue()) - 200, 50):
        damaged = bytearray(buffer.getvalue())
        damaged[at] ^= 255
        with pytest.raises(InputError, match="not a file of neche"):
            from_bytes(bytes(damaged), "f.npz")


def test_objects_cannot_hide_in_an_array_file():
    with pytest.raises(ValueError, match="Object arrays"):
        to_bytes(WORDS, {"evil": np.array([{}], dtype=object)})
