"""Check that no code outside neche/players depends on the kind of a player.

Usage: python tools/checks/player_kinds.py

Differences between players are in an attribute of `players.engine.Player` or in the analysis. So no other
file may test for the class of a player or its engine, or compare with the word of a kind. A table of words
that people may use is allowed.
"""

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.players.spec import KINDS

ROOT = Path(__file__).resolve().parents[2]
_CLASSES = ("AlphaBeta", "Convolutional", "Mcrd", "Random", "Uct", "NetworkLeaf")
_QUESTIONS = ("isinstance", "issubclass", "type")
# Words of kinds that also mean something else.
_COMMON_WORDS = ("network", "random")


def problems_in(source: str) -> list[str]:
    r"""List where a module asks for the kind of a player.

    >>> problems_in("if isinstance(player, Uct): pass")
    ['line 1: asks for the kind of a player, Uct']
    >>> problems_in("if player.name.partition(':')[0] == 'mcrd': pass")
    ['line 1: asks for the kind of a player, mcrd']
    >>> problems_in("match player:\n    case AlphaBeta(): pass")
    ['line 2: asks for the kind of a player, AlphaBeta']
    >>> problems_in("player = parse_player('uct') if board.is_big else AlphaBeta(name, network)")
    []
    """
    found = {
        (getattr(node, "lineno", 0), name) for node in ast.walk(ast.parse(source)) for name in _asked(node)
    }
    return [f"line {line}: asks for the kind of a player, {name}" for line, name in sorted(found)]


def _asked(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in _QUESTIONS:
            parts = [part for argument in arguments for part in ast.walk(argument)]
            yield from (part.id for part in parts if isinstance(part, ast.Name) and _is_class(part.id))
        case ast.MatchClass(cls=ast.Name(id=name)) if _is_class(name):
            yield name
        case ast.Compare(left=left, comparators=others):
            for part in [left, *others]:
                yield from _words_in(part)
        case ast.MatchValue(value=value):
            yield from _words_in(value)


def _is_class(name: str) -> bool:
    return name.removesuffix("Engine") in _CLASSES


def _words_in(part: ast.expr) -> Iterator[str]:
    for node in [part, *(part.elts if isinstance(part, ast.Tuple | ast.List | ast.Set) else [])]:
        if isinstance(node, ast.Constant) and node.value in KINDS and node.value not in _COMMON_WORDS:
            yield str(node.value)
        if isinstance(node, ast.Name) and _is_class(node.id):
            yield node.id


def problems() -> list[str]:
    """List the problems of the whole package except its players."""
    return [
        f"{path.relative_to(ROOT)}: {problem}"
        for path in sorted((ROOT / "neche").rglob("*.py"))
        if path.relative_to(ROOT / "neche").parts[0] != "players"
        for problem in problems_in(path.read_text(encoding="utf-8"))
    ]


def main() -> int:
    """Print the problems; return 1 if there are any."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    found = problems()
    print("\n".join(found) or "player kinds: no file asks for one")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
