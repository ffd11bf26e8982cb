"""Elements of SVG as text: what every picture here is written with."""

from collections.abc import Iterable
from hashlib import sha256
from html import escape

FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"


def number(value: float) -> str:
    """Write a coordinate with two digits at most.

    >>> number(12.0), number(0.125), number(-0.001)
    ('12', '0.12', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(tag: str, content: str | None = None, /, **attributes: str | float) -> str:
    """Write an element; content: SVG text inside it. `_` in the name of an attribute stands for `-`.

    >>> element("circle", r=4, stroke_width=1.5)
    '<circle r="4" stroke-width="1.5"/>'
    """
    words = [tag]
    for name, value in attributes.items():
        written = escape(value) if isinstance(value, str) else number(value)
        words.append(f'{name.rstrip("_").replace("_", "-")}="{written}"')
    opened = f"<{' '.join(words)}"
    return f"{opened}/>" if content is None else f"{opened}>{content}</{tag}>"


def text(content: str, x: float, y: float, size: float, /, **attributes: str | float) -> str:
    """Write text, centred in both directions unless told otherwise."""
    # librsvg and old browsers know no dominant-baseline: a third of the size brings digits to the middle
    look: dict[str, str | float] = {"text_anchor": "middle", "font_size": size, **attributes}
    return element("text", escape(content, quote=False), x=x, y=y + 0.35 * size, **look)


def curve(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return the way of a line that leaves and arrives level.

    >>> curve((0, 0), (10, 4))
    'M0 0C4.5 0 5.5 4 10 4'
    """
    (x0, y0), (x1, y1) = start, end
    bend = 0.45 * (x1 - x0)
    points = ((x0 + bend, y0), (x1 - bend, y1), end)
    return f"M{number(x0)} {number(y0)}C{' '.join(f'{number(x)} {number(y)}' for x, y in points)}"


def document(
    width: float, height: float, body: Iterable[str], *, title: str, description: str, size: float
) -> str:
    """Write a picture of width × height units, shown `size` pixels wide where there is room.

    Screen readers are told title and description. Pictures may stand side by side in one page: equal names
    are of equal pictures.
    """
    inside = "\n".join(body)
    name = "n" + sha256(f"{title}{description}{inside}".encode()).hexdigest()[:10]
    said = element("title", escape(title, quote=False), id=f"{name}-t")
    said += element("desc", escape(description, quote=False), id=f"{name}-d")
    return element(
        "svg",
        f"\n{said}\n{inside}\n",
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        aria_labelledby=f"{name}-t {name}-d",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=size,
        height=size * height / width,
        style="max-width:100%;height:auto",
        font_family=FONT,
    )
