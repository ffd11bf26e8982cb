"""Whatever the documentation names exists: files, headings, commands, options; it has no local paths."""

import re

import pytest

from neche.api.sweep import values_of
from neche.cli.arguments import Parser, parse
from neche.cli.main import COMMANDS, command_functions
from neche.evolution.notices import set_in_vain
from neche.evolution.recipes import DEFAULT_RECIPE, load_recipe, override, recipe_names
from tests.docs.pages import PAGES, ROOT, anchors, commands, links

LONGEST = 300
LARGEST_IMAGE = 300_000
IDS = [page.relative_to(ROOT).as_posix() for page in PAGES]
HOSTS = {"semver.org", "graphviz.org"}
# A path on one machine means nothing on another.
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:home|root|opt|tmp|usr|var|work|mnt|Users)/")
PLACEHOLDER = "COMMAND"


def test_there_are_pages():
    assert len(PAGES) > 15


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_link_leads_somewhere(page):
    for link in links(page):
        if re.match(r"https?://", link):
            assert link.split("/")[2] in HOSTS
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.is_relative_to(ROOT), link
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_command_shown_is_understood(page):
    for words in commands(page):
        name, *rest = words
        if name == PLACEHOLDER or name.startswith("-"):
            continue
        assert name in COMMANDS, words
        parser = Parser(prog=name, allow_abbrev=False)
        add_arguments, _ = command_functions(name)
        add_arguments(parser)
        if rest:  # the name alone is only talk of the command
            parse(parser, rest)


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_setting_that_a_page_changes_changes_something(page):
    for name, *rest in commands(page):
        if name not in ("evolve", "sweep") or not rest:
            continue
        parser = Parser(prog=name, allow_abbrev=False)
        command_functions(name)[0](parser)
        options = parse(parser, rest)
        if (options.recipe or DEFAULT_RECIPE) not in recipe_names() or getattr(options, "origin", None):
            continue
        settings = load_recipe(options.recipe or DEFAULT_RECIPE)
        if getattr(options, "game", None):
            settings = override(settings, f"game={options.game}")
        chosen = [
            values_of(assignment) if name == "sweep" else assignment.split("=", 1)
            for assignment in options.set
        ]
        for key, value in chosen:
            settings = override(settings, f"{key}={value if isinstance(value, str) else value[0]}")
        assert set_in_vain(settings, [key for key, _ in chosen]) == [], rest


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_a_page_is_of_bearable_length_and_names_no_machine(page):
    text = page.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST
    assert not MACHINE_PATH.search(text)
    assert text.startswith("# ")


def test_every_page_can_be_reached_from_the_readme():
    reached, left = set(), [ROOT / "README.md"]
    while left:
        page = left.pop()
        if page in reached:
            continue
        reached.add(page)
        names = [link.partition("#")[0] for link in links(page) if not link.startswith("http")]
        left += [(page.parent / name).resolve() for name in names if name.endswith(".md")]
    of_the_site = ROOT / "docs" / "project"  # they show files that are reached themselves
    documentation = {page for page in PAGES if page.is_relative_to(ROOT / "docs")}
    documentation -= {page for page in PAGES if page.is_relative_to(of_the_site)}
    assert documentation <= reached


def test_images_are_small_and_used_and_fetch_nothing():
    shown = {
        (page.parent / link).resolve()
        for page in PAGES
        for link in links(page)
        if link.endswith((".svg", ".png"))
    }
    images = {*(ROOT / "docs" / "images").iterdir(), *(ROOT / "runs" / "reference").glob("*.svg")}
    assert images == shown
    for image in images:
        assert image.stat().st_size < LARGEST_IMAGE
        if image.suffix == ".png":
            continue
        text = image.read_text(encoding="utf-8")
        assert not re.search(r"(?:src|href|url)\s*[=(:]\s*[\"']?https?://", text)
        assert not MACHINE_PATH.search(text)


def test_every_command_has_a_place_in_the_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"| `neche {name}` |" not in text] == []


def test_every_decision_is_in_the_index_and_has_its_parts():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs" / "decisions").iterdir():
        assert f"decisions/{page.name}" in index
        text = page.read_text(encoding="utf-8")
        parts = re.findall(r"^(?:Date: \d{4}-\d\d-\d\d|## \w+)$", text, re.MULTILINE)
        assert [part.partition(":")[0] for part in parts] == [
            "Date",
            "## Context",
            "## Decision",
            "## Consequences",
        ]
