"""`neche verify`: whether a run directory is what was written, and what can be mended.

Exit codes: 0 for an intact run, 1 where faults are or stay, 2 where there is no run or nothing can be done.
"""

import argparse
from pathlib import Path

from neche.api.evolution import recorded_plugins
from neche.api.plugin import gather
from neche.archive.layout import RunLayout
from neche.archive.reading import read_history
from neche.archive.repair import repair
from neche.archive.verify import read_either_config, verify
from neche.cli.arguments import Parser
from neche.cli.output import counted, emit, note
from neche.cli.progress import keep_hint, progress_bar
from neche.cli.workers import workers
from neche.evolution.plugins import Plugins

_EXIT_FAULTY = 1


def add_verify_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche verify`."""
    parser.add_argument("run", metavar="RUN", help="run directory")
    parser.add_switch("--repair", "mend config.toml from its copy, and the rest by computing it again")
    parser.add_plugin()
    parser.add_workers()


def execute_verify(options: argparse.Namespace) -> None:
    """Verify, and mend if asked to; faults that stay end it with exit code 1."""
    # What a resume would mend too is mended here without going on.
    if options.repair:
        kept = "what was mended stays; the same command goes on from there"
        with (
            keep_hint(kept),
            workers(options),
            progress_bar("generations", is_silent=options.json) as progress,
        ):
            found = repair(options.run, progress, plugins=_plugins(options))
    else:
        found = verify(options.run)
    lines = [*(f"mended: {line}" for line in found.mended), *found.faults]
    values = {"run": options.run, "faults": found.faults, "mended": found.mended}
    emit(options, values, "\n".join(lines) or _all_is_well(options.run))
    if found.faults:
        config, _ = read_either_config(RunLayout(Path(options.run)))
        if options.repair and config is not None and config.plugins and not options.plugin:
            note("neche: what it lost is computed again where its plug-ins are given, by --plugin FILE")
        raise SystemExit(_EXIT_FAULTY)


def _plugins(options: argparse.Namespace) -> Plugins | None:
    """Return the plug-ins that are given for a run which began with some."""
    if not options.plugin:
        return None
    config, _ = read_either_config(RunLayout(Path(options.run)))
    # Where both copies are lost, the repair says so.
    return config and recorded_plugins(config, Path(options.run), gather(options.plugin, {}))


def _all_is_well(run: str) -> str:
    generations, populations = len(read_history(run).lines), len(RunLayout(Path(run)).population_numbers())
    return (
        f"{run}: every file is what was written: {counted(generations, 'generation')} in the history, "
        f"{counted(populations, 'population')} on disk"
    )
