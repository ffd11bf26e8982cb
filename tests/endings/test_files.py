import os
import re
import threading

import numpy as np
import pytest

from neche.endings.files import (
    HEADER_BYTES,
    SliceCounts,
    num_pieces_solved,
    read_slice,
    slice_path,
    usual_directory,
    write_slice,
)
from neche.endings.slices import Slice, slices_of
from neche.errors import InputError
from tests.games.toys.loading import TICTACTOE, load

KINGS = Slice(0, 1, 0, 1)
COUNTS = SliceCounts(3, 2, 5, 7)


@pytest.fixture
def path(tmp_path):
    path = slice_path(tmp_path, "checkers", KINGS)
    write_slice(path, "checkers", KINGS, COUNTS, np.arange(40, dtype=np.uint8))
    return path


def test_two_threads_may_write_the_same_slice_at_once(tmp_path, monkeypatch):
    path, array, fsync = slice_path(tmp_path, "checkers", KINGS), np.arange(40, dtype=np.uint8), os.fsync
    other = threading.Thread(target=write_slice, args=(path, "checkers", KINGS, COUNTS, array))

    def begin_the_other(descriptor):
        monkeypatch.setattr(os, "fsync", fsync)
        other.start()
        other.join(0.5)

    monkeypatch.setattr(os, "fsync", begin_the_other)
    write_slice(path, "checkers", KINGS, COUNTS, array)
    other.join()
    assert read_slice(path, "checkers", KINGS, 40)[0] == COUNTS


def test_what_is_written_is_read(path):
    counts, array = read_slice(path, "checkers", KINGS, 40)
    assert counts == COUNTS
    assert counts.positions == 10
    assert array.tolist() == list(range(40))
    assert not array.flags.writeable
    assert path.name == "0m1k-0m1k.values"
    assert path.stat().st_size == HEADER_BYTES + 40


def test_every_flipped_bit_is_found(path):
    good = path.read_bytes()
    line = good[:HEADER_BYTES].rstrip()
    # the spaces that fill the header up are not read
    places = [*range(0, len(line), 7), HEADER_BYTES, HEADER_BYTES + 17, len(good) - 1]
    for place in places:
        path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        with pytest.raises(InputError, match=f"{path}: is damaged"):
            read_slice(path, "checkers", KINGS, 40)


def test_an_infinite_count_is_refused(path):
    content = path.read_bytes()
    line = re.sub(rb'"losses": [0-9]+', b'"losses": 1e999', content[:HEADER_BYTES]).rstrip()
    path.write_bytes(line.ljust(HEADER_BYTES) + content[HEADER_BYTES:])
    with pytest.raises(InputError, match=f"{path}: is damaged"):
        read_slice(path, "checkers", KINGS, 40)


@pytest.mark.parametrize("size", [0, 100, HEADER_BYTES, HEADER_BYTES + 39, HEADER_BYTES + 41])
def test_a_file_of_another_length_is_refused(path, size):
    content = path.read_bytes()
    path.write_bytes((content + b" ")[:size])
    with pytest.raises(InputError, match=f"{path}: is damaged"):
        read_slice(path, "checkers", KINGS, 40)


def test_a_file_of_another_game_or_slice_is_refused(path):
    for game, of in (("brazilian", KINGS), ("checkers", Slice(1, 0, 0, 1))):
        with pytest.raises(InputError, match="is damaged, or not of the endings of"):
            read_slice(path, game, of, 40)


def test_endings_of_a_users_game_are_refused_after_an_edit_of_its_rules(tmp_path, monkeypatch):
    name = load(TICTACTOE).name
    path = slice_path(tmp_path, name, KINGS)
    write_slice(path, name, KINGS, COUNTS, np.arange(40, dtype=np.uint8))
    assert read_slice(path, name, KINGS, 40)[0] == COUNTS
    monkeypatch.setattr("neche.endings.files.rules_digest", lambda game: "another digest")
    with pytest.raises(InputError, match=f"not of the endings of {name}; delete it and solve it again"):
        read_slice(path, name, KINGS, 40)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.values: cannot be read"):
        read_slice(tmp_path / "none.values", "checkers", KINGS, 40)


def test_pieces_count_as_solved_when_every_slice_is_there(tmp_path):
    assert num_pieces_solved(tmp_path, "checkers") == 0
    for of in slices_of(3):
        assert num_pieces_solved(tmp_path, "checkers") == (2 if sum(of) == 3 else 0)
        write_slice(slice_path(tmp_path, "checkers", of), "checkers", of, COUNTS, np.zeros(1, np.uint8))
    assert num_pieces_solved(tmp_path, "checkers") == 3
    assert num_pieces_solved(tmp_path, "brazilian") == 0


def test_the_usual_directory_is_named_by_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("NECHE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("NECHE_ENDINGS", raising=False)
    assert usual_directory() == tmp_path / "cache" / "endings"
    monkeypatch.setenv("NECHE_ENDINGS", str(tmp_path / "mine"))
    assert usual_directory() == tmp_path / "mine"
