"""Compare the compiled checkers rules with the slow twin on random positions.

Usage: python tools/compare_rules.py [--positions 200000] [--seed 1]

They come from random games and random placements. Moves are compared as sets of (from and to, resulting
position); the first difference is printed and ends the run.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from neche.games.catalogue import Game, game
from tests.oracles import checkers_twin as twin

# Random games hold few kings; a random placement now and then brings the long captures.
_PLACEMENTS_PER_GAME = 10


def positions(seed: int) -> Iterator[twin.Position]:
    """Yield positions without end: random games, and random placements between them."""
    for index in count():
        yield from twin.random_game(seed * 1_000_003 + index)
        for placement in range(_PLACEMENTS_PER_GAME):
            yield twin.random_position((seed * 1_000_003 + index) * _PLACEMENTS_PER_GAME + placement)


def difference(checkers: Game, position: twin.Position) -> str | None:
    """Describe how the two programs' legal moves differ, if they do."""
    fen = twin.fen(position)
    slow = sorted((move.text, twin.fen(move.after)) for move in twin.moves(position))
    fast = sorted(
        (_from_and_to(move.text), _same_order(checkers.format_fen(move.after)))
        for move in checkers.legal_moves(checkers.parse_fen(fen))
    )
    return None if slow == fast else f"{fen}\n  twin {slow}\n  fast {fast}"


def _from_and_to(text: str) -> str:
    mark = "x" if "x" in text else "-"
    squares = text.split(mark)
    return f"{squares[0]}{mark}{squares[-1]}"


def _same_order(fen: str) -> str:
    return twin.fen(twin.parse(fen))


def main() -> int:
    """Compare; return 1 at the first difference."""
    parser = argparse.ArgumentParser(description="Compare the compiled rules with the slow twin.")
    parser.add_argument("--positions", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    checkers = game("checkers")
    num_moves = 0
    for index, position in zip(range(options.positions), positions(options.seed), strict=False):
        found = difference(checkers, position)
        if found:
            print(f"position {index} differs: {found}")
            return 1
        num_moves += len(twin.moves(position))
    print(f"{options.positions} positions, {num_moves} moves: no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
