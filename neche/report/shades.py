"""Colours of values: from orange through grey to blue, told apart without red and green."""

from collections.abc import Iterable

_LOW, _MIDDLE, _HIGH = (196, 84, 0), (240, 236, 226), (0, 92, 153)


def span_of(values: Iterable[float]) -> tuple[float, float]:
    """Return the ends of the colours for values: zero in the middle if some are negative.

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
    """Return black or white, whichever can be read on a colour.

    >>> text_colour("#f0ece2"), text_colour("#005c99")
    ('#000000', '#ffffff')
    """
    red, green, blue = (int(shade[at : at + 2], 16) for at in (1, 3, 5))
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"
