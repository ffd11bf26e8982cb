"""Record one random playthrough of every game as readable text.

Usage: python tools/checks/playthroughs.py

It writes tests/golden/GAME.txt; run it again after an intended change, and read the diff.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.compiled.streams import stream
from neche.games.catalogue import GAMES, game

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden"
_SEED = 20
_MOST_PLIES = 120


def playthrough(name: str) -> str:
    """Play a random game, ply by ply: diagram, FEN, legal moves, the move drawn."""
    return "\n".join(_lines(name)) + "\n"


def _lines(name: str) -> Iterator[str]:
    rules = game(name)
    draw = stream(_SEED, 0, "playthrough")
    position = rules.start()
    for ply in range(_MOST_PLIES):
        moves = sorted(
            rules.legal_moves(position), key=lambda move: (move.text, rules.format_fen(move.after))
        )
        yield f"ply {ply}, {rules.side_to_move(position)} to move"
        yield rules.diagram(position)
        yield f"FEN   {rules.format_fen(position)}"
        yield "moves " + (" ".join(move.text for move in moves) or "none")
        if not moves:
            return
        move = moves[draw.integers(len(moves))]
        yield f"plays {move.text}"
        yield ""
        position = move.after


def main() -> int:
    """Write every game's file."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    for name in GAMES:
        path = GOLDEN / f"{name}.txt"
        path.write_text(playthrough(name), encoding="utf-8")
        print(path.relative_to(GOLDEN.parent.parent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
