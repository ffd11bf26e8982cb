"""The documentation site: every page has its place, links stay true, nothing is fetched; CI builds it."""

import pytest

import neche
from tests.docs.pages import PAGES, ROOT, anchors
from tools.checks.documentation import LINK, SHOWN_ELSEWHERE, contents, page_text, problems_of, toctrees

DOCS = ROOT / "docs"
NAMES = [page.relative_to(DOCS).with_suffix("").as_posix() for page in PAGES if page.is_relative_to(DOCS)]
INDEX = (DOCS / "index.md").read_text(encoding="utf-8")


def test_the_table_of_contents_holds_every_page_once():
    listed = [page for pages in contents(INDEX).values() for page in pages]
    assert sorted([*listed, "index"]) == sorted(NAMES)
    assert [name for name in listed if f"\n{name}\n" not in toctrees(INDEX)] == []


def test_the_table_of_contents_keeps_the_order_of_the_index():
    order = contents("[a](a.md) [b](b.md)\n## Two\n[c](how/c.md#x)\n[a](a.md)\n[start](../README.md)\n")
    assert order == {"Read": ["a", "b"], "Two": ["how/c", "project/readme"]}


def test_every_file_shown_from_elsewhere_has_its_page():
    assert {name for name in NAMES if name.startswith("project/")} == set(SHOWN_ELSEWHERE)
    for name, file in SHOWN_ELSEWHERE.items():
        assert f"]({'../../' + file})" in (DOCS / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_link_of_the_site_leads_to_a_page_of_it_or_to_a_file(name):
    page = DOCS / f"{name}.md"
    for match in LINK.finditer(page_text(name, page.read_text(encoding="utf-8"))):
        path, _, anchor = match["target"].partition("#")
        if ":" in path or not path:
            continue
        target = (page.parent / path).resolve()
        assert target.is_file(), path
        assert target.suffix != ".md" or target.is_relative_to(DOCS), path
        shown = SHOWN_ELSEWHERE.get(target.relative_to(ROOT).as_posix()[len("docs/") : -len(".md")])
        assert not anchor or anchor in anchors(ROOT / shown if shown else target), path


def test_what_a_page_would_fetch_is_named(tmp_path):
    pages = {
        "link": '<a href="https://semver.org">x</a>',
        "good": '<img src="_images/a.svg"><script src="_static/a.js"></script>',
        "script": '<script async src="https://cdn.example/a.js"></script>',
        "sheet": '<link rel="stylesheet" href="//fonts.example/a.css">',
    }
    for name, text in pages.items():
        (tmp_path / f"{name}.html").write_text(text, encoding="utf-8")
    (tmp_path / "a.css").write_text("p { background: url(https://x.example/a.png) }", encoding="utf-8")
    found = [line.partition(":")[0] for line in problems_of(tmp_path)]
    assert sorted(found) == ["a.css", "script.html", "sheet.html"]


def test_the_page_of_public_names_holds_every_one():
    text = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")
    table = [line for line in text.splitlines() if line.startswith("| ")]
    for name in neche.__all__:
        assert f".. autoclass:: neche.{name}\n" in text or f".. autofunction:: neche.{name}\n" in text
        assert any(f"`{name}`" in line.split("|")[1] for line in table)
