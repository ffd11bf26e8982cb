"""The player `cnn`: alpha-beta with a convolutional network at the quiet positions."""

from dataclasses import dataclass

import numpy as np

from neche.errors import InputError
from neche.games.game import Game
from neche.network.convolution import ConvolutionalNetwork, board_planes, compile_convolution
from neche.players.alpha_beta_engine import AlphaBetaEngine, Evaluation
from neche.players.engine import Limits, Player
from neche.search.evaluator import CONVOLUTION_UNIT, ConvolutionalEvaluator

DEFAULT_DEPTH = 1


@dataclass(frozen=True)
class Convolutional(Player):
    """A player that searches `depth` plies and on to quiet positions; nothing in it is random.

    A value v of the network is the expected score (1 + v) / 2. Its network is too slow to play batches of
    games.
    """

    name: str
    network: ConvolutionalNetwork
    depth: int = DEFAULT_DEPTH
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
        """Begin a game.

        Raises:
            InputError: the network sees another board.
        """
        seen = self.network.board
        if board_planes(game) != seen:
            raise InputError(
                f"player {self.name}: its network sees {seen.planes} planes of {seen.side}×{seen.side}"
                f" squares of {seen.game}, not those of {game.name}"
            )
        evaluator = ConvolutionalEvaluator(compile_convolution(self.network), np.zeros(1, np.int64))
        evaluators = evaluator, evaluator
        evaluation = Evaluation(evaluators, float(CONVOLUTION_UNIT), None, evaluator.boards)
        return AlphaBetaEngine(game, evaluation, Limits(self.depth))
