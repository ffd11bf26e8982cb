"""The player `cnn`: a convolutional network judges the quiet positions of a search."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from neche.errors import InputError
from neche.games.catalogue import Game
from neche.montecarlo.thinking import MoveThought, Thought
from neche.network.convolution import (
    ConvolutionalNetwork,
    board_planes,
    compile_convolution,
    read_convolution,
)
from neche.players.options import Options, whole_number, written
from neche.players.player import Player
from neche.search.convolutional import Bench, search_root_boards
from neche.search.workspace import MAX_PLY

OPTIONS = ("file", "depth")
DEFAULT_DEPTH, MAX_DEPTH = 1, 8


def convolutional_player(options: Options) -> Player:
    """Build the player that judges with the network of a file.

    Raises:
        InputError: no file is given, it holds no network, or the depth is out of range.
    """
    if "file" not in options:
        raise InputError("a cnn player needs a file: cnn:file=PATH")
    network = read_convolution(Path(options["file"]))
    depth = whole_number(options, "depth", 1, MAX_DEPTH) or DEFAULT_DEPTH
    name = written("cnn", {"depth": str(DEFAULT_DEPTH), **options}, OPTIONS)
    return Player(
        name,
        None,
        0,
        thinker=Convolutional(name, network, depth),
        digest=network.digest,
        only_game=network.board.game,
    )


@dataclass(frozen=True)
class Convolutional:
    """A thinker that searches `depth` plies and on to quiet positions; nothing in it is random."""

    name: str
    network: ConvolutionalNetwork
    depth: int

    def sit(self, game: Game) -> "ConvolutionalSeat":
        """Take the room that the search needs.

        Raises:
            InputError: the network sees another board.
        """
        seen = self.network.board
        if board_planes(game) != seen:
            raise InputError(
                f"player {self.name}: its network sees {seen.planes} planes of {seen.side}×{seen.side}"
                f" squares of {seen.game}, not those of {game.name}"
            )
        return ConvolutionalSeat(self, game)


class ConvolutionalSeat:
    """The player at one game; it remembers nothing."""

    def __init__(self, player: Convolutional, game: Game) -> None:
        self._game, self._depth = game, player.depth
        self._bench = Bench(
            compile_convolution(player.network),
            game.move_buffer(MAX_PLY * game.max_moves),
            np.zeros(game.max_moves, np.float64),
            np.zeros(1, np.int64),
        )

    def think(self, position: Any, key: int) -> Thought:
        """Search a position; see `thinking.Seat`. A value v is the expected score (1 + v) / 2."""
        legal = self._game.legal_moves(position)
        if not legal:
            raise InputError(f"the game is over: {self._game.side_to_move(position)} has no legal move")
        begin = time.perf_counter()
        self._bench.counters[0] = 0
        count = int(search_root_boards(self._bench, position, np.int64(self._depth)))
        values = self._bench.root[:count].tolist()
        best = tuple(move.text for move, value in zip(legal, values, strict=True) if value == max(values))
        boards = int(self._bench.counters[0])
        seconds = time.perf_counter() - begin
        return Thought(
            value=_score(max(values)),
            moves=tuple(
                MoveThought(move.text, _score(value), 0, low=_score(value), high=_score(value))
                for move, value in zip(legal, values, strict=True)
            ),
            best=best,
            pv=best[:1],
            playouts=0,
            seconds=seconds,
            facts={"boards": boards, "boards_per_second": boards / max(seconds, 1e-9), "depth": self._depth},
        )


def _score(value: float) -> float:
    return 0.5 * (1.0 + min(1.0, max(-1.0, value)))
