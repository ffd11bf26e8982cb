"""Build the documentation site, and check that its pages load nothing from other sites.

Usage: python tools/checks/documentation.py FOLDER     (needs: pip install -e '.[docs]')

The pages are Markdown written for the repository: they link to its files, and docs/index.md gives their
order. `docs/conf.py` passes every page through `page_text` during the build, so that no page exists twice.
"""

import argparse
import posixpath
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

# Pages of the site that show a file outside docs/.
SHOWN_ELSEWHERE = {
    "project/readme": "README.md",
    "project/contributing": "CONTRIBUTING.md",
    "project/changelog": "CHANGELOG.md",
    "project/tools": "tools/README.md",
    "project/runs": "runs/README.md",
    "project/reference-run": "runs/reference/README.md",
}
_PAGE_OF_FILE = {file: f"docs/{name}.md" for name, file in SHOWN_ELSEWHERE.items()}

LINK = re.compile(r"(?P<before>\]\(|<img[^>]* src=\")(?P<target>[^)\s\"]+)")
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"(?:^|(?<=[.;] ))([a-z]\w*(?:, [a-z]\w*)*): (?=\S)", re.MULTILINE)
_FETCHED = re.compile(
    r"<(?:script|img|iframe|source|link(?![^>]*rel=\"canonical\"))\b[^>]*\b(?:src|href)=\"(?:https?:)?//[^\"]*"
    r"|@import[^;]*//[^;]*|url\([\"']?(?:https?:)?//[^)]*"
)


def page_text(name: str, text: str) -> str:
    """Return the text of a page of the site, from its name and the text of its file in docs/."""
    file = SHOWN_ELSEWHERE.get(name, f"docs/{name}.md")
    if name in SHOWN_ELSEWHERE:
        text = (ROOT / file).read_text(encoding="utf-8")
    order = toctrees(text) if name == "index" else ""
    return relinked(text, file=file, page=f"docs/{name}.md") + order


def relinked(text: str, *, file: str, page: str) -> str:
    """Return the text of a file with links adapted to its page of the site; both paths from the root.

    >>> relinked("[log](docs/log.md#a)", file="README.md", page="docs/project/readme.md")
    '[log](../log.md#a)'
    >>> relinked("[start](../README.md#evolve)", file="docs/index.md", page="docs/index.md")
    '[start](project/readme.md#evolve)'
    """

    def changed(match: re.Match[str]) -> str:
        target = match["target"]
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        path, mark, anchor = target.partition("#")
        whole = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
        whole = _PAGE_OF_FILE.get(whole, whole)
        return match["before"] + posixpath.relpath(whole, posixpath.dirname(page)) + mark + anchor

    return LINK.sub(changed, text)


def contents(index: str) -> dict[str, list[str]]:
    """Return the pages that the index links to, in its order, by the headings of its sections."""
    first, *rest = _SECTION.split(_FENCED.sub("", index))
    sections = {"Read": first, **dict(zip(rest[::2], rest[1::2], strict=True))}
    found: dict[str, list[str]] = {}
    known: set[str] = set()
    for heading, text in sections.items():
        links = [match["target"] for match in LINK.finditer(text)]
        pages = [_page_of(link) for link in links]
        new = [page for page in dict.fromkeys(pages) if page and page not in known]
        known.update(new)
        if new:
            found[heading] = new
    return found


def _page_of(link: str) -> str:
    path = posixpath.normpath(posixpath.join("docs", link.partition("#")[0]))
    path = _PAGE_OF_FILE.get(path, path)
    inside = path.startswith("docs/") and path.endswith(".md")
    return path.removeprefix("docs/").removesuffix(".md") if inside else ""


def toctrees(index: str) -> str:
    """Return the index as directives that build the site's table of contents but show nothing in the text."""
    parts = []
    for heading, pages in contents(index).items():
        lines = ["```{toctree}", ":hidden:", f":caption: {heading}", "", *pages, "```"]
        parts.append("\n".join(lines))
    return "\n\n" + "\n\n".join(parts) + "\n"


def listed(lines: list[str]) -> list[str]:
    """Return a docstring whose paragraphs of fields (`name: what it is.`) have become lists.

    >>> listed(["Do it.", "", "a, b: two of", "them. c: another.", "", "It is: done."])
    ['Do it.', '', '* ``a``, ``b``: two of them.', '* ``c``: another.', '', 'It is: done.', '']
    """
    shown: list[str] = []
    for paragraph in re.split(r"\n\s*\n", "\n".join(lines)):
        starts = [match.start(1) for match in _FIELD.finditer(paragraph)]
        if not starts or starts[0] != 0:
            shown += [*paragraph.split("\n"), ""]
            continue
        for begin, end in zip(starts, [*starts[1:], len(paragraph)], strict=True):
            names, _, what = " ".join(paragraph[begin:end].split()).partition(": ")
            shown.append(f"* {', '.join(f'``{name}``' for name in names.split(', '))}: {what}")
        shown.append("")
    return shown


def problems_of(site: Path) -> list[str]:
    """List what a built site would load from other sites."""
    found = []
    for path in sorted([*site.rglob("*.html"), *site.rglob("*.css"), *site.rglob("*.js")]):
        for match in _FETCHED.finditer(path.read_text(encoding="utf-8")):
            found.append(f"{path.relative_to(site)}: {match[0][:120]}")
    return found


def main() -> int:
    """Build the site, warnings being errors, and check it; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description="Build the documentation site and check it.")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the site is written")
    folder = parser.parse_args().folder
    command = [sys.executable, "-m", "sphinx", "-W", "-E", "-q", "-b", "html", str(DOCS), str(folder)]
    if subprocess.run(command, check=False).returncode:
        return 1
    found = problems_of(folder)
    print("\n".join(found) or f"{len(list(folder.rglob('*.html')))} pages in {folder}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
