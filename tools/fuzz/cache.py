"""Damage compiled code on disk, and check that a command answers as before and repairs it.

Usage: python tools/fuzz/cache.py [--cases 100] [--seed 0]

Each case damages one to all files of a warm cache (emptied, cut, a bit flipped, zeros, doubled, exchanged,
removed) and counts the leaves of a tree. The first command with another answer, more than one line of notice
or the damage left in place ends the tool with exit status 1 and is shown.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

COMMAND = [sys.executable, "-m", "neche", "perft", "--depth", "3"]


def flipped(content: bytes, rng: random.Random) -> bytes:
    """Return the content with one bit changed."""
    at = rng.randrange(8 * len(content))
    return content[: at // 8] + bytes([content[at // 8] ^ 1 << at % 8]) + content[at // 8 + 1 :]


def zeroed(content: bytes, rng: random.Random) -> bytes:
    """Return the content with zeros from some position on, as a power cut may leave it."""
    at = rng.randrange(len(content))
    return content[:at] + bytes(len(content) - at)


DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "emptied": lambda content, rng: b"",
    "cut": lambda content, rng: content[: rng.randrange(len(content))],
    "flipped": flipped,
    "zeroed": zeroed,
    "doubled": lambda content, rng: content + content,
    "random": lambda content, rng: rng.randbytes(len(content)),
}


def damage(directory: Path, rng: random.Random) -> str:
    """Damage a random number of files; return what was done to them."""
    files = sorted(directory.rglob("*.nb[ic]"))
    chosen = rng.sample(files, rng.choice([1, 2, len(files)]))
    kind = rng.choice([*DAMAGES, "removed", "exchanged"])
    for path in chosen:
        if kind == "removed":
            path.unlink()
        elif kind == "exchanged":
            path.write_bytes(rng.choice(files).read_bytes() if path != files[0] else b"")
        else:
            path.write_bytes(DAMAGES[kind](path.read_bytes(), rng))
        files = [file for file in files if file.exists()]
    return f"{len(chosen)} files {kind}"


def answer(directory: Path) -> tuple[int, str, str]:
    """Return exit code, number of leaves and any other output."""
    variables = {**os.environ, "NECHE_CACHE_DIR": str(directory)}
    done = subprocess.run(COMMAND, env=variables, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.partition(" leaves")[0], done.stderr


def fault_of(case: str, found: tuple[int, str, str], again: tuple[int, str, str], leaves: str) -> str:
    """Return what is wrong with the answers after a damage, empty if nothing is."""
    if found[:2] != (0, leaves) or len(found[2].splitlines()) > 20 or "Traceback" in found[2]:
        return f"{case}: exit code {found[0]}, {found[1]}\n{found[2][-2000:]}"
    if again != (0, leaves, ""):
        return f"{case}: not mended: exit code {again[0]}, {again[1]}\n{again[2][-2000:]}"
    return ""


def main() -> int:
    """Damage and run commands; return 1 at the first fault."""
    parser = argparse.ArgumentParser(description="Damage compiled code on disk.")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        warm, damaged = Path(folder) / "warm", Path(folder) / "damaged"
        _, leaves, _ = answer(warm)
        for number in range(options.cases):
            shutil.copytree(warm, damaged)
            case = f"seed {options.seed}, case {number}, " + damage(
                damaged, random.Random(f"{options.seed} {number}")
            )
            if fault := fault_of(case, answer(damaged), answer(damaged), leaves):
                print(fault)
                return 1
            shutil.rmtree(damaged)
    print(f"{options.cases} damaged caches, all mended, {time.perf_counter() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
