"""Shards on disk: whole or named."""

import numpy as np
import pytest

from neche.dataset import shards
from neche.dataset.making import DatasetSettings, make_dataset
from neche.dataset.shards import (
    joined,
    no_positions,
    read_dataset,
    read_shard,
    shard_path,
    shard_paths,
    write_shard,
)
from neche.errors import InputError
from neche.network.array_file import from_bytes, to_bytes


@pytest.fixture
def made(tmp_path):
    list(make_dataset(tmp_path, DatasetSettings(shard_games=2), 6))
    return tmp_path


def test_shards_are_found_in_order(made):
    assert [path.name for path in shard_paths(made)] == [f"shard-00000{n}.npz" for n in range(3)]


def test_shards_whose_numbers_have_more_digits_come_last(tmp_path, monkeypatch):
    monkeypatch.setattr(shards, "shard_path", lambda folder, number: folder / f"shard-{number:01}.npz")
    for number in range(12):
        (tmp_path / f"shard-{number}.npz").touch()
    assert [path.name for path in shard_paths(tmp_path)] == [f"shard-{number}.npz" for number in range(12)]


def test_a_shard_missing_between_others_is_named(made):
    shard_path(made, 1).unlink()
    with pytest.raises(InputError, match=r"shard-000001\.npz: is missing"):
        shard_paths(made)


def test_a_shard_of_another_dataset_or_number_is_named(made, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    list(make_dataset(other, DatasetSettings(shard_games=2, seed=5), 6))
    own = shard_path(made, 2).read_bytes()
    assert len(read_dataset(made).own)
    for content in (shard_path(other, 2).read_bytes(), shard_path(made, 1).read_bytes()):
        shard_path(made, 2).write_bytes(content)
        with pytest.raises(InputError, match=r"000002\.npz: is not shard 2 of the same dataset"):
            read_dataset(made)
    shard_path(made, 2).write_bytes(own)
    assert len(read_dataset(made).own)


def test_a_directory_without_shards_is_named(tmp_path):
    with pytest.raises(InputError, match="holds no dataset"):
        shard_paths(tmp_path)
    with pytest.raises(InputError, match="nowhere: no such directory"):
        shard_paths(tmp_path / "nowhere")


def test_numpy_alone_reads_a_shard(made):
    with np.load(shard_path(made, 0), allow_pickle=False) as file:
        assert file["own"].dtype == np.uint32
        assert len(file["own"]) == len(file["outcome"]) == len(file["ply"])


def test_a_file_of_something_else_is_refused(made):
    path = shard_path(made, 0)
    header, arrays = from_bytes(path.read_bytes(), "")
    path.write_bytes(to_bytes({**header, "format": "neche dataset 0"}, arrays))
    with pytest.raises(InputError, match="is no dataset of this version"):
        read_shard(path)


@pytest.mark.parametrize(
    ("name", "array"),
    [("own", np.zeros(3, np.uint32)), ("foe", np.zeros(0, np.int8)), ("visits", np.zeros(4, np.uint32))],
)
def test_columns_that_do_not_fit_are_named(made, name, array):
    path = shard_path(made, 0)
    header, arrays = from_bytes(path.read_bytes(), "")
    path.write_bytes(to_bytes(header, {**arrays, name: array}))
    with pytest.raises(InputError, match=r"000000\.npz: the column"):
        read_shard(path)


def test_no_positions_can_be_written_and_joined(tmp_path):
    write_shard(shard_path(tmp_path, 0), {}, no_positions())
    assert len(read_shard(shard_path(tmp_path, 0))[1].own) == 0
    assert len(joined([]).own) == 0
