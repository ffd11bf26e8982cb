"""Check that no code outside neche/games depends on the name of a game.

Usage: python tools/checks/game_names.py

A game's name may be a default or an argument, but nothing may be compared with it or looked up by it:
differences between games belong to the games. Formats and protocols with their own names for games may list
them in a table.
"""

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.games.catalogue import GAMES

ROOT = Path(__file__).resolve().parents[2]
# Packages of formats and protocols.
_FOREIGN = ("protocols", "records")


def problems_in(source: str, *, may_list: bool = False) -> list[str]:
    r"""List where a module compares with the name of a game, or looks something up by it.

    >>> problems_in("def f(rules):\n    return rules.name == 'othello'")
    ['line 2: is steered by the name of a game, othello']
    >>> problems_in("BOARD = {'checkers': 8}")
    ['line 1: is steered by the name of a game, checkers']
    >>> problems_in("def f(game='checkers'): return find(game)")
    []
    """
    tree = ast.parse(source)
    constants = dict(_constants(tree))
    found = {
        (part.lineno, name)
        for node in ast.walk(tree)
        if not (may_list and isinstance(node, ast.Dict))
        for part in _deciding(node)
        for name in _names_in(part, constants)
    }
    return [f"line {line}: is steered by the name of a game, {name}" for line, name in sorted(found)]


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names of a module that hold the name of a game."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(value))):
                found = name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(value))):
                found = name, value
            case _:
                continue
        if found[1] in GAMES:
            yield found


def _deciding(node: ast.AST) -> list[ast.expr]:
    """Return the parts of a node that decide what is done or found."""
    match node:
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.Dict(keys=keys):
            return [key for key in keys if key is not None]
        case ast.Subscript(slice=key):
            return [key]
        case ast.MatchValue(value=value):
            return [value]
    return []


def _names_in(part: ast.expr, constants: dict[str, str]) -> Iterator[str]:
    for node in [part, *(part.elts if isinstance(part, ast.Tuple | ast.List | ast.Set) else [])]:
        if isinstance(node, ast.Constant) and node.value in GAMES:
            yield str(node.value)
        if isinstance(node, ast.Name) and node.id in constants:
            yield constants[node.id]


def problems() -> list[str]:
    """List the problems of the whole package except its games."""
    return [
        f"{path.relative_to(ROOT)}: {problem}"
        for path in sorted((ROOT / "neche").rglob("*.py"))
        if path.relative_to(ROOT / "neche").parts[0] != "games"
        for problem in problems_in(
            path.read_text(encoding="utf-8"), may_list=path.relative_to(ROOT / "neche").parts[0] in _FOREIGN
        )
    ]


def main() -> int:
    """Print the problems; return 1 if there are any."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    found = problems()
    print("\n".join(found) or "game names: none steers what is done")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
