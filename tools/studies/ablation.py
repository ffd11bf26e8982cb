"""Measure what each ingredient of a recipe is worth: whole evolutions of equal games with one change each.

Usage: python tools/studies/ablation.py [STUDY …] [--seeds 1 2 3] [--only NAME …] [--jobs N]
            [--output FILE] [--table]

Every cell, one evolution with one seed, runs until its population has played the games of the study (ranking
games; play-offs and ladders are extra). Its champion then meets fixed players on openings drawn from a
separate seed. A finished cell is a line of FILE; finished cells are not run again.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import joblib

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.compiled.batches import PromptThreads
from neche.evolution.champion import select_champion
from neche.evolution.evolve import evolve
from neche.evolution.ranking import planned_games
from neche.evolution.recipes import load_recipe, override
from neche.evolution.schedule import StreamName
from neche.evolution.settings import Settings, check_settings
from neche.network.decode import decode
from neche.players.spec import parse_player
from tools.studies.measurement import Cell, append_cell, estimate, play_each, read_cells, score_of

DATA = Path(__file__).resolve().parents[2] / "docs" / "data" / "ablation.jsonl"
YARDSTICKS = {"blind:depth=4": 200, "material:depth=2": 400, "material:depth=4": 400}
"""Fixed players, and games against each."""
_TEST_SEED = 1_000_000
"""Added to the seed of an evolution, so that its champion is measured on openings of no training game."""
_NO_MORE = 1_000_000
_LADDER = ["ladder_every=50", "ladder_games=60"]

Assignments = list[str]


class Study(NamedTuple):
    """Evolutions to compare.

    recipe: common to all. base: settings that all change. games: ranking games of each. variants: by name,
    the further settings that each changes.
    """

    recipe: str
    base: Assignments
    games: int
    variants: dict[str, Assignments]


# A generation of a full quicksort plays about twice the games: anneal over as many games, not generations.
_FULL_SORT = ["anneal_generations=48"]

STUDIES = {
    "climb": Study(
        "tournament-quick",
        ["refine_after=0", "anneal_generations=100", *_LADDER],
        100_000,
        {
            "as it is": [],
            "no gene duplication": ["duplication_mean=0"],
            "depth 2 from the start": ["depth=2", "next_depths=[]"],
            "ranking random": ["ranking=random"],
            "ranking swiss": ["ranking=swiss"],
            "ranking quicksort": ["ranking=quicksort", *_FULL_SORT],
            "ranking original": ["ranking=original"],
            "start position only": ["opening_plies=[0, 0]"],
            "own view only": ["perspective=own"],
            "no crossover": ["parents_per_child=1"],
            "rank-sum selection": ["selection=rank-sum"],
            "no elites": ["elites=0"],
            "no annealing": ["anneal_to=1"],
            "depth 1 throughout": ["next_depths=[]"],
            "80-ply draws": ["draw_plies=80"],
            "openings of 3-4 plies": ["opening_plies=[3, 4]"],
            "no weight creep": ["creep_mean=0"],
        },
    ),
    "refine": Study(
        "tournament",
        _LADDER,
        250_000,
        {
            "as it is": [],
            "no refinement": ["refine_after=0"],
            "no modules": ["modules=0"],
            "no links": ["links=0"],
            "neither modules nor links": ["modules=0", "links=0"],
            "the best goes on, not the mean": ["refine_share=0.01"],
            "refinement ranked by descent": ["refine_ranking=descent"],
            "refinement ranked by swiss": ["refine_ranking=swiss"],
            "own view only": ["perspective=own"],
        },
    ),
    "original": Study(
        "original",
        ["ladder_every=5", "ladder_games=60"],
        100_000,
        {
            "at depth 2": ["depth=2"],
            "at depth 1": ["depth=1"],
            "at depth 2, antisymmetric": ["depth=2", "perspective=antisymmetric"],
        },
    ),
}


def settings_of(study: Study, variant: str) -> Settings:
    """Return the settings of a variant of a study."""
    settings = load_recipe(study.recipe)
    for assignment in (*study.base, *study.variants[variant]):
        settings = override(settings, assignment)
    check_settings(settings, variant)
    return settings


def run_cell(settings: Settings, seed: int, games: int, yardsticks: dict[str, int]) -> Cell:
    """Evolve until this many ranking games are played, and measure the champion."""
    played, curve, moved_up_to = 0, [], {}
    for generation in evolve(settings, seed, generations=_NO_MORE):
        played += generation.record["games"]
        moved_up_to[generation.depth] = generation.moved_up_at
        if "ladder" in generation.record:
            scores = generation.record["ladder"]
            curve.append([played, *(scores[name] for name in settings.ladder.ladder)])
        if played + planned_games(settings) / 2 > games:
            break
    member, _ = select_champion(settings, seed, generation)
    champion = decode(member.genome, perspective=settings.members.perspective)
    results = {}
    for name, num_games in yardsticks.items():
        player = parse_player(name)
        search = player.batch_search
        assert search is not None
        purpose = StreamName(_TEST_SEED + seed, 0, f"ablation {name}")
        (results[name],) = play_each(
            [champion], search.network, search.depth, num_games=num_games, purpose=purpose
        )
    record = {key: generation.record[key] for key in ("squares_seen", "hidden_neurons", "constant", "depth")}
    return {
        "generations": generation.number,
        "games": played,
        "moved_up_at": moved_up_to.get(generation.depth),
        "population": record,
        "results": results,
        "curve": curve,
    }


def key_of(name: str, variant: str) -> Cell:
    """Return the common fields of a variant's cells."""
    recipe, base, games, variants = STUDIES[name]
    changes = [*base, *variants[variant]]
    return {"study": name, "variant": variant, "recipe": recipe, "set": changes, "budget": games}


def cells_of(cells: Sequence[Cell], name: str, variant: str) -> list[Cell]:
    """Return the cells of a variant by seed, without those of another definition of it."""
    key = key_of(name, variant)
    found = [cell for cell in cells if key == {part: cell[part] for part in key}]
    return sorted(found, key=lambda cell: int(cell["seed"]))


def run_study(name: str, seeds: Sequence[int], only: Sequence[str], output: Path) -> None:
    """Run the unfinished cells of a study, seed after seed."""
    study = STUDIES[name]
    for seed in seeds:
        for variant in study.variants:
            if only and variant not in only:
                continue
            if any(cell["seed"] == seed for cell in cells_of(read_cells(output), name, variant)):
                continue
            key = {"seed": seed, **key_of(name, variant)}
            cell = run_cell(settings_of(study, variant), seed, study.games, YARDSTICKS)
            append_cell(output, key | cell)
            print(f"{name} · {variant} · seed {seed}: {cell['games']} games {cell['results']}", flush=True)


def table(cells: Sequence[Cell], name: str) -> str:
    """Return the finished cells of a study as a table: means over seeds with their standard errors."""
    lines = [f"| {name} | seeds | games | " + " | ".join(YARDSTICKS) + " |", "|---|---|---|" + "---|" * 3]
    for variant in STUDIES[name].variants:
        found = cells_of(cells, name, variant)
        if not found:
            continue
        columns = [estimate([score_of(cell["results"][player]) for cell in found]) for player in YARDSTICKS]
        games = estimate([cell["games"] for cell in found]).mean / 1000
        scores = " | ".join(str(column) for column in columns)
        lines.append(f"| {variant} | {len(found)} | {games:.0f} k | {scores} |")
    return "\n".join(lines)


def main() -> int:
    """Run the requested studies and print their tables."""
    parser = argparse.ArgumentParser(description="Measure what each ingredient of a recipe is worth.")
    parser.add_argument("studies", nargs="*", metavar="STUDY", help=f"of {', '.join(STUDIES)} (default: all)")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="variants to run")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path, default=DATA)
    parser.add_argument("--table", action="store_true", help="run nothing, print the tables")
    options = parser.parse_args()
    for name in options.studies or STUDIES:
        if name not in STUDIES:
            parser.error(f"unknown study {name!r} (known: {', '.join(STUDIES)})")
        if not options.table:
            with joblib.parallel_config(backend=PromptThreads(), n_jobs=options.jobs):
                run_study(name, options.seeds, options.only, options.output)
        print(table(read_cells(options.output), name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
