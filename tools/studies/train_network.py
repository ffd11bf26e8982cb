"""Train a small convolutional network on a dataset with PyTorch; the result plays as `cnn:file=FILE`.

Usage: python tools/studies/train_network.py DATASET --output FILE [--epochs N] [--channels N …] [--width N]

The loss is the mean squared error of the value, −1 … 1, against the labels; one game in ten is held out.
Equal seeds, data, thread counts and machines give equal networks.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from neche.dataset.shards import Positions, batches, game_of, read_dataset
from neche.errors import InputError
from neche.games.game import Game
from neche.network.convolution import (
    KERNEL,
    BoardPlanes,
    ConvolutionalNetwork,
    board_planes,
    save_convolution,
)

_HELD_OUT = 10
_LARGE_BATCH = 4096


def new_model(channels: Sequence[int], width: int, board: BoardPlanes) -> Any:
    """Return an untrained PyTorch model of the shape that `neche.network.convolution` plays with."""
    from torch import nn

    layers: list[Any] = []
    seen = board.planes
    for count in channels:
        layers += [nn.Conv2d(seen, count, KERNEL, padding=1), nn.ReLU()]
        seen = count
    layers += [
        nn.Flatten(),
        nn.Linear(seen * board.squares, width),
        nn.ReLU(),
        nn.Linear(width, 1),
        nn.Tanh(),
    ]
    return nn.Sequential(*layers)


def to_network(model: Any, board: BoardPlanes) -> ConvolutionalNetwork:
    """Return the weights of a model as neche plays with them."""
    arrays = [array.detach().cpu().numpy().astype(np.float32) for array in model.parameters()]
    convolutions, (hidden, hidden_bias, output, output_bias) = arrays[:-4], arrays[-4:]
    kernels, biases = tuple(convolutions[0::2]), tuple(convolutions[1::2])
    return ConvolutionalNetwork(kernels, biases, hidden, hidden_bias, output[0], output_bias, board)


def train(
    positions: Positions, game: Game, model: Any, *, epochs: int, batch: int, rate: float, seed: int
) -> Iterator[tuple[float, float]]:
    """Train a model in place; yield the mean loss and that of held-out games after each epoch."""
    import torch

    is_held_out = positions.game % _HELD_OUT == 0
    learnt, held_out = np.flatnonzero(~is_held_out), np.flatnonzero(is_held_out)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, epochs)
    for epoch in range(epochs):
        total = 0.0
        for planes, labels in batches(positions, batch, game=game, seed=seed, epoch=epoch, among=learnt):
            loss = _loss(model, planes, labels)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total += loss.item() * len(labels)
        schedule.step()
        yield total / max(len(learnt), 1), _mean_loss(model, positions, game, held_out)


def _loss(model: Any, planes: Any, labels: Any) -> Any:
    import torch

    return torch.nn.functional.mse_loss(model(torch.from_numpy(planes))[:, 0], torch.from_numpy(labels))


def _mean_loss(model: Any, positions: Positions, game: Game, rows: Any) -> float:
    import torch

    with torch.no_grad():
        total = sum(
            _loss(model, planes, labels).item() * len(labels)
            for planes, labels in batches(positions, _LARGE_BATCH, game=game, seed=0, among=rows)
        )
    return float(total / max(len(rows), 1))


def main(words: Sequence[str] | None = None) -> int:
    """Read the arguments, train, write the network."""
    parser = argparse.ArgumentParser(description="Train a small convolutional network on a dataset.")
    parser.add_argument("dataset", type=Path, metavar="DATASET", help="directory made by neche dataset")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE", help="the network, as .npz")
    parser.add_argument("--epochs", type=int, default=5, metavar="N")
    parser.add_argument("--channels", type=int, nargs="+", default=[16, 16], metavar="N")
    parser.add_argument("--width", type=int, default=32, metavar="N", help="hidden neurons (default: 32)")
    parser.add_argument("--batch", type=int, default=256, metavar="N")
    parser.add_argument(
        "--rate", type=float, default=2e-3, metavar="X", help="learning rate (default: 0.002)"
    )
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    options = parser.parse_args(words)
    try:
        _train_and_save(options)
    except InputError as error:
        print(f"train_network: error: {error}", file=sys.stderr)
        return 2
    return 0


def _train_and_save(options: argparse.Namespace) -> None:
    try:
        import torch
    except ImportError:
        raise InputError("training needs the package torch: pip install 'neche[torch]'") from None
    game, positions = game_of(options.dataset), read_dataset(options.dataset)
    board = board_planes(game)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    model = new_model(options.channels, options.width, board)
    print(f"{len(positions.own)} positions, {sum(array.numel() for array in model.parameters())} weights")
    began = time.perf_counter()
    how = {"epochs": options.epochs, "batch": options.batch, "rate": options.rate, "seed": options.seed}
    for epoch, (loss, held_out) in enumerate(train(positions, game, model, **how), start=1):
        seconds = time.perf_counter() - began
        print(f"epoch {epoch}: loss {loss:.4f}, held out {held_out:.4f}, {seconds:.0f} s", flush=True)
    save_convolution(to_network(model, board), options.output)
    print(f"{options.output}: play with cnn:file={options.output}")


if __name__ == "__main__":
    sys.exit(main())
