"""Check that names say where things are: no catch-all modules, and tests in the folders of what they test.

Usage: python tools/checks/names.py
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "misc", "core", "base", "tools"}
# Not of the package: independent twins, what was recorded once, and the pages.
TEST_FOLDERS_OF_THEIR_OWN = {"oracles", "golden", "contracts", "docs", "__pycache__"}


def problems() -> list[str]:
    """List the names that break the house rules."""
    return [*_empty_names(), *_misplaced_tests()]


def _empty_names() -> list[str]:
    paths = sorted((ROOT / "neche").rglob("*.py"))
    empty = [path for path in paths if path.stem in NAMES_THAT_SAY_NOTHING]
    return [f"{path.relative_to(ROOT)}: the name says nothing" for path in empty]


def _misplaced_tests() -> list[str]:
    folders = sorted({path.parent for path in (ROOT / "tests").rglob("test_*.py")})
    found = []
    for folder in folders:
        place = folder.relative_to(ROOT / "tests")
        if place.parts and place.parts[0] in TEST_FOLDERS_OF_THEIR_OWN:
            continue
        if not (ROOT / "neche" / place).is_dir():
            found.append(f"tests/{place}: there is no neche/{place} to test")
    return found


def main() -> int:
    """Print the problems; return 1 if there are any."""
    found = problems()
    print("\n".join(found) or "names: every one says something")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
