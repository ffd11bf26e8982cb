"""Nodes that alpha-beta visits to each depth in eleven fixed checkers positions, directly and by deepening.

Usage: taskset -c 1 python tools/bench/search_nodes.py [--player champion-1] [--depths 8 10 12 13]

Prints the geometric means over the positions: searched directly to the depth, as for a fixed depth, and depth
by depth, as with a time limit; then a digest of values and best moves, which move ordering does not change.
The positions are the start and ten from games of champion-1 against itself, with 6 to 12 legal moves each.
"""

import argparse
import hashlib
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.games.catalogue import game
from neche.players.engine import MAX_NODES, Limits
from neche.players.spec import parse_player

POSITIONS = (
    "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    "B:W15,18,21,25,28,30,31:B1,2,3,9,12,13,20",
    "B:W12,18,21,22,30,32:B1,3,5,11,13,24",
    "W:W11,13,17,25,26,28,30,31,32:B1,2,4,6,10,15,16,18,19,21",
    "B:W13,19,20,21,23,28,31,32:B1,2,5,6,7,10,11,12",
    "W:W23,24,25,26,27,28,30,31,32:B1,2,3,5,6,8,10,12,16",
    "W:WK8,13,17,21,24,28,30:B2,6,9,10,15,K27",
    "B:W19,25,30,31,32:B1,2,3,10,12,21",
    "B:W18,19,22,23,27,30,31,32:B2,3,7,8,10,11,13,16,20,21",
    "B:WK8,21,22,23,25,26,30:B1,2,5,6,9,12,K32",
    "B:WK2,K3,21,27,31,32:B5,11,12,15,18,22",
)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Nodes that alpha-beta visits to each depth.")
    parser.add_argument("--player", default="champion-1")
    parser.add_argument("--depths", nargs="+", type=int, default=[8, 10, 12, 13])
    options = parser.parse_args()
    rules, player = game("checkers"), parse_player(options.player)
    for depth in options.depths:
        line, found = [], []
        # With a node limit that is never reached, each depth is searched in turn.
        for limits in (Limits(depth), Limits(depth, nodes=MAX_NODES)):
            analyses = [
                player.new_game(rules).analyse(rules.parse_fen(fen), limits=limits, line=False)
                for fen in POSITIONS
            ]
            line.append(float(np.exp(np.log([analysis.nodes for analysis in analyses]).mean())))
            found.append([(analysis.value, analysis.best_moves) for analysis in analyses])
        digest = hashlib.sha256(repr(found).encode()).hexdigest()[:8]
        print(
            f"depth {depth:2d}: {line[0]:12,.0f} at once {line[1]:12,.0f} step by step, {digest}", flush=True
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
