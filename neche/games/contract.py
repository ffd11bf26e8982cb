"""The functions that every game provides to search and playouts, and how a game registers them.

A position is a NamedTuple of integers seen from the side to move. A move is a row of the game's move buffer,
identified by the index where the row starts. Compiled code calls the functions below, which are dispatched on
the type of the first argument. A game registers its implementations with `register`:

    register(Checkers, generate=generate, successor=successor, can_move_quietly=can_move, max_moves=96, …)

The body below of a function marked `optional` is the default for games that do not register their own; a
`needed` one has no default.
"""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, NamedTuple, TypeVar

import numpy as np

from neche.compiled.bits import popcount
from neche.compiled.jit import I64, Moves, Position, overload, record_of
from neche.compiled.lanes import PatternsAndKings
from neche.compiled.outside import note_sources
from neche.games.patterns import states_of_fours

_Stub = TypeVar("_Stub", bound=Callable[..., Any])
_RULES = ("generate", "successor", "can_move_quietly", "max_moves")


class _Function(NamedTuple):
    """A function of the contract.

    meaning: the default implementation; None if there is none. registered: implementations by the types of
    the first argument and of the one called `rule`; None for any rule.
    """

    parameters: tuple[str, ...]
    meaning: Callable[..., Any] | None
    registered: dict[tuple[type, type | None], Callable[..., Any]]

    def chosen(self, types: tuple[type | None, ...]) -> Callable[..., Any] | None:
        """Return the implementation for arguments of these types, each None if it is not a record."""
        rule = types[self.parameters.index("rule")] if "rule" in self.parameters else None
        own = self.registered.get((types[0], rule)) or self.registered.get((types[0], None))  # type: ignore[arg-type]
        return own or (self.meaning if types[0] is not None else None)


_FUNCTIONS: dict[str, _Function] = {}


def _declare(stub: _Stub, meaning: Callable[..., Any] | None) -> _Stub:
    function = _Function(tuple(signature(stub).parameters), meaning, {})
    if stub.__name__ in _FUNCTIONS:
        raise TypeError(f"the contract has two functions {stub.__name__}")
    _FUNCTIONS[stub.__name__] = function

    @wraps(stub)
    def call(*arguments: Any) -> Any:
        found = function.chosen(tuple(map(type, arguments)))
        if found is None:
            raise TypeError(f"{type(arguments[0]).__name__} is not a position of a registered game")
        return found(*arguments)

    overload(call)(lambda *types: function.chosen(tuple(map(record_of, types))))
    return call  # type: ignore[return-value]


def needed(stub: _Stub) -> _Stub:
    """Declare a function that must be registered for every record that it is called with."""
    return _declare(stub, None)


def optional(stub: _Stub) -> _Stub:
    """Declare a function whose body is the default for all records that do not register their own."""
    return _declare(stub, stub)


def register(record: type, /, *, rule: type | None = None, **functions: Any) -> None:
    """Register functions for a record type: mostly the rules of a game, for its positions.

    record: a NamedTuple; the fields of a position are unsigned integers below 2^64, the last of them `turn`.
    functions: by name, with the parameters of their declarations; plain functions, functions compiled by
    `jit`, or constants. rule: the type of their argument `rule` for which they are meant; None for all.
    generate, successor, can_move_quietly and max_moves must be registered together. TypeError if a function
    is missing, unknown, or has other parameters.
    """
    missing = [name for name in _RULES if name not in functions]
    if 0 < len(missing) < len(_RULES):
        raise TypeError(f"{record.__name__}: {', '.join(missing)} is needed, see neche/games/contract.py")
    if not missing:
        functions = {**_by_fields(record), **functions}
        if not record.__module__.startswith("neche."):
            # numba links code by this name and the types of the fields. Another game may have the same ones,
            # and a module reloaded after an edit does.
            name = f"{record.__module__}.{record.__qualname__}"
            others = {known.__name__ for known, _ in _FUNCTIONS["generate"].registered if known is not record}
            again = sum(other.partition("~")[0] == name for other in others)
            record.__name__ = f"{name}~{again}" if again else name
            note_sources(record)
    for name, given in functions.items():
        function = _FUNCTIONS.get(name)
        if function is None:
            raise TypeError(f"{record.__name__}: the contract has no function {name}")
        if callable(given) and tuple(signature(given).parameters) != function.parameters:
            raise TypeError(f"{record.__name__}: {name} must take ({', '.join(function.parameters)})")
        function.registered[record, rule] = _compilable(given)


def is_registered(record: type, name: str) -> bool:
    """Return whether a function was registered for a record, for any rule."""
    return any(known is record for known, _ in _FUNCTIONS[name].registered)


def _compilable(given: Any) -> Callable[..., Any]:
    """Return a plain function: numba accepts nothing else here."""
    if not callable(given):
        return lambda *arguments: given
    if hasattr(given, "py_func"):
        return lambda *arguments: given(*arguments)
    return given  # type: ignore[no-any-return]


def _by_fields(record: type) -> dict[str, Callable[..., Any]]:
    """Return the functions that follow from a position's fields; networks see own, foe and kings."""
    fields: tuple[str, ...] = getattr(record, "_fields", ())
    if fields[-1:] != ("turn",):
        raise TypeError(f"{record.__name__} is not a NamedTuple whose last field is turn")
    found: dict[str, Callable[..., Any]] = {}
    word = np.uint64
    if len(fields) == 2:
        found["position_words"] = lambda position: (word(position[0]), word(position[1]))
    if len(fields) == 3:
        found["position_words"] = lambda position: (word(position[0]), word(position[1]), word(position[2]))
    if fields[:2] == ("own", "foe"):
        found["lead"] = lambda position: np.int64(popcount(position.own)) - np.int64(popcount(position.foe))
    if fields == ("own", "foe", "turn"):
        found["sensor_words"] = lambda position: (word(position.own), word(position.foe), word(0))
    if fields == ("own", "foe", "kings", "turn"):
        found["sensor_words"] = lambda position: (position.own, position.foe, position.kings)
    return found


@needed
def generate(position: Any, moves: Any, base: Any) -> Any:
    """Write all legal moves into `moves` from `base` on; return their number, 0 when the game is over."""


@optional
def count_moves(position: Position, moves: Moves, base: I64) -> I64:
    """Return the number of legal moves, for perft; may overwrite `moves` from `base` on."""
    return generate(position, moves, base)


@optional
def generate_captures(position: Any, moves: Any, base: Any) -> Any:
    """Write the compulsory captures; return their number: that of all legal moves, or 0 if quiet."""
    return np.int64(0)


@optional
def is_quiet(position: Any) -> Any:
    """Return whether the position is quiet: quiescence has no capture to follow."""
    return True


@needed
def successor(position: Any, moves: Any, at: Any) -> Any:
    """Return the position after the move in row `at`, seen from the other side."""


@optional
def outcome(position: Any) -> Any:
    """Return how a game that is over ended for the side to move: 1 won, 0 drawn, −1 lost; int64.

    Called only for positions without a move. Default: a side that cannot move has lost.
    """
    return np.int64(-1)


@optional
def move_words(position: Any) -> Any:
    """Return the number of words in a row of the move buffer."""
    return 1


@needed
def max_moves(position: Any) -> Any:
    """Return the most rows that one position can need."""


@optional
def side_to_move(position: Any) -> Any:
    """Return 0 for the side whose view networks see unturned (White), 1 for the other."""
    return np.int64(position.turn)


@needed
def can_move_quietly(position: Any) -> Any:
    """Return whether the side to move in a quiet position has any move."""


@needed
def position_words(position: Any) -> Any:
    """Return two or three uint64 that identify the position uniquely; bits 33 to 63 of the last are zero.

    A record of two or three fields need not register this.
    """


@optional
def sensor_words(position: Any) -> Any:
    """Return own pieces, foe pieces and kings as words whose bits are those of the game's `SensorLayout`.

    A move either moves one own piece or adds own pieces without moving any; it may take or turn foe pieces.
    Default: the fields own, foe and, if present, kings, when turn is the only other; else no pieces.
    """
    return np.uint32(0), np.uint32(0), np.uint32(0)


@optional
def patterns(position: Any, own: Any, foe: Any, kings: Any) -> Any:
    """Return the patterns of men on groups of squares, and the kings, as the side to move sees them.

    A record of `compiled.lanes`. own, foe, kings: `sensor_words` of the position or of one like it, uint64.
    The groups and their order are those of the game's `SensorLayout.grouping`. Default: neighbouring bits.
    """
    own_kings, foe_kings = np.uint64(own & kings), np.uint64(foe & kings)
    states = states_of_fours(np.uint64(own ^ own_kings), np.uint64(foe ^ foe_kings))
    return PatternsAndKings(states, own_kings, foe_kings)


@optional
def mobility(position: Any) -> Any:
    """Return the number of moves of the side to move minus that of the other side if it had the move; int64.

    Used by hand-made evaluators.
    """
    return np.int64(0)


@optional
def is_progress(before: Any, after: Any, man_moves_count: Any) -> Any:
    """Return whether the move from `before` to `after` resets the count of quiet plies.

    Captures and promotions do; a man's move does if `man_moves_count` is true.
    """
    return True


@optional
def lead(position: Position) -> I64:
    """Return the number of own pieces minus the foe's; int64. Default: from fields own and foe, if any."""
    return np.int64(0)


@optional
def ending(position: Any, limits: Any) -> Any:
    """Return which ending of few pieces this is, 1 for the first of `limits`; 0 for none; int64.

    limits: `DrawRule.endings`; a game distinguishes only endings that have a limit.
    """
    return np.int64(0)


@needed
def write_planes(position: Any, planes: Any) -> Any:
    """Write the input of a convolutional network: [rows · columns · planes] float32, plane last."""
