"""Print UCT's results and the figures of its tree in an opening, a middle game and two endgames.

Usage: python tools/studies/uct_figures.py

The tables of docs/how-to/monte-carlo.md. Everything but the rate is the same on every run and machine.
"""

import argparse
import time
from collections.abc import Iterator
from typing import Any

from neche.compiled.streams import stream_key
from neche.games.catalogue import game
from neche.players.engine import Analysis
from neche.players.uct import Uct

POSITIONS = {
    "opening": "B:W21-32:B1-12",
    "middle": "W:W11,21,22,23,26,28,30,31,32:B2,4,5,6,9,10,13,16,19",
    "end": "W:W8,11,21,22,25,26,32:B4,6,13,14,15,24",
    "won": "W:WK18,19,K22:BK3,6",
}
PLAYOUTS = (1_000, 10_000, 100_000)
COLUMNS = (
    "position",
    "playouts",
    "move",
    "N",
    "Q",
    "mean depth",
    "tree depth",
    "line to a leaf",
    "line while N ≥ 100",
    "positions",
)


def think(name: str, playouts: int) -> Analysis:
    """Let a fresh UCT player think about one of the positions."""
    rules = game("checkers")
    key = stream_key(0, 0, "figures of uct")
    return Uct(playouts=playouts).new_game(rules).analyse(rules.parse_fen(POSITIONS[name]), key=key)


def cells(name: str, playouts: int, thought: Analysis) -> tuple[Any, ...]:
    """Return the cells of a row of the table, without the rate."""
    facts = thought.figures
    best = next(move for move in thought.moves if move.text == thought.best_moves[0])
    return (
        name,
        f"{playouts:,}",
        best.text,
        f"{best.visits:,}",
        f"{best.value:.4f}",
        f"{facts['mean_depth']:.1f}",
        facts["tree_depth"],
        len(thought.pv),
        facts["line_length"],
        f"{facts['nodes']:,}",
    )


def rows() -> Iterator[tuple[Any, ...]]:
    """Yield the cells of all rows without the rate."""
    for name in POSITIONS:
        for playouts in PLAYOUTS:
            yield cells(name, playouts, think(name, playouts))


def rate(name: str, playouts: int, *, tries: int = 5) -> float:
    """Return the most playouts per second of CPU time in several tries."""
    best = 0.0
    for _ in range(tries):
        began = time.process_time()
        thought = think(name, playouts)
        best = max(best, thought.figures["descents"] / (time.process_time() - began))
    return best


def moves_table(thought: Analysis) -> list[str]:
    """Write the moves as the lab does: N(s, a), the move, Q(s, a), most visits first; Q(s) and N(s) above."""
    ordered = sorted(thought.moves, key=lambda move: -move.visits)
    heading = f"Q: {thought.figures['root_value']:.4f}    (N: {thought.figures['visits']})"
    return [heading, *(f"{move.visits:>8} {move.text:6} [{move.value:.4f}]" for move in ordered)]


def line(values: tuple[Any, ...]) -> str:
    """Write one row of a Markdown table.

    >>> line(("a", 1))
    '| a | 1 |'
    """
    return f"| {' | '.join(map(str, values))} |"


def main() -> None:
    """Print the tables."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    think("opening", 1)
    print("\n".join(moves_table(think("end", 1_000))), "\n")
    print(line((*COLUMNS, "playouts/s")))
    print(line(("---",) * (len(COLUMNS) + 1)))
    for values in rows():
        per_second = rate(values[0], int(values[1].replace(",", "")))
        print(line((*values, f"{per_second / 1000:.0f} k")), flush=True)


if __name__ == "__main__":
    main()
