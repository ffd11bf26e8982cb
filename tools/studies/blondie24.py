"""Evolve checkers players by the recipe of Blondie24, as closely as networks here allow, and compare.

Usage: python tools/studies/blondie24.py evolve FOLDER [--generations N] [--seconds S] [--seed S] [--depth D]
       python tools/studies/blondie24.py recipe FOLDER [--recipe tournament] [--generations N] [--seed S]
       python tools/studies/blondie24.py compare BLONDIE RECIPE [--games N] [--depth D] [--page PAGE.md]

`evolve` is the recipe: 15 parents, one child each by normal mutation with a separate step size for every
weight, 5 games of each of the 30 as the side that moves first, +1, 0, −2 points, the best 15 survive.
`recipe` runs a recipe of this project and records its costs. Both resume where they were stopped, to the same
bytes except for CPU time. `compare` takes champions of both at equal games and at equal CPU time, plays
matches, and prints a table. docs/studies/blondie24.md describes the differences from the original.

Source: K. Chellapilla, D. B. Fogel, "Evolving an expert checkers playing program without using human
expertise", IEEE Transactions on Evolutionary Computation 5 (4), 2001; the same, Proceedings of the IEEE 87
(9), 1999.
"""

import argparse
import io
import json
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.api.evolution import evolve as evolve_recipe
from neche.arena.match import play_match
from neche.arena.playing import Contestants, Schedule, play_games
from neche.arena.tournament import Tournament
from neche.compiled.batches import PromptThreads
from neche.compiled.streams import stream, stream_keys
from neche.errors import InputError
from neche.games.draws import DrawRule
from neche.games.sensors import DARK_8X8
from neche.genome.dna import WEIGHT_SCALE, WEIGHT_ZERO, Digits, Genes, write_genes
from neche.genome.fasta import Record, format_record
from neche.network.decode import Network, decode_population
from neche.network.topology import Topology
from neche.players.engine import Player
from neche.players.source import identity_fields
from neche.players.spec import parse_player
from neche.storage import append_file, make_directory, write_file
from tools.studies.league import put_into_page

Floats = NDArray[np.float64]
Costs = list[dict[str, Any]]

PARENTS, GAMES, DEPTH, GENERATIONS = 15, 5, 4, 840
POINTS = np.array([-2, 0, 1])
"""Points for a game lost, drawn, won."""
FIRST_WEIGHTS, FIRST_STEP = 0.2, 0.05
"""Initial weights are drawn from −0.2 … 0.2; each initial step is 0.05."""
FIRST_KING, KING_STEP, KINGS = 2.0, 0.1, (1.0, 3.0)
"""Value of a king, men being 1: initially, its change in a child (this, its opposite or none), its range."""
RULE = DrawRule(0, False, 0, max_plies=200)
"""A game of 100 moves per side is drawn."""
YARDSTICKS = ("material:depth=4", "champion-1:depth=4")
_LARGEST = 52.0
NUM_SECOND = 40


def sub_boards() -> list[list[int]]:
    """Return the sensors of each square section of the board, 3×3 to 8×8: 36, 25, 16, 9, 4 and 1 of them."""
    at = {("ABCDEFGH".index(name[0]), int(name[1:]) - 1): i for i, name in enumerate(DARK_8X8.squares)}
    return [
        [at[c, r] for r in range(row, row + size) for c in range(column, column + size) if (c, r) in at]
        for size in range(3, 9)
        for row in range(9 - size)
        for column in range(9 - size)
    ]


BOARDS = sub_boards()
# Two neurons per square besides the sections: with own man 1 and own king 2 at a sensor, max(0, x − 1) is 1
# only for an own king, and max(0, −x − 1) for an enemy one. So the value of kings can evolve.
TOPOLOGY = Topology(32, 1, len(BOARDS) + 64, NUM_SECOND)


class Wiring(NamedTuple):
    """All synapses: E whose weights evolve, F of the piece differential.

    fixed_weight: weight units. is_king: 1 or −1 where the weight is that times (king − 2) instead, else 0.
    """

    source: NDArray[np.int64]
    sink: NDArray[np.int64]
    fixed_source: NDArray[np.int64]
    fixed_sink: NDArray[np.int64]
    fixed_weight: Floats
    is_king: Floats


def _wiring() -> Wiring:
    bias, out = TOPOLOGY.first_bias, TOPOLOGY.output
    sections = range(TOPOLOGY.first_layer1, TOPOLOGY.first_layer1 + len(BOARDS))
    second = range(TOPOLOGY.first_layer2, out)
    evolved = [
        *((sensor, sink) for board, sink in zip(BOARDS, sections, strict=True) for sensor in (*board, bias)),
        *((source, sink) for sink in second for source in (*sections, bias)),
        *((source, out) for source in (*second, bias)),
    ]
    fixed: list[tuple[int, int, float, float]] = [(sensor, out, 1.0, 0.0) for sensor in range(32)]
    for number, neuron in enumerate(range(sections.stop, TOPOLOGY.first_layer2)):
        sign = 1.0 if number % 2 == 0 else -1.0
        fixed += [(number // 2, neuron, sign, 0.0), (bias, neuron, -1.0, 0.0), (neuron, out, 0.0, sign)]
    (source, sink), (fixed_source, fixed_sink, weight, is_king) = np.array(evolved).T, np.array(fixed).T
    return Wiring(source, sink, fixed_source.astype(np.int64), fixed_sink.astype(np.int64), weight, is_king)


WIRING = _wiring()
NUM_WEIGHTS = len(WIRING.source)
TAU = 1.0 / np.sqrt(2.0 * np.sqrt(NUM_WEIGHTS))


class Population(NamedTuple):
    """Members of the recipe. weights, steps: [P, E]. kings: [P], value of a king."""

    weights: Floats
    steps: Floats
    kings: Floats

    def take(self, rows: Sequence[int] | NDArray[np.int64]) -> "Population":
        """Return some of the members."""
        return Population(*(part[rows] for part in self))


def first_parents(seed: int) -> Population:
    """Draw the parents of generation 1."""
    rng = stream(seed, 0, "blondie24: parents")
    weights = rng.uniform(-FIRST_WEIGHTS, FIRST_WEIGHTS, (PARENTS, NUM_WEIGHTS))
    return Population(weights, np.full_like(weights, FIRST_STEP), np.full(PARENTS, FIRST_KING))


def offspring(parents: Population, seed: int, generation: int) -> Population:
    """Return one child of each parent: steps times log-normal draws, then weights plus normal ones."""
    rng = stream(seed, generation, "blondie24: offspring")
    steps = parents.steps * np.exp(TAU * rng.standard_normal(parents.steps.shape))
    weights = parents.weights + steps * rng.standard_normal(steps.shape)
    kings = parents.kings + KING_STEP * rng.integers(-1, 2, len(parents.kings))
    # A gene can hold weights up to 52.4; none has come near that.
    return Population(np.clip(weights, -_LARGEST, _LARGEST), steps, np.clip(kings, *KINGS))


def genomes_of(members: Population) -> Digits:
    """Write the members as genomes of genes: [P, L]."""
    count, fixed = len(members.kings), len(WIRING.fixed_source)
    source = np.tile(np.concatenate([WIRING.source, WIRING.fixed_source]), (count, 1))
    sink = np.tile(np.concatenate([WIRING.sink, WIRING.fixed_sink]), (count, 1))
    kings = np.outer(members.kings - 2.0, WIRING.is_king)
    weights = np.concatenate(
        [members.weights, np.broadcast_to(WIRING.fixed_weight, (count, fixed)) + kings], axis=1
    )
    raw = np.rint(weights * WEIGHT_SCALE).astype(np.int64) + WEIGHT_ZERO
    return write_genes(Genes(source, sink, raw), TOPOLOGY.gene_format)


def networks_of(members: Population) -> list[Network]:
    """Return the members as networks, which see the board from their own side."""
    return [*decode_population(genomes_of(members), perspective="own", topology=TOPOLOGY)]


def play_generation(
    members: Population, seed: int, generation: int, depth: int
) -> tuple[NDArray[np.int64], dict[str, Any]]:
    """Return the points of each member, and figures of the games.

    Each has the first move in 5 games against others drawn with replacement; both sides get their points.
    """
    count = len(members.kings)
    first = np.repeat(np.arange(count), GAMES)
    drawn = stream(seed, generation, "blondie24: opponents").integers(count - 1, size=len(first))
    second = drawn + (drawn >= first)  # no member plays itself
    keys = stream_keys(seed, generation, "blondie24: game", len(first))
    openings = np.zeros(len(first), np.int32)
    schedule = Schedule(first.astype(np.int32), second.astype(np.int32), keys, openings, keys)
    played = play_games(Contestants.of(networks_of(members), depth), schedule, RULE)
    outcome = played.outcome.astype(np.int64)
    points = np.bincount(first, POINTS[outcome + 1], count) + np.bincount(second, POINTS[1 - outcome], count)
    figures = {"draws": round(float((outcome == 0).mean()), 4), "nodes": int(played.nodes.sum())}
    return points.astype(np.int64), figures


class State(NamedTuple):
    """State of the evolution. parents: best first. history: a record of each generation, from 1."""

    parents: Population
    history: Costs


def next_state(state: State, seed: int, depth: int) -> State:
    """Breed, play, select."""
    begin, generation = time.process_time(), len(state.history) + 1
    children = offspring(state.parents, seed, generation)
    everyone = Population(*map(np.concatenate, zip(state.parents, children, strict=True)))
    points, figures = play_generation(everyone, seed, generation, depth)
    # Among equals, parents come before children, in their order.
    best = np.argsort(-points, kind="stable")[:PARENTS]
    last, parents = _last_cost(state.history), everyone.take(best)
    line = {
        "generation": generation,
        "games": last["games"] + GAMES * len(points),
        "cpu_seconds": round(last["cpu_seconds"] + time.process_time() - begin, 3),
        "best_points": int(points[best[0]]),
        "children_kept": int((best >= PARENTS).sum()),
        "king": round(float(parents.kings[0]), 2),
        "mean_step": round(float(parents.steps.mean()), 5),
        **figures,
    }
    return State(parents, [*state.history, line])


def _last_cost(lines: Costs) -> dict[str, Any]:
    return lines[-1] if lines else {"games": 0, "cpu_seconds": 0.0}


def load_state(folder: Path, seed: int, depth: int) -> State:
    """Return the state kept in a folder, or the initial one.

    Raises:
        InputError: it began with another seed or depth.
    """
    path = folder / "state.npz"
    if not path.exists():
        return State(first_parents(seed), [])
    with np.load(path) as kept:
        settings, history = json.loads(str(kept["settings"])), json.loads(str(kept["history"]))
        parents = Population(*(kept[name] for name in Population._fields))
    if settings != {"seed": seed, "depth": depth}:
        raise InputError(f"{folder}: was begun with {settings}")
    return State(parents, history)


def save_state(folder: Path, state: State, seed: int, depth: int) -> None:
    """Save a state, its history as lines next to it, and its best member as a player's file."""
    buffer = io.BytesIO()
    texts = {"settings": json.dumps({"seed": seed, "depth": depth}), "history": json.dumps(state.history)}
    arrays: dict[str, Any] = {**state.parents._asdict(), **texts}
    np.savez(buffer, **arrays)
    name = f"b{len(state.history)}"
    fields = {"generation": name[1:], **identity_fields("own", TOPOLOGY)}
    record = Record(name, genomes_of(state.parents.take([0]))[0], fields)
    write_file(folder / "champions" / f"{name}.fasta", format_record(record).encode())
    lines = "".join(f"{json.dumps(line)}\n" for line in state.history)
    write_file(folder / "history.jsonl", lines.encode())
    write_file(folder / "state.npz", buffer.getvalue())


def evolve(folder: Path, *, seed: int, depth: int, generations: int, seconds: float) -> Iterator[State]:
    """Yield the state after each generation, saved in `folder`, up to a number of them or of CPU seconds."""
    make_directory(folder / "champions")
    state = load_state(folder, seed, depth)
    while len(state.history) < generations and _last_cost(state.history)["cpu_seconds"] < seconds:
        state = next_state(state, seed, depth)
        save_state(folder, state, seed, depth)
        yield state


def costs_of(path: Path) -> Costs:
    """Return games and CPU seconds by generation, from a file of lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def run_recipe(
    folder: Path, *, recipe: str, seed: int, generations: int | None, overrides: Sequence[str] = ()
) -> None:
    """Run a recipe of this project in `folder`/run; write its costs into `folder`/costs.jsonl.

    A kill may lose the costs of one generation.
    """
    make_directory(folder)
    run, path = folder / "run", folder / "costs.jsonl"
    costs = costs_of(path) if path.exists() else []
    if run.exists():
        evolution = evolve_recipe(run=run, resume=True, generations=generations)
    else:
        limits: dict[str, Any] = {"seed": seed, "generations": generations, "overrides": overrides}
        evolution = evolve_recipe(recipe, run=run, **limits)
    begin = time.process_time()
    for generation in evolution:
        last, now = _last_cost(costs), time.process_time()
        costs.append(
            {
                "generation": generation.number,
                "games": last["games"] + int(generation.record["games"]),
                "cpu_seconds": round(last["cpu_seconds"] + now - begin, 3),
                # The run keeps only champions that were measured.
                "champion_id": generation.record["champion_id"] if "ladder" in generation.record else None,
            }
        )
        begin = now
        append_file(path, f"{json.dumps(costs[-1])}\n".encode(), flush=False)


class Entry(NamedTuple):
    """A champion to compare. games, cpu_seconds: what it cost."""

    label: str
    games: int
    cpu_seconds: float
    player: Player


def entries(blondie: Path, recipe: Path, depth: int) -> list[Entry]:
    """Return champions of both at equal games and at equal CPU time: the newest within the smaller budget."""
    ours = [line for line in costs_of(recipe / "costs.jsonl") if line["champion_id"]]
    theirs = costs_of(blondie / "history.jsonl")
    if not ours or not theirs:
        raise InputError("both need a generation whose champion was kept")
    found = []
    for key, words in (("games", "equal games"), ("cpu_seconds", "equal CPU time")):
        budget = min(ours[-1][key], theirs[-1][key])
        for name, lines in (("Blondie24's recipe", theirs), ("our recipe", ours)):
            # If none is within the budget, the first champion is taken, and the table shows its cost.
            line = next((line for line in reversed(lines) if line[key] <= budget), lines[0])
            file = f"{blondie}/champions/b{line['generation']}.fasta"
            if lines is ours:
                file = f"{recipe}/run,id={line['champion_id']}"
            player = parse_player(f"network:file={file},depth={depth}")
            found.append(Entry(f"{name}, {words}", line["games"], line["cpu_seconds"], player))
    return found


def compare(blondie: Path, recipe: Path, *, games: int, depth: int, seed: int) -> str:
    """Play the matches; return the table in Markdown."""
    found = entries(blondie, recipe, depth)
    rivals = [parse_player(words) for words in YARDSTICKS]

    def score(first: Player, second: Player) -> str:
        report = play_match(Tournament((first, second), seed), games)
        strength, pairs = report.strength, report.pairs
        spread = (np.repeat(np.linspace(0, 1, 5), pairs)).std(ddof=1) if pairs.num_pairs > 1 else np.nan
        return f"{strength.score:.3f} ± {spread / np.sqrt(pairs.num_pairs):.3f}"

    heads = " | ".join(f"against `{words}`" for words in YARDSTICKS)
    lines = [f"| champion | games | CPU s | {heads} |", f"|---|--:|--:|{'--:|' * len(YARDSTICKS)}"]
    for entry in found:
        scores = " | ".join(score(entry.player, rival) for rival in rivals)
        lines.append(f"| {entry.label} | {entry.games} | {entry.cpu_seconds:.0f} | {scores} |")
    lines += ["", f"Depth {depth}, {games} games each, openings of 12 random plies; ± is one standard error."]
    for one, other in combinations(found, 2):
        if one.label.partition(", ")[2] == other.label.partition(", ")[2]:
            lines.append(f"{one.label}, scores {score(one.player, other.player)} against {other.label}.")
    return "\n".join(lines)


def parsed(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Blondie24's recipe, and a comparison with a recipe here.")
    commands = parser.add_subparsers(dest="command", required=True)
    begin = commands.add_parser("evolve", help="run Blondie24's recipe")
    begin.add_argument("--generations", type=int, default=GENERATIONS)
    begin.add_argument("--seconds", type=float, default=np.inf, help="of CPU time, all invocations together")
    begin.add_argument("--depth", type=int, default=DEPTH)
    ours = commands.add_parser("recipe", help="run a recipe of this project, with its costs")
    ours.add_argument("--recipe", default="tournament")
    ours.add_argument("--generations", type=int, default=None)
    ours.add_argument("--set", dest="overrides", action="append", default=[], metavar="KEY=VALUE")
    meet = commands.add_parser("compare", help="play champions of both against each other and yardsticks")
    for command, name in ((begin, "folder"), (ours, "folder"), (meet, "blondie"), (meet, "recipe")):
        command.add_argument(name, type=Path)
    meet.add_argument("--games", type=int, default=400)
    meet.add_argument("--depth", type=int, default=DEPTH)
    meet.add_argument("--page", type=Path, help="put the table into this page, too")
    for command in (begin, ours, meet):
        command.add_argument("--seed", type=int, default=0)
        command.add_argument("--jobs", type=int, default=-1, help="threads (default: all cores)")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    """Do what the command line says."""
    options = parsed(words)
    with joblib.parallel_config(backend=PromptThreads(), n_jobs=options.jobs):
        if options.command == "evolve":
            limits = {"generations": options.generations, "seconds": options.seconds}
            for state in evolve(options.folder, seed=options.seed, depth=options.depth, **limits):
                print(json.dumps(state.history[-1]), flush=True)
        elif options.command == "recipe":
            settings = {"recipe": options.recipe, "seed": options.seed, "overrides": options.overrides}
            run_recipe(options.folder, generations=options.generations, **settings)
        else:
            conditions = {"games": options.games, "depth": options.depth, "seed": options.seed}
            text = compare(options.blondie, options.recipe, **conditions)
            print(text)
            if options.page:
                put_into_page(options.page, "blondie24", text)


if __name__ == "__main__":
    main()
