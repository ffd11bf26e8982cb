"""MCRD as a player: its options, checked and written out."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from neche.errors import InputError, suggestion
from neche.games.catalogue import Game
from neche.games.contract import PlayoutRule
from neche.montecarlo.counting import check_device

if TYPE_CHECKING:
    from neche.montecarlo.mcrd.seat import McrdSeat

ALLOCATIONS = ("equal", "proportional", "halving", "bandit")
"""How the playouts of a move are shared out; see `allocation`."""
DEFAULT_ALLOCATION = "equal"
MAX_PLAYOUTS = 10**12
MAX_TIME_MS = 24 * 3600 * 1000
_RULE = PlayoutRule()


@dataclass(frozen=True)
class Mcrd:
    """An MCRD player; give `playouts` or `time_ms`, or both.

    playouts: for a move of the game, over all its children together; every child has one at least. time_ms:
    thinking time for a move. allocation: of `ALLOCATIONS`. device: where playouts are computed. rule: of the
    playouts.

    Raises:
        InputError: a value is unknown or out of range.
    """

    playouts: int | None = None
    time_ms: int | None = None
    allocation: str = DEFAULT_ALLOCATION
    device: str = "cpu"
    rule: PlayoutRule = _RULE

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        if self.playouts is None and self.time_ms is None:
            raise InputError("mcrd needs a number of playouts or a time")
        for name, value, most in (
            ("playouts", self.playouts, MAX_PLAYOUTS),
            ("time", self.time_ms, MAX_TIME_MS),
        ):
            if value is not None and not 1 <= value <= most:
                raise InputError(f"mcrd: {name}={value} is out of range 1..{most}")
        if self.allocation not in ALLOCATIONS:
            raise InputError(
                f"mcrd: unknown allocation {self.allocation!r}{suggestion(self.allocation, ALLOCATIONS)}"
            )
        check_device(self.device)

    @property
    def name(self) -> str:
        """Specification, written out."""
        given = {"playouts": self.playouts, "time": self.time_ms, "allocation": self.allocation}
        words = [f"{key}={value}" for key, value in given.items() if value is not None]
        return "mcrd:" + ",".join(words + ([f"device={self.device}"] if self.device != "cpu" else []))

    def sit(self, game: Game) -> "McrdSeat":
        """Begin a game; nothing is remembered from move to move."""
        # Whoever only names a player need not load compiled code.
        from neche.montecarlo.mcrd.seat import McrdSeat

        return McrdSeat(self, game)
