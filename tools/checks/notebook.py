"""Run the page docs/tutorial/notebook.md as a notebook, and write the output of its blocks into it.

Usage: python tools/checks/notebook.py [--check]

As in a notebook, the value of a block's last line is shown: as a picture if the page has one after the block,
else as text.
"""

import argparse
import ast
import contextlib
import io
import re
import sys
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "notebook.md"

_BLOCK = re.compile(
    r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<shown>.*?)^```\n|(?=\n!\[[^\]]*\]\((?P<picture>[^)]+)\)))?",
    re.MULTILINE | re.DOTALL,
)


def executed(page: str) -> tuple[str, dict[str, str]]:
    r"""Run the Python of a page; return the page with the output of its blocks, and its pictures by file.

    >>> print(executed("```python\na = 2\nprint(a)\na + 1\n```\n")[0])
    ```python
    a = 2
    print(a)
    a + 1
    ```
    <BLANKLINE>
    ```text
    2
    3
    ```
    <BLANKLINE>
    """
    names: dict[str, Any] = {"__name__": "notebook"}
    pictures: dict[str, str] = {}

    def shown(match: re.Match[str]) -> str:
        text, value = run(match["code"], names)
        if match["picture"]:
            pictures[match["picture"]] = value._repr_svg_()
        elif value is not None:
            text += f"{value!r}\n"
        return f"```python\n{match['code']}```\n" + (f"\n```text\n{text}```\n" if text else "")

    return _BLOCK.sub(shown, page), pictures


def run(code: str, names: dict[str, Any]) -> tuple[str, Any]:
    """Run a block with the names of earlier ones; return what it printed and the value of its last line."""
    tree = ast.parse(code)
    last = tree.body[-1]
    shown = last.value if isinstance(last, ast.Expr) else None
    if shown:
        tree.body.pop()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, str(PAGE), "exec"), names)
        value = eval(compile(ast.Expression(shown), str(PAGE), "eval"), names) if shown else None
    return printed.getvalue(), value


def made() -> dict[Path, str]:
    """Run the page; return the expected content of the page and its picture files."""
    page, pictures = executed(PAGE.read_text(encoding="utf-8"))
    return {PAGE: page} | {PAGE.parent / name: text for name, text in pictures.items()}


def differences() -> list[str]:
    """List the files of the page that differ from what running it gives."""
    return [
        path.name
        for path, text in made().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def main() -> int:
    """Rewrite the page and its pictures, or with --check return 1 if that would change them."""
    parser = argparse.ArgumentParser(description="Run the notebook of the documentation.")
    parser.add_argument("--check", action="store_true", help="change nothing")
    if parser.parse_args().check:
        found = differences()
        print("\n".join(found))
        return 1 if found else 0
    for path, text in made().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
