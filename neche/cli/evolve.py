"""`neche evolve`: begin an evolution or go on with one, with something to see all the while."""

import argparse
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from rich.console import Console

from neche.api.evolution import Evolution, evolve
from neche.archive.layout import RunLayout
from neche.archive.reading import newest_run, read_history
from neche.archive.run import RunDirectory
from neche.cli.arguments import add_json, add_number, add_seed, add_switch, add_text, add_workers
from neche.cli.evolve_display import Display
from neche.cli.evolve_progress import EvolutionProgress
from neche.cli.output import duration, emit, note
from neche.cli.workers import prepare, prepare_field, workers
from neche.errors import InputError
from neche.evolution.champion import benchmark_players, num_finalists
from neche.evolution.recipes import DEFAULT_RECIPE, load_recipe, override
from neche.evolution.settings import KEYS, Settings, resolve
from neche.games.catalogue import GAMES, game

DEFAULT_SEED = 0
RUNS = Path("runs")
_RESUME = "neche evolve --resume --run"


def add_evolve_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `neche evolve`."""
    add_text(
        parser,
        "--run",
        "DIR",
        "the run directory (default: runs/<recipe>, then the game if not checkers, and the seed if given)",
    )
    add_text(parser, "--recipe", "NAME|FILE", f"settings to begin with (default: {DEFAULT_RECIPE})")
    meaning = "the game, or a Python file that holds one; as --set game=NAME (default: as the recipe says)"
    add_text(parser, "--game", "NAME", meaning, default="")
    last = "number of the last one, 0 being the random population (default: as the recipe says)"
    add_number(parser, "--generations", None, last, low=0)
    add_switch(
        parser,
        "--resume",
        "go on with the run that the other options name, without any with the newest; begin it where none is",
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
    """Evolve, save every generation, select the champion."""
    began = time.monotonic()
    if options.game:
        options.set = [*options.set, f"game={options.game}"]
    with _open(options) as evolution:
        run = evolution.run
        assert run is not None
        for notice in run.resumption.notices:
            note(f"neche: {notice}")
        try:
            prepare_field(benchmark_players(run.settings), run.settings.games.game)
            prepare("diagnostics", run.settings.games.game)
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


def _open(options: argparse.Namespace) -> Evolution:
    """Begin a run, or go on with the one that is there.

    A run is a function of its settings and its seed, so the same command given again goes on; a directory
    that --run names is taken as it is with --resume alone.
    """
    path = _directory(options)
    if (options.resume or not options.run) and RunLayout(path).config.exists():
        return _resume(path, options)
    seed = DEFAULT_SEED if options.seed is None else options.seed
    recipe = options.recipe or DEFAULT_RECIPE
    _settings(options)  # whose faults name the option
    evolution = evolve(recipe, seed=seed, generations=options.generations, run=path, overrides=options.set)
    if options.resume:
        note(f"neche: no run is in {path}; begins one")
    return evolution


def _directory(options: argparse.Namespace) -> Path:
    """Return the directory of the run that the options name, the newest run if they name none."""
    if options.run:
        return Path(options.run)
    if options.resume and not (options.recipe or options.set or options.seed is not None):
        with suppress(InputError):  # where there is none, one begins
            return newest_run(RUNS)
    name = _settings(options).games.game
    of_game = "" if name == GAMES[0] else f"-{name}"
    of_seed = "" if options.seed is None else f"-seed-{options.seed}"
    return RUNS / f"{Path(options.recipe or DEFAULT_RECIPE).stem}{of_game}{of_seed}"


def _settings(options: argparse.Namespace) -> Settings:
    """Return the settings that the options ask for."""
    settings = load_recipe(options.recipe or DEFAULT_RECIPE)
    for assignment in options.set:
        settings = override(settings, assignment)
    return resolve(settings)


def _resume(path: Path, options: argparse.Namespace) -> Evolution:
    evolution = evolve(run=path, resume=True, generations=options.generations)
    try:
        _check_unchanged(path, evolution, options)
    except BaseException:
        evolution.close()
        raise
    last = evolution.last
    # The number to end with may come from the recipe, unseen.
    if last is not None and last.number >= evolution.target:
        more = "for more use --generations, for another run --seed or --run"
        note(f"neche: {path} has reached generation {last.number} already; {more}")
    else:
        note(f"neche: goes on with {path} up to generation {evolution.target}")
    return evolution


def _check_unchanged(path: Path, evolution: Evolution, options: argparse.Namespace) -> None:
    """Check that no option would make the run another one.

    Raises:
        InputError: one would.
    """
    advice = "a run keeps its settings; for others begin a new one with another --run"
    # With --resume alone, what is not said is as the run has it.
    seed = options.seed if options.resume or options.seed is not None else DEFAULT_SEED
    if seed not in (None, evolution.seed):
        raise InputError(f"--seed {seed}: {path} began with seed {evolution.seed}; {advice}")
    there = evolution.settings
    for assignment in options.set:
        with suppress(InputError):  # one that contradicts the others is another value too
            if resolve(override(there, assignment)) == there:
                continue
        raise InputError(f"--set {assignment}: {path} began with another value; {advice}")
    if (options.recipe or not options.resume) and (wanted := _settings(options)) != there:
        named = f"--recipe {options.recipe}: " if options.recipe else ""
        raise InputError(f"{named}{path} began with {_first_difference(there, wanted)}; {advice}")


def _first_difference(there: Settings, wanted: Settings) -> str:
    """Return in words the first key of which two settings have different values."""
    values = {
        key: [getattr(getattr(settings, table), key) for settings in (there, wanted)]
        for key, table in KEYS.items()
    }
    key, (value, other) = next((key, pair) for key, pair in values.items() if pair[0] != pair[1])
    return f"{key} = {value}, not {other}"


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
