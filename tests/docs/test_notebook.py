"""The notebook of the documentation: what stands below its blocks is what they give."""

from inspect import isfunction

import neche
from tests.docs.pages import ROOT, blocks
from tools.checks.notebook import PAGE, differences, executed, run


def test_what_the_notebook_shows_is_what_running_it_gives():
    assert differences() == []


def test_the_notebook_uses_every_public_function():
    text = PAGE.read_text(encoding="utf-8")
    functions = [name for name in neche.__all__ if isfunction(getattr(neche, name))]
    assert [name for name in functions if f"neche.{name}(" not in text] == []


def test_the_python_of_the_readme_runs():
    codes = [block.text for block in blocks(ROOT / "README.md") if block.language == "python"]
    assert [len(run(code, {})[0].split()) > 1 for code in codes] == [True]


def test_a_picture_stands_for_a_value_where_the_page_has_one():
    page = (
        "```python\nimport neche\nneche.Board()\n```\n\n![a board](images/a.svg)\n\n```python\n1 + 1\n```\n"
    )
    shown, pictures = executed(page)
    assert shown == page + "\n```text\n2\n```\n"
    assert list(pictures) == ["images/a.svg"]
    assert pictures["images/a.svg"].startswith("<svg")


def test_what_a_block_showed_before_is_replaced():
    page = "```python\nprint(3)\n```\n\n```text\n2\n```\n"
    assert executed(page)[0] == page.replace("2", "3")
