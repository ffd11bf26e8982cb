"""Thinkers for tests: networks in disguise, and one that remembers."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from neche.games.catalogue import Game
from neche.montecarlo.thinking import MoveThought, Thought
from neche.network.decode import Network
from neche.network.packing import pack_networks
from neche.search.root import judge_for, search_moves
from neche.search.workspace import new_workspace


@dataclass(frozen=True)
class Disguise:
    """A network that thinks in Python: its best moves are those that the compiled search finds."""

    network: Network
    depth: int
    name: str = "disguise"

    def sit(self, game: Game) -> "DisguiseSeat":
        return DisguiseSeat(self, game)


class DisguiseSeat:
    def __init__(self, thinker: Disguise, game: Game) -> None:
        self.game, self.depth = game, thinker.depth
        self.packed = pack_networks([thinker.network])
        self.work = new_workspace(game, table_bits=4)

    def think(self, position: Any, key: int) -> Thought:
        judge = judge_for(self.packed, 0, int(position.turn))
        count = search_moves(judge, self.work, position, np.int64(self.depth), np.int64(1), False)
        values = self.work.root[:count].tolist()
        texts = [move.text for move in self.game.legal_moves(position)]
        best = tuple(text for text, value in zip(texts, values, strict=True) if value == max(values))
        moves = tuple(MoveThought(text, 0.5, 1) for text in texts)
        return Thought(0.5, moves, best, best[:1], playouts=3, seconds=0.0)


@dataclass(frozen=True)
class Fancy:
    """Chooses by its key and by how often it was asked in this game: a seat used twice would show."""

    name: str = "fancy"

    def sit(self, game: Game) -> "FancySeat":
        return FancySeat(game)


@dataclass
class FancySeat:
    game: Game
    keys: list[int] = field(default_factory=list)

    def think(self, position: Any, key: int) -> Thought:
        self.keys.append(key)
        moves = self.game.legal_moves(position)
        best = moves[(key + 5 * len(self.keys)) % len(moves)].text
        return Thought(0.5, tuple(MoveThought(move.text, 0.5, 1) for move in moves), (best,), (best,), 1, 0.0)
