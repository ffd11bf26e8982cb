"""Measure what networks learn best from: sensors, width, labels, results, random moves, learning method.

Usage: python tools/studies/prediction.py [--seeds 1 2 3] [--only NAME …] [--games N] [--jobs N]
            [--output FILE] [--table]

Variants change one thing at a time. In a cell, a shipped champion plays N games against itself, its own
deeper search labels a share of their quiet positions, a network with random weights learns from them and then
meets champion-1 on openings that no training game shares. A finished cell is a line of FILE; finished cells
are not run again.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import joblib
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.arena.match import play_match
from neche.arena.tournament import Tournament
from neche.compiled.batches import PromptThreads
from neche.compiled.streams import stream_key
from neche.evolution.schedule import StreamName
from neche.evolution.screening import learned, mean_errors
from neche.games.catalogue import game
from neche.games.draws import DrawRule
from neche.genome.fasta import Record, format_record
from neche.network.decode import Perspective, decode
from neche.network.sensors import sensor_layout
from neche.network.topology import parse_topology
from neche.players.source import identity_fields, read_source, shipped_file
from neche.players.spec import parse_player
from neche.prediction.coevolution import StrategyPlan
from neche.prediction.judging import Samples
from neche.prediction.neurons import random_neurons, read_neurons, write_neurons
from neche.prediction.recording import RecordingPlan
from neche.prediction.samples import SamplePlan, make_samples, wiring_of
from tools.studies.measurement import Cell, append_cell, estimate, read_cells, score_of

DATA = Path(__file__).resolve().parents[2] / "docs" / "data" / "prediction.jsonl"
LABELLER, OPPONENT = "memetic-1", "champion-1"
MATCHES = [(4, 4), (4, 12), (6, 4), (6, 12)]
"""Plies searched by both sides, and random plies of the openings."""
_TEST_SEED, _MATCH_GAMES = 1_000_000, 400
_GENES, _FIRST_WEIGHTS = 849, 0.16
_HELD_BACK = 10
"""One in this many samples, those of the last games, is held out to measure the error."""
_STAGES = 8
"""Number of times that the rate is lowered while a network learns."""


class Variant(NamedTuple):
    """How samples are made and what learns from them; share_of_games: of the games of a cell."""

    topology: str = "128-32-1"
    perspective: Perspective = "mover"
    label_depth: int = 4
    result_share: float = 0.1
    random_moves: float = 0.1
    play_depth: int = 2
    draw_plies: int = 20
    share_of_games: float = 1.0
    is_gradient: bool = True
    batches: int = 20_000


AS_IT_IS = Variant()
VARIANTS = {
    "as it is": AS_IT_IS,
    "sensors by square, 24 hidden": AS_IT_IS._replace(topology="32-7-16-8-1", perspective="antisymmetric"),
    "8 hidden": AS_IT_IS._replace(topology="128-8-1"),
    "16 hidden": AS_IT_IS._replace(topology="128-16-1"),
    "64 hidden": AS_IT_IS._replace(topology="128-64-1"),
    "128 hidden": AS_IT_IS._replace(topology="128-128-1"),
    "labels of depth 2": AS_IT_IS._replace(label_depth=2),
    "labels of depth 6": AS_IT_IS._replace(label_depth=6),
    "results alone": AS_IT_IS._replace(label_depth=0),
    "half the result": AS_IT_IS._replace(result_share=0.5),
    "no result": AS_IT_IS._replace(result_share=0.0),
    "no random moves": AS_IT_IS._replace(random_moves=0.0),
    "a quarter random moves": AS_IT_IS._replace(random_moves=0.25),
    "games at depth 4": AS_IT_IS._replace(play_depth=4),
    "draws after 80 plies": AS_IT_IS._replace(draw_plies=80),
    "a quarter of the games": AS_IT_IS._replace(share_of_games=0.25),
    "coevolution, no gradient": AS_IT_IS._replace(is_gradient=False),
}


def samples_of(variant: Variant, games: int, seed: int) -> tuple[Samples, float]:
    """Return the samples of a cell, and the share of its games that was drawn."""
    source = read_source(str(shipped_file(LABELLER)))
    network = decode(
        source.genome, perspective="mover", topology=parse_topology(str(source.fields["topology"]))
    )
    plan = SamplePlan(
        game="checkers",
        recording=RecordingPlan(variant.play_depth, variant.label_depth, variant.random_moves, 0.18),
        rule=DrawRule(variant.draw_plies, False, 0),
        opening_plies=(2, 10),
        result_share=variant.result_share,
    )
    return make_samples(network, plan, StreamName(seed, 1, "study"), int(games * variant.share_of_games))


def run_cell(variant: Variant, games: int, seed: int, file: Path) -> Cell:
    """Make samples, learn from them, write the network to `file`, play."""
    samples, draws = samples_of(variant, games, seed)
    learned_from = len(samples.targets) - len(samples.targets) // _HELD_BACK
    train = Samples._make(column[:learned_from] for column in samples)
    rest = Samples._make(column[learned_from:] for column in samples)
    topology = parse_topology(variant.topology)
    wiring = wiring_of(topology, variant.perspective, sensor_layout(game("checkers")))
    neurons = random_neurons(topology, _GENES, _FIRST_WEIGHTS, np.random.default_rng(seed))
    for stage in range(_STAGES):
        rate = 0.002 * 0.05 ** (stage / (_STAGES - 1))
        plan = StrategyPlan(variant.batches // _STAGES, 512, 16, 0.024, rate, 1, 0.0)
        key = stream_key(seed, stage, "study: learning", 0)
        neurons = learned(wiring, train, neurons, plan, key, variant.is_gradient)
    dna = write_neurons(neurons, topology, _GENES)
    (error,) = mean_errors(wiring, rest, [read_neurons(dna, topology)], stream_key(seed, 0, "judged"))
    record = Record("learned", dna, identity_fields(variant.perspective, topology))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(format_record(record), encoding="utf-8")
    results = {f"depth {depth}, {plies} plies": _match(file, depth, plies, seed) for depth, plies in MATCHES}
    return {"samples": len(samples.targets), "draws": draws, "error": float(error), "results": results}


def _match(file: Path, depth: int, plies: int, seed: int) -> list[int]:
    players = [parse_player(f"network:file={file},depth={depth}"), parse_player(f"{OPPONENT}:depth={depth}")]
    tournament = Tournament(players, seed=_TEST_SEED + seed, opening_plies=plies)
    played = play_match(tournament, games=_MATCH_GAMES)
    return [played.wins, played.draws, played.losses]


def cells_of(cells: Sequence[Cell], name: str, games: int) -> list[Cell]:
    """Return the finished cells of a variant by seed, without those of another definition."""
    key = {"variant": name, "games": games, "is": [*VARIANTS[name]]}
    found = [cell for cell in cells if key == {part: cell[part] for part in key}]
    return sorted(found, key=lambda cell: int(cell["seed"]))


def table(cells: Sequence[Cell], games: int) -> str:
    """Return the finished cells as a table: means over seeds with their standard errors."""
    names = [f"depth {depth}, {plies} plies" for depth, plies in MATCHES]
    lines = [
        f"| variant | seeds | samples | drawn | error | {' | '.join(names)} |",
        "|---|---|---|---|---|" + "---|" * len(names),
    ]
    for variant in VARIANTS:
        found = cells_of(cells, variant, games)
        if found:
            samples, draws, error = (
                estimate([cell[key] for cell in found]).mean for key in ("samples", "draws", "error")
            )
            scores = [str(estimate([score_of(cell["results"][name]) for cell in found])) for name in names]
            figures = f"{samples / 1000:.0f} k | {draws:.2f} | {error:.4f}"
            lines.append(f"| {variant} | {len(found)} | {figures} | {' | '.join(scores)} |")
    return "\n".join(lines)


def main() -> int:
    """Run the unfinished cells, seed after seed, and print the table."""
    parser = argparse.ArgumentParser(description="Measure what networks learn best from.")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--only", nargs="+", default=list(VARIANTS), metavar="NAME", help="variants to run")
    parser.add_argument("--games", type=int, default=20_000, help="that samples are taken from")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path, default=DATA)
    parser.add_argument("--table", action="store_true", help="run nothing, print the table")
    options = parser.parse_args()
    for name in options.only:
        if name not in VARIANTS:
            parser.error(f"unknown variant {name!r} (known: {', '.join(VARIANTS)})")
    for seed in () if options.table else options.seeds:
        for name in options.only:
            found = cells_of(read_cells(options.output), name, options.games)
            if any(cell["seed"] == seed for cell in found):
                continue
            with joblib.parallel_config(backend=PromptThreads(), n_jobs=options.jobs):
                file = options.output.parent / "networks" / f"{name.replace(' ', '-')}-{seed}.fasta"
                cell = run_cell(VARIANTS[name], options.games, seed, file)
            key = {"variant": name, "seed": seed, "games": options.games, "is": [*VARIANTS[name]]}
            append_cell(options.output, key | cell)
            print(f"{name} · seed {seed}: {cell}", flush=True)
    print(table(read_cells(options.output), options.games))
    return 0


if __name__ == "__main__":
    sys.exit(main())
