"""Register the rules of a game under the contract, with plain functions for what it leaves out."""

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from neche.compiled.jit import is_record, overload
from neche.games import contract

_NEEDED = ("generate", "successor", "can_move_quietly")
# Which set of the contract a record joins by registering a function.
_KINDS = {
    "play_out": contract.STEPWISE,
    "mobility": contract.MOBILE,
    "begin_walk": contract.WALKING,
    "ending": contract.ENDING,
}
_MOST_FIELDS = 3


def implement(record: type, *, max_moves: int, move_words: int = 1, **functions: Callable[..., Any]) -> None:
    """Register the rules of the positions `record`.

    record: a NamedTuple of two or three unsigned integers below 2^64, the last of them `turn`. max_moves,
    move_words: rows that one position can need, words in a row. functions: by their names in
    `games.contract`, with the parameters they have there; plain functions, or ones of `jit`. `generate`,
    `successor` and `can_move_quietly` are needed. For a game that leaves them out, no position has moves that
    quiescence must follow, who cannot move has lost, every move is progress, and networks see nothing.

    Raises:
        TypeError: a function is missing, unknown, or has other parameters.
    """
    missing = [name for name in _NEEDED if name not in functions]
    if missing:
        raise TypeError(f"{record.__name__}: {', '.join(missing)} is needed, see neche/games/contract.py")
    constants = {"max_moves": lambda position: max_moves, "move_words": lambda position: move_words}
    for name, function in {**_defaults(record), **constants, **functions}.items():
        _register(record, name, function)
    for name in functions.keys() & _KINDS.keys():
        _KINDS[name].add(record)


def _register(record: type, name: str, function: Callable[..., Any]) -> None:
    stub = getattr(contract, name, None)
    if not inspect.isfunction(stub) or name.startswith("_"):
        raise TypeError(f"{record.__name__}: the contract has no function {name}")
    parameters = list(inspect.signature(stub).parameters)
    plain = getattr(function, "py_func", function)
    if list(inspect.signature(plain).parameters) != parameters:
        raise TypeError(f"{record.__name__}: {name} must take ({', '.join(parameters)})")
    # numba compares the parameters of both, annotations included: neither has any
    parts = plain.__code__, plain.__globals__, plain.__name__, plain.__defaults__, plain.__closure__
    bare = FunctionType(*parts)

    def choose(*argument_types: Any) -> Any:
        return bare if is_record(argument_types[0], record) else None

    vars(choose)["__signature__"] = inspect.signature(bare)
    overload(stub)(choose)


def _defaults(record: type) -> dict[str, Callable[..., Any]]:
    """Return what a game need not write."""
    fields: tuple[str, ...] = getattr(record, "_fields", ())
    if fields[-1:] != ("turn",):
        raise TypeError(f"{record.__name__} is no NamedTuple whose last field is turn")
    defaults: dict[str, Callable[..., Any]] = {
        "generate_captures": lambda position, moves, base: np.int64(0),
        "is_quiet": lambda position: True,
        "outcome": lambda position: np.int64(-1),
        "side_to_move": lambda position: np.int64(position.turn),
        "sensed": lambda position: (np.uint32(0), np.uint32(0), np.uint32(0)),
        "is_progress": lambda before, after, man_moves_count: True,
    }
    if len(fields) == _MOST_FIELDS:
        defaults["position_words"] = lambda position: (
            np.uint64(position[0]),
            np.uint64(position[1]),
            np.uint64(position[2]),
        )
    elif len(fields) < _MOST_FIELDS:
        defaults["position_words"] = lambda position: (np.uint64(position[0]), np.uint64(position[1]))
    return defaults
