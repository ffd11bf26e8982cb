"""Check that files and functions stay small enough to be read at once.

Usage: python tools/checks/file_sizes.py
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST_FILE_LINES = 400
MOST_FUNCTION_LINES = 40
MOST_POSITIONAL_PARAMETERS = 6


def problems_in(source: str) -> list[str]:
    r"""List what is too large in one file of Python.

    >>> problems_in("x = 1\n" * 401)
    ['401 lines, more than 400']
    >>> problems_in("def f(a, b, c, d, e, f, g): ...")
    ['line 1: f takes 7 positional parameters, more than 6']
    """
    num_lines = len(source.splitlines())
    found = [f"{num_lines} lines, more than {MOST_FILE_LINES}"] if num_lines > MOST_FILE_LINES else []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found += [f"line {node.lineno}: {node.name} {message}" for message in _too_large(node)]
    return found


def _too_large(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    num_lines = _num_code_lines(function)
    if num_lines > MOST_FUNCTION_LINES:
        yield f"has {num_lines} lines of code, more than {MOST_FUNCTION_LINES}"
    num_positional = len(function.args.posonlyargs) + len(function.args.args)
    # compiled functions know no keyword-only parameters
    is_jitted = any(
        isinstance(mark, ast.Name) and mark.id.startswith("jit") for mark in function.decorator_list
    )
    if num_positional > MOST_POSITIONAL_PARAMETERS and not is_jitted:
        yield f"takes {num_positional} positional parameters, more than {MOST_POSITIONAL_PARAMETERS}"


def _num_code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of the body that hold code: a long docstring is no fault."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) else function.body
    return len({line for node in body for line in range(node.lineno, (node.end_lineno or 0) + 1)})


def problems() -> list[str]:
    """List what is too large anywhere in the package, the tools and the tests."""
    paths = [path for folder in ("neche", "tools", "tests") for path in sorted((ROOT / folder).rglob("*.py"))]
    return [
        f"{path.relative_to(ROOT)}: {problem}"
        for path in paths
        for problem in problems_in(path.read_text(encoding="utf-8"))
    ]


def main() -> int:
    """Print the problems; return 1 if there are any."""
    found = problems()
    print("\n".join(found) or "file sizes: everything is small enough to read")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
