"""`neche sweep`: the same evolution for several seeds and settings, whole runs side by side."""

import argparse
import time
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import Any

from neche.api.sweep import TABLE, PlannedRun, is_finished, plan_sweep, run_sweep, write_table
from neche.cli.arguments import Parser
from neche.cli.output import counted, duration, emit, remark
from neche.cli.progress import keep_hint, progress_bar
from neche.cli.workers import prepare_runs, tell_notices
from neche.errors import SEED_LIMIT, InputError
from neche.evolution.recipes import DEFAULT_RECIPE
from neche.games.catalogue import before_commands

_MOST_SEEDS = 10_000


def add_sweep_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche sweep`."""
    parser.add_text("--output", "DIR", "directory for the runs (default: runs/sweep-<recipe>)")
    parser.add_text("--recipe", "NAME|FILE", f"settings to start from (default: {DEFAULT_RECIPE})")
    meaning = "the game, or a Python file that defines one; same as --set game=NAME (default: the recipe's)"
    parser.add_text("--game", "NAME", meaning, default="")
    parser.add_number("--seeds", 3, "number of seeds, counted up from --seed", high=_MOST_SEEDS)
    values = "values of a setting to run; may be repeated: every combination is run"
    parser.add_texts("--set", "KEY=A,B", values)
    last = "number of the last generation of each run (default: the recipe's)"
    parser.add_number("--generations", None, last, low=0)
    parser.add_plugin()
    parser.add_number("--jobs", None, "number of runs side by side, each on one core (default: all cores)")
    parser.add_switch("--resume", "accepted as in evolve; a sweep always continues the runs that are there")
    parser.add_seed("the first seed (default: 0)")


def execute_sweep(options: argparse.Namespace) -> None:
    """Plan the runs, run the unfinished ones, write the table."""
    began = time.monotonic()
    recipe = options.recipe or DEFAULT_RECIPE
    output = Path(options.output or f"runs/sweep-{Path(recipe).stem}")
    planned = _plan(output, recipe, options)
    finished = sum(map(is_finished, planned))
    remark(f"{output}: {counted(len(planned), 'run')}, {finished} finished already")
    if finished < len(planned):
        tell_notices(options, ((run.settings, run.target) for run in planned))
        prepare_runs(run.settings for run in planned)
    faults: list[str] = []
    kept = f"all finished generations are kept in {output}; the same command continues"
    with keep_hint(kept), progress_bar("generations", is_silent=options.json) as notify:
        try:
            for ended in run_sweep(planned, jobs=options.jobs, notify=notify):
                finished += not ended.fault
                faults += [ended.fault] if ended.fault else []
                reached = f"generation {ended.run.target} ({finished} of {len(planned)} runs)"
                how = f"stopped: {ended.fault}" if ended.fault else reached
                remark(*ended.notices, f"{ended.run.path}: {how}")
            if faults:
                raise InputError(f"{len(faults)} of {len(planned)} runs could not continue: {faults[0]}")
        except (InputError, KeyboardInterrupt):
            with suppress(InputError):  # if no run has begun
                write_table(output)
            raise
    values = {
        "directory": str(output),
        "table": str(output / TABLE),
        "runs": write_table(output),
        "seconds": time.monotonic() - began,
    }
    before = before_commands({run.settings.games.game for run in planned})
    emit(options, values, _closing_words(values, f"{before}neche"))


def _plan(output: Path, recipe: str, options: argparse.Namespace) -> tuple[PlannedRun, ...]:
    first = options.seed or 0
    if first + options.seeds - 1 > SEED_LIMIT:
        raise InputError(f"--seed {first}: there are not {options.seeds} seeds from there on")
    chosen = [*options.set, *([f"game={options.game}"] if options.game else [])]
    seeds = range(first, first + options.seeds)
    last, plugins = options.generations, options.plugin
    return plan_sweep(output, recipe, seeds=seeds, overrides=chosen, generations=last, plugins=plugins)


def _closing_words(values: dict[str, Any], neche: str) -> str:
    num_runs = counted(len(values["runs"]), "run")
    return (
        f"{values['directory']}: {num_runs}, {duration(values['seconds'])}; their table is"
        f" {values['table']}\nWhat next:\n  {neche} compare {quote(values['directory'])}"
    )
