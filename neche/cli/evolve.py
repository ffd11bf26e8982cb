"""`neche evolve`: begin an evolution or go on with one, with something to see all the while."""

import argparse
import time
from pathlib import Path
from typing import Any

from rich.console import Console

from neche.api.evolution import Evolution, evolve
from neche.archive.reading import newest_run, read_history
from neche.archive.run import RunDirectory
from neche.cli.arguments import add_json, add_number, add_seed, add_switch, add_text, add_workers
from neche.cli.evolve_display import Display
from neche.cli.evolve_progress import EvolutionProgress
from neche.cli.output import duration, emit, note
from neche.cli.workers import prepare, prepare_field, workers
from neche.errors import InputError
from neche.evolution.champion import benchmark_players, num_finalists
from neche.evolution.recipes import load_recipe, override
from neche.evolution.settings import resolve
from neche.games.catalogue import game

DEFAULT_RECIPE = "default"
DEFAULT_SEED = 0
RUNS = Path("runs")
_RESUME = "neche evolve --resume --run"


def add_evolve_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `neche evolve`."""
    add_text(parser, "--run", "DIR", "the run directory (default: runs/<recipe>)")
    add_text(parser, "--recipe", "NAME|FILE", f"settings to begin with (default: {DEFAULT_RECIPE})")
    last = "number of the last one, 0 being the random population (default: as the recipe says)"
    add_number(parser, "--generations", None, last, low=0)
    add_switch(parser, "--resume", "go on with the newest run, or the one that --run names")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="change a setting of the recipe; may be given again",
    )
    add_workers(parser)
    add_seed(parser, f"of all random draws (default: {DEFAULT_SEED})")
    add_json(parser)


def execute_evolve(options: argparse.Namespace) -> None:
    """Evolve, save every generation, select the champion."""
    began = time.monotonic()
    with _resume(options) if options.resume else _begin(options) as evolution:
        run = evolution.run
        assert run is not None
        for notice in run.resumption.notices:
            note(f"neche: {notice}")
        try:
            prepare_field(benchmark_players(run.settings), run.settings.games.game)
            prepare("diagnostics")
            _evolve(evolution, run, options)
            champion_id, scores = _select_champion(evolution, options)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"{_kept(evolution)}; go on with: {_RESUME} {run.path}") from None
        values = {
            "run": str(run.path),
            "seed": run.seed,
            "generation": evolution.last.number if evolution.last else None,
            "champion_id": champion_id,
            "ladder": scores,
            "seconds": time.monotonic() - began,
        }
    emit(options, values, _closing_words(values, run.settings.games.game))


def _begin(options: argparse.Namespace) -> Evolution:
    recipe = options.recipe or DEFAULT_RECIPE
    path = options.run or RUNS / Path(recipe).stem
    seed = DEFAULT_SEED if options.seed is None else options.seed
    return evolve(recipe, seed=seed, generations=options.generations, run=path, overrides=options.set)


def _resume(options: argparse.Namespace) -> Evolution:
    path = options.run or newest_run(RUNS)
    evolution = evolve(run=path, resume=True, generations=options.generations)
    try:
        _check_unchanged(path, evolution, options)
    except BaseException:
        evolution.close()
        raise
    last = evolution.last
    # The number to end with may come from the recipe, unseen.
    if last is not None and last.number >= evolution.target:
        note(f"neche: {path} has reached generation {last.number} already; for more use --generations")
    else:
        note(f"neche: goes on with {path} up to generation {evolution.target}")
    return evolution


def _check_unchanged(path: Path | str, evolution: Evolution, options: argparse.Namespace) -> None:
    """Check that no option would make the run another one.

    Raises:
        InputError: one would.
    """
    advice = "a run keeps its settings; for others begin a new one with another --run"
    if options.seed is not None and options.seed != evolution.seed:
        raise InputError(f"--seed {options.seed}: {path} began with seed {evolution.seed}; {advice}")
    if options.recipe is not None and resolve(load_recipe(options.recipe)) != evolution.settings:
        raise InputError(f"--recipe {options.recipe}: {path} began with other settings; {advice}")
    for assignment in options.set:
        if resolve(override(evolution.settings, assignment)) != evolution.settings:
            raise InputError(f"--set {assignment}: {path} began with another value; {advice}")


def _evolve(evolution: Evolution, run: RunDirectory, options: argparse.Namespace) -> None:
    last = evolution.last
    if last is not None and not last.games.any():
        note(f"neche: the members of generation {last.number} have not played yet; they do so first")
    if last is not None and last.number >= evolution.target:
        return
    with _display(evolution, run, options) as display, workers(options):
        for _ in evolution.generations(display.notify):
            display.confirm()


def _display(evolution: Evolution, run: RunDirectory, options: argparse.Namespace) -> Display:
    title = f"neche evolve · {run.path} · seed {run.seed}"
    progress = EvolutionProgress(title, evolution.target, depth=run.settings.curriculum.depth)
    if evolution.last is not None:
        progress.go_on_from(evolution.last)
        for line in read_history(run.path).lines:
            progress.recall(line)
    return Display(progress, Console(stderr=options.json, highlight=False, markup=False))


def _select_champion(evolution: Evolution, options: argparse.Namespace) -> tuple[str, dict[str, float]]:
    """Hold the final play-off; return the champion's id and its benchmark scores."""
    assert evolution.last is not None
    num_candidates = num_finalists(evolution.settings, evolution.last)
    if num_candidates > 1:
        note(f"neche: the best {num_candidates} play off for the crown")
    with workers(options):
        member, scores = evolution.select_champion()
    return member.id, scores


def _kept(evolution: Evolution) -> str:
    if evolution.last is None:
        return "nothing was finished"
    return f"generation {evolution.last.number} and all before are kept"


def _closing_words(values: dict[str, Any], name: str) -> str:
    has_material = any(evaluator.name == "material" for evaluator in game(name).evaluators)
    ladder = [f"  {score:.3f} against {player}" for player, score in values["ladder"].items()]
    run = values["run"]
    lines = [
        f"\nChampion {values['champion_id']} after generation {values['generation']}"
        f" ({duration(values['seconds'])}), score a game:",
        *ladder,
        f"\nThe run is in {run}. What next:",
        f"  neche play --player {run}",
        f"  neche match {run} {'material' if has_material else 'blind'}:depth=4",
        f"  neche export {run} --format svg --output champion.svg",
        f"  {_RESUME} {run} --generations {values['generation'] + 100}",
    ]
    return "\n".join(lines)
