"""The games by name. Importing this module costs nothing; looking up a game imports its compiled rules."""

import copyreg
import os
import sys
from collections.abc import Callable, Container
from functools import cache
from importlib import import_module
from pathlib import Path
from shlex import quote
from typing import Any

from neche.errors import CODE_OF_OTHERS, InputError, fault_of_others, suggestion
from neche.games.game import Game

_MODULES = {
    "checkers": "neche.games.draughts.checkers",
    "brazilian": "neche.games.draughts.brazilian",
    "international": "neche.games.draughts.international",
    "othello": "neche.games.othello.game",
}
GAMES: tuple[str, ...] = tuple(_MODULES)
"""The games of this package."""
ENTRY_POINTS = "neche.games"
FILES = "NECHE_GAMES"
"""Environment variable: files that define further games, separated as in PATH.

Their code is executed, so a name read from data must never be treated as a file.
"""


@cache
def game(name: str) -> Game:
    """Return the game of that name: one of `GAMES`, of an installed package, or of a file listed in FILES.

    A package declares its games as entry points of the group `ENTRY_POINTS`, such as `hex = "hexgame:GAME"`.
    InputError if there is no such game, or what was found is not a game.
    """
    if name in GAMES:
        return import_module(_MODULES[name]).GAME  # type: ignore[no-any-return]
    found = _from_file(name) if name in _files() else _from_package(name)
    if not isinstance(found, Game) or found.name != name:
        what = f"GAME is {found!r}" if not isinstance(found, Game) else f"its name is '{found.name}'"
        raise InputError(f"game '{name}': what was found is not a game of this name: {what}")
    from neche.games.trial import try_game  # compiles

    source = source_of(type(found.start()))
    CODE_OF_OTHERS.append(source)
    try_game(found, source)
    return found


# The functions of a Game cannot be pickled by name, so it is pickled as its own name and looked up again.
copyreg.pickle(Game, lambda rules: (game, (rules.name,)))


def source_of(record: type) -> str:
    """Return the file that declares the position record of a game, or else the record's name."""
    return getattr(sys.modules.get(record.__module__), "__file__", None) or record.__qualname__


def rules_digest(name: str) -> str:
    """Return a digest of the sources of a user's game; empty for a game of this package."""
    if name in GAMES:
        return ""
    from neche.compiled.outside import digest_of  # compiles

    return digest_of(type(game(name).start()).__module__)[:16]


def add_file(path: str) -> str:
    """Register the game in a Python file for this process and those it starts; return its name.

    The file has the name of the game, and defines it as `GAME`. InputError if there is no such file, its name
    is taken or cannot be imported, or it was edited after it was loaded.
    """
    file = Path(os.path.realpath(path))
    if not file.is_file() or file.suffix != ".py":
        raise InputError(f"{path}: no such Python file")
    name, known = file.stem, _files()
    if os.pathsep in str(file):
        raise InputError(f"{path}: the path of a game cannot contain '{os.pathsep}'")
    if not name.isidentifier():
        raise InputError(f"{path}: a game is named like its file: letters, digits and _, no digit first")
    if name in GAMES or known.get(name, file) != file:
        other = "a game of neche itself" if name in GAMES else f"the game in {known[name]}"
        raise InputError(f"{path}: '{name}' is {other}; give the file and its game another name")
    if name in sys.modules:
        from neche.compiled.outside import is_edited  # compiles

        if is_edited(name):
            # In one process, compiled code of the old and the new rules would be linked under the same names.
            raise InputError(
                f"{path}: was edited after it was loaded here; restart Python, or the notebook's kernel, to"
                " use the new rules"
            )
    os.environ[FILES] = os.pathsep.join(map(str, {**known, name: file}.values()))
    return name


def before_commands(names: Container[str]) -> str:
    """Return what a shell needs before a command that uses these games: the files of those that have one."""
    files = [str(file) for name, file in _files().items() if name in names]
    return f"{FILES}={quote(os.pathsep.join(files))} " if files else ""


def _files() -> dict[str, Path]:
    """Return the game files by the name of their game."""
    given = filter(None, os.environ.get(FILES, "").split(os.pathsep))
    return {Path(path).stem: Path(os.path.realpath(path)) for path in given}


def _from_file(name: str) -> Any:
    file = _files()[name]
    if (folder := str(file.parent)) not in sys.path:
        # last, so that it hides no other module; worker processes are given this list
        sys.path.append(folder)
    CODE_OF_OTHERS.append(str(file))
    module = _imported(name, str(file), lambda: import_module(name))
    found = getattr(module, "__file__", None) or "one of Python's own"
    if Path(found).resolve() != file.resolve():
        raise InputError(f"game '{name}': {file} has the name of another module, {found}")
    return getattr(module, "GAME", None)


def _from_package(name: str) -> Any:
    from importlib.metadata import entry_points  # not needed for the games of this package

    entries = entry_points(group=ENTRY_POINTS)
    for entry in entries:
        if entry.name == name:
            return _imported(name, entry.value, entry.load)
    near = suggestion(name, [*GAMES, *_files(), *(entry.name for entry in entries)])
    # A user who opens a run of such a game may have named the file only when the run began.
    files = "" if "did you mean" in near else "; set NECHE_GAMES=FILE to use a game in a file"
    raise InputError(f"unknown game '{name}'{near}{files}")


def _imported(name: str, source: str, load: Callable[[], Any]) -> Any:
    try:
        return load()
    except (Exception, SystemExit) as error:  # anything can be wrong in a user's code
        what = fault_of_others(error) or f"{type(error).__name__}: {error}"
        what = what.removeprefix(f"{source}, ")
        raise InputError(f"game '{name}': {source} cannot be imported: {what}") from error
