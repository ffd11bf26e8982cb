"""Count the leaves of the checkers tree from the start position, and compare with the published counts.

Usage: python tools/perft.py [DEPTH]

Published: OEIS A133046 (Aart Bik); tests/oracles/english.json names the programs that agree.
"""

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from neche.games.catalogue import game

ORACLE = Path(__file__).resolve().parent.parent / "tests" / "oracles" / "english.json"


def main() -> int:
    """Print one line a depth; return 1 if a count differs."""
    positions = json.loads(ORACLE.read_text(encoding="utf-8"))["positions"]
    published = positions[0]["published"]["perft"]
    parser = argparse.ArgumentParser(description="Compare perft with the published counts.")
    parser.add_argument("depth", type=int, nargs="?", default=10, choices=range(1, len(published) + 1))
    depth = parser.parse_args().depth
    checkers = game("checkers")
    checkers.perft(checkers.start(), 2)
    wrong = 0
    for ply, expected in enumerate(published[:depth], 1):
        began = time.process_time()
        leaves = checkers.perft(checkers.start(), ply)
        seconds = time.process_time() - began
        verdict = "as published" if leaves == expected else f"WRONG, published {expected}"
        wrong += leaves != expected
        rate = leaves / max(seconds, 1e-9) / 1e6
        print(f"depth {ply:2}  {leaves:>12}  {seconds:8.3f} s  {rate:7.1f} M leaves/s  {verdict}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
