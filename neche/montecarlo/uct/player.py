"""UCT as a player: its options, checked and written out."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from neche.errors import InputError
from neche.games.catalogue import Game
from neche.games.contract import PlayoutRule
from neche.montecarlo.counting import check_device
from neche.network.decode import Network

if TYPE_CHECKING:
    from neche.montecarlo.uct.seat import UctSeat

DEFAULT_EXPLORATION = 0.5
MAX_PLAYOUTS = 10**9
MAX_TIME_MS = 24 * 3600 * 1000
_DEVICE_BATCH = 1024
_RULE = PlayoutRule()


@dataclass(frozen=True)
class Evaluator:
    """A network that values leaves.

    name: as in a player specification. scale: the evaluation, in weight units, that is worth an expected
    score of 0.73: score = 1 / (1 + exp(−evaluation / scale)); None for one taken from the network, see
    `simulation.natural_scale`. is_static: evaluate positions as they are, without following captures first.
    """

    name: str
    network: Network
    scale: float | None = None
    is_static: bool = False


@dataclass(frozen=True)
class Uct:
    """A UCT player; give `playouts` or `time_ms`, or both.

    playouts: iterations for a move, each of which values one leaf. time_ms: thinking time for a move.
    exploration: c of UCB1. leaf: so many playouts, of which the mean counts, or an evaluator. device: where
    playouts are computed. batch: leaves valued at once, spread by virtual loss; None for 1 on the CPU, many
    elsewhere. rule: of the playouts. is_solving: whether results are proven. capacity: positions that the
    tree holds; None for some moves' worth. confident_visits: the figure `line_length` counts the principal
    variation while its moves have so many visits.

    Raises:
        InputError: a value is out of range, or values do not go together.
    """

    playouts: int | None = None
    time_ms: int | None = None
    exploration: float = DEFAULT_EXPLORATION
    leaf: int | Evaluator = 1
    device: str = "cpu"
    batch: int | None = None
    rule: PlayoutRule = _RULE
    is_solving: bool = True
    capacity: int | None = None
    confident_visits: int = 100

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        _check(self)

    @property
    def name(self) -> str:
        """Specification, written out."""
        given = {"playouts": self.playouts, "time": self.time_ms}
        words = [f"{key}={value}" for key, value in given.items() if value is not None]
        words += [f"c={self.exploration:g}", f"leaf={_written(self.leaf)}"]
        words += [f"device={self.device}"] if self.device != "cpu" else []
        words += [f"batch={self.batch}"] if self.batch is not None else []
        return "uct:" + ",".join(words if self.is_solving else [*words, "solver=0"])

    @property
    def num_rows(self) -> int:
        """Leaves that are valued at once."""
        return self.batch or (1 if self.device == "cpu" else _DEVICE_BATCH)

    def sit(self, game: Game) -> "UctSeat":
        """Begin a game with an empty tree."""
        # Whoever only names a player need not load compiled code.
        from neche.montecarlo.uct.seat import UctSeat

        return UctSeat(self, game)


def _written(leaf: int | Evaluator) -> str:
    if not isinstance(leaf, Evaluator):
        return str(leaf)
    scale = "" if leaf.scale is None else f",scale={leaf.scale:g}"
    return leaf.name + scale + (",static=1" if leaf.is_static else "")


def _check(player: Uct) -> None:
    if player.playouts is None and player.time_ms is None:
        raise InputError("uct needs a number of playouts or a time")
    _check_range("playouts", player.playouts, 1, MAX_PLAYOUTS)
    _check_range("time", player.time_ms, 1, MAX_TIME_MS)
    _check_range("batch", player.batch, 1, 1 << 20)
    _check_range("capacity", player.capacity, 1 << 10, 1 << 26)
    _check_range("confident_visits", player.confident_visits, 1, MAX_PLAYOUTS)
    check_device(player.device)
    if not 0.0 <= player.exploration <= 1e6:
        raise InputError(f"uct: c={player.exploration:g} is out of range 0..1000000")
    if not isinstance(player.leaf, Evaluator):
        _check_range("leaf", player.leaf, 1, 10**6)
    elif player.device != "cpu" or player.batch is not None:
        raise InputError("uct: a device and batches are for playouts; an evaluator makes none")
    elif player.leaf.scale is not None and not 0.0 < player.leaf.scale < 1e12:
        raise InputError(f"uct: scale={player.leaf.scale:g} is not positive")


def _check_range(name: str, value: int | None, low: int, high: int) -> None:
    if value is not None and not low <= value <= high:
        raise InputError(f"uct: {name}={value} is out of range {low}..{high}")
