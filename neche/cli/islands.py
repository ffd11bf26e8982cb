"""`neche evolve` for all islands of a run, on this machine."""

import argparse
import time
from pathlib import Path
from shlex import quote
from typing import Any

from neche.api.islands import crown_islands, plan_islands
from neche.api.sweep import PlannedRun, is_finished, run_islands
from neche.archive.layout import RunLayout
from neche.archive.reading import read_history
from neche.cli.output import counted, duration, emit, remark
from neche.cli.progress import keep_hint, progress_bar
from neche.cli.stopping import resume_command
from neche.cli.workers import prepare_runs, tell_notices, workers
from neche.errors import InputError
from neche.evolution.settings import Settings
from neche.games.catalogue import before_commands
from neche.genome.fasta import read_fasta


def execute_islands(options: argparse.Namespace, run: Path, settings: Settings, seed: int) -> None:
    """Evolve all islands of a run, as many at a time as there are workers; let their champions meet."""
    began = time.monotonic()
    planned = _plan(options, run, settings, seed)
    finished = sum(map(is_finished, planned))
    remark(f"{run}: {counted(len(planned), 'island')}, {finished} finished already")
    tell_notices(options, [(settings, planned[0].target)] if finished < len(planned) else ())
    prepare_runs([settings])
    kept = f"all finished generations are kept; continue with: {resume_command(options, run, settings)}"
    with keep_hint(kept):
        with progress_bar("generations", is_silent=options.json) as notify:
            for ended in run_islands(planned, jobs=options.jobs, notify=notify):
                finished += 1
                reached = f"generation {ended.run.target} ({finished} of {counted(len(planned), 'island')})"
                remark(*ended.notices, f"{ended.run.path}: {reached}")
        with workers(options):
            placed = crown_islands(run, planned)
    # Without a play-off, in the order of the islands.
    order = [path for path, _ in placed] or [one.path for one in planned]
    champions = [_champion_of(path) for path in order]
    for found, (_, line) in zip(champions, placed, strict=False):
        found |= {"elo": line.elo, "elo_error": line.elo_error}
    values = {
        "run": str(run),
        "seed": seed,
        "generation": planned[0].target,
        "champions": champions,
        "seconds": time.monotonic() - began,
    }
    emit(options, values, _closing_words(values, f"{before_commands({settings.games.game})}neche"))


def _champion_of(island: Path) -> dict[str, Any]:
    last = read_history(island).lines[-1]
    fitness = {"fitness": last["fitness"]} if "fitness" in last else {}
    return {"run": str(island), "champion_id": read_fasta(RunLayout(island).champion)[0].id, **fitness}


def _plan(options: argparse.Namespace, run: Path, settings: Settings, seed: int) -> tuple[PlannedRun, ...]:
    """Check the options and return the islands."""
    of_one = {
        "--from": options.origin is not None,
        "--until": bool(options.until),
        f"--backend {options.backend}": options.backend != "threading",
        f"--device {options.device}": options.device != "cpu",
    }
    for option in (option for option, is_given in of_one.items() if is_given):
        one = "--island N evolves one of them, --set islands=1 --set island=0 a single population"
        raise InputError(f"{option}: cannot be used for all islands at once; {one}")
    if settings.islands.island:
        raise InputError(f"island = {settings.islands.island}: use --island, which names its directory too")
    planned = plan_islands(run, settings, seed, generations=options.generations, plugins=options.plugin)
    # As for any run, an existing directory named by --run is continued only with --resume.
    if options.run and not options.resume and any(RunLayout(one.path).config.exists() for one in planned):
        raise InputError(f"{run}: holds islands already; continue with --resume or choose another --run")
    return planned


def _closing_words(values: dict[str, Any], neche: str) -> str:
    run, champions = quote(values["run"]), values["champions"]
    lines = [f"\nThe champions of {counted(len(champions), 'island')} ({duration(values['seconds'])}):"]
    for one in champions:
        elo = f", {one['elo']:+z.0f} ± {one['elo_error']:.0f} Elo among them" if "elo" in one else ""
        lines.append(f"  {one['champion_id']} of {one['run']}{elo}")
    if "elo" in champions[0]:
        lines.append(f"\nThe first is the champion of the run: {neche} play --player {run}")
    lines += ["What next:", f"  {neche} compare {run}", f"  {neche} round-robin {run}/island-*"]
    return "\n".join(lines)
