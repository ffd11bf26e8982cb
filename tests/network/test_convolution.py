"""Convolutional networks: the forward pass against the slow twin, and their files."""

from dataclasses import replace

import numpy as np
import pytest

from neche.errors import InputError
from neche.network.array_file import from_bytes, to_bytes
from neche.network.convolution import FORMAT, evaluate_boards, read_convolution, save_convolution
from tests.network.convolutions import random_convolution
from tests.oracles import checkers_twin as twin, convolution_twin

POSITIONS = list(twin.random_game(5))[::6]


@pytest.mark.parametrize(
    "shape", [{}, {"channels": (2,), "width": 3}, {"channels": (7, 2, 3), "width": 9}, {"channels": ()}]
)
def test_values_are_those_of_the_slow_twin(shape):
    network = random_convolution(1, **shape)
    boards = [convolution_twin.planes(position) for position in POSITIONS]
    values = evaluate_boards(network, np.array(boards, np.float32))
    expected = [convolution_twin.value(network, board) for board in boards]
    # single precision against double
    assert np.abs(values - expected).max() < 1e-5
    assert len(set(values.tolist())) > 3


def test_a_board_has_the_same_value_among_others_and_alone():
    network = random_convolution(2)
    boards = np.array([convolution_twin.planes(position) for position in POSITIONS], np.float32)
    values = evaluate_boards(network, boards)
    for number in (0, 3, len(boards) - 1):
        assert evaluate_boards(network, boards[number : number + 1])[0] == values[number]


def test_a_network_is_read_as_it_was_saved(tmp_path):
    network, path = random_convolution(3), tmp_path / "network.npz"
    save_convolution(network, path)
    read = read_convolution(path)
    assert read.digest == network.digest
    boards = np.array([convolution_twin.planes(position) for position in POSITIONS], np.float32)
    assert evaluate_boards(read, boards).tolist() == evaluate_boards(network, boards).tolist()


def test_equal_networks_give_equal_files_and_digests(tmp_path):
    for name in "ab":
        save_convolution(random_convolution(4), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    one, other = random_convolution(4), random_convolution(4)
    other.kernels[0][0, 0, 0, 0] += np.float32(1e-6)
    assert one.digest != other.digest


def test_a_file_without_a_network_is_refused_with_its_fault(tmp_path):
    path = tmp_path / "network.npz"
    with pytest.raises(InputError, match=r"network\.npz: cannot be read: No such file"):
        read_convolution(path)
    path.write_bytes(to_bytes({"format": "something else"}, {}))
    with pytest.raises(InputError, match="is not a convolutional network"):
        read_convolution(path)
    save_convolution(random_convolution(1), path)
    _, arrays = from_bytes(path.read_bytes(), "")
    arrays.pop("hidden")
    path.write_bytes(to_bytes({"format": FORMAT}, arrays))
    with pytest.raises(InputError, match="the array hidden is missing"):
        read_convolution(path)
    content = path.read_bytes()
    path.write_bytes(content[:200] + b"\x00" + content[201:])
    with pytest.raises(InputError, match=r"network\.npz: is damaged"):
        read_convolution(path)


@pytest.mark.parametrize(
    ("name", "array", "fault"),
    [
        ("hidden", np.zeros((6, 5), np.float32), "hidden has the shape"),
        ("output", np.zeros(0, np.float32), "hidden has the shape"),
        ("output_bias", np.array([np.nan], np.float32), "output_bias must hold only single"),
        (
            "output",
            np.full(6, 3e38, np.float32),
            "output must hold only single-precision numbers up to 1,000",
        ),
        ("hidden_bias", np.zeros(6), "hidden_bias must hold only single"),
    ],
)
def test_weights_that_do_not_fit_are_refused(tmp_path, name, array, fault):
    wrong = replace(random_convolution(1), **{name: array})
    with pytest.raises(InputError, match=fault):
        save_convolution(wrong, tmp_path / "network.npz")
