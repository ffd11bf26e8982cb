"""`neche verify`: check whether run directories are intact, and repair what can be repaired.

Exit codes: 0 for intact runs, 1 if faults remain, 2 if there is no run or nothing can be done.
"""

import argparse
from pathlib import Path
from shlex import quote

from neche.api.evolution import recorded_plugins
from neche.api.plugin import gather
from neche.archive.layout import RunLayout
from neche.archive.reading import read_history
from neche.archive.repair import Progress, repair
from neche.archive.verify import Verification, read_either_config, verify
from neche.cli.arguments import Parser
from neche.cli.output import counted, emit, remark
from neche.cli.progress import keep_hint, progress_bar
from neche.cli.workers import workers
from neche.errors import InputError
from neche.parsing import system_fault
from neche.report.comparison import find_runs

_EXIT_FAULTY = 1


def add_verify_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche verify`."""
    parser.add_argument("runs", metavar="RUN", nargs="+", help="run directories, or directories of runs")
    parser.add_switch("--repair", "restore config.toml from its copy, and recompute the rest")
    parser.add_plugin()
    parser.add_workers()


def execute_verify(options: argparse.Namespace) -> None:
    """Verify the runs, and repair them if asked to; faults that remain give exit code 1."""
    paths = find_runs(options.runs, depth=2)
    is_one = paths == [*map(Path, options.runs)] and len(paths) == 1
    # --repair mends what a resume would mend too, but does not continue the run.
    kept = "what was mended is kept; the same command continues" if options.repair else "changed nothing"
    with keep_hint(kept), workers(options), progress_bar("generations", is_silent=options.json) as progress:
        found = [_verified(path, options, progress, is_one=is_one) for path in paths]
    values = [{"run": str(path), **one._asdict()} for path, one in zip(paths, found, strict=True)]
    if is_one:
        lines = [*(f"mended: {line}" for line in found[0].mended), *found[0].faults]
        emit(options, values[0], "\n".join(lines) or _all_is_well(paths[0]))
    else:
        emit(options, {"runs": values}, "\n".join(map(_in_one_line, paths, found)))
    if any(one.faults for one in found):
        raise SystemExit(_EXIT_FAULTY)


def _verified(path: Path, options: argparse.Namespace, progress: Progress, *, is_one: bool) -> Verification:
    try:
        if not options.repair:
            found = verify(path)
            if not RunLayout(path).config_copy.exists():
                remark(f"{path}: config.toml has no copy in generations/: --repair writes one")
            return found
        config, _ = read_either_config(RunLayout(path))
        plugins = None
        if options.plugin and config:  # if both copies are lost, the repair reports it
            plugins = recorded_plugins(config, path, gather(options.plugin, {}))
        found = repair(path, progress, plugins=plugins)
    except (InputError, OSError) as fault:
        # With several runs, the others are checked all the same.
        if is_one:
            raise
        return Verification((system_fault(fault) if isinstance(fault, OSError) else str(fault),))
    if any(fault.startswith(f"{RunLayout(path).champion}:") for fault in found.faults):
        again = f"neche evolve --resume --run {quote(str(path))} --generations"
        newest = max((line["generation"] for line in read_history(path).lines), default=0)
        remark(f"{path}: its champion is crowned again by {again} {newest}")
    if found.faults and config is not None and config.plugins and not options.plugin:
        remark(f"{path}: its lost files can be recomputed if --plugin FILE gives its plug-ins")
    return found


def _in_one_line(run: Path, found: Verification) -> str:
    mended = f"; {counted(len(found.mended), 'thing')} mended" if found.mended else ""
    if found.faults:
        return f"{run}: {counted(len(found.faults), 'fault')}, such as {found.faults[0]}{mended}"
    return _all_is_well(run) + mended


def _all_is_well(run: Path) -> str:
    generations, populations = len(read_history(run).lines), len(RunLayout(run).population_numbers())
    return (
        f"{run}: every file is intact: {counted(generations, 'generation')} in the history, "
        f"{counted(populations, 'population')} on disk"
    )
