"""Elements of a page as text; whatever is not said to be HTML is escaped."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple


def paragraph(words: str, kind: str = "") -> str:
    """Write a paragraph of plain text.

    >>> paragraph("a < b")
    '<p>a &lt; b</p>'
    """
    return f"<p{_class(kind)}>{escape(words)}</p>"


class Part(NamedTuple):
    """A part of the page. name: what links lead to. content: HTML."""

    name: str
    title: str
    content: str


def part(name: str, title: str, *pieces: str) -> Part:
    """Put a part together from pieces of HTML, some of which may be empty."""
    return Part(name, title, "\n".join(filter(None, pieces)))


def section(part: Part) -> str:
    """Write a part under its heading."""
    heading = f'<h2 id="{part.name}-heading">{escape(part.title)}</h2>'
    labelled = f'<section id="{part.name}" aria-labelledby="{part.name}-heading">'
    return f"{labelled}\n{heading}\n{part.content}\n</section>"


def figure(picture: str, caption: str, *parts: str, kind: str = "", is_wide: bool = False) -> str:
    """Write a picture (HTML) with its caption (text). is_wide: it keeps its size and scrolls where narrow."""
    drawn = _scrolling(picture, caption) if is_wide else picture
    body = "\n".join(parts)
    return f"<figure{_class(kind)}>{drawn}\n<figcaption>{escape(caption)}</figcaption>{body}</figure>"


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table of texts; the first column names its row."""
    head = "".join(f'<th scope="col">{escape(word)}</th>' for word in heads)
    body = "\n".join(
        "<tr>"
        + f'<th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(word)}</td>" for word in row[1:])
        + "</tr>"
        for row in rows
    )
    content = f"<caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return _scrolling(f"<table>{content}</table>", caption)


def _scrolling(content: str, name: str) -> str:
    """Let what is too wide for a phone scroll by itself, with the keyboard too."""
    return f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(name)}">{content}</div>'


def folded(summary: str, content: str) -> str:
    """Write something (HTML) that opens on demand."""
    return f"<details><summary>{escape(summary)}</summary>\n{content}\n</details>"


def facts(pairs: Iterable[tuple[str, str]], kind: str = "facts") -> str:
    """Write names and values, both texts."""
    items = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in pairs)
    return f"<dl{_class(kind)}>{items}</dl>"


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
