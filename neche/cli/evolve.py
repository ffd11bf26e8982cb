"""`neche evolve`: begin an evolution or go on with one, with something to see all the while."""

import argparse
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rich.console import Console

from neche.archive.reading import newest_run, read_history
from neche.archive.run import RunDirectory
from neche.cli.arguments import add_json, add_number, add_seed, add_workers
from neche.cli.evolve_display import Display, EvolutionProgress
from neche.cli.output import duration, emit, note
from neche.cli.workers import prepare, prepare_field, workers
from neche.errors import InputError
from neche.evolution.champion import benchmark_players, num_finalists, select_champion
from neche.evolution.evolve import evolve, ranked
from neche.evolution.recipes import load_recipe, override
from neche.evolution.settings import resolve

DEFAULT_RECIPE = "default"
DEFAULT_SEED = 0
RUNS = Path("runs")


def add_evolve_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `neche evolve`."""
    parser.add_argument("--run", metavar="DIR", help="the run directory (default: runs/<recipe>)")
    parser.add_argument(
        "--recipe", metavar="NAME|FILE", help=f"settings to begin with (default: {DEFAULT_RECIPE})"
    )
    last = "number of the last one, 0 being the random population (default: as the recipe says)"
    add_number(parser, "--generations", None, last, low=0)
    parser.add_argument(
        "--resume", action="store_true", help="go on with the newest run, or the one that --run names"
    )
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
    """Evolve, save every generation, crown the champion."""
    began = time.monotonic()
    run = _resume(options) if options.resume else _begin(options)
    with run:
        target = run.settings.run.generations if options.generations is None else options.generations
        if options.resume:
            note(f"neche: {_intent(run, target)}")
        for notice in run.resumption.notices:
            note(f"neche: {notice}")
        try:
            prepare_field(benchmark_players(run.settings))
            prepare("diagnostics")
            _evolve(run, target, options)
            champion_id, ladder = _crown(run, options)
        except KeyboardInterrupt:
            last = run.last_generation()
            kept = (
                "nothing was finished"
                if last is None
                else f"generation {last.number} and all before are kept"
            )
            again = f"neche evolve --resume --run {run.path}"
            raise KeyboardInterrupt(f"{kept}; go on with: {again}") from None
        last = run.last_generation()
        values = {
            "run": str(run.path),
            "seed": run.seed,
            "generation": last.number if last else None,
            "champion_id": champion_id,
            "ladder": ladder,
            "seconds": time.monotonic() - began,
        }
    emit(options, values, _closing_words(values))


def _begin(options: argparse.Namespace) -> RunDirectory:
    recipe = options.recipe or DEFAULT_RECIPE
    settings = load_recipe(recipe)
    for assignment in options.set:
        settings = override(settings, assignment)
    seed = DEFAULT_SEED if options.seed is None else options.seed
    # Nothing evolves before the first generation is asked for: this only checks, while nothing is on disk.
    evolve(settings, seed)
    path = Path(options.run) if options.run else RUNS / Path(recipe).stem
    return RunDirectory.create(path, settings, seed)


def _resume(options: argparse.Namespace) -> RunDirectory:
    run = RunDirectory.open(options.run or newest_run(RUNS))
    try:
        _check_unchanged(run, options)
    except BaseException:
        run.close()
        raise
    return run


def _check_unchanged(run: RunDirectory, options: argparse.Namespace) -> None:
    """Raise InputError for an option that would make the run another one."""
    advice = "a run keeps its settings; for others begin a new one with another --run"
    if options.seed is not None and options.seed != run.seed:
        raise InputError(f"--seed {options.seed}: {run.path} began with seed {run.seed}; {advice}")
    if options.recipe is not None and resolve(load_recipe(options.recipe)) != run.settings:
        raise InputError(f"--recipe {options.recipe}: {run.path} began with other settings; {advice}")
    for assignment in options.set:
        if resolve(override(run.settings, assignment)) != run.settings:
            raise InputError(f"--set {assignment}: {run.path} began with another value; {advice}")


def _intent(run: RunDirectory, target: int) -> str:
    """Say what resuming is going to do: the number to end with may come from the recipe, unseen."""
    last = run.last_generation()
    if last is not None and last.number >= target:
        return f"{run.path} has reached generation {last.number} already; for more use --generations"
    return f"goes on with {run.path} up to generation {target}"


def _evolve(run: RunDirectory, target: int, options: argparse.Namespace) -> None:
    last = run.last_generation()
    if last is not None and not last.games.any():
        note(f"neche: the members of generation {last.number} have not played yet; they do so first")
    if last is not None and last.number >= target:
        return
    with ExitStack() as stack:
        display = stack.enter_context(_display(run, target, options))
        stack.enter_context(workers(options))
        generations = evolve(
            run.settings, run.seed, generations=target, resume_from=last, notify=display.notify
        )
        for generation in generations:
            run.save(generation)
            display.confirm()


def _display(run: RunDirectory, target: int, options: argparse.Namespace) -> Display:
    title = f"neche evolve · {run.path} · seed {run.seed}"
    progress = EvolutionProgress(title, target, depth=run.settings.curriculum.depth)
    last = run.last_generation()
    if last is not None:
        progress.go_on_from(last)
        for line in read_history(run.path).lines:
            progress.recall(line)
    return Display(progress, Console(stderr=options.json, highlight=False, markup=False))


def _crown(run: RunDirectory, options: argparse.Namespace) -> tuple[str, dict[str, float]]:
    """Hold the final play-off; return the champion's id and ladder scores."""
    last = run.last_generation()
    assert last is not None
    num_candidates = num_finalists(run.settings, last)
    if num_candidates > 1:
        note(f"neche: the best {num_candidates} play off for the crown")
    with workers(options):
        member, ladder = select_champion(run.settings, run.seed, ranked(run.settings, run.seed, last))
    run.crown(member, generation=last.number, scores=ladder)
    return member.id, ladder


def _closing_words(values: dict[str, Any]) -> str:
    ladder = [f"  {score:.3f} against {player}" for player, score in values["ladder"].items()]
    run = values["run"]
    lines = [
        f"\nChampion {values['champion_id']} after generation {values['generation']}"
        f" ({duration(values['seconds'])}), score a game:",
        *ladder,
        f"\nThe run is in {run}. What next:",
        f"  neche play --player {run}",
        f"  neche match {run} material:depth=4",
        f"  neche export {run} --format svg --output champion.svg",
        f"  neche evolve --resume --run {run} --generations {values['generation'] + 100}",
    ]
    return "\n".join(lines)
