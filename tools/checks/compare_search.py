"""Compare the search with slow full-width minimax: root values and all best moves, exactly.

Usage: python tools/checks/compare_search.py [--positions 2000] [--seed 1] [--leaves 4000]

Positions come from random games, random placements and endings; networks are random, crowded, full of ties,
or count material, seen from either perspective. Each position takes its turn at depths 1 to 6; where that has
more leaves than --leaves, it is searched less deep. The first difference is printed and ends the run.
"""

import argparse
import random
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.games.catalogue import Game, game
from neche.genome.dna import encode
from neche.network.decode import check_perspective, decode
from neche.players.alpha_beta import search_position
from neche.players.engine import WIN_VALUE, Analysis
from tests.network import wiring
from tests.oracles import checkers_twin as twin
from tests.oracles import minimax

_DEPTHS = (1, 2, 3, 4, 5, 6)
_REPORT_EVERY = 100


class Case(NamedTuple):
    """One search to compare; every_value: of all moves, not only of the best."""

    position: twin.Position
    dna: str
    perspective: str
    depth: int
    every_value: bool


def case(checkers: Game, seed: int, index: int, leaves: int) -> Case:
    """Draw a case; its depth goes around 1 to 6 with the index, as far as there are not too many leaves."""
    rng = random.Random(f"{seed} {index}")
    position = _position(rng)
    depth = _DEPTHS[index % len(_DEPTHS)]
    here = checkers.parse_fen(twin.fen(position))
    while depth > 1 and checkers.perft(here, depth) > leaves:
        depth -= 1
    dna = wiring.dna_of(rng.choice(wiring.KINDS), rng)
    return Case(position, dna, rng.choice(["own", "antisymmetric"]), depth, rng.random() < 0.5)


def _position(rng: random.Random) -> twin.Position:
    """Draw a position with a legal move: a random game, a random placement, or an ending."""
    while True:
        source = rng.choice([_from_game, _from_placement, _ending])
        position = source(rng)
        if twin.moves(position):
            return position


def _from_game(rng: random.Random) -> twin.Position:
    return rng.choice(list(twin.random_game(rng.getrandbits(32))))


def _from_placement(rng: random.Random) -> twin.Position:
    return twin.random_position(rng.getrandbits(32))


def _ending(rng: random.Random) -> twin.Position:
    """Two to five pieces, most often more on one side: wins and losses lie near."""
    places = rng.sample(range(1, 33), rng.randint(2, 5))
    num_white = rng.choice([1, len(places) - 1])
    king_chance = rng.random()
    board = {}
    for index, number in enumerate(places):
        side, crowning = ("W", 7) if index < num_white else ("B", 0)
        place = twin.square(number)
        board[place] = side if place[1] == crowning or rng.random() < king_chance else side.lower()
    return twin.Position(board, rng.choice("WB"))


def difference(checkers: Game, case: Case) -> str | None:
    """Describe how the search and minimax differ on a case, if they do."""
    slow = minimax.root_values(case.position, case.dna, case.perspective, case.depth)
    here = checkers.parse_fen(twin.fen(case.position))
    network = decode(encode(case.dna), perspective=check_perspective(case.perspective))
    found = search_position(checkers, here, network, depth=case.depth, every_value=case.every_value)
    after = {move.text: _ordered(checkers.format_fen(move.after)) for move in checkers.legal_moves(here)}
    true = {fen: value for (_, fen), value in slow.items()}
    best = max(true.values())
    fault = None
    if {after[move] for move in found.best_moves} != {fen for fen, value in true.items() if value == best}:
        fault = "best moves differ"
    elif not _is_shown(found.value, best):
        fault = "values differ"
    elif not _are_move_values_right(found, after, true, case.every_value):
        fault = "values of moves differ"
    return fault and f"{fault}: {case}\n  minimax {slow}\n  search {found}"


def _are_move_values_right(
    found: Analysis, after: dict[str, str], true: dict[str, int], every_value: bool
) -> bool:
    best = max(true.values())
    for move, shown in found.values.items():
        value = true[after[move]]
        is_exact = every_value or value == best
        if is_exact and not _is_shown(shown, value):
            return False
        if not is_exact and not _shown(value) - _rounding(value) <= shown <= found.value:
            return False
    return True


def _is_shown(shown: float, value: int) -> bool:
    return abs(shown - _shown(value)) <= _rounding(value)


def _rounding(value: int) -> float:
    # A float holds 53 bits: an integer is rounded once, and once more when it is divided by its unit.
    return 2.0**-51 * abs(_shown(value))


def _shown(value: int) -> float:
    """Turn a value of minimax into what the search shows: weight units, wins by their plies."""
    if abs(value) > minimax.WIN // 2:
        plies = minimax.WIN - abs(value)
        return (WIN_VALUE - plies) * (1 if value > 0 else -1)
    return float(Fraction(value, minimax.UNIT))


def _ordered(fen: str) -> str:
    return twin.fen(twin.parse(fen))


def main() -> int:
    """Compare; return 1 at the first difference."""
    parser = argparse.ArgumentParser(description="Compare the search with slow full-width minimax.")
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--leaves", type=int, default=4000)
    options = parser.parse_args()
    checkers = game("checkers")
    depths: Counter[int] = Counter()
    for index in range(options.positions):
        drawn = case(checkers, options.seed, index, options.leaves)
        found = difference(checkers, drawn)
        if found:
            print(f"seed {options.seed} position {index}: {found}")
            return 1
        depths[drawn.depth] += 1
        if (index + 1) % _REPORT_EVERY == 0:
            print(f"seed {options.seed}: {index + 1} of {options.positions} positions agree", flush=True)
    counts = ", ".join(f"{depths[depth]} at depth {depth}" for depth in sorted(depths))
    print(f"seed {options.seed}: {options.positions} positions, no difference ({counts})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
