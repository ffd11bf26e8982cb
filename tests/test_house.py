"""The rules of the house hold, and the scripts that check them can fail."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tools.checks import file_sizes, game_names, layers, names

ROOT = Path(__file__).resolve().parent.parent


def test_imports_point_one_way():
    assert layers.problems() == []


def test_files_and_functions_are_small():
    assert file_sizes.problems() == []


def test_no_code_is_steered_by_the_name_of_a_game():
    assert game_names.problems() == []


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


def test_names_say_where_things_are():
    assert names.problems() == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("neche.evolution.evolve", "from neche.archive.layout import RunDirectory"),
        ("neche.evolution.evolve", "def f():\n    import neche.archive"),
        ("neche.genome.dna", "from neche.games.catalogue import game"),
        ("neche.games.catalogue", "from neche import genome"),
        ("neche.network.decode", "from ..search import root"),
        ("neche.games.checkers.moves", "from ...search import root"),
        ("neche.arena.match", "from neche.nowhere import thing"),
        ("neche", "from neche.games import catalogue"),
        ("neche.search.root", "import numba"),
        ("neche.search.root", "from numba.core import types"),
        ("neche.arena.match", "print(1)"),
        ("neche.games.checkers.moves", "@jit\ndef f(a):\n    return a << 1"),
        ("neche.games.checkers.moves", "@jit_inlined\ndef f(a):\n    a >>= 1"),
        ("neche.games.checkers.moves", "@jit\ndef f(a):\n    return ~a"),
    ],
)
def test_layers_reject(module, source):
    assert len(layers.problems_in(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("neche.cli.evolve", "from neche.archive import layout\nprint(1)"),
        ("neche.archive.resume", "from neche.evolution.population import Member"),
        ("neche.games.checkers.moves", "from . import board\nfrom neche.compiled.jit import jit"),
        ("neche.compiled.jit", "import numba"),
        ("neche.montecarlo.batch_gpu", "from numba import cuda"),
        ("neche.games.checkers.board", "def f():\n    return 1 << 3"),
    ],
)
def test_layers_accept(module, source):
    assert layers.problems_in(source, module) == []


def test_a_long_function_is_found_and_its_docstring_not_counted():
    body = "\n".join(f"    x{i} = {i}" for i in range(39))
    assert file_sizes.problems_in(f'def f():\n    """{"x" * 99}\n\n\n    """\n{body}\n    return 1\n') == []
    assert file_sizes.problems_in(f"def f():\n{body}\n    y = 2\n    return 1\n") == [
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
