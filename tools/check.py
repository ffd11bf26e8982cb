"""Run all checks that a change must pass: format, lint, types, house rules, tests and doctests.

Usage: python tools/check.py [--no-tests]
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable

LINT_IMPORTS = (
    "from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"
)

STEPS = {
    "format": [PYTHON, "-m", "ruff", "format", "--check"],
    "lint": [PYTHON, "-m", "ruff", "check"],
    "types": [PYTHON, "-m", "mypy", "--strict"],
    "imports": [PYTHON, "-c", f"import sys; {LINT_IMPORTS}"],
    "house": [PYTHON, "tools/checks/house.py"],
    "game names": [PYTHON, "tools/checks/game_names.py"],
    "player kinds": [PYTHON, "tools/checks/player_kinds.py"],
}
TESTS = {"tests and doctests": [PYTHON, "-m", "pytest", "-q"]}


def main() -> int:
    """Run every step, even after one has failed; return 1 if any failed."""
    parser = argparse.ArgumentParser(description="Run all checks that a change must pass.")
    parser.add_argument("--no-tests", action="store_true", help="skip the tests and doctests")
    steps = STEPS if parser.parse_args().no_tests else STEPS | TESTS
    failed = []
    for name, command in steps.items():
        print(f"== {name}", flush=True)
        began = time.perf_counter()
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            failed.append(name)
        print(f"   {time.perf_counter() - began:.1f} s", flush=True)
    print(f"check: failed at {', '.join(failed)}" if failed else "check: all passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
