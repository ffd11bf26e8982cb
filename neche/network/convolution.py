"""Small convolutional networks that evaluate a board from its planes: weights, file format, forward pass.

3×3 convolutions with zero padding, each followed by ReLU; a hidden layer over all squares, ReLU; the value is
the tanh of one sum: −1 for a loss, +1 for a win of the side to move.

Symbols: C channels, H hidden neurons, S squares of a side of the board. Sums are taken in a fixed order in
single precision, so a network gives a board the same value whatever the number of threads.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neche.compiled.jit import F32, F64, I64, Array, jit
from neche.errors import InputError
from neche.games.game import Game
from neche.network.array_file import Arrays, from_bytes, to_bytes
from neche.parsing import naming_file

FORMAT = "neche convolutional network 1"
KERNEL = 3
_MOST_CHANNELS = 1024
_MOST_SIDE = 32
_LARGEST = 1e6  # trained weights do not come near it; sums of larger ones could overflow
_AFTER_CONVOLUTIONS = ("hidden", "hidden_bias", "output", "output_bias")

Weights = NDArray[np.float32]


class BoardPlanes(NamedTuple):
    """The input that a game gives to a network: planes of side · side squares."""

    game: str
    planes: int
    side: int

    @property
    def squares(self) -> int:
        """Squares of a plane."""
        return self.side * self.side


CHECKERS_PLANES = BoardPlanes("checkers", 3, 8)
"""The input of networks whose file does not name it."""


def board_planes(game: Game) -> BoardPlanes:
    """Return the input that networks get from a game; InputError if none sees the board of this game."""
    if game.planes is None:
        raise InputError(f"no convolutional network sees the board of {game.name}")
    return BoardPlanes(game.name, len(game.planes.fields), game.planes.side)


@dataclass(frozen=True, eq=False)
class ConvolutionalNetwork:
    """The weights, in PyTorch's layout.

    kernels: of each convolution [C out, C in, 3, 3]. biases: of each [C out]. hidden: [H, C · S · S], for
    each channel the squares row by row. hidden_bias: [H]. output: [H]. output_bias: [1]. board: its input.
    """

    kernels: tuple[Weights, ...]
    biases: tuple[Weights, ...]
    hidden: Weights
    hidden_bias: Weights
    output: Weights
    output_bias: Weights
    board: BoardPlanes = CHECKERS_PLANES

    @property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that change with any weight."""
        return hashlib.sha256(to_bytes({}, _arrays_of(self))).hexdigest()[:16]


def untrained_convolution(
    channels: Sequence[int] = (16, 16), width: int = 32, board: BoardPlanes = CHECKERS_PLANES
) -> ConvolutionalNetwork:
    """Return a network with these channels and hidden neurons that gives every board the value 0."""
    seen = (board.planes, *channels)
    return ConvolutionalNetwork(
        tuple(np.zeros((out, into, KERNEL, KERNEL), np.float32) for into, out in pairwise(seen)),
        tuple(np.zeros(out, np.float32) for out in channels),
        np.zeros((width, seen[-1] * board.squares), np.float32),
        np.zeros(width, np.float32),
        np.zeros(width, np.float32),
        np.zeros(1, np.float32),
        board,
    )


def save_convolution(network: ConvolutionalNetwork, path: Path) -> None:
    """Write a network as an .npz file, replacing an existing one; equal networks give equal files.

    InputError if the weights do not fit together, or the file cannot be written.
    """
    check_shapes(network, "the network")
    with naming_file(path, "written"):
        path.write_bytes(to_bytes({"format": FORMAT, **network.board._asdict()}, _arrays_of(network)))


def read_convolution(path: Path) -> ConvolutionalNetwork:
    """Read a network; InputError if the file is missing, damaged or no network, or its weights do not fit."""
    with naming_file(path, "read"):
        content = path.read_bytes()
    header, arrays = from_bytes(content, str(path))
    if header.get("format") != FORMAT:
        raise InputError(f"{path}: is not a convolutional network of this version of neche")
    count = sum(name.startswith("kernel") for name in arrays)
    try:
        network = ConvolutionalNetwork(
            tuple(arrays[f"kernel{number}"] for number in range(count)),
            tuple(arrays[f"bias{number}"] for number in range(count)),
            **{name: arrays[name] for name in _AFTER_CONVOLUTIONS},
            board=_read_board(header, path),
        )
    except KeyError as error:
        raise InputError(f"{path}: the array {error.args[0]} is missing") from None
    check_shapes(network, str(path))
    return network


def _read_board(header: Mapping[str, Any], path: Path) -> BoardPlanes:
    board = BoardPlanes(*(header.get(key, usual) for key, usual in CHECKERS_PLANES._asdict().items()))
    sizes = (board.planes, _MOST_CHANNELS), (board.side, _MOST_SIDE)
    are_sizes = all(isinstance(size, int) and 1 <= size <= most for size, most in sizes)
    if not isinstance(board.game, str) or not are_sizes:
        raise InputError(f"{path}: its header does not name a board")
    return board


def check_shapes(network: ConvolutionalNetwork, name: str) -> None:
    """Raise InputError, beginning with `name`, if weights do not fit together, or are no moderate float32."""
    shapes: list[tuple[int, ...]] = []
    channels, width = network.board.planes, len(network.output)
    for bias in network.biases:
        shapes += [(len(bias), channels, KERNEL, KERNEL), (len(bias),)]
        channels = len(bias)
    shapes += [(width, channels * network.board.squares), (width,), (width,), (1,)]
    for (what, array), shape in zip(_arrays_of(network).items(), shapes, strict=True):
        if array.shape != shape or not array.size or max(array.shape[:1]) > _MOST_CHANNELS:
            raise InputError(f"{name}: {what} has the shape {array.shape}, not {shape}")
        if array.dtype != np.float32 or not (np.abs(array) <= _LARGEST).all():
            raise InputError(f"{name}: {what} must hold only single-precision numbers up to {_LARGEST:,.0f}")


def _arrays_of(network: ConvolutionalNetwork) -> Arrays:
    arrays: Arrays = {}
    for number, (kernel, bias) in enumerate(zip(network.kernels, network.biases, strict=True)):
        arrays |= {f"kernel{number}": kernel, f"bias{number}": bias}
    return arrays | {name: getattr(network, name) for name in _AFTER_CONVOLUTIONS}


class Convolution(NamedTuple):
    """A network ready for compiled code, with its working memory: one for each thread.

    weights: float32, all of them: for each convolution bias [C out] and kernel [3, 3, C in, C out], then
    hidden bias [H], hidden [S · S, C, H], output [H], output bias [1]. channels: int64, of the board and of
    each layer. side: int64, S. squares: [2 · S · S · most channels] float32, two boards, channel last; the
    first begins with the planes to judge. hidden: [H] float32.
    """

    weights: Array
    channels: Array
    side: I64
    squares: Array
    hidden: Array


def compile_convolution(network: ConvolutionalNetwork) -> Convolution:
    """Lay a network out for compiled code."""
    parts = []
    for kernel, bias in zip(network.kernels, network.biases, strict=True):
        parts += [bias, kernel.transpose(2, 3, 1, 0)]
    board = network.board
    channels = [board.planes, *(len(bias) for bias in network.biases)]
    width = len(network.output)
    hidden = network.hidden.reshape(width, channels[-1], board.squares).transpose(2, 1, 0)
    parts += [network.hidden_bias, hidden, network.output, network.output_bias]
    return Convolution(
        np.concatenate([part.ravel() for part in parts]).astype(np.float32),
        np.array(channels, np.int64),
        np.int64(board.side),
        np.zeros(2 * board.squares * max(channels), np.float32),
        np.zeros(width, np.float32),
    )


def evaluate_boards(network: ConvolutionalNetwork, planes: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the values [N] of boards given as planes [N, planes, S, S]."""
    ready = compile_convolution(network)
    values = np.zeros(len(planes))
    for number, board in enumerate(planes):
        ready.squares[: board.size] = board.transpose(1, 2, 0).ravel()
        values[number] = value_of_planes(ready)
    return values


@jit
def value_of_planes(network: Convolution) -> F64:
    """Return the value, −1 … 1, of the board whose planes begin `squares`; they are overwritten."""
    source, target, at = np.int64(0), np.int64(len(network.squares) // 2), np.int64(0)
    for layer in range(len(network.channels) - 1):
        into, out = network.channels[layer], network.channels[layer + 1]
        _convolve(network, at, into, out, source, target)
        source, target = target, source
        at += out + KERNEL * KERNEL * into * out
    return np.float64(math.tanh(np.float64(_weigh(network, at, source))))


@jit
def _convolve(network: Convolution, at: I64, into: I64, out: I64, source: I64, target: I64) -> None:
    """Compute one layer from the board at `source` to that at `target`; its weights begin at `at`."""
    # square by square, all channels of a square at once: they are adjacent in memory, as are their weights
    side = network.side
    for row in range(side):
        for column in range(side):
            cell = np.int64(target + (row * side + column) * out)
            for channel in range(out):
                network.squares[cell + channel] = network.weights[at + channel]
            # the nine squares of the kernel; those beyond the edge are zero
            for place in range(KERNEL * KERNEL):
                above, beside = row + place // KERNEL - 1, column + place % KERNEL - 1
                if 0 <= above < side and 0 <= beside < side:
                    seen = np.int64(source + (above * side + beside) * into)
                    begin = np.int64(at + out + place * into * out)
                    _add_products(network, seen, into, begin, network.squares, cell, out)
            # ReLU
            for channel in range(out):
                network.squares[cell + channel] = max(network.squares[cell + channel], np.float32(0))


@jit
def _add_products(
    network: Convolution, seen: I64, into: I64, at: I64, sums: Array, cell: I64, out: I64
) -> None:
    """Add `into` input values, times `out` weights each, to the sums from `cell` on."""
    for number in range(into):
        shade = network.squares[seen + number]
        # Most planes and many neurons are zero.
        if shade != np.float32(0):
            begin = np.int64(at + number * out)
            for channel in range(out):
                sums[cell + channel] += shade * network.weights[begin + channel]


@jit
def _weigh(network: Convolution, at: I64, source: I64) -> F32:
    """Return the output sum for the board at `source`; the weights begin at `at`."""
    # the hidden layer: biases, then all squares
    width = np.int64(len(network.hidden))
    for neuron in range(width):
        network.hidden[neuron] = network.weights[at + neuron]
    at += width
    inputs = np.int64(network.side * network.side * network.channels[-1])
    _add_products(network, source, inputs, at, network.hidden, np.int64(0), width)
    # the output: bias, and the hidden neurons that are on
    at += inputs * width
    total = network.weights[at + width]
    for neuron in range(width):
        total += max(network.hidden[neuron], np.float32(0)) * network.weights[at + neuron]
    return total
