"""`neche evolve`: start or continue an evolution, and show its progress."""

import argparse
import gc
import time
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import Any

from rich.console import Console

from neche.api.evolution import Evolution, evolve, settings_for
from neche.api.islands import settings_of_islands
from neche.archive.beginning import digest_of, read_origin
from neche.archive.exchange import island_path
from neche.archive.layout import RunLayout
from neche.archive.reading import newest_run, read_config, read_history
from neche.archive.run import RunDirectory
from neche.cli.arguments import Parser
from neche.cli.evolve_display import Display
from neche.cli.evolve_progress import EvolutionProgress
from neche.cli.islands import execute_islands
from neche.cli.output import duration, emit, remark
from neche.cli.stopping import LIMITS, Stopping, parse_limits, resume_command
from neche.cli.workers import prepare_runs, tell_notices, workers
from neche.errors import InputError
from neche.evolution.champion import benchmark_players, num_finalists
from neche.evolution.recipes import DEFAULT_RECIPE, first_difference, override
from neche.evolution.settings import Settings, resolve
from neche.games.catalogue import GAMES, before_commands, game

DEFAULT_SEED = 0
RUNS = Path("runs")


def add_evolve_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche evolve`."""
    meaning = "run directory (default: runs/<recipe>, plus the game unless checkers, and the seed if given)"
    parser.add_text("--run", "DIR", meaning)
    parser.add_text("--recipe", "NAME|FILE", f"settings to start from (default: {DEFAULT_RECIPE})")
    meaning = "the game, or a Python file that defines one; same as --set game=NAME (default: the recipe's)"
    parser.add_text("--game", "NAME", meaning, default="")
    last = "number of the last generation; 0 is the random population (default: the recipe's)"
    parser.add_number("--generations", None, last, low=0)
    parser.add_switch(
        "--resume",
        "resume the run that the other options name (without any, the newest); start it if there is none",
    )
    parser.add_texts("--set", "KEY=VALUE", "change a setting of the recipe; may be repeated")
    others = (
        "start from the newest population of this run, a FASTA file or a shipped champion instead of random"
        " DNA; without --recipe, a run's settings are taken over too"
    )
    parser.add_text("--from", "RUN", others, dest="origin")
    limits = f"stop early at a limit: {'; '.join(f'{key}: {said}' for key, said in LIMITS.items())}"
    parser.add_texts("--until", "LIMIT=N", limits)
    one = "evolve only this one of the settings' islands, in DIR/island-N; it waits for its neighbour"
    parser.add_number("--island", None, one, low=0)
    where = "where members learn by prediction or play their tournaments; the DNA is the same"
    parser.add_text("--device", "cpu|cuda", where, default="cpu")
    parser.add_plugin()
    parser.add_workers()
    parser.add_seed(f"seed of all random draws (default: {DEFAULT_SEED})")


def execute_evolve(options: argparse.Namespace) -> None:
    """Evolve, save every generation, select the champion."""
    began, limits = time.monotonic(), parse_limits(options.until)
    if options.game:
        options.set = [*options.set, f"game={options.game}"]
    if options.island is not None:
        options.run = str(island_path(_directory(options), options.island))
        options.set = [*options.set, f"island={options.island}"]
    elif islands := _all_islands(options):
        execute_islands(options, _directory(options), *islands)
        return
    with workers(options), _open(options) as evolution:
        run = evolution.run
        assert run is not None
        remark(*run.resumption.notices)
        resume = resume_command(options, run.path, run.settings)
        try:
            if "score" in limits and not benchmark_players(run.settings):
                remark("--until score: the ladder has no player, so no score will be known")
            prepare_runs([run.settings])
            stopped = _evolve(evolution, run, options, Stopping(limits, read_history(run.path).lines))
            assert evolution.last is not None
            if (num_candidates := num_finalists(evolution.settings, evolution.last)) > 1:
                remark(f"the best {num_candidates} play off to decide the champion")
            champion, scores = evolution.select_champion()
        except KeyboardInterrupt:
            evolution.flush()
            last = evolution.last
            kept = "nothing was finished" if last is None else f"all generations up to {last.number} are kept"
            raise KeyboardInterrupt(f"{kept}; continue with: {resume}") from None
        values = {
            "run": str(run.path),
            "seed": run.seed,
            "generation": evolution.last.number,
            "champion_id": champion.id,
            "ladder": scores,
            "stopped": stopped,
            "seconds": time.monotonic() - began,
        }
        if "fitness" in evolution.last.record:
            values["fitness"] = evolution.last.record["fitness"]
    emit(options, values, _closing_words(values, run.settings.games.game, resume))


def _all_islands(options: argparse.Namespace) -> tuple[Settings, int] | None:
    """Return settings and seed if the options name all islands of a run; None for a single population."""
    path = _directory(options)
    if options.resume and RunLayout(path).config.exists():
        return None
    begun = settings_of_islands(path) if options.resume and not (options.recipe or options.set) else None
    if begun is not None:
        if options.seed not in (None, begun[1]):
            raise InputError(f"--seed {options.seed}: {path} began with seed {begun[1]}")
        return begun
    settings = _settings(options)
    return (settings, options.seed or DEFAULT_SEED) if settings.islands.islands > 1 else None


def _open(options: argparse.Namespace) -> Evolution:
    """Start a run, or continue the existing one.

    A run is a function of its settings and its seed, so repeating its command continues it; an existing
    directory named by --run is continued only with --resume.
    """
    path = _directory(options)
    if (options.resume or not options.run) and RunLayout(path).config.exists():
        return _resume(path, options)
    settings = _settings(options)  # its error messages name the option
    if options.island == 0 and settings.islands.islands == 1:  # every other number is refused as too large
        raise InputError("--island 0: islands = 1 is a single population; add --set islands=N")
    evolution = evolve(
        options.recipe,
        seed=DEFAULT_SEED if options.seed is None else options.seed,
        generations=options.generations,
        run=path,
        origin=options.origin,
        overrides=options.set,
        device=options.device,
        plugins=options.plugin,
    )
    if options.resume:
        remark(f"no run in {path}; starting one")
    if options.origin and Path(options.origin).is_dir() and evolution.run is not None:
        there, taken = read_config(options.origin).plugins, evolution.run.plugins
        if left := ", ".join(f"{one['kind']} {one['name']}" for one in there if one not in taken):
            remark(f"plug-ins of {options.origin} are not taken over: {left}; give them by --plugin FILE")
    return evolution


def _directory(options: argparse.Namespace) -> Path:
    """Return the directory of the run that the options name, the newest run if they name none."""
    if options.run:
        return Path(options.run)
    named = options.recipe or options.set or options.origin
    if options.resume and not (named or options.seed is not None):
        with suppress(InputError):  # if there is none, one is started
            newest = newest_run(RUNS)
            # All islands continue together.
            return newest.parent if newest.parent != RUNS else newest
    name = _settings(options).games.game
    of_game = "" if name == GAMES[0] else f"-{name}"
    of_seed = "" if options.seed is None else f"-seed-{options.seed}"
    begun = f"from-{Path(options.origin).stem[:40]}" if options.origin else ""
    recipe = Path(options.recipe or ("" if begun else DEFAULT_RECIPE)).stem
    return RUNS / ("-".join(filter(None, (recipe, begun))) + of_game + of_seed)


def _settings(options: argparse.Namespace) -> Settings:
    return settings_for(options.recipe, options.set, options.origin)


def _resume(path: Path, options: argparse.Namespace) -> Evolution:
    evolution = evolve(
        run=path, resume=True, generations=options.generations, device=options.device, plugins=options.plugin
    )
    try:
        _check_unchanged(path, evolution, options)
    except BaseException:
        evolution.close()
        raise
    last = evolution.last
    # The target may come from the recipe, so the user may not have seen it.
    if last is not None and last.number >= evolution.target:
        more = "for more use --generations, for another run --seed or --run"
        remark(f"{path} has already reached generation {last.number}; {more}")
    else:
        remark(f"continuing {path} up to generation {evolution.target}")
    return evolution


def _check_unchanged(path: Path, evolution: Evolution, options: argparse.Namespace) -> None:
    """Raise InputError if an option contradicts the run."""
    advice = f"a run keeps its settings; --resume --run {path} continues it, another --run starts a new one"
    # With --resume, options that are not given are taken from the run.
    seed = options.seed if options.resume or options.seed is not None else DEFAULT_SEED
    if seed not in (None, evolution.seed):
        raise InputError(f"--seed {seed}: {path} began with seed {evolution.seed}; {advice}")
    there = evolution.settings
    for assignment in options.set:
        with suppress(InputError):  # a value that contradicts other settings differs too
            if resolve(override(there, assignment)) == there:
                continue
        raise InputError(f"--set {assignment}: {path} began with another value; {advice}")
    origin = options.origin
    if (options.recipe or origin or not options.resume) and (wanted := _settings(options)) != there:
        named = f"--recipe {options.recipe}: " if options.recipe else ""
        raise InputError(f"{named}{path} began with {first_difference(there, wanted)}; {advice}")
    begun = None if evolution.run is None else evolution.run.origin
    members = digest_of(read_origin(origin, there)) if origin else None
    if (origin or not options.resume) and begun != members:
        said = f"--from {origin}: " if origin else ""
        raise InputError(f"{said}{path} began with other members; --resume --run {path} continues it")


def _evolve(
    evolution: Evolution, run: RunDirectory, options: argparse.Namespace, stopping: Stopping
) -> str | None:
    """Evolve up to the last generation or a limit; return the limit reached, in words."""
    last = evolution.last
    if last is not None and not last.is_ranked:
        remark(f"the members of generation {last.number} have not played yet; they play first")
    if last is not None and last.number >= evolution.target:
        return None
    tell_notices(options, [(evolution.settings, evolution.target)])
    stopped = stopping.reason()
    gc.freeze()  # present objects stay, most of them numba's: scanning them takes 70 ms each time
    with _display(evolution, run, options) as display:
        for generation in () if stopped else evolution.generations(display.notify):
            display.confirm(evolution.flush)
            stopping.take(generation.record)
            if stopped := stopping.reason():
                break
    if stopped and evolution.last is not None:
        reached = f"generation {evolution.last.number}"
        remark(f"stopped after {reached}: {stopped}; raise the limit to continue")
    return stopped


def _display(evolution: Evolution, run: RunDirectory, options: argparse.Namespace) -> Display:
    title = f"neche evolve · {run.path} · seed {run.seed}"
    geometry = game(run.settings.games.game).geometry
    men = "men" if geometry is None or geometry.is_checkered else "discs"
    progress = EvolutionProgress(title, evolution.target, men, depth=run.settings.curriculum.depth)
    if evolution.last is not None:
        progress.go_on_from(evolution.last)
        for line in read_history(run.path).lines:
            progress.recall(line)
    return Display(progress, Console(stderr=options.json, highlight=False, markup=False))


def _closing_words(values: dict[str, Any], name: str, resume: str) -> str:
    has_material = any(evaluator.name == "material" for evaluator in game(name).evaluators)
    ladder = [f"  {score:.3f} against {player}" for player, score in values["ladder"].items()]
    run, neche = quote(values["run"]), f"  {before_commands({name})}neche"
    # a run that stopped early has generations left to go on to
    further = "" if values["stopped"] else f" --generations {2 * values['generation'] or 1}"
    lines = [
        f"\nChampion {values['champion_id']} after generation {values['generation']}"
        f" ({duration(values['seconds'])}){', score a game:' if ladder else ''}",
        *ladder,
        f"\nThe run is in {run}. What next:",
        f"{neche} play --player {run}",
        f"{neche} match {run} {'material' if has_material else 'blind'}:depth=4",
        f"{neche} report {run}",
        f"  {resume}{further}",
    ]
    return "\n".join(lines)
