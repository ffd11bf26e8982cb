"""Check house rules that no standard linter checks: sizes, names, and figures of the package as a whole.

Usage: python tools/checks/house.py [--figures]

import-linter checks layers, import cycles and who may import numba; ruff checks prints and the rest: see
pyproject.toml.
"""

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

MOST_FILE_LINES = 400
MOST_FUNCTION_LINES = 40
MOST_POSITIONAL_PARAMETERS = 6
# Of the whole package. The aim is 28 000 lines: lower this with every simplification; raise it only for
# something that users could not do before.
MOST_LINES = 46_741
# A smaller file is a jump that shows the reader little.
SMALL_FILE_LINES, MOST_SMALL_FILES = 40, 15
MOST_LOCAL_IMPORTS = 25
LEAST_COMMENT_SHARE = 0.02

NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "misc", "core", "base", "tools"}
# Folders without a counterpart in the package: independent twins, recorded output, and the pages.
TEST_FOLDERS_OF_THEIR_OWN = {"oracles", "golden", "contracts", "docs", "__pycache__"}
# Where overloads are written: the registration of games, and modules below all games.
REGISTRATION = (
    "neche/games/contract.py",
    "neche/compiled/jit.py",
    "neche/compiled/bits.py",
    "neche/compiled/vectors.py",
    "neche/compiled/words.py",
)

_BARE = (ast.LShift, ast.RShift, ast.Invert)
Functions = ast.FunctionDef | ast.AsyncFunctionDef


def package_files() -> list[Path]:
    """List the modules of the package."""
    return sorted((ROOT / "neche").rglob("*.py"))


def size_problems(source: str) -> list[str]:
    r"""List what is too large in one file of Python.

    >>> size_problems("x = 1\n" * 401)
    ['401 lines, more than 400']
    >>> size_problems("def f(a, b, c, d, e, f, g): ...")
    ['line 1: f takes 7 positional parameters, more than 6']
    """
    num_lines = len(source.splitlines())
    found = [f"{num_lines} lines, more than {MOST_FILE_LINES}"] if num_lines > MOST_FILE_LINES else []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Functions):
            found += [f"line {node.lineno}: {node.name} {message}" for message in _too_large(node)]
    return found


def _is_compiled(function: Functions) -> bool:
    marks = [mark.id for mark in function.decorator_list if isinstance(mark, ast.Name)]
    return any(mark.startswith(("jit", "kernel")) for mark in marks)


def _too_large(function: Functions) -> Iterator[str]:
    num_lines = _num_code_lines(function)
    if num_lines > MOST_FUNCTION_LINES:
        yield f"has {num_lines} lines of code, more than {MOST_FUNCTION_LINES}"
    num_positional = len(function.args.posonlyargs) + len(function.args.args)
    # Compiled functions cannot have keyword-only parameters.
    if num_positional > MOST_POSITIONAL_PARAMETERS and not _is_compiled(function):
        yield f"takes {num_positional} positional parameters, more than {MOST_POSITIONAL_PARAMETERS}"


def _num_code_lines(function: Functions) -> int:
    """Count the lines of code in the body; a long docstring is allowed."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) else function.body
    return len({line for node in body for line in range(node.lineno, (node.end_lineno or 0) + 1)})


def shift_problems(source: str) -> list[str]:
    r"""Find `<<`, `>>` and `~` in compiled rules: numba widens their result; compiled/bits.py does not.

    >>> shift_problems("@jit\ndef f(a):\n    return a << 1")
    ['line 3: a bare shift or ~ in compiled rules: use compiled/bits.py']
    """
    return [
        f"line {node.lineno}: a bare shift or ~ in compiled rules: use compiled/bits.py"
        for function in ast.walk(ast.parse(source))
        if isinstance(function, ast.FunctionDef) and _is_compiled(function)
        for node in ast.walk(function)
        if isinstance(node, ast.BinOp | ast.AugAssign | ast.UnaryOp) and isinstance(node.op, _BARE)
    ]


def registration_problems(source: str) -> list[str]:
    r"""Find hand-written overloads, and imports that are kept alive by an assertion.

    >>> registration_problems("@overload(stub)\ndef f(x): ...\nassert _rules")
    ['line 2: an overload by hand: use register', 'line 3: an assertion keeps an import alive']
    """
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and any(
            ast.unparse(mark).startswith("overload(") for mark in node.decorator_list
        ):
            found.append(f"line {node.lineno}: an overload by hand: use register")
        if isinstance(node, ast.Assert) and isinstance(node.test, ast.Name) and node.test.id[0] == "_":
            found.append(f"line {node.lineno}: an assertion keeps an import alive")
    return found


def num_local_imports(source: str) -> int:
    r"""Count the imports inside functions.

    >>> num_local_imports("import a\ndef f():\n    import b\n    from c import d")
    2
    """
    return len(
        {
            node.lineno
            for function in ast.walk(ast.parse(source))
            if isinstance(function, Functions)
            for node in ast.walk(function)
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
    )


def repeated_class_names() -> list[str]:
    """List the class names that the package uses for more than one class."""
    counts = Counter(
        node.name
        for path in package_files()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    return sorted(name for name, count in counts.items() if count > 1)


def figures() -> dict[str, float]:
    """Return the counts over the whole package."""
    sources = {path: path.read_text(encoding="utf-8") for path in package_files()}
    lines = [line for source in sources.values() for line in source.splitlines()]
    sizes = {path: len(source.splitlines()) for path, source in sources.items()}
    return {
        "files": len(sources),
        "lines": len(lines),
        "small files": sum(size < SMALL_FILE_LINES for size in sizes.values()),
        "local imports": sum(map(num_local_imports, sources.values())),
        "comment share": sum(line.lstrip().startswith("#") for line in lines) / len(lines),
        "repeated class names": len(repeated_class_names()),
    }


def _whole_problems() -> Iterator[str]:
    counted = figures()
    limits = {"lines": MOST_LINES, "small files": MOST_SMALL_FILES, "local imports": MOST_LOCAL_IMPORTS}
    for name, most in limits.items():
        if counted[name] > most:
            yield f"neche: {counted[name]} {name}, more than {most}"
    if counted["comment share"] < LEAST_COMMENT_SHARE:
        yield f"neche: {counted['comment share']:.1%} of lines are comments, not {LEAST_COMMENT_SHARE:.0%}"
    yield from (f"neche: more than one class is named {name}" for name in repeated_class_names())


def _name_problems() -> Iterator[str]:
    for path in package_files():
        if path.stem in NAMES_THAT_SAY_NOTHING:
            yield f"{path.relative_to(ROOT)}: the name says nothing"
    for folder in sorted({path.parent for path in (ROOT / "tests").rglob("test_*.py")}):
        place = folder.relative_to(ROOT / "tests")
        is_own = place.parts and place.parts[0] in TEST_FOLDERS_OF_THEIR_OWN
        if not is_own and not (ROOT / "neche" / place).is_dir():
            yield f"tests/{place}: there is no neche/{place} to test"


def problems() -> list[str]:
    """List all violations of house rules."""
    found = [*_name_problems(), *_whole_problems()]
    for path in sorted(
        path for folder in ("neche", "tools", "tests") for path in (ROOT / folder).rglob("*.py")
    ):
        place, source = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        here = size_problems(source)
        if place.startswith("neche/games/"):
            here += shift_problems(source)
        if place.startswith("neche/") and place not in REGISTRATION:
            here += registration_problems(source)
        found += [f"{place}: {problem}" for problem in here]
    return found


def main() -> int:
    """Print the problems, with --figures also the counts; return 1 if there are problems."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", action="store_true", help="also print the counts")
    if parser.parse_args().figures:
        for name, value in figures().items():
            print(f"{name:22} {value:,}" if value >= 1 else f"{name:22} {value:.2%}")
    found = problems()
    print("\n".join(found) or "house: every rule is kept")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
