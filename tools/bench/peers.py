"""Compare rates with those of other programs in one run: which is how many times as fast on this machine.

Usage: python tools/bench/peers.py [--runs 3] [--perft NAME=GAME=DEPTH=COMMAND …]

OpenSpiel (`pip install open_spiel`) and pydraughts (`pip install pydraughts`) are measured if they are
installed. Any program that counts leaves is measured by --perft, such as

    --perft 'edax=othello=9=/usr/local/bin/edax-perft 9'

The last whole number that it prints must equal our count. The two sides of a row take turns, best of some
runs, CPU time of one core; a program's time includes its start.
"""

import argparse
import platform
import re
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.games.catalogue import GAMES, game
from neche.games.game import Game
from neche.players.spec import parse_player
from tools.bench.game_rates import one_by_one

_VISITS = 4_000
_ROLLOUTS_A_VISIT, _ROLLOUT_VISITS = 100, 10
_LISTS_TO_DEPTH = 5
Work = Callable[[], int]
"""Does some work and returns the number of units done."""


class Row(NamedTuple):
    """A comparison. unit: what is counted. ours, theirs: the same work."""

    what: str
    unit: str
    peer: str
    ours: Work
    theirs: Work


def best_rates(row: Row, runs: int) -> tuple[float, float]:
    """Return the best rates of both, units per second of CPU time, in turns, after one run that compiles."""
    best = [0.0, 0.0]
    for number in range(runs + 1):
        for place, work in enumerate((row.ours, row.theirs)):
            began = _cpu_seconds()
            units = work()
            if number:
                best[place] = max(best[place], units / (_cpu_seconds() - began))
    return best[0], best[1]


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of the programs it has waited for."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def open_spiel_rows() -> Iterator[Row]:
    """Yield comparisons with OpenSpiel: random games and UCT of checkers and Othello, in its own C++."""
    spiel: Any = import_module("pyspiel")
    peer = f"OpenSpiel {version('open_spiel')}"
    for name in ("checkers", "othello"):
        rules, state = game(name), spiel.load_game(name).new_initial_state()
        playouts = partial(one_by_one, rules, 1)
        yield Row(f"random games of {name}", "games", peer, playouts, partial(_rollouts, spiel, state))
        search = partial(_visits, spiel, state, 1, _VISITS)
        yield Row(f"UCT of {name}, {_VISITS} visits", "visits", peer, partial(_our_visits, rules), search)


def _visits(spiel: Any, state: Any, rollouts: int, visits: int) -> int:
    """Search with OpenSpiel's UCT, with a number of random games at every leaf; return the visits."""
    evaluator = spiel.RandomRolloutEvaluator(rollouts, 1)
    bot = spiel.MCTSBot(state.get_game(), evaluator, 1.4, visits, 1000, True, 1, False)
    bot.step(state)
    return visits


def _rollouts(spiel: Any, state: Any) -> int:
    """Play random games with OpenSpiel's UCT of few visits; return how many."""
    return _ROLLOUTS_A_VISIT * _visits(spiel, state, _ROLLOUTS_A_VISIT, _ROLLOUT_VISITS)


def _our_visits(rules: Game) -> int:
    player = parse_player(f"uct:playouts={_VISITS}")
    player.new_game(rules).analyse(rules.start(), key=1)
    return _VISITS


def pydraughts_rows() -> Iterator[Row]:
    """Yield comparisons of legal moves in Python, along a tree of a few plies of International draughts."""
    draughts: Any = import_module("draughts")
    rules, board = game("international"), draughts.Board(variant="standard")
    what = f"lists of moves of International draughts, to depth {_LISTS_TO_DEPTH}"
    ours = partial(_our_lists, rules, rules.start(), _LISTS_TO_DEPTH)
    theirs = partial(_their_lists, board, _LISTS_TO_DEPTH)
    yield Row(what, "leaves", f"pydraughts {version('pydraughts')}", ours, theirs)


def _our_lists(rules: Game, position: Any, depth: int) -> int:
    moves = rules.legal_moves(position)
    return len(moves) if depth == 1 else sum(_our_lists(rules, move.after, depth - 1) for move in moves)


def _their_lists(board: Any, depth: int) -> int:
    moves = board.legal_moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        board.push(move)
        total += _their_lists(board, depth - 1)
        board.pop()
    return total


def perft_row(text: str) -> Row:
    """Return the row of a leaf-counting program that --perft names."""
    name, rules_name, depth_text, command = text.split("=", 3)
    rules, depth = game(rules_name), int(depth_text)

    def ours() -> int:
        return int(rules.perft(rules.start(), depth))

    # Counted beforehand, so not in the other program's time.
    leaves = ours()

    def theirs() -> int:
        done = subprocess.run(shlex.split(command), capture_output=True, text=True, check=True)
        found = int(re.findall(r"\d+", done.stdout.replace(",", ""))[-1])
        if found != leaves:
            raise SystemExit(f"{name}: {found} leaves to depth {depth}; here there are {leaves}")
        return found

    return Row(f"perft of {rules_name} to {depth}", "leaves", name, ours, theirs)


def rows(programs: list[str]) -> Iterator[Row]:
    """Yield the comparisons possible here, and print which are not."""
    for make, package in ((open_spiel_rows, "open_spiel"), (pydraughts_rows, "pydraughts")):
        try:
            version(package)
        except PackageNotFoundError:
            print(f"{package} is not installed", file=sys.stderr)
            continue
        yield from make()
    yield from map(perft_row, programs)


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description="Compare rates with those of other programs.")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--perft", nargs="+", default=[], metavar="NAME=GAME=DEPTH=COMMAND")
    options = parser.parse_args()
    for text in options.perft:
        parts = text.split("=", 3)
        if len(parts) < 4 or parts[1] not in GAMES or not parts[2].isdecimal():
            parser.error(f"--perft {text}: expected NAME=GAME=DEPTH=COMMAND, GAME one of {', '.join(GAMES)}")
    versions = f"Python {platform.python_version()}, numba {version('numba')}, numpy {np.__version__}"
    print(f"{versions}, {platform.machine()}\n")
    print("| what | neche | peer | peer's rate | speed-up |")
    print("|---|---|---|---|---|")
    for row in rows(options.perft):
        ours, theirs = best_rates(row, options.runs)
        rates = f"{ours:,.0f} {row.unit}/s | {row.peer} | {theirs:,.0f}"
        print(f"| {row.what} | {rates} | {ours / theirs:,.1f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
