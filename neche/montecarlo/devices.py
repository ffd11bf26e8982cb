"""Where playouts are computed, by name: the one place that chooses."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Protocol

from neche.errors import InputError, suggestion
from neche.games.catalogue import Game
from neche.games.contract import PlayoutRule
from neche.montecarlo.playout import RULE, Counts

DEVICES = {"cpu": "batch_cpu", "cuda": "batch_gpu"}
"""Device: the module of this package that counts playouts there."""


class CountPlayouts(Protocol):
    """Counts playouts; see `batch_cpu.count_playouts`."""

    def __call__(
        self,
        game: Game,
        positions: Sequence[Any],
        playouts: Sequence[int],
        keys: Sequence[int],
        *,
        first: Sequence[int] | None = None,
        rule: PlayoutRule = RULE,
        notify: Callable[[int], None] | None = None,
    ) -> Counts:
        """Return the counts of K positions."""
        ...


def check_device(name: str) -> None:
    """Raise InputError if neche knows no such device; whether this machine has it shows later."""
    if name not in DEVICES:
        raise InputError(f"unknown device {name!r}{suggestion(name, DEVICES)}")


def count_playouts_on(device: str) -> CountPlayouts:
    """Return the function that counts playouts on `device`.

    Raises:
        InputError: the device is unknown, or this machine does not have it; never another instead.
    """
    check_device(device)
    if device == "cuda":
        from neche.compiled.cuda import require_device  # only who asks for CUDA pays for importing it

        require_device()
    found: CountPlayouts = import_module(f"neche.montecarlo.{DEVICES[device]}").count_playouts
    return found
