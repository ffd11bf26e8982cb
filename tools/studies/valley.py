"""Measure the valley: what sight is worth against blindness, by search depth.

Usage: python tools/studies/valley.py [--depths 1 2 3 4 5 6] [--perspective own] [--seed 1] [--jobs N]
            [--output FILE]
           [--table]

Three families of networks play the blind player, which has no synapse, at equal depth:

    squares  k squares feed the output with weight 1, all others nothing; 32 is the count of material
    noise    every square feeds the output with weight m + N(0, 1)
    random   random genomes as generation 0 of an evolution draws them, viable ones

Each cell, a family with one k or m at one depth, is a line of FILE with the result of every single network,
because networks of a family differ more than games of one network. Finished cells are not played again. The
seed determines networks, openings and games.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import joblib
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.compiled.batches import PromptThreads
from neche.compiled.streams import stream
from neche.evolution.population import FloatArray, first_members
from neche.evolution.schedule import StreamName
from neche.evolution.settings import MemberSettings
from neche.genome.dna import WEIGHT_SCALE, WEIGHT_ZERO, Digits, Genes, write_genes
from neche.network.decode import (
    PERSPECTIVES,
    Network,
    Perspective,
    blind_network,
    check_perspective,
    decode_population,
)
from neche.network.topology import ORIGINAL
from tools.studies.measurement import Cell, append_cell, estimate, play_each, read_cells, score_of

DATA = Path(__file__).resolve().parents[2] / "docs" / "data" / "valley.jsonl"
SIZES: dict[str, tuple[float, ...]] = {
    "squares": (1, 2, 4, 8, 12, 16, 20, 24, 28, 32),
    "noise": (-1.0, -0.3, 0.0, 0.3, 0.6, 1.0, 2.0, 4.0),
    "random": (0,),
}
"""The values of k and m; random genomes have none."""
NUM_NETWORKS = {"squares": 8, "noise": 8, "random": 50}
_GAMES = {"squares": 50, "noise": 50, "random": 8}
# A game at depth 6 costs as much as a hundred at depth 2.
_SHARE_OF_GAMES = {5: 0.5, 6: 0.25}


def games_each(family: str, depth: int) -> int:
    """Return the games of each network of a family, an even number.

    >>> [games_each("squares", depth) for depth in (4, 5, 6)]
    [50, 24, 12]
    """
    return int(_GAMES[family] * _SHARE_OF_GAMES.get(depth, 1)) // 2 * 2


def linear_genome(weights: FloatArray) -> Digits:
    """Return the genome of direct synapses with weights [32], by sensor; a weight of 0 has no synapse."""
    sensors = np.flatnonzero(weights)
    raw = WEIGHT_ZERO + np.rint(weights[sensors] * WEIGHT_SCALE).astype(np.int64)
    return write_genes(Genes(sensors, np.full_like(sensors, ORIGINAL.output), raw))


def _squares(size: float, seed: int, index: int) -> Digits:
    chosen = stream(seed, 0, "valley squares", index).permutation(ORIGINAL.sensors)[: int(size)]
    return linear_genome(np.isin(np.arange(ORIGINAL.sensors), chosen).astype(float))


def _noise(size: float, seed: int, index: int) -> Digits:
    return linear_genome(size + stream(seed, 0, "valley noise", index).standard_normal(ORIGINAL.sensors))


_LINEAR: dict[str, Callable[[float, int, int], Digits]] = {"squares": _squares, "noise": _noise}


def genomes_of(family: str, size: float, seed: int, count: int) -> list[Digits]:
    """Return the first `count` genomes of a family; larger sets of squares contain the smaller ones."""
    if family == "random":
        return [member.genome for member in first_members(MemberSettings(population=count), seed)]
    return [_LINEAR[family](size, seed, index) for index in range(count)]


def play_cell(cell: Cell) -> Cell:
    """Return a cell, named by its keys, with the results of its networks: [wins, draws, losses] of each."""
    perspective = check_perspective(cell["perspective"])
    genomes = genomes_of(cell["family"], cell["size"], cell["seed"], cell["networks"])
    networks: list[Network] = []
    for genome in genomes:  # genomes of different length, where a drawn weight is 0
        networks += decode_population([genome], perspective=perspective)
    purpose = StreamName(cell["seed"], 0, f"valley {cell['family']} {cell['size']} {cell['depth']}")
    results = play_each(networks, blind_network(), cell["depth"], num_games=cell["games"], purpose=purpose)
    return cell | {"results": results}


def play_valley(depths: Sequence[int], perspective: Perspective, seed: int, output: Path) -> None:
    """Play the unfinished cells."""
    for depth in depths:
        for family, sizes in SIZES.items():
            for size in sizes:
                key: Cell = {
                    "family": family,
                    "size": size,
                    "depth": depth,
                    "perspective": perspective,
                    "seed": seed,
                    "networks": NUM_NETWORKS[family],
                    "games": games_each(family, depth),
                }
                if any(key.items() <= _keys(cell).items() for cell in read_cells(output)):
                    continue
                cell = play_cell(key)
                append_cell(output, cell)
                mean, error = estimate([score_of(counts) for counts in cell["results"]])
                print(f"seed {seed} · {family} {size} · depth {depth}: {mean:.3f} ± {error:.3f}", flush=True)


def _keys(cell: Cell) -> Cell:
    return {name: value for name, value in cell.items() if name != "results"}


def table(cells: Sequence[Cell], perspective: str) -> str:
    """Return the scores against the blind player as a table: rows by family and size, columns by depth."""
    depths = sorted({cell["depth"] for cell in cells})
    lines = [
        "| | " + " | ".join(f"depth {depth}" for depth in depths) + " |",
        "|---" * (len(depths) + 1) + "|",
    ]
    for family, sizes in SIZES.items():
        for size in sizes:
            row = {
                cell["depth"]: estimate([score_of(counts) for counts in cell["results"]])
                for cell in cells
                if (cell["family"], cell["size"], cell["perspective"]) == (family, size, perspective)
            }
            scores = [
                f"{row[depth].mean:.2f} ± {row[depth].error:.2f}" if depth in row else "" for depth in depths
            ]
            lines.append(f"| {family} {size:g} | " + " | ".join(scores) + " |")
    return "\n".join(lines)


def main() -> int:
    """Play what is missing and print the table."""
    parser = argparse.ArgumentParser(description="Measure what sight is worth against blindness, by depth.")
    parser.add_argument("--depths", type=int, nargs="+", default=[1, 2, 3, 4, 5, 6])
    parser.add_argument("--perspective", choices=PERSPECTIVES, default="own")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path, default=DATA)
    parser.add_argument("--table", action="store_true", help="play nothing, print the table")
    options = parser.parse_args()
    if not options.table:
        with joblib.parallel_config(backend=PromptThreads(), n_jobs=options.jobs):
            play_valley(options.depths, options.perspective, options.seed, options.output)
    print(table(read_cells(options.output), options.perspective))
    return 0


if __name__ == "__main__":
    sys.exit(main())
