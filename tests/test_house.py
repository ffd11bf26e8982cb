"""The rules of the house hold, and the scripts that check them can fail."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tools.checks import game_names, house, player_kinds, reading_path

ROOT = Path(__file__).resolve().parent.parent


def test_files_functions_and_names_keep_the_rules_of_the_house():
    assert house.problems() == []


@pytest.mark.skipif(not (ROOT / ".git").exists() or not shutil.which("git"), reason="not a clone")
def test_only_plain_files_are_kept_under_names_that_every_system_takes():
    listed = subprocess.run(["git", "ls-files", "-sz"], cwd=ROOT, capture_output=True, text=True, check=True)
    modes, names = zip(*(line.split("\t") for line in listed.stdout.split("\0") if line), strict=True)
    assert {mode.split()[0] for mode in modes} <= {"100644", "100755"}
    assert [name for name in names if set(name) & set('<>:"|?*\\')] == []


def test_no_code_is_steered_by_the_name_of_a_game():
    assert game_names.problems() == []


def test_no_code_asks_for_the_kind_of_a_player():
    assert player_kinds.problems() == []


@pytest.mark.parametrize(
    "source",
    [
        "thinks = isinstance(player, (Mcrd, Uct))",
        "if type(player) is AlphaBeta: pass",
        "if isinstance(engine, UctEngine): pass",
        "if kind in ('uct', 'cnn'): pass",
        "match player:\n    case Convolutional(): pass",
    ],
)
def test_code_that_asks_for_the_kind_of_a_player_is_found(source):
    assert len(player_kinds.problems_in(source)) >= 1


@pytest.mark.parametrize(
    "source",
    [
        "if event.game == 'othello': pass",
        "if 'checkers' != rules.name: pass",
        "if game in ('brazilian', 'international'): pass",
        "PIECES = {'checkers': 24}",
        "pieces = PIECES['checkers']",
        "GAME = 'checkers'\ndef f(rules): return rules.name == GAME",
        "match rules.name:\n    case 'othello': pass",
    ],
)
def test_code_that_is_steered_by_the_name_of_a_game_is_found(source):
    assert len(game_names.problems_in(source)) >= 1


def lint_imports(folder):
    """Run import-linter in a folder; return what it prints and whether every contract holds."""
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    return answer.stdout, answer.returncode == 0


def test_imports_point_one_way_and_in_no_circle():
    printed, is_kept = lint_imports(ROOT)
    assert is_kept, printed


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package whose modules may be spoilt."""
    folder = tmp_path_factory.mktemp("house")
    ignored = shutil.ignore_patterns("__pycache__", "*.html", "*.svg", "*.npz")
    shutil.copytree(ROOT / "neche", folder / "neche", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("evolution/evolve.py", "from neche.archive.run import RunDirectory", "layers"),
        ("evolution/evolve.py", "def f():\n    import neche.archive.run", "layers"),
        ("games/catalogue.py", "from neche.genome import gene", "layers"),
        ("arena/nowhere.py", "from neche.cli import main", "layers"),
        ("search/negamax.py", "from numba.core import types", "numba"),
        ("errors.py", "import neche.compiled.jit", "layers"),
        ("search/transposition.py", "from neche.search import negamax", "circles"),
    ],
)
def test_an_import_that_points_the_wrong_way_is_found(package, module, line, contract):
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    name = next(one["name"] for one in contracts if one["id"] == contract)
    path = package / "neche" / module
    before = path.read_text() if path.exists() else None
    path.write_text((before or "") + f"\n{line}\n")
    try:
        printed, is_kept = lint_imports(package)
    finally:
        if before is None:
            path.unlink()
        else:
            path.write_text(before)
    assert not is_kept
    assert f"{name} BROKEN" in printed


def test_a_long_function_is_found_and_its_docstring_not_counted():
    body = "\n".join(f"    x{i} = {i}" for i in range(39))
    assert house.size_problems(f'def f():\n    """{"x" * 99}\n\n\n    """\n{body}\n    return 1\n') == []
    assert house.size_problems(f"def f():\n{body}\n    y = 2\n    return 1\n") == [
        "line 1: f has 41 lines of code, more than 40"
    ]


def test_importing_the_package_imports_nothing_else():
    code = "import sys, neche; print([m for m in ('numba', 'numpy', 'scipy') if m in sys.modules])"
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"


def test_every_recipe_is_part_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["neche"]
    assert (ROOT / "neche" / "py.typed").is_file()
    assert sorted((ROOT / "neche" / "evolution" / "recipes").glob("*.toml"))


@pytest.mark.parametrize("marker", ["run-command", "test-command"])
def test_readme_holds_the_commands_that_ci_runs(marker):
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    index = lines.index(f"<!-- {marker} -->")
    assert lines[index + 1].startswith("```")
    assert lines[index + 2].startswith("python3 -m venv")
    assert lines[index + 3] == "```"


def test_a_reader_of_one_generation_or_move_enters_few_files_and_seldom_climbs():
    ways = reading_path.measure()
    for name, limit in reading_path.LIMITS.items():
        assert limit.files is None or len(ways[name].files) <= limit.files, (name, ways[name].files)
        assert limit.functions is None or len(ways[name].functions) <= limit.functions, name
        assert limit.climbs is None or ways[name].climbs <= limit.climbs, (name, ways[name].files)


def test_a_file_of_a_higher_layer_after_one_of_a_lower_is_a_climb():
    down = ["evolution/evolve.py", "evolution/ranking.py", "arena/playing.py", "compiled/batches.py"]
    assert reading_path.Way(down, []).climbs == 0
    assert reading_path.Way([*down, "arena/game_loop.py", "errors.py", "cli/main.py"], []).climbs == 2
