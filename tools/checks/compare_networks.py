"""Compare networks with their slow twins: exact values of positions by random genomes, also after a move.

Usage: python tools/checks/compare_networks.py [--game NAME] [--genomes 10000] [--seed 1]

Every other genome has genes for the game's own topology or a crowded one, in either perspective; the others
have strands, with up to 40 hidden neurons and often up to 32 in a second layer. Each is decoded, packed
with the others of its batch, and evaluates a position of a random game for both sides, from scratch and
incrementally by the move that led there. The twins compute from DNA and FEN in fractions and share nothing
with the package. The first difference is printed and ends the run. Without --game all games are compared,
with a quarter of the genomes each.
"""

import argparse
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.games.catalogue import GAMES, game
from neche.games.game import Game
from neche.genome import dna
from neche.network.decode import DENSE_PERSPECTIVE, PERSPECTIVES, Network, decode
from neche.network.forward import evaluate, refresh, table_start, update
from neche.network.packing import pack_networks, unit
from neche.network.sensors import default_topology
from neche.network.topology import MAX_SECOND, Topology, dense_topology
from tests.genome.drawn import random_strands
from tests.oracles import network_twin, patterns_twin, strands_twin
from tests.oracles.boards import SQUARES, board_of

_BATCH = 20
_GENES, _LARGEST = 200, 2.0**40
_MOST_HIDDEN, _MOST_PLIES = 40, 80


class Case(NamedTuple):
    """A genome with its network, and a position with the one before it."""

    text: str
    network: Network
    before: Any
    after: Any


def cases(rules: Game, seed: int) -> Iterator[Case]:
    """Yield cases without end, alternating genes, strands, and strands with sensors by pattern."""
    draw = np.random.default_rng([seed, GAMES.index(rules.name)])
    while True:
        for make in (_of_genes, _of_strands, _of_patterns):
            text, network = make(rules, draw)
            yield Case(text, network, *_move(rules, draw))


def _of_genes(rules: Game, draw: np.random.Generator) -> tuple[str, Network]:
    own = default_topology(rules)
    # Crowded: few hidden neurons, so that most genes are on paths and many of these meet.
    few = Topology(own.sensors, own.bias, *draw.integers(1, 7, size=2).tolist())
    topology = own if draw.random() < 0.5 else few
    digits = dna.random_genome(_GENES, draw, gene_length=topology.gene_format.length)
    return dna.decode(digits), decode(digits, perspective=PERSPECTIVES[draw.integers(2)], topology=topology)


def _of_strands(rules: Game, draw: np.random.Generator) -> tuple[str, Network]:
    kinds = 2 if rules.name == "othello" else 4
    hidden, sensors = int(draw.integers(_MOST_HIDDEN + 1)), kinds * len(SQUARES[rules.name])
    return _of_sensors(sensors, hidden, MAX_SECOND, draw)


def _of_patterns(rules: Game, draw: np.random.Generator) -> tuple[str, Network]:
    sensors = len(patterns_twin.sensors(rules.name, {}, first_moves=True))
    return _of_sensors(sensors, int(draw.integers(_MOST_HIDDEN // 4 + 1)), MAX_SECOND - 1, draw)


def _of_sensors(
    sensors: int, hidden: int, most_second: int, draw: np.random.Generator
) -> tuple[str, Network]:
    # Half of those that can have a second layer do.
    second = int(draw.integers(1, most_second + 1)) if hidden and draw.random() < 0.5 else 0
    topology = dense_topology(sensors, hidden, second)
    (digits,) = random_strands(topology.strand_format, draw, sd=0.5, count=1)
    return dna.decode(digits), decode(digits, perspective=DENSE_PERSPECTIVE, topology=topology)


def _move(rules: Game, draw: np.random.Generator) -> tuple[Any, Any]:
    """Return the last two positions of a random game that is cut off somewhere."""
    before = after = rules.start()
    for _ in range(draw.integers(1, _MOST_PLIES)):
        moves = rules.legal_moves(after)
        if not moves:
            break
        before, after = after, moves[draw.integers(len(moves))].after
    return before, after


def expected(rules: Game, case: Case, side: int) -> Fraction:
    """Return the twin's value of the later position by a genome, for a side."""
    board, squares = board_of(rules.name, rules.format_fen(case.after)), SQUARES[rules.name]
    topology = case.network.topology
    if not topology.is_dense:
        counts = (topology.sensors, topology.bias, topology.layer1, topology.layer2, 1)
        first, perspective = side == 0, case.network.perspective
        return network_twin.evaluate(case.text, counts, squares, board, viewer=first, perspective=perspective)
    mover, kinds = int(case.after.turn), 2 if rules.name == "othello" else 4
    if topology.sensors == kinds * len(squares):
        seen = strands_twin.sensors(squares, board, num_kinds=kinds, first_moves=mover == 0)
    else:
        seen = patterns_twin.sensors(rules.name, board, first_moves=mover == 0)
    return (1 if side == mover else -1) * strands_twin.evaluate(
        case.text, topology.layer1, seen, topology.layer2
    )


def difference(rules: Game, batch: list[Case]) -> str | None:
    """Describe how the package and the twins differ on a batch of genomes, if they do."""
    packed = pack_networks([case.network for case in batch], rules.sensors)
    for index, case in enumerate(batch):
        at = np.int64(index)
        for side in (np.int64(0), np.int64(1)):
            sums = refresh(packed, at, side, case.after)
            begun = refresh(packed, at, side, case.before)
            moved = update(packed.words, table_start(packed, at, side), side, case.before, case.after, begun)
            value = Fraction(int(evaluate(packed, at, side, case.after, sums))) / Fraction(
                unit(packed, index)
            )
            slow = expected(rules, case, int(side))
            # Exact unless sums exceed 61 bits and are kept in larger units.
            is_same = abs(value - slow) <= abs(slow) / Fraction(_LARGEST)
            if not is_same or moved != sums:
                where = f"{rules.format_fen(case.after)}, side {side}"
                return f"{where}\n  twin {slow}\n  fast {value}, {moved} after the move\n  {case.text}"
    return None


def main() -> int:
    """Compare; return 1 at the first difference."""
    parser = argparse.ArgumentParser(description="Compare networks with their slow twins.")
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--genomes", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names = [options.game] if options.game else list(GAMES)
    return max(_compare(game(name), options.genomes // len(names), options.seed) for name in names)


def _compare(rules: Game, number: int, seed: int) -> int:
    """Compare a number of genomes; return 1 at the first difference."""
    drawn = cases(rules, seed)
    for begin in range(0, number, _BATCH):
        found = difference(rules, [next(drawn) for _ in range(min(_BATCH, number - begin))])
        if found:
            print(f"{rules.name}, seed {seed}, genomes from {begin} on differ: {found}")
            return 1
    print(f"{rules.name}: {number} genomes, {2 * number} values: no difference", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
