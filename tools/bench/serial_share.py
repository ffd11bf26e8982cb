"""The serial share of a generation, CPU time that its workers cannot divide: in total and by part.

Usage: taskset -c 1 python tools/bench/serial_share.py [--recipe tournament] [--population 100] [--seed 1]
       [--depth N] [--generations N] [--warm-up 5]

Without depth and generations the whole recipe runs, as games of its first generations are short.

`neche evolve` runs in this process with one worker and writes its files. Work for workers is parallel: games,
samples, learning. Everything else is serial, and counts for the innermost part that it belongs to. The clock
is the CPU time of this thread, from the end of the last warm-up generation to the end of the last one. Time
of other threads is reported separately: saving, concurrent with the next generation, and the diagnostics of
members, concurrent with their games.
"""

import argparse
import contextlib
import io
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.cli import main as command_line
from neche.evolution.recipes import load_recipe

REST = "rest"
PARTS = {
    "neche.evolution.evolve._play_and_rank": "ranking",
    "neche.evolution.evolve._champion": "champion",
    "neche.evolution.evolve._promoted": "promotion",
    "neche.evolution.evolve.next_members": "reproduction",
    "neche.evolution.evolve.screened_members": "screening",
    "neche.evolution.evolve.describe_generation": "diagnostics",
    "neche.evolution.evolve.describe_men": "men",
    "neche.evolution.evolve.networks_of": "decoding",
    "neche.arena.playing.pack_networks": "folding",
}
"""Functions by the names their callers use, and the part that each belongs to."""
GENERATION = "neche.evolution.evolve.play_generation"
PARALLEL = {
    "neche.arena.playing": "games",
    "neche.prediction.samples": "samples",
    "neche.evolution.screening": "learning",
}
"""Modules that give work to workers by `results_of`, and the part that it is."""


class Share(NamedTuple):
    """CPU seconds of a run. parts: of this thread. others: of all other threads. generations: how many."""

    parts: dict[str, float]
    others: float
    generations: int

    @property
    def serial(self) -> float:
        """The share of this thread's time that is not parallel."""
        parallel = sum(self.parts.get(part, 0.0) for part in PARALLEL.values())
        return 1.0 - parallel / sum(self.parts.values())


class PartClock:
    """CPU time of one thread by part; the innermost part that has begun is the running one."""

    def __init__(self, now: Callable[[], float] = time.thread_time) -> None:
        """Begin with the part `rest`."""
        self.seconds: dict[str, float] = defaultdict(float)
        self._now, self._last, self._running = now, now(), [REST]
        self._thread = threading.get_ident()

    def switch(self) -> None:
        """Add the time since the last switch to the running part."""
        now = self._now()
        self.seconds[self._running[-1]] += now - self._last
        self._last = now

    def counted(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose time counts for `part`, except that of other parts inside it."""

        def call(*arguments: Any, **options: Any) -> Any:
            if threading.get_ident() != self._thread:
                return function(*arguments, **options)
            self.switch()
            self._running.append(part)
            try:
                return function(*arguments, **options)
            finally:
                self.switch()
                self._running.pop()

        return call

    def changes(self) -> dict[str, Callable[[Any], Any]]:
        """Return replacements for the functions of `PARTS`, and for those that call workers."""

        def in_workers(part: str, results_of: Callable[..., Any]) -> Callable[..., Any]:
            def results(calls: Mapping[Any, Any]) -> Any:
                return results_of(
                    {key: (self.counted(part, work), *rest) for key, (work, *rest) in calls.items()}
                )

            return results

        return {
            **{name: partial(self.counted, part) for name, part in PARTS.items()},
            **{f"{module}.results_of": partial(in_workers, part) for module, part in PARALLEL.items()},
        }

    def forget(self) -> None:
        """Discard what was counted so far."""
        self.switch()
        self.seconds.clear()


@contextlib.contextmanager
def replaced(names: Mapping[str, Callable[[Any], Any]]) -> Iterator[None]:
    """Replace each attribute by what its function returns for it, and restore it at the end."""
    before = []
    try:
        for name, change in names.items():
            owner, attribute = _found(name)
            before.append((owner, attribute, getattr(owner, attribute)))
            setattr(owner, attribute, change(before[-1][2]))
        yield
    finally:
        for owner, attribute, value in reversed(before):
            setattr(owner, attribute, value)


def _found(name: str) -> tuple[Any, str]:
    """Return the module or class, and the name in it, of a dotted name."""
    place, attribute = name.rpartition(".")[::2]
    try:
        return import_module(place), attribute
    except ModuleNotFoundError:
        module, owner = place.rpartition(".")[::2]
        return getattr(import_module(module), owner), attribute


def measure(arguments: list[str], warm_up: int) -> Share:
    """Return the CPU time of `neche evolve` with these arguments, by part, after generation `warm_up`."""
    clock, played, begun = PartClock(), 0, 0.0
    finished: list[Share] = []

    def counting(play: Callable[..., Any]) -> Callable[..., Any]:
        def call(*of: Any, **options: Any) -> Any:
            nonlocal played, begun
            generation = play(*of, **options)
            played += 1
            if played == warm_up + 1:
                clock.forget()
                begun = time.process_time()
            return generation

        return call

    def crown(select: Callable[..., Any]) -> Callable[..., Any]:
        def call(*of: Any, **options: Any) -> Any:
            # The last generation has played: what follows happens once per run.
            clock.switch()
            others = time.process_time() - begun - sum(clock.seconds.values())
            finished.append(Share(dict(clock.seconds), others, played - warm_up - 1))
            return select(*of, **options)

        return call

    changes = {
        **clock.changes(),
        GENERATION: counting,
        "neche.api.evolution.Evolution.select_champion": crown,
    }
    said = io.StringIO()
    with replaced(changes), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = command_line.main(["evolve", "--jobs", "1", "--json", *arguments])
    if code or not finished:
        raise SystemExit(said.getvalue())
    return finished[0]


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--recipe", default="tournament")
    parser.add_argument("--population", type=int, default=100)
    parser.add_argument("--depth", type=int, help="search depth from the first generation on")
    parser.add_argument("--generations", type=int, help="generations that count")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--warm-up", type=int, default=5, help="generations not counted, besides 0")
    options = parser.parse_args()
    whole_recipe = load_recipe(options.recipe).run.generations
    last = whole_recipe if options.generations is None else options.warm_up + options.generations
    keys = {"population": options.population, "final_candidates": 0}
    if options.depth is not None:
        keys["depth"] = options.depth
    settings = [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
    with tempfile.TemporaryDirectory() as folder:
        named = ["--recipe", options.recipe, "--seed", str(options.seed), "--generations", str(last)]
        share = measure([*named, *settings, "--run", str(Path(folder) / "run")], options.warm_up)
    whole = sum(share.parts.values())
    print(f"{options.recipe}, n = {options.population}: {share.generations} generations")
    for part, seconds in sorted(share.parts.items(), key=lambda item: -item[1]):
        print(f"{part:20} {1e3 * seconds / share.generations:9.3f} ms a generation {seconds / whole:7.1%}")
    print(f"{'serial share':20} {share.serial:37.1%}")
    print(f"{'other threads':20} {1e3 * share.others / share.generations:9.3f} ms a generation")


if __name__ == "__main__":
    main()
