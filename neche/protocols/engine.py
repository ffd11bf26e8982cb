"""An engine for protocols: a player asked about any position, told to stop, and heard while it thinks.

The limits of a move come with the question; those of the player's own specification hold besides.
"""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

from neche.compiled.streams import stream, stream_key
from neche.errors import InputError
from neche.games.catalogue import Game
from neche.players.engine import MAX_DEPTH, Analysis, Limits, Player, Progress, Stop
from neche.players.spec import parse_player

DEFAULT_MEMORY_MB = 512
_FIRST_SLICE, _SLICE_SECONDS = 2048, 0.4
_CAP = re.compile(r"[:,](depth|playouts|time)=(\d+)(?=,|$)")


class ProtocolEngine(Protocol):
    """Someone who judges positions of one game. Used by one thread at a time."""

    @property
    def seconds_a_move(self) -> float | None:
        """The longest time for a move that the player's specification allows; None for any."""
        ...

    def search(self, position: Any, limits: Limits, stop: Stop, progress: Progress) -> Analysis:
        """Judge a position that is not over, until a limit, the stop, or nothing is left to find.

        progress: called now and then with what is known so far. The analysis begins with the move to be
        played.
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


def make_engine(game: Game, settings: EngineSettings) -> ProtocolEngine:
    """Return the engine for a game.

    Raises:
        InputError: there is no such player, it cannot play this game, or it cannot be stopped.
    """
    spec = settings.player or game.champion
    player = parse_player(spec, game.name)
    player.require_board(game)
    if not player.is_stoppable:
        raise InputError(
            f"player {player.name} cannot be stopped while it thinks; an engine searches, or is uct"
        )
    caps = {key: int(number) for key, number in _CAP.findall(spec)}
    own = Limits(caps.get("depth"), caps.get("playouts"), caps.get("time"))
    return _PlayerEngine(game, player, own, settings)


def warm_up(engine: ProtocolEngine, game: Game) -> None:
    """Compile whatever the engine needs, before any clock runs."""
    engine.search(game.start(), Limits(depth=2, nodes=64), Stop(), lambda found: None)
    engine.forget()


def _slice_ends() -> Iterator[int]:
    """Yield numbers of playouts after which a tree tells: each time twice as many, until that takes long."""
    end, wanted, begin = 0, _FIRST_SLICE, time.perf_counter()
    while True:
        end += wanted
        yield end
        now = time.perf_counter()
        if now - begin < _SLICE_SECONDS:
            wanted *= 2
        begin = now


def _least(first: int | None, second: int | None) -> int | None:
    return min((limit for limit in (first, second) if limit), default=None)


class _PlayerEngine:
    """A player at one game after another, with keys for its analyses, and draws among equally good moves."""

    def __init__(self, game: Game, player: Player, own: Limits, settings: EngineSettings) -> None:
        self._game, self._player, self._own, self._settings = game, player, own, settings
        self.seconds_a_move = None if own.time_ms is None else own.time_ms / 1000
        self._num_searches = 0
        self.forget()

    def search(self, position: Any, limits: Limits, stop: Stop, progress: Progress) -> Analysis:
        self._num_searches += 1
        depth = min(_least(limits.depth, self._own.depth) or MAX_DEPTH, MAX_DEPTH)
        nodes = _least(limits.nodes, self._own.nodes)
        found = self._engine.analyse(
            position,
            key=stream_key(self._settings.seed, self._num_searches, "engine: thought"),
            limits=Limits(depth, nodes),
            stop=stop,
            progress=progress,
            progress_at=_slice_ends(),
        )
        draw = stream(self._settings.seed, self._num_searches, "engine: choice")
        return _led_by(found.best_moves[int(draw.integers(len(found.best_moves)))], found)

    def tidy(self, position: Any) -> None:
        self._engine.make_room(position)

    def forget(self) -> None:
        self._engine = self._player.new_game(self._game, memory_mb=self._settings.memory_mb)


def _led_by(move: str, found: Analysis) -> Analysis:
    """Return the analysis with `move`, which is as good as the first, as the move to be played."""
    return replace(found, best_moves=(move,), pv=found.pv if move == found.pv[0] else (move,))
