"""Overhead of a move besides its search: medians of choosing and analysing at a small depth, in µs.

Usage: taskset -c 1 python tools/bench/latency.py [--player champion-1:depth=4] [--calls 200] [--time 50]

The positions are those of `search_nodes.py`. Kept: one engine for all, as in a game; fresh: a new game for
each move, as in `choose` and `analyse` of the package. Last, by how much a move with a time limit exceeds the
milliseconds of --time; this counts the thinking only, including the time to find the principal variation.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.api.board import Board
from neche.api.players import analyse, choose
from neche.games.catalogue import game
from neche.players.engine import Limits, Player, choose_move
from neche.players.spec import parse_player
from tools.bench.search_nodes import POSITIONS


def median(call: Callable[[Any], Any], places: list[Any], calls: int) -> float:
    """Return the median time of a call, microseconds of wall time, after one warm-up round."""
    for place in places:
        call(place)
    seconds = []
    for number in range(calls):
        place = places[number % len(places)]
        began = time.perf_counter()
        call(place)
        seconds.append(time.perf_counter() - began)
    return 1e6 * statistics.median(seconds)


def overruns(player: Player, milliseconds: int, places: list[Any], calls: int) -> list[float]:
    """Return by how many milliseconds thinking exceeded its limit, in ascending order."""
    engine, found = player.new_game(game("checkers")), []
    # Loading for the first move does not count as thinking.
    engine.analyse(places[0], limits=Limits(time_ms=milliseconds))
    for number in range(calls):
        began = time.perf_counter()
        engine.analyse(places[number % len(places)], limits=Limits(time_ms=milliseconds))
        found.append(1e3 * (time.perf_counter() - began) - milliseconds)
    return sorted(found)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Overhead of a move besides its search.")
    parser.add_argument("--player", default="champion-1:depth=4")
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--time", type=int, default=50, metavar="MS")
    options = parser.parse_args()
    rules, player = game("checkers"), parse_player(options.player)
    places = [rules.parse_fen(fen) for fen in POSITIONS]
    boards = [Board("checkers", fen) for fen in POSITIONS]
    draw, engine = np.random.default_rng(1), player.new_game(rules)
    calls: list[tuple[str, Callable[[Any], Any], list[Any]]] = [
        ("list the legal moves", rules.legal_moves, places),
        ("choose, kept", lambda place: choose_move(player, rules, place, draw, engine=engine), places),
        ("analyse, kept, without a line", lambda place: engine.analyse(place, line=False), places),
        ("analyse, kept, with a line", engine.analyse, places),
        ("choose, fresh", lambda board: choose(board, player), boards),
        ("choose, fresh, player in words", lambda board: choose(board, options.player), boards),
        ("analyse, fresh", lambda board: analyse(board, player), boards),
    ]
    for name, call, given in calls:
        print(f"{name:31} {median(call, given, options.calls):8.0f} µs", flush=True)
    for words in ("exact", "selective"):
        searching = parse_player(f"{options.player.split(':')[0]}:search={words}")
        late = overruns(searching, options.time, places, options.calls)
        middle, most = statistics.median(late), late[-1]
        print(
            f"{words}, {options.time} ms: {middle:+z.1f} ms in the middle, {most:+z.1f} ms at most",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
