"""`neche bench`: a fixed workload, with node counts as a signature and rates to compare."""

import argparse
import time
from collections.abc import Iterator, Mapping
from typing import Any

from neche.archive.layout import present_versions
from neche.arena import benchmark
from neche.cli.arguments import Parser
from neche.cli.output import emit, note
from neche.cli.workers import prepare, workers
from neche.errors import InputError, suggestion
from neche.evolution.evolve import evolve
from neche.evolution.recipes import load_recipe, override

# workload: the part of the compiled code that it needs
WORKLOADS = {
    "perft": "rules",
    "search": "search",
    "games": "games",
    "playouts": "playouts",
    "generation": "games",
}


def add_bench_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche bench`."""
    known = f"one or more of {', '.join(WORKLOADS)} (default: all)"
    parser.add_argument("workloads", metavar="WORKLOAD", nargs="*", help=known)
    parser.add_workers()
    drawn = "seed of positions, genomes and games; compare only signatures of the same seed (default: 0)"
    parser.add_seed(drawn)


def execute_bench(options: argparse.Namespace) -> None:
    """Measure and print."""
    for name in options.workloads:
        if name not in WORKLOADS:
            raise InputError(f"unknown workload {name!r}{suggestion(name, WORKLOADS)}")
    seed = options.seed or 0
    measured = {}
    for name in options.workloads or WORKLOADS:
        prepare(WORKLOADS[name])
        note(f"measuring {name}")
        measured[name] = _measure(name, seed, options)
    values = {"seed": seed, "nodes": count_nodes(measured), **measured, "versions": present_versions()}
    emit(options, values, "\n".join([*_lines(measured), f"Bench: {values['nodes']}"]))


def count_nodes(measured: Mapping[str, Any]) -> int:
    """Return the signature: the sum of all node counts at any depth of the mapping."""
    inner = sum(count_nodes(value) for value in measured.values() if isinstance(value, Mapping))
    return int(measured.get("nodes", 0)) + inner


def _measure(name: str, seed: int, options: argparse.Namespace) -> dict[str, Any]:
    if name == "perft":
        return benchmark.bench_perft()
    if name == "search":
        return benchmark.bench_search(seed)
    if name == "games":
        counts = benchmark.GAMES.items()
        return {f"depth_{depth}": benchmark.bench_games(seed, depth, count) for depth, count in counts}
    if name == "playouts":
        return {way: benchmark.bench_playouts(seed, way, count) for way, count in benchmark.PLAYOUTS.items()}
    return _measure_generation(seed, options)


def _measure_generation(seed: int, options: argparse.Namespace) -> dict[str, Any]:
    """Rank the random population of the recipe `original`: wall time, with all workers."""
    settings = override(load_recipe("original"), "ladder_games=0")
    with workers(options):
        began = time.perf_counter()
        (generation,) = evolve(settings, seed, generations=0)
        seconds = time.perf_counter() - began
    games, nodes = generation.record["games"], generation.record["nodes"]
    return {
        "population": len(generation.members),
        "depth": generation.depth,
        "games": games,
        "nodes": nodes,
        "seconds": seconds,
        "games_per_second": games / seconds,
        "nodes_per_second": nodes / seconds,
    }


def _lines(measured: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for name, value in measured.items():
        if not isinstance(value, Mapping):
            continue
        if "seconds" not in value:
            yield from _lines(value, f"{name} ")
            continue
        rates = [
            f"{rate:>14,.0f} {key.removesuffix('_per_second')}/s"
            for key, rate in value.items()
            if key.endswith("_per_second")
        ]
        label = (prefix + name).replace("_", " ")
        yield f"{label:16} {value['nodes']:>13} nodes {value['seconds']:8.2f} s {''.join(rates)}"
