"""Compare the compiled rules of games with their slow twins on random positions.

Usage: python tools/checks/compare_rules.py [--game NAME] [--positions 200000] [--seed 1]

Without --game all games are compared, on a quarter of the positions each. Positions come from random games
and random placements. Moves are compared as sets of (from and to, resulting position); the first difference
is printed and ends the run.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.games.catalogue import game
from neche.games.game import Game
from tests.oracles import checkers_twin, draughts_twin, othello_twin

TWINS: dict[str, Any] = {
    "checkers": checkers_twin,
    "brazilian": draughts_twin.BRAZILIAN,
    "international": draughts_twin.INTERNATIONAL,
    "othello": othello_twin,
}
"""The slow twin of each game; all have `random_game`, `random_position`, `moves`, `parse` and `fen`."""
# Random games have few kings; occasional random placements bring long captures.
_PLACEMENTS_PER_GAME = 10


def positions(seed: int, twin: Any = checkers_twin) -> Iterator[Any]:
    """Yield positions without end: random games, and random placements between them."""
    for index in count():
        yield from twin.random_game(seed * 1_000_003 + index)
        for placement in range(_PLACEMENTS_PER_GAME):
            yield twin.random_position((seed * 1_000_003 + index) * _PLACEMENTS_PER_GAME + placement)


def difference(rules: Game, position: Any) -> str | None:
    """Describe how the two programs' legal moves differ, if they do."""
    twin = TWINS[rules.name]
    fen = twin.fen(position)
    slow = sorted((_from_and_to(move.text), twin.fen(move.after)) for move in twin.moves(position))
    fast = sorted(
        # Squares in the order in which the twin writes them.
        (_from_and_to(move.text), twin.fen(twin.parse(rules.format_fen(move.after))))
        for move in rules.legal_moves(rules.parse_fen(fen))
    )
    return None if slow == fast else f"{fen}\n  twin {slow}\n  fast {fast}"


def _from_and_to(text: str) -> tuple[str, str, bool]:
    """Return where a move begins and ends, and whether it captures; a move may name squares on the way."""
    squares = re.split("[-x]", text)
    return squares[0], squares[-1], "x" in text


def main() -> int:
    """Compare; return 1 at the first difference."""
    parser = argparse.ArgumentParser(description="Compare the compiled rules with the slow twin.")
    parser.add_argument("--game", choices=TWINS)
    parser.add_argument("--positions", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names = [options.game] if options.game else list(TWINS)
    return max(_compare(game(name), options.positions // len(names), options.seed) for name in names)


def _compare(rules: Game, number: int, seed: int) -> int:
    """Compare on a number of positions; return 1 at the first difference."""
    twin, num_moves = TWINS[rules.name], 0
    for index, position in zip(range(number), positions(seed, twin), strict=False):
        found = difference(rules, position)
        if found:
            print(f"{rules.name}, seed {seed}, position {index} differs: {found}")
            return 1
        num_moves += len(twin.moves(position))
    print(f"{rules.name}: {number} positions, {num_moves} moves: no difference", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
