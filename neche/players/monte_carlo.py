"""Players that think by random games: `mcrd`, `uct`."""

from neche.errors import InputError
from neche.montecarlo.counting import DEVICES, count_playouts_on
from neche.montecarlo.mcrd.player import ALLOCATIONS, DEFAULT_ALLOCATION, Mcrd
from neche.montecarlo.mcrd.player import MAX_PLAYOUTS as MOST_MCRD_PLAYOUTS
from neche.montecarlo.uct.player import DEFAULT_EXPLORATION, MAX_PLAYOUTS, Evaluator, Uct
from neche.network.decode import Network
from neche.players.options import Options, decimal_number, one_of, whole_number, written
from neche.players.player import Player
from neche.players.searching import MAX_TIME_MS, hand_made_networks
from neche.players.source import network_of, read_source

UCT_OPTIONS = ("playouts", "time", "c", "leaf", "scale", "static", "device", "batch", "solver")
DEFAULT_UCT_PLAYOUTS = 5000
MCRD_OPTIONS = ("playouts", "time", "allocation", "device")
DEFAULT_MCRD_PLAYOUTS = 20_000
_MOST_OF_A_LEAF, _MOST_OF_A_BATCH = 10**6, 1 << 20


def mcrd_player(options: Options) -> Player:
    """Build the player that compares moves by playouts, without a tree.

    Raises:
        InputError: an option is out of range or unknown, or the device is not there.
    """
    playouts, time_ms = _limits(options, DEFAULT_MCRD_PLAYOUTS, MOST_MCRD_PLAYOUTS)
    allocation = one_of(options, "allocation", ALLOCATIONS) or DEFAULT_ALLOCATION
    thinker = Mcrd(playouts=playouts, time_ms=time_ms, allocation=allocation, device=_device(options))
    told = {"allocation": allocation, **_given_limits(playouts, time_ms), **options}
    return Player(written("mcrd", told, MCRD_OPTIONS), None, 0, time_ms, thinker)


def uct_player(options: Options, game: str) -> Player:
    """Build the player that searches a graph with UCB1.

    Raises:
        InputError: an option is out of range, the options do not go together, or the device is not there.
    """
    playouts, time_ms = _limits(options, DEFAULT_UCT_PLAYOUTS, MAX_PLAYOUTS)
    exploration = decimal_number(options, "c", 0.0, 1e6)
    solver = one_of(options, "solver", ("0", "1"))
    leaf = _leaf(options, game)
    thinker = Uct(
        playouts=playouts,
        time_ms=time_ms,
        exploration=DEFAULT_EXPLORATION if exploration is None else exploration,
        leaf=leaf,
        device=_device(options),
        batch=whole_number(options, "batch", 1, _MOST_OF_A_BATCH),
        is_solving=solver != "0",
    )
    told = {"c": f"{DEFAULT_EXPLORATION:g}", "leaf": "1", **_given_limits(playouts, time_ms), **options}
    digest = leaf.network.digest if isinstance(leaf, Evaluator) else ""
    return Player(written("uct", told, UCT_OPTIONS), None, 0, time_ms, thinker, digest)


def _limits(options: Options, default_playouts: int, most: int) -> tuple[int | None, int | None]:
    """Return playouts and thinking time; the default number where neither is given."""
    time_ms = whole_number(options, "time", 1, MAX_TIME_MS)
    playouts = whole_number(options, "playouts", 1, most)
    return (default_playouts if playouts is None and time_ms is None else playouts), time_ms


def _given_limits(playouts: int | None, time_ms: int | None) -> Options:
    limits = {"playouts": playouts, "time": time_ms}
    return {key: str(value) for key, value in limits.items() if value is not None}


def _device(options: Options) -> str:
    """Return the device named; a game must not begin with one that is not there."""
    device = one_of(options, "device", tuple(DEVICES)) or "cpu"
    count_playouts_on(device)
    return device


def _leaf(options: Options, game: str) -> int | Evaluator:
    """Return what values a leaf: so many playouts, or the network of a word, file or genome."""
    text = options.get("leaf", "1")
    scale = decimal_number(options, "scale", 1e-9, 1e12)
    is_static = one_of(options, "static", ("0", "1")) == "1"
    if text.isdecimal():
        if scale is not None or is_static:
            raise InputError("player options scale and static are for a leaf that a network values")
        playouts = whole_number(options, "leaf", 1, _MOST_OF_A_LEAF)
        return 1 if playouts is None else playouts
    return Evaluator(text, _network(text, game), scale, is_static)


def _network(text: str, game: str) -> Network:
    hand_made = hand_made_networks(game)
    if text in hand_made:
        return hand_made[text]
    try:
        record = read_source(text)
    except InputError as fault:
        known = ", ".join(hand_made)
        raise InputError(
            f"player option leaf={text}: a number of playouts, {known}, or a network is needed; {fault}"
        ) from None
    return network_of(record)
