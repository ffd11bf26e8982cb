"""Check that runs are the same to the byte on an older processor, simulated here.

Usage: python tools/checks/processors.py [--seed 1] [--recipes tournament,quick,memetic] [--generations 3]

Each recipe is evolved twice. The second time NumPy and OpenBLAS avoid instructions that processors have had
only since 2010, and numba compiles for x86-64-v2, without vectors of 256 and 512 bits. Exit status 1 if a
file differs.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.checks.kill_and_resume import contents, differences

ROOT = Path(__file__).resolve().parents[2]
OLDER = {
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 X86_V3 AVX512_ICL AVX512_SPR",
    "OPENBLAS_CORETYPE": "Nehalem",
    "NUMBA_CPU_NAME": "x86-64-v2",
    "NUMBA_CPU_FEATURES": "",
}
"""Variables that disable instructions of newer processors; versions ignore names they do not know."""
SMALL = ("population=12", "sample_games=800", "first_games=800", "final_games=20", "ladder_games=10")


def evolved(recipe: str, seed: int, generations: int, directory: Path, environment: dict[str, str]) -> None:
    """Evolve a run in a directory."""
    words = [word for setting in SMALL for word in ("--set", setting)]
    command = [sys.executable, "-m", "neche", "evolve", "--recipe", recipe, "--seed", str(seed)]
    command += ["--generations", str(generations), "--jobs", "1", "--json", "--run", str(directory), *words]
    subprocess.run(
        command, check=True, cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.DEVNULL
    )


def main() -> int:
    """Evolve and compare; return 1 if any file differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--recipes", default="tournament,quick,memetic")
    parser.add_argument("--generations", type=int, default=3)
    options = parser.parse_args()
    if platform.machine() not in ("x86_64", "AMD64"):
        raise SystemExit("only x86-64 processors can be made to look older")
    num_faulty = 0
    for recipe in options.recipes.split(","):
        # Generations of tournaments are short, and rare cases should occur.
        generations = options.generations * (50 if recipe.startswith("tournament") else 1)
        with tempfile.TemporaryDirectory() as folder:
            here, older = Path(folder) / "here", Path(folder) / "older"
            evolved(recipe, options.seed, generations, here, {})
            evolved(recipe, options.seed, generations, older, OLDER)
            found = differences(contents(here), contents(older))
        print(
            f"{recipe}, {generations} generations: {len(found)} files differ", *found, sep="\n  ", flush=True
        )
        num_faulty += len(found)
    return 1 if num_faulty else 0


if __name__ == "__main__":
    sys.exit(main())
