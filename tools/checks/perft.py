"""Count the leaves of a game's tree from the start position, and compare with published counts.

Usage: python tools/checks/perft.py [--game checkers] [DEPTH]

The published counts are in the tables in tests/oracles, which name their sources and the programs that agree.
"""

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.games.catalogue import game

ORACLES = Path(__file__).resolve().parents[2] / "tests" / "oracles"
TABLES = {
    "checkers": "english.json",
    "brazilian": "brazilian.json",
    "international": "international.json",
    "othello": "othello.json",
}


def main() -> int:
    """Print one line per depth; return 1 if a count differs."""
    parser = argparse.ArgumentParser(description="Compare perft with the published counts.")
    parser.add_argument("--game", choices=TABLES, default="checkers")
    parser.add_argument("depth", type=int, nargs="?", default=8, choices=range(1, 14))
    options = parser.parse_args()
    positions = json.loads((ORACLES / TABLES[options.game]).read_text(encoding="utf-8"))["positions"]
    published = positions[0]["published"]["perft"]
    rules = game(options.game)
    rules.perft(rules.start(), 2)
    wrong = 0
    for ply, expected in enumerate(published[: options.depth], 1):
        began = time.process_time()
        leaves = rules.perft(rules.start(), ply)
        seconds = time.process_time() - began
        verdict = "as published" if leaves == expected else f"WRONG, published {expected}"
        wrong += leaves != expected
        rate = leaves / max(seconds, 1e-9) / 1e6
        print(f"depth {ply:2}  {leaves:>12}  {seconds:8.3f} s  {rate:7.1f} M leaves/s  {verdict}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
