"""Players that search with alpha-beta, and the one that moves at random.

`AlphaBeta` evaluates quiet positions with the sparse network of a genome, `Convolutional` with another kind
of network; both share an engine, `AlphaBetaEngine`, and the compiled search.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from neche.errors import InputError
from neche.games.catalogue import game as game_named
from neche.games.game import Game
from neche.montecarlo.simulation import natural_scale
from neche.network.convolution import ConvolutionalNetwork, board_planes, compile_convolution
from neche.network.decode import Network, blind_network, square_network
from neche.network.packing import pack_networks, unit
from neche.network.sensors import check_sensors
from neche.players.alpha_beta_engine import AlphaBetaEngine, Evaluation
from neche.players.engine import Analysis, BatchSearch, Engine, Limits, MoveAnalysis, Player, require_moves
from neche.players.selective_engine import SelectiveEngine
from neche.search.evaluator import CONVOLUTION_UNIT, ConvolutionalEvaluator, network_evaluator

DEFAULT_DEPTH, CONVOLUTIONAL_DEPTH = 4, 1
# Rough cost of a game, seconds.
_GAME_SECONDS, _DEPTH_FACTOR = 1e-5, 2.6


@dataclass(frozen=True)
class AlphaBeta(Player):
    """A player that evaluates positions with a network; nothing in it is random.

    depth: plies of search before quiescence; the maximum if `time_ms` or `nodes` is set. search: exact, by
    `search.negamax`, or by `search.selective`; None: exact to a depth, selective by time or nodes. threads:
    of a selective search. home: the game whose board the network sees; None: any with as many sensors.
    """

    name: str
    network: Network
    depth: int = DEFAULT_DEPTH
    time_ms: int | None = None
    nodes: int | None = None
    search: Literal["exact", "selective"] | None = None
    threads: int = 1
    home: str | None = None
    compiled_part = "search"

    def __post_init__(self) -> None:
        """Name the part of the compiled code that is needed."""
        if self.is_selective:
            object.__setattr__(self, "compiled_part", "selective search")

    @property
    def is_selective(self) -> bool:
        """Whether its search is selective."""
        is_limited = self.time_ms is not None or self.nodes is not None
        return self.search == "selective" or (self.search is None and is_limited)

    @property
    def batch_search(self) -> BatchSearch | None:
        """Its games are played in compiled code, if a depth alone limits an exact search."""
        if self.is_selective or self.nodes is not None or self.time_ms is not None:
            return None
        return BatchSearch(self.network, self.depth)

    @property
    def evaluating_network(self) -> Network:
        """The network that evaluates positions."""
        return self.network

    @property
    def seconds_a_game(self) -> float:
        """Approximate time of its moves in a game."""
        return float(_GAME_SECONDS * _DEPTH_FACTOR**self.depth)

    def require_board(self, game: Game) -> None:
        """Check that the network sees the board."""
        _check_board(self.network, game, self.home)

    def at_depth(self, depth: int) -> "AlphaBeta | None":
        """Return the same player at another depth; None if its search is selective or limited otherwise."""
        if self.time_ms is not None or self.nodes is not None or self.is_selective:
            return None
        head, _, _ = self.name.rpartition("depth=")
        return AlphaBeta(f"{head}depth={depth}", self.network, depth, home=self.home)

    def for_clock(self) -> "AlphaBeta":
        """Return the player for play under a clock: selective, unless its search is set."""
        return replace(self, search=self.search or "selective")

    def new_game(self, game: Game, *, memory_mb: int | None = None) -> AlphaBetaEngine:
        """Begin a game. Its table takes about ten megabytes, a selective one 32, whatever `memory_mb` is."""
        evaluation = evaluation_of(self.network, game, self.home)
        limits = Limits(self.depth, nodes=self.nodes, time_ms=self.time_ms)
        if self.is_selective:
            return SelectiveEngine(game, evaluation, limits, threads=self.threads)
        return AlphaBetaEngine(game, evaluation, limits)


def _check_board(network: Network, game: Game, home: str | None) -> None:
    check_sensors(game, network)
    # Two boards may have equally many sensors: 32 squares by four kinds of pieces, 64 by two.
    if home is not None and game_named(home).sensors != game.sensors:
        raise InputError(f"a champion of {home} does not see the board of {game.name}")


@lru_cache(maxsize=64)
def evaluation_of(network: Network, game: Game, home: str | None = None) -> Evaluation:
    """Pack a network once for all games that it plays. home: as in `AlphaBeta`."""
    _check_board(network, game, home)
    packed = pack_networks([network], game.sensors)
    white, black = (network_evaluator(packed, 0, side) for side in (0, 1))
    return Evaluation((white, black), unit(packed, 0), lambda: natural_scale(network, game))


def search_position(
    game: Game,
    position: Any,
    network: Network,
    *,
    depth: int | None = None,
    time_ms: int | None = None,
    **settings: Any,
) -> Analysis:
    """Return the analysis of one position by a search with a network, without memory of earlier ones.

    settings: the others of `engine.Engine.analyse`. InputError if the network cannot see this game, the game
    is over, or no limit or a wrong one is given.
    """
    engine = AlphaBeta(f"network {network.digest}", network).new_game(game)
    return engine.analyse(position, limits=Limits(depth, time_ms=time_ms), **settings)


def hand_made_networks(game: str) -> dict[str, Network]:
    """Return the hand-made evaluators of a game as networks, by name: each is a kind of player."""
    return {
        evaluator.name: square_network(evaluator.squares, mobility=evaluator.mobility)
        for evaluator in game_named(game).evaluators
    }


@dataclass(frozen=True)
class Convolutional(Player):
    """The player `cnn`, which searches `depth` plies and on to quiet positions; nothing in it is random.

    A network value v is the expected score (1 + v) / 2. The network is too slow to play batches of games.
    """

    name: str
    network: ConvolutionalNetwork
    depth: int = CONVOLUTIONAL_DEPTH
    gives_scores = True
    needs_key = True
    compiled_part = "convolutions"

    @property
    def digest(self) -> str:
        """Digest of the network."""
        return self.network.digest

    def require_board(self, game: Game) -> None:
        """Check that the network is for this game."""
        seen = self.network.board.game
        if seen != game.name:
            raise InputError(f"player {self.name}: its network sees {seen} boards, not {game.name}")

    def new_game(self, game: Game, *, memory_mb: int | None = None) -> AlphaBetaEngine:
        """Begin a game; InputError if the network sees another board."""
        seen = self.network.board
        if board_planes(game) != seen:
            planes = f"{seen.planes} planes of {seen.side}×{seen.side} squares of {seen.game}"
            raise InputError(f"player {self.name}: its network sees {planes}, not those of {game.name}")
        evaluator = ConvolutionalEvaluator(compile_convolution(self.network), np.zeros(1, np.int64))
        evaluators = evaluator, evaluator
        evaluation = Evaluation(evaluators, float(CONVOLUTION_UNIT), None, evaluator.boards)
        return AlphaBetaEngine(game, evaluation, Limits(self.depth))


@dataclass(frozen=True)
class Random(Player):
    """The player that draws from all legal moves: its analyses treat them as equal and have no value."""

    name: str = "random"
    judges = False

    @property
    def batch_search(self) -> BatchSearch:
        """Its games are played in compiled code."""
        return BatchSearch(blind_network(), 0)

    @property
    def seconds_a_game(self) -> float:
        """Approximate time of its moves in a game."""
        return _GAME_SECONDS

    def new_game(self, game: Game, *, memory_mb: int | None = None) -> "RandomEngine":
        """Begin a game."""
        return RandomEngine(game)


class RandomEngine(Engine):
    """The random player at one game."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def analyse(self, position: Any, **_: Any) -> Analysis:
        """Return all legal moves as equals; see `engine.Engine`."""
        texts = tuple(move.text for move in require_moves(self._game, position))
        moves = tuple(MoveAnalysis(text, 0.0) for text in texts)
        return Analysis(moves, texts, texts[:1], is_judged=False)
