"""A sweep: the same evolution for several seeds and settings, whole runs in parallel, and a table of them.

Every run is an ordinary run directory with the bytes that it would have alone. Nothing else is kept: the call
determines which runs to make, and each directory shows how far its run has come.
"""

import os
import re
import signal
import sys
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack, closing, suppress
from hashlib import sha256
from itertools import chain, product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import joblib
from joblib.externals.loky.process_executor import ProcessPoolExecutor, TerminatedWorkerError

from neche.api.evolution import Evolution, as_toml, evolve, recorded_plugins, settings_for
from neche.api.plugin import kept_track_of
from neche.archive.layout import Config, RunLayout
from neche.archive.reading import read_config, read_history, rotten_files
from neche.archive.resume import crowned_generation
from neche.archive.run import check_unused
from neche.compiled.batches import unheard
from neche.errors import SEED_LIMIT, InputError, check_type, check_whole
from neche.evolution.evolve import evolve as _evolve
from neche.evolution.health import kind_of
from neche.evolution.islands import is_exchange
from neche.evolution.notices import set_in_vain
from neche.evolution.plugins import Plugins
from neche.evolution.population import Generation
from neche.evolution.recipes import DEFAULT_RECIPE, first_difference, load_recipe
from neche.evolution.settings import KEYS, Settings, resolve
from neche.players.plugged import Plugin
from neche.report.comparison import find_runs, read_runs, table_of, write_csv
from neche.storage import make_directory, write_file

TABLE = "table.csv"
MOST_RUNS = 10_000
_SECONDS_A_LOOK, _SECONDS_IDLE = 1.0, 10.0
_PLAIN = re.compile(r"[A-Za-z0-9.-]{1,40}")
# Splits at commas between values, not at those inside a list or a string.
_VALUES = re.compile(r"""((?:\[[^\]]*\]|"[^"]*"|'[^']*'|[^,\[\]"']+)+)(?:,|$)""")
# The keys whose value is a list.
_LISTS = {key for key, table in KEYS.items() if isinstance(getattr(getattr(Settings(), table), key), tuple)}

Notify: TypeAlias = Callable[[int, int], None]
"""Called with the number of generations done and the total, over all runs."""


class PlannedRun(NamedTuple):
    """A run of a sweep, or an island. target: number of its last generation. plugins: as for `evolve`."""

    path: Path
    settings: Settings
    seed: int
    target: int
    plugins: tuple[Plugin, ...] = ()


class EndedRun(NamedTuple):
    """A run that a sweep is done with. notices: of its resume, and its warnings. fault: why it failed."""

    run: PlannedRun
    notices: tuple[str, ...]
    fault: str | None = None


def sweep(
    output: Path | str,
    recipe: str | None = None,
    *,
    seeds: Iterable[int] = (0,),
    generations: int | None = None,
    jobs: int | None = None,
    plugins: Iterable[Any] = (),
    notify: Notify = lambda done, total: None,
    **settings: Any,
) -> list[dict[str, Any]]:
    """Evolve for several seeds and settings; return the table of the runs, which is also written to `output`.

    The same call again continues unfinished runs. settings: keys of the recipe, each with a list of values,
    such as `point_rate=[0.001, 0.01]`; all combinations are run. A key that is itself a list, such as
    `ladder`, has its value as for `evolve`, or a list of such. jobs: runs in parallel, None: one per core.
    plugins: of all runs, as for `evolve`. notify: called about once a second with the generations done and
    the total, over all runs. A key that has no effect with the other settings raises a warning.

    Raises:
        InputError: as for `plan_sweep`, or a run could not continue; the others did.
    """
    check_type(output, (str, os.PathLike), "the name of a directory")
    check_type(seeds, Iterable, "a list of seeds")
    numbers = list(seeds)
    for seed in numbers:
        check_whole(seed, "seed", 0, SEED_LIMIT)
    for value, name, low in ((generations, "generations", 0), (jobs, "jobs", 1)):
        if value is not None:
            check_whole(value, name, low)
    if not numbers or len({*numbers}) < len(numbers):
        raise InputError(f"seeds = {numbers}: at least one, and none twice")
    overrides = [f"{key}={_as_values(key, as_toml(values))}" for key, values in settings.items()]
    planned = plan_sweep(
        output, recipe, seeds=numbers, overrides=overrides, generations=generations, plugins=plugins
    )
    said_of = (set_in_vain(run.settings, settings, (one.kind for one in run.plugins)) for run in planned)
    for said in dict.fromkeys(chain.from_iterable(said_of)):
        warnings.warn(said, stacklevel=2)
    faults = [ended.fault for ended in run_sweep(planned, jobs=jobs, notify=notify) if ended.fault]
    if faults:
        with suppress(InputError):  # if no run has begun
            write_table(output)
        raise InputError(f"{len(faults)} of {len(planned)} runs could not go on: {faults[0]}")
    return write_table(output)


def _as_values(key: str, text: str) -> str:
    """Return a list in TOML as its values side by side; what is one value stays as it is."""
    is_one = key in _LISTS and not text.startswith("[[")
    return text if is_one else text.removeprefix("[").removesuffix("]")


def values_of(assignment: str) -> tuple[str, list[str]]:
    """Split `KEY=A,B` into the key and its values; InputError if it is not that, or has a value twice.

    >>> values_of("opening_plies=[0, 4],[2, 10]"), values_of("elites=3")
    (('opening_plies', ['[0, 4]', '[2, 10]']), ('elites', ['3']))
    """
    key, _, text = (part.strip() for part in assignment.partition("="))
    values = [found.strip() for found in _VALUES.findall(text)]
    is_whole = ",".join(values).replace(" ", "") == text.replace(" ", "")
    if not (key and values and all(values) and is_whole):
        raise InputError(f"{assignment}: expected KEY=VALUE or KEY=VALUE,VALUE")
    if len({*values}) < len(values):
        raise InputError(f"{assignment}: has a value twice")
    return key, values


def plan_sweep(
    output: Path | str,
    recipe: str | None = None,
    *,
    seeds: Sequence[int] = (0,),
    overrides: Sequence[str] = (),
    generations: int | None = None,
    plugins: Iterable[Any] = (),
) -> tuple[PlannedRun, ...]:
    """Return the runs of a sweep, one per seed and combination of values, without starting any.

    overrides: `KEY=A,B` each; all combinations are run. generations: number of the last one; None: as the
    settings say. plugins: of all runs, files or marked functions. InputError if settings are unknown,
    contradict each other or give the same run twice, or a directory is taken or holds another run.
    """
    choices = sorted(map(values_of, overrides))
    keys = [key for key, _ in choices]
    if repeated := [key for key in keys if keys.count(key) > 1]:
        raise InputError(f"{repeated[0]}: given twice; several values are written {repeated[0]}=A,B")
    num_runs = prod([len(seeds), *(len(values) for _, values in choices)])
    if num_runs > MOST_RUNS:
        raise InputError(f"{num_runs} runs are too many; a sweep has {MOST_RUNS} at most")
    planned: list[PlannedRun] = []
    varied = {key for key, values in choices if len(values) > 1}
    given = kept_track_of(plugins)
    plugged = Plugins.of(given) if given else None
    begin = load_recipe(recipe or DEFAULT_RECIPE)
    for chosen in product(*(values for _, values in choices)):
        assignments = list(map("=".join, zip(keys, chosen, strict=True)))
        settings = settings_for(begin, assignments, option="")
        if settings.islands.islands > 1:
            raise InputError("islands: a sweep has runs of one population; neche evolve runs islands")
        if any(settings == other.settings for other in planned):
            raise InputError(f"{', '.join(assignments)}: given twice")
        # Evolves nothing: this only checks.
        _evolve(settings, 0, plugins=plugged)
        words = [f"{key}-{_word(value)}" for key, value in zip(keys, chosen, strict=True) if key in varied]
        target = settings.run.generations if generations is None else generations
        planned += [
            PlannedRun(Path(output, "-".join([*words, f"seed-{seed}"])), settings, seed, target, given)
            for seed in seeds
        ]
    _check_places(Path(output), planned, plugged)
    return tuple(planned)


def _word(value: str) -> str:
    """Return a value as part of a directory name that needs no quotes in shells and player texts."""
    value = value.strip("\"'")
    if _PLAIN.fullmatch(value):
        return value
    digest = sha256(value.encode()).hexdigest()[:6]
    return "-".join(filter(None, [re.sub(r"[^A-Za-z0-9.]+", "-", value).strip("-")[:30], digest]))


def _check_places(output: Path, planned: Sequence[PlannedRun], plugged: Plugins | None) -> None:
    if output.exists() and not output.is_dir():
        raise InputError(f"{output}: a file, not a directory; choose another directory")
    if RunLayout(output).config.exists():
        raise InputError(f"{output}: is a run itself; choose another directory")
    for run in planned:
        if (there := config_as_planned(run)) is not None:
            recorded_plugins(there, run.path, plugged)


def config_as_planned(run: PlannedRun) -> Config | None:
    """Return what a planned run began with, if it has; InputError if its directory holds something else."""
    if not RunLayout(run.path).config.exists():
        check_unused(run.path)
        return None
    there = read_config(run.path)
    advice = "a run keeps its settings; for others choose another directory"
    if there.seed != run.seed:
        raise InputError(f"{run.path} began with seed {there.seed}, not {run.seed}; {advice}")
    if (settings := resolve(there.settings)) != run.settings:
        raise InputError(f"{run.path} began with {first_difference(settings, run.settings)}; {advice}")
    return there


def is_finished(run: PlannedRun) -> bool:
    """Return whether a run has its last generation and its champion, and no file is damaged."""
    try:
        newest, (lines, damaged) = crowned_generation(RunLayout(run.path)), read_history(run.path)
        is_whole = newest >= run.target and not damaged and not rotten_files(run.path)
    except InputError:  # continuing the run repairs the damage
        return False
    return is_whole and bool(lines) and lines[-1]["generation"] == newest


def run_sweep(
    planned: Sequence[PlannedRun], *, jobs: int | None = None, notify: Notify = lambda done, total: None
) -> Iterator[EndedRun]:
    """Start or continue the runs, several in parallel; yield each as it ends.

    A run that cannot continue (disk full, in use by another process) does not affect the others.
    jobs: runs in parallel, each on one core; None: one per core. 1: in this process. InputError if a worker
    was killed.
    """
    groups = [[run] for run in planned if not is_finished(run)]
    yield from _run_groups(planned, groups, min(jobs or joblib.cpu_count(), len(groups)), 1, notify)


def run_islands(
    planned: Sequence[PlannedRun], *, jobs: int | None = None, notify: Notify = lambda done, total: None
) -> Iterator[EndedRun]:
    """Start or continue the islands of a run; yield each as it ends.

    With more islands than workers, a worker takes several in turn; with fewer, it has several threads.
    jobs: threads in all, None: one per core. 1: in this process. InputError if a worker was killed, or an
    island cannot continue, so that others would wait for it.
    """
    left, num_threads = [run for run in planned if not is_finished(run)], jobs or joblib.cpu_count()
    num_workers = min(num_threads, len(left))
    groups = [left[first::num_workers] for first in range(num_workers)]
    threads_of_each = max(1, num_threads // max(1, num_workers))
    with closing(_run_groups(planned, groups, num_workers, threads_of_each, notify)) as all_ended:
        for ended in all_ended:
            if ended.fault:
                raise InputError(ended.fault)
            yield ended


def write_table(output: Path | str) -> list[dict[str, Any]]:
    """Write the table of a directory's runs there; return its rows. InputError if none, or one is damaged."""
    rows = table_of(read_runs(find_runs([output])))
    write_file(Path(output, TABLE), write_csv(rows).encode())
    return rows


def _progress(planned: Sequence[PlannedRun]) -> tuple[int, int]:
    """Return how many generations are done and the total, read from disk so that workers need not report."""
    numbers = (RunLayout(run.path).population_numbers() for run in planned)
    done = sum(min(there[-1], run.target) + 1 for there, run in zip(numbers, planned, strict=True) if there)
    return done, sum(run.target + 1 for run in planned)


def _run_groups(
    planned: Sequence[PlannedRun],
    groups: Sequence[Sequence[PlannedRun]],
    num_workers: int,
    num_threads: int,
    notify: Notify,
) -> Generator[EndedRun, None, None]:
    """Process groups of runs; runs of one group take turns in the same process."""
    if groups:
        make_directory(groups[0][0].path.parent)
    if num_workers <= 1:
        for group in groups:
            yield from _go_through(group, None, num_threads, lambda: notify(*_progress(planned)))
        return
    # Ctrl-C reaches the whole process group: workers ignore it, and this process ends them.
    deaf = {"initializer": signal.signal, "initargs": (signal.SIGINT, signal.SIG_IGN)}
    # Idle workers end after a while: nothing would tell them if this process were killed.
    pool = ProcessPoolExecutor(num_workers, timeout=_SECONDS_IDLE, env={"OMP_NUM_THREADS": "1"}, **deaf)
    is_over = False
    try:
        with unheard():
            waiting: set[Future[list[EndedRun]]] = {
                pool.submit(_go_through, group, os.getpid(), num_threads) for group in groups
            }
        while waiting:
            ended, waiting = wait(waiting, timeout=_SECONDS_A_LOOK, return_when=FIRST_COMPLETED)
            notify(*_progress(planned))
            for future in ended:
                yield from future.result()
        is_over = True
    except TerminatedWorkerError:
        raise InputError(
            "a worker was killed, perhaps out of memory; repeat the command to go on, with fewer --jobs"
        ) from None
    finally:
        # A run may be killed at any time: it loses only the generation in progress. The pool's own kill first
        # looks for children of its workers with pgrep, which some machines lack.
        left = [] if is_over else [*pool._processes.values()]
        for worker in left:
            pool._processes.pop(worker.pid, None)
            worker.terminate()
        pool.shutdown(wait=True, kill_workers=not is_over)
        for worker in left:
            worker.join()


def _go_through(
    group: Sequence[PlannedRun],
    parent: int | None,
    num_threads: int,
    heard: Callable[[], None] = lambda: None,
) -> list[EndedRun]:
    """Start or continue runs to their end; islands take turns, from exchange to exchange.

    parent: the process that the work is for; None: this one.
    """
    ended: list[EndedRun] = []
    run = group[0]
    if parent is not None:
        # What plug-ins print must not mix with the results of the command.
        sys.stdout = sys.stderr

    def look(event: object = None) -> None:
        if parent is not None and os.getppid() != parent:
            # The command was killed: nobody waits for the rest, and what is finished is on disk.
            os._exit(1)

    try:
        with ExitStack() as stack, joblib.parallel_config(backend="threading", n_jobs=num_threads):
            left: dict[PlannedRun, tuple[Evolution, Iterator[Generation]]] = {}
            for run in group:
                evolution = stack.enter_context(_opened(run))
                left[run] = evolution, evolution.generations(look)
            while left:
                # The island furthest behind waits for no other, so taking it avoids a deadlock.
                run = min(left, key=lambda one: last.number if (last := left[one][0].last) else -1)
                evolution, steps = left[run]
                for generation in steps:
                    evolution.flush()
                    heard()
                    look()
                    if len(left) > 1 and is_exchange(run.settings.islands, generation.number):
                        break
                else:
                    assert evolution.run is not None
                    notices = evolution.run.resumption.notices
                    evolution.select_champion()
                    evolution.close()
                    ended.append(EndedRun(run, (*notices, *_warnings(run.path))))
                    del left[run]
    except InputError as fault:
        ended.append(EndedRun(run, (), str(fault)))
    return ended


def _warnings(run: Path) -> Iterable[str]:
    first: dict[str, str] = {}
    for line in read_history(run).lines:
        for warning in line.get("warnings", ()):
            first.setdefault(kind_of(warning), f"{run}: warning: generation {line['generation']}: {warning}")
    return first.values()


def _opened(run: PlannedRun) -> Evolution:
    given: dict[str, Any] = {"run": run.path, "generations": run.target, "plugins": run.plugins}
    if RunLayout(run.path).config.exists():
        return evolve(resume=True, **given)
    return evolve(run.settings, seed=run.seed, **given)
