"""An engine: a player that can be asked about any position, told to stop, and heard while it thinks.

The limits of a move come with the question; those of the player's own specification hold besides.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from neche.compiled.streams import stream, stream_key
from neche.errors import InputError
from neche.games.catalogue import Game
from neche.montecarlo.thinking import LimitedSeat, Limits, Thinker
from neche.montecarlo.tree import EDGE, EDGES_PER_NODE, NODE
from neche.montecarlo.uct.player import Uct
from neche.network.decode import Network
from neche.players.player import Player, require_board
from neche.players.spec import parse_player
from neche.protocols.reports import Report, of_search, of_thought
from neche.search.analysis import MAX_DEPTH, search_position
from neche.search.stopping import Stop

DEFAULT_MEMORY_MB = 512
_FIRST_SLICE, _LONG_SLICE_SECONDS = 2048, 0.4
_MOST_PLAYOUTS = 10**9
_CAP = re.compile(r"[:,](depth|playouts|time)=(\d+)(?=,|$)")

Tell = Callable[[Report], None]


class Effort(NamedTuple):
    """How much to think about a position: depth in plies, nodes: positions or playouts; 0 for no limit.

    A tree has no depth: its playouts are limited instead, see `playouts_of_depth`.
    """

    depth: int = 0
    nodes: int = 0


class Engine(Protocol):
    """Someone who judges positions of one game. Used by one thread at a time."""

    @property
    def seconds_a_move(self) -> float | None:
        """The longest time for a move that the player's specification allows; None for any."""
        ...

    def search(self, position: Any, effort: Effort, stop: Stop, tell: Tell) -> Report:
        """Judge a position that is not over, until the effort is made, nothing is left to find, or the stop.

        tell: called now and then with what is known so far. The report begins with the move to be played.
        """
        ...

    def tidy(self, position: Any) -> None:
        """Do what would else take time when a clock runs; position: the one after the engine's own move."""
        ...

    def forget(self) -> None:
        """Forget all positions: the next belongs to another game."""
        ...


@dataclass(frozen=True)
class EngineSettings:
    """What an engine is made of.

    player: a specification; empty for the game's default. seed: of all that is drawn. memory_mb: for what a
    tree search remembers.
    """

    player: str = ""
    seed: int = 0
    memory_mb: int = DEFAULT_MEMORY_MB


def make_engine(game: Game, settings: EngineSettings) -> Engine:
    """Return the engine for a game.

    Raises:
        InputError: there is no such player, it cannot play this game, or it cannot be stopped.
    """
    spec = settings.player or game.champion
    player = parse_player(spec, game.name)
    require_board(player, game)
    caps = {key: int(number) for key, number in _CAP.findall(spec)}
    seconds = caps["time"] / 1000 if "time" in caps else None
    own = Effort(caps.get("depth", 0), caps.get("playouts", 0))
    if player.network is not None:
        return _Searching(game, player.network, own, seconds, settings.seed)
    if player.thinker is None:
        return _Random(game, seconds, settings.seed)
    return _Thinking(game, _with_memory(player, game, settings.memory_mb), own, seconds, settings.seed)


def warm_up(engine: Engine, game: Game) -> None:
    """Compile whatever the engine needs, before any clock runs."""
    engine.search(game.start(), Effort(depth=2, nodes=64), Stop(), lambda report: None)
    engine.forget()


def _with_memory(player: Player, game: Game, memory_mb: int) -> Uct:
    """Return the thinker of a player with as many positions as the memory holds."""
    if not isinstance(player.thinker, Uct):
        raise InputError(
            f"player {player.name} cannot be stopped while it thinks; an engine searches, or is uct"
        )
    row = game.move_words * np.dtype(game.move_type).itemsize
    node = NODE.itemsize + EDGES_PER_NODE * (EDGE.itemsize + row) + 8
    positions = min(max((memory_mb << 20) // node, 1 << 14), 1 << 22)
    return replace(player.thinker, capacity=player.thinker.capacity or positions)


def playouts_of_depth(depth: int) -> int:
    """Return how many playouts stand for a depth: twice as many for every two plies; 0 for no limit.

    >>> [playouts_of_depth(depth) for depth in (0, 1, 8, 20)]
    [0, 707, 8000, 512000]
    """
    return int(500 * 2 ** (depth / 2)) if depth else 0


def _least(first: int, second: int) -> int:
    """Return the smaller of two limits, of which 0 is none."""
    return min(first, second) if first and second else first or second


class _Draws:
    """The keys of thoughts, and draws among equally good moves."""

    def __init__(self, seed: int) -> None:
        self._seed, self._count = seed, 0

    def next_key(self) -> int:
        self._count += 1
        return stream_key(self._seed, self._count, "engine: thought")

    def one_of(self, texts: tuple[str, ...]) -> str:
        draw = stream(self._seed, self._count, "engine: choice")
        return texts[int(draw.integers(len(texts)))]


def _led_by(move: str, report: Report) -> Report:
    """Return the report with `move`, which is as good as the first, as the move to be played."""
    if move == report.pv[0]:
        return report
    others = tuple(entry for entry in report.moves if entry[0] != move)
    score = dict(report.moves)[move]
    return report._replace(pv=(move,), moves=((move, score), *others))


class _Searching:
    """Alpha-beta with a network, depth by depth."""

    def __init__(
        self, game: Game, network: Network, own: Effort, seconds_a_move: float | None, seed: int
    ) -> None:
        self._game, self._network, self._own = game, network, own
        self.seconds_a_move = seconds_a_move
        self._draws = _Draws(seed)

    def search(self, position: Any, effort: Effort, stop: Stop, tell: Tell) -> Report:
        depth = min(_least(effort.depth, self._own.depth) or MAX_DEPTH, MAX_DEPTH)

        def notify(result: Any) -> None:
            tell(of_search(result))
            if effort.nodes and result.nodes >= effort.nodes:
                stop.request()

        found = search_position(self._game, position, self._network, depth=depth, stop=stop, notify=notify)
        self._draws.next_key()
        return _led_by(self._draws.one_of(found.best_moves), of_search(found))

    def tidy(self, position: Any) -> None:
        pass

    def forget(self) -> None:
        pass


class _Thinking:
    """A tree search, slice by slice; what it knows of a game it keeps."""

    def __init__(
        self, game: Game, thinker: Thinker, own: Effort, seconds_a_move: float | None, seed: int
    ) -> None:
        self._game, self._thinker, self._own = game, thinker, own
        self.seconds_a_move = seconds_a_move
        self._draws = _Draws(seed)
        self._seat = self._sit()

    def _sit(self) -> LimitedSeat:
        seat = self._thinker.sit(self._game)
        assert isinstance(seat, LimitedSeat)
        return seat

    def search(self, position: Any, effort: Effort, stop: Stop, tell: Tell) -> Report:
        begin = time.perf_counter()
        depth = _least(effort.depth, self._own.depth)
        most = _least(effort.nodes, self._own.nodes)
        most = min(_least(most, playouts_of_depth(depth)) or _MOST_PLAYOUTS, _MOST_PLAYOUTS)
        done, wanted = 0, _FIRST_SLICE
        while True:
            slice_begin = time.perf_counter()
            asked = min(wanted, most - done)
            thought = self._seat.think_within(position, self._draws.next_key(), Limits(asked, stop=stop))
            now = time.perf_counter()
            descents = int(thought.facts["descents"])
            done += descents
            report = of_thought(thought, nodes=done, seconds=now - begin)
            if stop.is_requested or done >= most or descents < asked or report.is_decided:
                return _led_by(self._draws.one_of(thought.best), report)
            tell(report)
            if now - slice_begin < _LONG_SLICE_SECONDS:
                wanted *= 2

    def tidy(self, position: Any) -> None:
        self._seat.make_room(position)

    def forget(self) -> None:
        self._seat = self._sit()


class _Random:
    """Any legal move, at once."""

    def __init__(self, game: Game, seconds_a_move: float | None, seed: int) -> None:
        self._game = game
        self.seconds_a_move = seconds_a_move
        self._draws = _Draws(seed)

    def search(self, position: Any, effort: Effort, stop: Stop, tell: Tell) -> Report:
        texts = tuple(move.text for move in self._game.legal_moves(position))
        self._draws.next_key()
        move = self._draws.one_of(texts)
        moves = ((move, 0.0), *((text, 0.0) for text in texts if text != move))
        return Report(0.0, (move,), moves, 1, 1.0, 0, 0.0)

    def tidy(self, position: Any) -> None:
        pass

    def forget(self) -> None:
        pass
