"""Check that the package is built in layers: imports point one way, and each thing lives where it belongs.

Usage: python tools/checks/layers.py
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "neche"

# A module may import its own package and those of a smaller number; equal numbers do not know each other.
LAYERS = {
    "errors": 0,
    "compiled": 1,
    "games": 2,
    "genome": 2,
    "network": 3,
    "records": 3,
    "search": 4,
    "montecarlo": 5,
    "players": 6,
    "arena": 7,
    "protocols": 8,
    "evolution": 8,
    "archive": 9,
    "report": 10,
    "dataset": 10,
    "api": 11,
    "web": 11,
    "cli": 12,
    "__main__": 13,
}

_BARE = (ast.LShift, ast.RShift, ast.Invert)


def problems_in(source: str, module: str) -> list[str]:
    """List what breaks the house rules in one module of the package.

    >>> problems_in("from neche.archive import layout", "neche.evolution.evolve")
    ['line 1: evolution imports archive, which stands above it']
    >>> problems_in("import neche.genome.dna", "neche.games.catalogue")
    ['line 1: games imports genome, and the two do not know each other']
    >>> problems_in("from neche.compiled.jit import jit", "neche.games.catalogue")
    []
    """
    tree = ast.parse(source)
    found = [*_wrong_imports(tree, module), *_stray_numba(tree, module), *_stray_prints(tree, module)]
    found += _bare_shifts(tree, module)
    return [f"line {line}: {message}" for line, message in sorted(found)]


def _part(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def _imported_modules(tree: ast.AST, module: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            # `from . import x` in a.b.c means a.b, one dot more one package less
            base = module.split(".")[: -node.level] if node.level else []
            name = ".".join([*base, node.module] if node.module else base)
            if name == PACKAGE:
                for alias in node.names:
                    yield node.lineno, f"{PACKAGE}.{alias.name}"
            else:
                yield node.lineno, name


def _lines_for_types(tree: ast.AST) -> set[int]:
    """Return the lines under `if TYPE_CHECKING:`."""
    blocks = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    return {line for block in blocks for line in range(block.lineno, (block.end_lineno or 0) + 1)}


def _wrong_imports(tree: ast.AST, module: str) -> Iterator[tuple[int, str]]:
    own, for_types = _part(module), _lines_for_types(tree)
    for line, imported in _imported_modules(tree, module):
        other = _part(imported)
        if not imported.startswith(PACKAGE + ".") or other == own:
            continue
        if other not in LAYERS:
            if not other.startswith("__"):
                yield line, f"{other} has no place in the list of layers"
        elif not own:
            # names for a type checker alone are imported by nobody
            if line in for_types:
                continue
            yield line, f"the package itself imports {other}: importing neche must cost nothing"
        elif LAYERS[other] > LAYERS[own]:
            yield line, f"{own} imports {other}, which stands above it"
        elif LAYERS[other] == LAYERS[own]:
            yield line, f"{own} imports {other}, and the two do not know each other"


def _stray_numba(tree: ast.AST, module: str) -> Iterator[tuple[int, str]]:
    if _part(module) == "compiled" or module.endswith("_gpu"):
        return
    for line, imported in _imported_modules(tree, module):
        if imported.split(".")[0] in ("numba", "llvmlite"):
            yield line, f"{imported} is imported outside compiled/ and *_gpu.py"


def _stray_prints(tree: ast.AST, module: str) -> Iterator[tuple[int, str]]:
    if _part(module) == "cli":
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            yield node.lineno, "print outside cli/"


def _is_jitted(function: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id.startswith("jit") for mark in function.decorator_list)


def _bare_shifts(tree: ast.AST, module: str) -> Iterator[tuple[int, str]]:
    """Find `<<`, `>>` and `~` in compiled rules: numba widens their result; compiled/bits.py does not."""
    if _part(module) != "games":
        return
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and _is_jitted(function):
            for node in ast.walk(function):
                if isinstance(node, ast.BinOp | ast.AugAssign | ast.UnaryOp) and isinstance(node.op, _BARE):
                    yield node.lineno, "a bare shift or ~ in compiled rules: use compiled/bits.py"


def module_name(path: Path) -> str:
    """Name the module in a file below the root."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) == 2 else parts)


def problems() -> list[str]:
    """List what breaks the house rules anywhere in the package."""
    return [
        f"{path.relative_to(ROOT)}, {problem}"
        for path in sorted((ROOT / PACKAGE).rglob("*.py"))
        for problem in problems_in(path.read_text(encoding="utf-8"), module_name(path))
    ]


def main() -> int:
    """Print the problems; return 1 if there are any."""
    found = problems()
    print("\n".join(found) or "layers: every import points one way")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
