"""Datasets read back as the slow rules see them."""

from neche.dataset.shards import Positions
from neche.games.catalogue import game
from neche.games.draughts.board_8x8 import Checkers
from tests.oracles import checkers_twin as twin

CHECKERS = game("checkers")


def twins_of(positions: Positions) -> list[twin.Position]:
    """All positions, in order."""
    boards = zip(positions.own, positions.foe, positions.kings, positions.turn, strict=True)
    return [twin.parse(CHECKERS.format_fen(Checkers(*board))) for board in boards]


def games_of(positions: Positions) -> list[slice]:
    """The rows of each game."""
    starts = [row for row, ply in enumerate(positions.ply.tolist()) if ply == 0]
    return [slice(a, b) for a, b in zip(starts, [*starts[1:], len(positions.ply)], strict=True)]
