"""Players for tests that play move by move: a network behind an engine, and one with memory."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from neche.games.game import Game
from neche.network.decode import Network
from neche.network.packing import pack_networks
from neche.players.engine import Analysis, Engine, MoveAnalysis, Player
from neche.search.evaluator import network_evaluator
from neche.search.negamax import new_workspace, search_moves


@dataclass(frozen=True)
class Disguise(Player):
    """A network that plays as a Python engine, move by move, with the best moves of the compiled search."""

    network: Network
    depth: int
    name: str = "disguise"
    needs_key = True

    def new_game(self, game: Game, *, memory_mb: int | None = None) -> "DisguiseEngine":
        return DisguiseEngine(self, game)


class DisguiseEngine(Engine):
    def __init__(self, player: Disguise, game: Game) -> None:
        self.game, self.depth = game, player.depth
        self.packed = pack_networks([player.network])
        self.work = new_workspace(game, table_bits=4)

    def analyse(self, position: Any, **_: Any) -> Analysis:
        evaluator = network_evaluator(self.packed, 0, int(position.turn))
        count = search_moves(evaluator, self.work, position, np.int64(self.depth), np.int64(1), False)
        values = self.work.root[:count].tolist()
        texts = [move.text for move in self.game.legal_moves(position)]
        best = tuple(text for text, value in zip(texts, values, strict=True) if value == max(values))
        return Analysis(tuple(MoveAnalysis(text, 0.5) for text in texts), best, best[:1], 0.5, nodes=3)


@dataclass(frozen=True)
class Fancy(Player):
    """Chooses by its key and the number of its moves in the game, so that a reused engine would show."""

    name: str = "fancy"
    time_ms: int | None = None
    digest_of_file: str = ""
    effort = "number of playouts"
    gives_scores = True
    needs_key = True

    @property
    def digest(self) -> str:
        return self.digest_of_file

    def new_game(self, game: Game, *, memory_mb: int | None = None) -> "FancyEngine":
        return FancyEngine(game)


@dataclass
class FancyEngine(Engine):
    game: Game
    keys: list[int] = field(default_factory=list)

    def analyse(self, position: Any, *, key: int = 0, **_: Any) -> Analysis:
        self.keys.append(key)
        moves = self.game.legal_moves(position)
        best = moves[(key + 5 * len(self.keys)) % len(moves)].text
        found = tuple(MoveAnalysis(move.text, 0.5, 1) for move in moves)
        return Analysis(found, (best,), (best,), 0.5, nodes=1, playouts=1)
