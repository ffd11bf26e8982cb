"""Games are found by name, and their names are known without importing them."""

import os
import subprocess
import sys

import pytest

from neche.errors import InputError
from neche.games.catalogue import FILES, GAMES, add_file, game


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_found_under_its_own_name(name):
    assert game(name).name == name
    assert game(name) is game(name)


def test_an_unknown_game_is_refused_and_the_nearest_name_suggested():
    with pytest.raises(InputError, match=r"'chekers'.*checkers"):
        game("chekers")


def test_knowing_the_names_imports_no_compiler():
    code = "import sys, neche.games.catalogue; print([m for m in ('numba', 'numpy') if m in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


GAME_FILE = """
from typing import Any, NamedTuple
import numpy as np
from neche.games.generic import new_game

class Line(NamedTuple):
    left: Any
    turn: Any

def generate(position, moves, base):
    for number in range(min(position.left, MOST)):
        moves[base + number] = number + 1
    return np.int64(min(position.left, MOST))

def successor(position, moves, at):
    return Line(np.uint32(position.left - moves[at]), np.uint32(position.turn ^ 1))

def can_move(position):
    return position.left > 0

GAME = new_game(
    "NAME", Line(np.uint32(9), np.uint32(0)), sides=("A", "B"), max_moves=MOST,
    generate=generate, successor=successor, can_move_quietly=can_move,
)
"""
COUNT = "from neche.games.catalogue import game; rules = game('line'); print(rules.perft(rules.start(), 2))"


def write_game(folder, name="line", most=2):
    path = folder / f"{name}.py"
    path.write_text(GAME_FILE.replace("NAME", name).replace("MOST", str(most)), encoding="utf-8")
    return path


def count(**environment):
    command = [sys.executable, "-W", "error", "-c", COUNT]
    variables = os.environ | environment
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=False)


def test_a_game_in_a_file_is_recompiled_after_an_edit_and_gone_with_its_file(tmp_path):
    path = write_game(tmp_path, most=2)
    known = {"NECHE_GAMES": str(path), "NECHE_CACHE_DIR": str(tmp_path / "cache")}
    assert count(**known).stdout.split() == ["4"]
    write_game(tmp_path, most=3)
    assert count(**known).stdout.split() == ["9"]
    assert len(list((tmp_path / "cache").rglob("outside/line-*"))) == 2
    path.unlink()
    assert "'line'" in count(**known).stderr.splitlines()[-1]


@pytest.mark.parametrize("module", ["limits", "größe", "limits.most"])
def test_a_game_is_recompiled_when_a_source_that_it_imports_is_edited(tmp_path, module):
    path, source = tmp_path / "line.py", tmp_path / f"{module.replace('.', '/')}.py"
    path.write_text(f"from {module} import MOST\n" + GAME_FILE.replace("NAME", "line"), encoding="utf-8")
    if source.parent != tmp_path:
        source.parent.mkdir()
        (source.parent / "__init__.py").touch()
    known = {"NECHE_GAMES": str(path), "NECHE_CACHE_DIR": str(tmp_path / "cache")}
    for most in (2, 3):
        source.write_text(f"MOST = {most}\n", encoding="utf-8")
        assert count(**known).stdout.split() == [str(most * most)]


def test_unreadable_files_beside_a_game_are_not_its_sources(tmp_path):
    path = write_game(tmp_path)
    # words in the file that could be names of modules
    (tmp_path / "numpy.py").symlink_to("nowhere.py")
    (tmp_path / "neche.py").mkdir()
    known = {"NECHE_GAMES": str(path), "NECHE_CACHE_DIR": str(tmp_path / "cache")}
    result = count(**known)
    assert result.stdout.split() == ["4"], result.stderr


def test_rules_that_no_other_process_can_import_are_not_cached(tmp_path):
    """Rules in a script, of a module loaded again, and as they were before an edit."""
    path = write_game(tmp_path)
    shown = "print(GAME.perft(GAME.start(), 2))"
    edited = path.read_text().replace("left, 2)", "left, 3)").replace("max_moves=2", "max_moves=3")
    programs = {
        "script": path.read_text() + shown,
        "again": f"import importlib, line; from line import GAME; importlib.reload(line); {shown}",
        "other": f"from line import GAME; {shown}",
        "before": f"from line import GAME; open({str(path)!r}, 'w').write({edited!r}); {shown}",
    }
    environment = os.environ | {"NECHE_CACHE_DIR": str(tmp_path / "cache")}
    runs = [("script", 4), ("script", 4), ("again", 4), ("other", 4), ("before", 4), ("other", 9)]
    for name, leaves in runs:
        (tmp_path / f"{name}.py").write_text(programs[name], encoding="utf-8")
        command = [sys.executable, str(tmp_path / f"{name}.py")]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.stdout.split() == [str(leaves)], (name, done.stderr)


def test_an_edited_game_is_refused_in_a_process_that_loaded_it_until_reloaded(tmp_path):
    """As in a notebook, where the old rules must not be used silently."""
    path = write_game(tmp_path)
    edited = path.read_text().replace("left, 2)", "left, 3)").replace("max_moves=2", "max_moves=3")
    shown = "print(line.GAME.perft(line.GAME.start(), 2))"
    program = f"""
import importlib, sys
from neche.errors import InputError
from neche.games.catalogue import add_file, game
sys.dont_write_bytecode = True
game(add_file({str(path)!r}))
import line
{shown}
open({str(path)!r}, "w").write({edited!r})
try:
    add_file({str(path)!r})
except InputError as error:
    print(error)
importlib.reload(line)
{shown}
"""
    environment = os.environ | {"NECHE_CACHE_DIR": str(tmp_path / "cache"), "NECHE_GAMES": ""}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    first, refused, second = done.stdout.splitlines()
    assert (first, second) == ("4", "9")
    assert refused.startswith(f"{path}: was edited after it was loaded here; restart Python, or")


def test_games_with_equal_names_of_positions_are_distinguished(tmp_path):
    paths = [str(write_game(tmp_path, name, most)) for name, most in (("line", 2), ("row", 3), ("file", 4))]
    known = {"NECHE_GAMES": os.pathsep.join(paths), "NECHE_CACHE_DIR": str(tmp_path / "cache")}
    code = "import sys; from neche.games.catalogue import game\n"
    code += "for name in sys.argv[1:]: print(game(name).perft(game(name).start(), 2))"
    command = [sys.executable, "-c", code]

    def counts(*names):
        environment = os.environ | known
        done = subprocess.run([*command, *names], env=environment, capture_output=True, text=True, check=True)
        return done.stdout.split()

    # each is compiled and cached by a separate process; then one process loads all
    assert [counts(name) for name in ("line", "row", "file")] == [["4"], ["9"], ["16"]]
    assert counts("line", "row", "file") == ["4", "9", "16"]


def test_a_package_provides_games_by_its_entry_points(tmp_path):
    package = tmp_path / "somebody"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    write_game(package)
    facts = tmp_path / "somebody-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: somebody\nVersion: 1\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text("[neche.games]\nline = somebody.line:GAME\n", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = count(PYTHONPATH=path, NECHE_CACHE_DIR=str(tmp_path / "cache"))
    assert done.stdout.split() == ["4"], done.stderr


@pytest.fixture
def no_other_games(monkeypatch):
    monkeypatch.setenv(FILES, "")


def test_a_file_is_added_once_and_under_its_own_name(tmp_path, no_other_games):
    path = write_game(tmp_path)
    with pytest.raises(
        InputError, match=r"unknown game 'line' .*; set NECHE_GAMES=FILE to use a game in a file$"
    ):
        game("line")
    assert add_file(str(path)) == add_file(str(path)) == "line"
    assert os.environ[FILES] == str(path.resolve())
    (tmp_path / "other").mkdir()
    with pytest.raises(
        InputError, match=rf"'line' is the game in {path}; give the file and its game another"
    ):
        add_file(str(write_game(tmp_path / "other")))
    with pytest.raises(InputError, match="'othello' is a game of neche itself; give the file and its game a"):
        add_file(str(write_game(tmp_path, "othello")))
    with pytest.raises(InputError, match="a game is named like its file: letters, digits and _"):
        add_file(str(write_game(tmp_path, "connect-4")))
    (folder := tmp_path / f"two{os.pathsep}folders").mkdir()
    with pytest.raises(InputError, match=f"the path of a game cannot contain '{os.pathsep}'"):
        add_file(str(write_game(folder, "another")))


@pytest.mark.parametrize("name", ["checkers", "no-name", "json", "time"])
def test_a_file_whose_name_is_taken_is_refused(name, tmp_path, no_other_games):
    path = write_game(tmp_path, name)
    with pytest.raises(InputError, match=name):
        game(add_file(str(path)))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("GAME = 5", "not a game of this name"),
        ("1 / 0", "division by zero"),
        ("GAME =", "invalid syntax"),
        ("", "not a game"),
    ],
)
def test_a_file_without_a_game_is_refused_in_one_line(text, fault, tmp_path, no_other_games):
    path = tmp_path / f"faulty_{''.join(filter(str.isalpha, fault))}.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=fault):
        game(add_file(str(path)))


def test_a_name_is_never_taken_for_a_file(tmp_path, no_other_games):
    path = write_game(tmp_path)
    for name in (str(path), "line.py", "../line"):
        with pytest.raises(InputError, match="unknown game"):
            game(name)
    with pytest.raises(InputError, match="no such Python file"):
        add_file(str(tmp_path / "absent.py"))
