"""The parameters of the Hub engine, which a graphical interface shows and can set."""

from collections.abc import Iterator
from typing import NamedTuple

from neche.errors import InputError, suggestion
from neche.games.catalogue import game
from neche.players.engine import MAX_DEPTH
from neche.players.spec import parse_player
from neche.protocols.engine import DEFAULT_MEMORY_MB, ProtocolEngine
from neche.protocols.hub_commands import write_command
from neche.protocols.lines import quoted

VARIANTS = {"normal": "international", "brazilian": "brazilian", "english": "checkers"}
"""Games by the Hub name of their variant; the first is the protocol's default."""
_OTHER_NAMES = {
    # Names that existing clients use instead of the protocol's.
    "standard": "normal",
    "international": "normal",
    "checkers": "english",
    "american": "english",
}
DEFAULT_MARGIN_MS = 300


class _Parameter(NamedTuple):
    """A declared parameter. low, high: range of a whole number, else None. values: choices of an enum."""

    default: str
    low: int | None = None
    high: int | None = None
    values: tuple[str, ...] = ()


_DECLARED = {
    "variant": _Parameter("normal", values=tuple(VARIANTS)),
    "player": _Parameter("default"),
    "depth": _Parameter("0", 0, MAX_DEPTH),
    "playouts": _Parameter("0", 0, 10**9),
    "margin": _Parameter(str(DEFAULT_MARGIN_MS), 0, 60_000),
    "memory": _Parameter(str(DEFAULT_MEMORY_MB), 16, 16_384),
    "seed": _Parameter("0", 0, 2**63 - 1),
}
_DEFAULT_PLAYER = ("", "default")


class HubOptions:
    """The parameters and their values.

    A refused value is remembered, and the engine is not ready until it is corrected; otherwise a player other
    than the requested one would be measured.
    """

    def __init__(self, game_name: str = "", player: str = "") -> None:
        self._values = {name: parameter.default for name, parameter in _DECLARED.items()}
        self._faults: dict[str, InputError] = {}
        if game_name:
            self.set("variant", game_name)
        if player:
            self.set("player", player)

    def declare(self) -> Iterator[str]:
        """Yield the lines that declare the parameters to an interface."""
        for name, parameter in _DECLARED.items():
            kind = "enum" if parameter.values else "string" if parameter.low is None else "int"
            choices = " ".join(parameter.values) or None
            allowed = {"values": choices, "min": parameter.low, "max": parameter.high}
            yield write_command("param", name=name, value=self._values[name], type=kind, **allowed)

    def set(self, name: str, value: str) -> None:
        """Set a parameter; InputError if the parameter is unknown or the value is invalid."""
        if name not in _DECLARED:
            raise InputError(f"there is no parameter {quoted(name)}{suggestion(name[:40], _DECLARED)}")
        try:
            self._values[name] = _checked(name, _DECLARED[name], value, self.game_name)
        except InputError as fault:
            self._faults[name] = fault
            raise
        self._faults.pop(name, None)

    @property
    def game_name(self) -> str:
        """Name of the game to play."""
        return VARIANTS[self._values["variant"]]

    def new_engine(self) -> ProtocolEngine:
        """Return the engine that the parameters describe; InputError if one was refused or cannot be used."""
        for name, fault in self._faults.items():
            raise InputError(f"parameter {name} is not set: {fault}")
        player = "" if self._values["player"] in _DEFAULT_PLAYER else self._values["player"]
        seed, memory_mb = self.number("seed"), self.number("memory")
        return ProtocolEngine(game(self.game_name), player, seed=seed, memory_mb=memory_mb)

    def number(self, name: str) -> int:
        """Return the value of a parameter that is a whole number."""
        return int(self._values[name])


def _checked(name: str, parameter: _Parameter, value: str, game_name: str) -> str:
    if parameter.values:
        value = _OTHER_NAMES.get(value, value)
        if value not in parameter.values:
            raise InputError(f"{name}={quoted(value)} is not known{suggestion(value[:40], parameter.values)}")
        return value
    if parameter.low is None or parameter.high is None:
        if value not in _DEFAULT_PLAYER:
            parse_player(value, game_name)
        return value
    if not value.isascii() or not value.isdecimal() or len(value) > 20:
        raise InputError(f"{name}={quoted(value)}: a whole number is needed")
    if not parameter.low <= int(value) <= parameter.high:
        raise InputError(f"{name}={value} is out of range {parameter.low}..{parameter.high}")
    return value
