"""Elements of SVG as text, and the colours of values, used by every picture here."""

from collections.abc import Iterable
from hashlib import sha256
from html import escape
from typing import TypeAlias

Attributes: TypeAlias = dict[str, str | float]
FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
# From orange through grey to blue, so that nobody has to tell red from green.
_LOW, _MIDDLE, _HIGH = (196, 84, 0), (240, 236, 226), (0, 92, 153)


def number(value: float) -> str:
    """Write a coordinate with at most two decimals.

    >>> number(12.0), number(0.125), number(-0.001)
    ('12', '0.12', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def numeral(value: float, form: str = "+z.2f") -> str:
    r"""Write a number for people, with a minus sign instead of a hyphen, and a space between thousands.

    >>> numeral(-0.125), numeral(2), numeral(-0.5, "g"), numeral(-0.001), numeral(4850, ",")
    ('−0.12', '+2.00', '−0.5', '+0.00', '4\xa0850')
    """
    return f"{value:{form}}".replace("-", "−").replace(",", "\xa0")


def points(places: Iterable[tuple[float, float]]) -> str:
    """Write coordinates in the form of the `points` attribute of polygons.

    >>> points([(0, 1), (2.5, 3)])
    '0,1 2.5,3'
    """
    return " ".join(f"{number(x)},{number(y)}" for x, y in places)


def element(tag: str, content: Iterable[str] | None = None, /, **attributes: str | float) -> str:
    """Write an element. content: SVG text, in one or several pieces. `_` in a name stands for `-`.

    >>> element("circle", r=4, stroke_width=1.5), element("g", ["<path/>", "<rect/>"], class_="dark")
    ('<circle r="4" stroke-width="1.5"/>', '<g class="dark"><path/><rect/></g>')
    """
    words = [tag]
    for name, value in attributes.items():
        written = escape(value) if isinstance(value, str) else number(value)
        words.append(f'{name.rstrip("_").replace("_", "-")}="{written}"')
    opened = f"<{' '.join(words)}"
    if content is None:
        return f"{opened}/>"
    return f"{opened}>{content if isinstance(content, str) else ''.join(content)}</{tag}>"


def tooltip(words: str) -> str:
    """Write the title of an element: browsers show it as a tooltip, screen readers read it out."""
    return element("title", escape(words, quote=False))


def text(content: str, x: float, y: float, size: float, /, **attributes: str | float) -> str:
    """Write text, centred in both directions by default."""
    # librsvg and old browsers lack dominant-baseline: shifting by a third of the size centres digits
    look: Attributes = {"text_anchor": "middle", "font_size": size, **attributes}
    return element("text", escape(content, quote=False), x=x, y=y + 0.35 * size, **look)


def curve(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return the path of a curve that starts and ends horizontally.

    >>> curve((0, 0), (10, 4))
    'M0 0C4.5 0 5.5 4 10 4'
    """
    (x0, y0), (x1, y1) = start, end
    bend = 0.45 * (x1 - x0)
    bends = (x0 + bend, y0, x1 - bend, y1, x1, y1)
    return f"M{number(x0)} {number(y0)}C{' '.join(map(number, bends))}"


def document(
    width: float, height: float, body: Iterable[str], *, title: str, description: str, size: float
) -> str:
    """Write a picture of width × height units, shown `size` pixels wide if there is room.

    Screen readers read title and description. Several pictures may share a page: only equal pictures have
    equal ids.
    """
    # ids are derived from the content, so that different pictures on one page never share an id
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


def span_of(values: Iterable[float]) -> tuple[float, float]:
    """Return the ends of the colour scale for values, with zero in the middle if some are negative.

    >>> span_of([1.0, -3.0]), span_of([1.0, 3.0])
    ((-3.0, 3.0), (1.0, 3.0))
    """
    found = list(values)
    low, high = min(found, default=0.0), max(found, default=1.0)
    if low < 0:
        high = max(high, -low)
        low = -high
    return low, high


def shade_of(value: float, span: tuple[float, float]) -> str:
    """Return the colour of a value; one outside the span has the colour of the nearer end.

    >>> shade_of(0.5, (0.0, 1.0)), shade_of(7.0, (0.0, 1.0))
    ('#f0ece2', '#005c99')
    """
    low, high = span
    share = 0.5 if high <= low else max(0.0, min(1.0, (value - low) / (high - low)))
    end, weight = (_HIGH, 2 * share - 1) if share >= 0.5 else (_LOW, 1 - 2 * share)
    mixed = [round(middle + weight * (colour - middle)) for middle, colour in zip(_MIDDLE, end, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in mixed)


def text_colour(shade: str) -> str:
    """Return black or white, whichever is legible on a colour.

    >>> text_colour("#f0ece2"), text_colour("#005c99")
    ('#000000', '#ffffff')
    """
    # luma: brightness with the eye's weights of the colours (ITU-R BT.601)
    red, green, blue = (int(shade[at : at + 2], 16) for at in (1, 3, 5))
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"
