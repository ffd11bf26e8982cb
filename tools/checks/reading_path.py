"""Count the files and functions that one action of the program runs through, as a reader would follow it.

A generation, a move of each kind of player, a resume: every Python function of neche that is called on the
way counts once, with its file. Compiled code and imports do not count: both are warm before counting begins.
A climb: the next file entered for the first time is in a higher import layer than the one before, so that a
reader in this order has to go back up. `tests/test_house.py` checks the figures against their limits.

Usage: python tools/checks/reading_path.py [--names]
"""

import argparse
import sys
import tempfile
import threading
import tomllib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.archive.run import RunDirectory
from neche.evolution.evolve import evolve
from neche.evolution.recipes import load_recipe, override
from neche.games.catalogue import game
from neche.players.engine import choose_move
from neche.players.spec import parse_player

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "neche"


class Way(NamedTuple):
    """What was entered: files of the package, in that order, and functions as file:name."""

    files: list[str]
    functions: list[str]

    @property
    def climbs(self) -> int:
        """How often the next file is in a higher layer."""
        layers = layers_of_imports()
        heights = [layers[Path(file).parts[0].removesuffix(".py")] for file in self.files]
        return sum(following < here for here, following in pairwise(heights))


class Limit(NamedTuple):
    """Most files, functions and climbs; None: no limit."""

    files: int | None
    functions: int | None = None
    climbs: int | None = None


LIMITS = {
    "generation": Limit(22, 100, 10),
    "alpha-beta move": Limit(8, 20),
    "mcrd move": Limit(10),
    "uct move": Limit(10),
    "resume": Limit(9),
    # Without limit: listed to show what an ordinary generation leaves out.
    "measured generation": Limit(None),
    "saving": Limit(None),
}


def layers_of_imports() -> dict[str, int]:
    """Return the layer of each top-level module and package, 0 the highest."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    return {name.strip(): height for height, line in enumerate(layers) for name in line.split("|")}


def entered_by(action: Callable[[], Any]) -> Way:
    """Run `action` and return what it entered of the package, thread after thread.

    Comprehensions belong to the function that contains them.
    """
    seen: dict[int, dict[CodeType, None]] = {threading.get_ident(): {}}

    def look(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            seen.setdefault(threading.get_ident(), {})[frame.f_code] = None

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        action()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    places = [
        (str(Path(code.co_filename).relative_to(PACKAGE)), code.co_qualname)
        for thread in seen.values()
        for code in thread
        if Path(code.co_filename).is_relative_to(PACKAGE) and not code.co_name.startswith("<")
    ]
    return Way(
        list(dict.fromkeys(file for file, _ in places)), sorted({f"{file}: {name}" for file, name in places})
    )


def _settings(ladder_every: int = 1000) -> Any:
    settings = load_recipe("tournament")
    for change in ("population=20", "genes=60", f"ladder_every={ladder_every}"):
        settings = override(settings, change)
    return settings


def generation(ladder_every: int = 1000) -> Callable[[], Any]:
    """Return the third generation of a population of 20, its champion unmeasured unless asked for."""
    steps = evolve(_settings(ladder_every), 1)
    for _ in range(3):
        next(steps)
    return lambda: next(steps)


def move_of(player: str) -> Callable[[], Any]:
    """Return the first move of a game by a player, from beginning the game to the move."""
    rules, chooser = game("checkers"), parse_player(player)
    draw = np.random.default_rng(1)
    choose_move(chooser, rules, rules.start(), draw)
    return lambda: choose_move(chooser, rules, rules.start(), draw)


def resume(folder: Path) -> Callable[[], Any]:
    """Return the opening of a run of three generations to resume it."""
    settings = _settings()
    with RunDirectory.create(folder / "run", settings, 1) as run:
        for one in evolve(settings, 1, generations=2):
            run.save(one)
    RunDirectory.open(folder / "run").close()
    return lambda: RunDirectory.open(folder / "run").close()


def saving(folder: Path) -> Callable[[], Any]:
    """Return the saving of the third generation of a run."""
    steps = evolve(_settings(), 1)
    run = RunDirectory.create(folder / "saved", _settings(), 1)
    for _ in range(2):
        run.save(next(steps))
    third = next(steps)
    return lambda: run.save(third)


def measure() -> dict[str, Way]:
    """Return what each of `LIMITS` enters."""
    with tempfile.TemporaryDirectory() as folder:
        ways = {
            "generation": generation(),
            "alpha-beta move": move_of("material:depth=4"),
            "mcrd move": move_of("mcrd:playouts=200"),
            "uct move": move_of("uct:playouts=200"),
            "resume": resume(Path(folder)),
            "measured generation": generation(1),
            "saving": saving(Path(folder)),
        }
        return {name: entered_by(action) for name, action in ways.items()}


def main() -> int:
    """Print the figures; return 1 if one is over its limit."""
    parser = argparse.ArgumentParser(description="Count the files and functions entered.")
    parser.add_argument("--names", action="store_true", help="list the functions too")
    names = parser.parse_args().names
    is_over = False
    for name, way in measure().items():
        limit = LIMITS[name]
        counts = (len(way.files), len(way.functions), way.climbs)
        cells = [
            f"{count:4} {what}" + ("" if most is None else f" (≤ {most})")
            for count, what, most in zip(counts, ("files", "functions", "climbs"), limit, strict=True)
        ]
        print(f"{name:19}" + " ".join(f"{cell:22}" for cell in cells).rstrip())
        if names:
            print("\n".join(f"    {function}" for function in way.functions))
        is_over |= any(most is not None and count > most for count, most in zip(counts, limit, strict=True))
    return int(is_over)


if __name__ == "__main__":
    sys.exit(main())
