"""Compare the compiled Othello rules with OpenSpiel, an independent program, along random games.

Usage: python tools/checks/compare_open_spiel.py [--positions 2000] [--seed 1]

OpenSpiel is not required by the package: `pip install open_spiel`. Without it the tool says so and exits with
status 2.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.games.catalogue import game
from neche.games.game import Game
from neche.games.othello.notation import PASS, SQUARES

# OpenSpiel's action for a pass; squares are numbered from a1 to h8.
_PASS = 64


def difference(rules: Game, position: Any, state: Any) -> str | None:
    """Describe how a position and OpenSpiel's state differ: board, side to move, moves or outcome."""
    fen = rules.format_fen(position)
    if state.is_terminal():
        result = int(state.returns()[int(position.turn)])
        if rules.legal_moves(position) or rules.outcome(position) != result:
            return f"{fen}\n  OpenSpiel: over, {result}"
        return None
    board = "".join(line[2:17:2] for line in str(state).splitlines() if line[:1].isdigit())
    theirs = f"{board.replace('x', 'X').replace('o', 'O')} {'XO'[state.current_player()]}"
    actions = [PASS if action == _PASS else SQUARES[action] for action in state.legal_actions()]
    ours = [move.text for move in rules.legal_moves(position)]
    if theirs != fen or actions != ours:
        return f"{fen} {ours}\n  OpenSpiel {theirs} {actions}"
    return None


def games(rules: Game, othello: Any, seed: int) -> Iterator[tuple[Any, Any]]:
    """Yield positions of random games, each with OpenSpiel's state, without end."""
    draw = random.Random(seed)
    while True:
        position, state = rules.start(), othello.new_initial_state()
        while True:
            yield position, state
            moves = rules.legal_moves(position)
            if not moves or state.is_terminal():
                break
            move = draw.choice(moves)
            position = move.after
            state.apply_action(_PASS if move.text == PASS else SQUARES.index(move.text))


def main() -> int:
    """Compare; return 1 at the first difference, 2 without OpenSpiel."""
    parser = argparse.ArgumentParser(description="Compare the compiled Othello rules with OpenSpiel.")
    parser.add_argument("--positions", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        print("OpenSpiel is not installed, nothing was compared: pip install open_spiel", file=sys.stderr)
        return 2
    rules = game("othello")
    pairs = games(rules, pyspiel.load_game("othello"), options.seed)
    passes = ends = 0
    for _, (position, state) in zip(range(options.positions), pairs, strict=False):
        found = difference(rules, position, state)
        if found:
            print(found)
            return 1
        texts = [move.text for move in rules.legal_moves(position)]
        passes, ends = passes + (texts == [PASS]), ends + (not texts)
    print(f"{options.positions} positions, {passes} passes, {ends} ends: no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
