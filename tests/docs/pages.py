"""The pages of the documentation, and what stands in them: links, headings, fenced blocks, commands."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        ROOT / "runs" / "README.md",
        ROOT / "tools" / "README.md",
        ROOT / "runs" / "reference" / "README.md",
        *(ROOT / "docs").rglob("*.md"),
    ],
    key=lambda path: path.as_posix(),
)

_FENCE = re.compile(
    r"(?:^<!-- (?P<note>.*?) -->\n)?^```(?P<language>\w*|\{[\w-]+\})\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_LINK = re.compile(r"\]\(([^)\s]+)\)|<img[^>]* src=\"([^\"]+)\"")
_INLINE = re.compile(r"(?<!`)`(neche [^`\n]+)`")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_PROGRAM = re.compile(r"^(?:python3? -m |\S*\.venv/bin/(?:python -m )?)?neche$")


class Block(NamedTuple):
    """A fenced block; note: what the comment right before it says."""

    note: str
    language: str
    text: str


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    found = _FENCE.finditer(page.read_text(encoding="utf-8"))
    return [Block(match["note"] or "", match["language"], match["text"]) for match in found]


def links(page: Path) -> list[str]:
    """Return what a page links to or shows as an image."""
    return [link or image for link, image in _LINK.findall(page.read_text(encoding="utf-8"))]


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub names them."""
    headings = _HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def commands(page: Path) -> list[list[str]]:
    """Return the words after `neche` of every command shown: in blocks, indented, between backticks."""
    text = page.read_text(encoding="utf-8")
    shell = "\n".join(block.text for block in blocks(page) if block.language in ("sh", "bash"))
    indented = "\n".join(line.strip() for line in text.splitlines() if line.startswith("    "))
    # a line that ends in a backslash goes on
    shell, indented = (re.sub(r"\\\n\s*", "", lines) for lines in (shell, indented))
    lines = [*shell.splitlines(), *indented.splitlines(), *_INLINE.findall(text)]
    parts = [part.strip() for line in lines for part in line.split("&&")]
    return [words for words in map(_words_of_neche, parts) if words]


def _words_of_neche(line: str) -> list[str]:
    if not re.match(r"^(?:python3? -m |\S*)neche\s", line):
        return []
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        return []
    at = next((index for index, word in enumerate(words) if _PROGRAM.match(word)), None)
    return [] if at is None else words[at + 1 :]
