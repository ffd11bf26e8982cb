"""Evolve with random settings, including extremes, and check that all guarantees hold.

Usage: python tools/fuzz/settings.py [--cases 100] [--seed 0]

A case is a recipe with random settings, as small as the rest allows, in a random game. It must be refused in
one line, or its run must end; then the same run, killed and resumed with another number of workers, must have
the same bytes, and `neche verify` must find nothing. The first failure ends the tool with exit status 1, and
its command is shown.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.evolution.recipes import recipe_names
from neche.evolution.settings import KEYS, TABLES
from neche.games.catalogue import GAMES
from tools.checks.kill_and_resume import (
    ROOT,
    TINY_RUN,
    TINY_SCREENED_RUN,
    contents,
    differences,
    end_cleanly,
    started,
)

GENERATIONS = 3
TIME_COSTS = {
    "population": 14,
    "genes": 60,
    "depth": 3,
    "draw_plies": 60,
    "games_per_member": 8,
    "original_rounds": 3,
    "sample_games": 60,
    "first_games": 120,
    "sample_depth": 3,
    "label_depth": 3,
    "last_label_depth": 3,
    "batches": 12,
    "batch": 300,
    "champion_games": 6,
    "final_games": 6,
    "ladder_games": 4,
    "ladder_thinker_games": 2,
    "modules": 40,
    "links": 60,
}
"""Upper limits of settings that take time."""
WORDS: dict[str, list[Any]] = {
    "topology": [
        "auto",
        "auto-4-1",
        "auto-1-1",
        "auto-4-3-1",
        "auto-0-1",
        "auto-40-1",
        "32-1-31-0-1",
        "0-0-1",
    ],
    "game": [*GAMES],
    "ladder": [[], ["random"], ["blind:depth=1", "random"], ["uct:playouts=20"], ["champion:depth=1"]],
    "next_depths": [[], [2], [1, 2], [2, 3]],
    "opening_plies": [[0, 0], [0, 3], [2, 10], [12, 12], [60, 80]],
    "islands": [1],
    "island": [0],
}
_TOO_FEW = "has no position to learn from"
"""The refusal that only shows after the games: with few games, too few positions may be kept."""
MOST_SECONDS = 240
MOST_CHANGED = 12


def value_of(key: str, rng: random.Random) -> Any:
    """Return a value of a setting: the smallest, the largest or any other allowed one."""
    if key in WORDS:
        return rng.choice(WORDS[key])
    schema = msgspec.json.schema(get_type_hints(TABLES[KEYS[key]], include_extras=True)[key])
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if schema["type"] == "boolean":
        return rng.random() < 0.5
    low: Any = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = min(schema["maximum"], TIME_COSTS.get(key, schema["maximum"]))
    if schema["type"] == "integer":
        few = rng.randint(low, min(high, low + 12))
        return rng.choice([low, high, few, few])
    exponent = rng.uniform(-4, 0)
    least = low if "minimum" in schema else low + 1e-9
    return rng.choice([least, high, low + (high - low) * 10**exponent, low + (high - low) * rng.random()])


def case_of(rng: random.Random) -> list[str]:
    """Return the arguments of a random evolution, without the run directory."""
    chosen: dict[str, Any] = dict(TINY_RUN)
    if rng.random() < 0.6:
        chosen |= TINY_SCREENED_RUN
        chosen |= {"learning": rng.choice(["coevolution", "gradient"])}
    # Other settings of a recipe may take long, so they are lowered to these limits.
    chosen |= {key: most for key, most in TIME_COSTS.items() if key not in chosen}
    chosen |= {"next_depths": [2], "ladder": ["random"], "elites": 1}
    for key in rng.sample(sorted(KEYS), rng.randint(0, MOST_CHANGED)):
        if key != "generations":
            chosen[key] = value_of(key, rng)
    if rng.random() < 0.5:
        chosen["game"] = rng.choice([*GAMES])
    words = ["--recipe", rng.choice(recipe_names()), "--seed", str(rng.randrange(2**40))]
    words += ["--generations", str(GENERATIONS)]
    for key, value in chosen.items():
        words += ["--set", f"{key}={json.dumps(value)}"]
    return words


def fault_of(words: list[str], folder: Path, rng: random.Random) -> tuple[str, bool]:
    """Return what is wrong with an evolution, empty if nothing is; and whether it was refused."""
    evolve = [sys.executable, "-m", "neche", "evolve", "--json"]
    straight, killed = folder / "straight", folder / "killed"
    began = time.monotonic()
    done = _run([*evolve, "--run", str(straight), "--jobs", "1", *words])
    took = time.monotonic() - began
    said = [line for line in done.stderr.splitlines() if "changes nothing" not in line]
    if done.returncode == 2 and len(said) == 1 and not straight.exists():
        return "", True
    if done.returncode == 2 and said[-1].startswith("neche: error: ") and _TOO_FEW in said[-1]:
        return "", True
    if _is_fault(done):
        return f"exit code {done.returncode}\n{done.stderr[-3000:]}", False
    words = [*evolve, "--run", str(killed), "--jobs", "2", *words]
    with started(words) as process, suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=took * rng.uniform(0.3, 1))
    resume = ["--resume"] if (killed / "config.toml").exists() else []
    again = _run([*words, *resume])
    if _is_fault(again):
        return f"resumed: exit code {again.returncode}\n{again.stderr[-3000:]}", False
    if unlike := differences(contents(straight), contents(killed)):
        return f"resumed: {', '.join(unlike)}", False
    verified = _run([sys.executable, "-m", "neche", "verify", str(straight)])
    return (f"verify: {verified.stdout}{verified.stderr}" if verified.returncode else ""), False


def _is_fault(done: subprocess.CompletedProcess[str]) -> bool:
    # Progress goes to the same stream.
    return done.returncode != 0 or "Traceback" in done.stderr or "Warning:" in done.stderr


def _run(words: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=MOST_SECONDS, check=False)


def main() -> int:
    """Evolve the cases; return 1 at the first fault."""
    parser = argparse.ArgumentParser(description="Evolve with random settings.")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    end_cleanly()
    began, refused = time.perf_counter(), 0
    for number in range(options.cases):
        rng = random.Random(f"{options.seed} {number}")
        words = case_of(rng)
        with tempfile.TemporaryDirectory(prefix="neche-settings-") as folder:
            try:
                fault, is_refused = fault_of(words, Path(folder), rng)
            except subprocess.TimeoutExpired:
                fault, is_refused = f"longer than {MOST_SECONDS} s", False
        refused += is_refused
        if fault:
            print(f"seed {options.seed}, case {number}: neche evolve {' '.join(words)}\n{fault}")
            return 1
    took = time.perf_counter() - began
    print(f"{options.cases} settings, {refused} of them refused, all as promised, {took:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
