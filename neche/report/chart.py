"""A line chart over generations or other work, as SVG that is legible on phones and paper, light or dark.

It takes the colour of the surrounding text; a page may give the lines (classes s0, s1 …) other colours.
"""

import math
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from neche.report.svg import document, element, number, numeral, text, tooltip

WIDTH, HEIGHT = 440, 300
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B8860B", "#56B4E9")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 4", "1 4")
MOST_DOTS = 60
"""Most points of a line that are marked one by one; with more, only the line is drawn."""
MOST_POINTS = 1200
"""Most points of a line that a chart can show; more are averaged over neighbours."""
FAR_APART = 30
"""Ratio of values from which the small ones would be indistinguishable on a scale that begins at zero."""
MOST_ROWS = 24
"""Most generations that a chart's table lists; with more, it lists every n-th."""
_LEFT, _RIGHT, _TOP, _BOTTOM, _SIZE, _LEAST = 50, 16, 12, 46, 15, 120
_INK = "currentColor"


class Point(NamedTuple):
    """A value in a generation, and the ends of its error bar."""

    generation: int
    value: float
    low: float
    high: float


class Series(NamedTuple):
    """A line. points: by generation, with a band if low and high differ. digits: decimals of its numbers."""

    name: str
    points: tuple[Point, ...]
    digits: int = 2

    def words(self, point: Point) -> str:
        """Write the value of a point, and the ends of its error bar if it has one."""
        value, low, high = (numeral(number, f".{self.digits}f") for number in point[1:])
        return value if point.low == point.high else f"{value} ({low} to {high})"


class Mark(NamedTuple):
    """An event in a generation."""

    generation: int
    text: str


class Chart(NamedTuple):
    """Lines over generations. span: of the values; None: from zero to a limit above them all.

    axis: what the points count, generations by default. may_be_log: use a logarithmic scale if the values are
    all positive and far apart.
    """

    name: str
    title: str
    unit: str
    series: tuple[Series, ...]
    marks: tuple[Mark, ...] = ()
    span: tuple[float, float] | None = None
    axis: str = "generation"
    may_be_log: bool = False

    @property
    def extent(self) -> tuple[float, float]:
        """The lowest and the highest value, errors included."""
        points = [point for series in self.series for point in series.points]
        return min(point.low for point in points), max(point.high for point in points)

    @property
    def is_log(self) -> bool:
        """Whether the scale of the values is logarithmic."""
        least, most = self.extent
        return self.may_be_log and 0 < FAR_APART * least <= most


class _Frame(NamedTuple):
    """The scales: first and last generation, lowest and highest value, top and floor of the plot.

    is_log: whether values are placed by their logarithms.
    """

    first: int
    last: int
    low: float
    high: float
    top: float
    floor: float
    is_log: bool

    def x(self, generation: float) -> float:
        share = (generation - self.first) / (self.last - self.first) if self.last > self.first else 0.5
        return _LEFT + share * (WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        ends = self.low, min(self.high, max(self.low, value)), self.high
        low, at, high = map(math.log, ends) if self.is_log else ends
        share = (at - low) / (high - low)
        return self.floor - share * (self.floor - self.top)

    def place(self, generation: float, value: float) -> str:
        return f"{number(self.x(generation))} {number(self.y(value))}"


def draw_chart(chart: Chart) -> str:
    """Draw a chart; equal charts give equal text."""
    legend, rows = _legend(chart)
    frame = _frame(chart, _TOP + 20 * rows + 14)
    body = [*_draw_axes(chart, frame), *_draw_marks(chart, frame), *legend]
    drawn = [_thinned(series) for series in chart.series]
    # all bands first, so that none hides a line
    for at, points in enumerate(drawn):
        body += _draw_band(frame, points, at)
    for at, points in enumerate(drawn):
        body += _draw_line(frame, points, chart, at)
    words = {"title": chart.title, "description": describe(chart)}
    return document(WIDTH, frame.floor + _BOTTOM, body, **words, size=WIDTH)


def describe(chart: Chart) -> str:
    """Say in words at which values the lines begin and end."""
    words = []
    for name, points, digits in chart.series:
        first, last = (
            f"{numeral(point.value, f'.{digits}f')} in {chart.axis} {point.generation}"
            for point in (points[0], points[-1])
        )
        words.append(f"{name}: {first}, {last}.")
    words += [f"{mark.text} from generation {mark.generation} on." for mark in chart.marks]
    return " ".join(words)


def shown_chart(chart: Chart) -> dict[str, Any]:
    """Return what pages show of a chart: its fields, its `svg`, and its table.

    heads, rows: of the table, by generation. is_thinned: whether some generations are left out.
    """
    generations = sorted({point.generation for series in chart.series for point in series.points})
    step = math.ceil(len(generations) / MOST_ROWS)
    columns = [{point.generation: point for point in series.points} for series in chart.series]
    rows = []
    for generation in sorted({*generations[::step], generations[-1]}):
        cells = (
            series.words(column[generation]) if generation in column else ""
            for series, column in zip(chart.series, columns, strict=True)
        )
        rows.append((str(generation), *cells))
    heads = (chart.axis, *(series.name for series in chart.series))
    table = {"heads": heads, "rows": rows, "is_thinned": step > 1}
    return {**chart._asdict(), "svg": draw_chart(chart), **table}


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers from `low` to `high`, about `most` of them or fewer.

    >>> ticks(0, 1, 5), ticks(0, 300, 6)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0, 50, 100, 150, 200, 250, 300])
    """
    if high <= low:
        return [low]
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    # tolerate a rounding error in the comparison with round numbers
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
    numbers = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [round(at * step) if step >= 1 else round(at * step, 10) for at in numbers]


def log_ticks(low: float, high: float) -> list[float]:
    """Return powers of ten from the one below `low` to the one above `high`.

    >>> log_ticks(0.02, 7.0), log_ticks(32, 31000)
    ([0.01, 0.1, 1.0, 10.0], [10.0, 100.0, 1000.0, 10000.0, 100000.0])
    """
    powers = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    return [float(f"1e{power}") for power in range(powers[0], powers[1] + 1)]


def _frame(chart: Chart, top: float) -> _Frame:
    generations = [point.generation for series in chart.series for point in series.points]
    least, most = chart.extent
    # without a span, go from zero to the first round number above all values; ticks have ten decimals
    if chart.span:
        low, high = chart.span
    elif chart.is_log:
        numbers = log_ticks(least, most)
        low, high = numbers[0], numbers[-1]
    else:
        numbers = ticks(0.0, most, 4) if most > 1e-8 else [0.0, 1.0]
        low, high = 0.0, numbers[-1] if numbers[-1] >= most else 2 * numbers[-1] - numbers[-2]
    # a long legend must still leave room for the lines
    floor = max(HEIGHT - _BOTTOM, top + _LEAST)
    return _Frame(min(generations), max(generations), low, high, top, floor, chart.is_log)


def _thinned(series: Series) -> tuple[Point, ...]:
    """Return the points, averaged over neighbours if there are too many for a chart."""
    count = len(series.points)
    if count <= MOST_POINTS:
        return series.points
    step = math.ceil(count / MOST_POINTS)
    parts = (series.points[begin : begin + step] for begin in range(0, count, step))
    return tuple(
        Point(part[len(part) // 2].generation, *map(fmean, list(zip(*part, strict=True))[1:]))
        for part in parts
    )


def _draw_axes(chart: Chart, frame: _Frame) -> Iterator[str]:
    right, floor = WIDTH - _RIGHT, frame.floor
    shown = log_ticks(frame.low, frame.high) if frame.is_log else ticks(frame.low, frame.high, 5)
    labels = [numeral(at / 1000, "g") + "k" if abs(at) >= 10_000 else numeral(at, "g") for at in shown]
    # more than five letters of the usual size would begin outside the picture
    longest = max(map(len, labels), default=0)
    size = _SIZE if longest <= 5 else (_LEFT - 7) / (0.65 * longest)
    for value, words in zip(shown, labels, strict=True):
        y, opacity = frame.y(value), 0.55 if value == 0 and frame.low < 0 else 0.16
        yield element("path", d=f"M{_LEFT} {number(y)}H{right}", stroke=_INK, stroke_opacity=opacity)
        yield text(words, _LEFT - 7, y, size, fill=_INK, text_anchor="end")
    whole = [at for at in ticks(frame.first, frame.last, 6) if float(at).is_integer()]
    for at in whole if frame.last > frame.first else [frame.first]:
        x = frame.x(at)
        yield element("path", d=f"M{number(x)} {floor}v4", stroke=_INK)
        yield text(f"{at:.0f}", x, floor + 15, _SIZE, fill=_INK)
    yield element("path", d=f"M{_LEFT} {floor}H{right}", stroke=_INK)
    yield text(chart.axis, (_LEFT + right) / 2, floor + _BOTTOM - 11, _SIZE, fill=_INK)
    if frame.is_log:
        yield text("logarithmic scale", _LEFT, floor + _BOTTOM - 11, 12, fill=_INK, text_anchor="start")
    yield text(chart.unit, _LEFT, _TOP, _SIZE, fill=_INK, fill_opacity=0.75, text_anchor="start")


def _legend(chart: Chart) -> tuple[list[str], int]:
    """Write the names of the lines above the plot, in rows; return the number of rows too."""
    parts: list[str] = []
    x, row = float(_LEFT), 1
    for at, series in enumerate(chart.series):
        # the reader's font is unknown: nine units a letter are enough for most
        wide = 40 + 9 * len(series.name)
        size = min(_SIZE, _SIZE * (WIDTH - _LEFT - 27) / max(1, wide - 40))
        if x + wide > WIDTH and x > _LEFT:
            x, row = float(_LEFT), row + 1
        y = _TOP + 20 * row
        parts.append(_stroke(f"M{number(x)} {y}h22", at))
        parts.append(text(series.name, x + 27, y, size, fill=_INK, text_anchor="start"))
        x += wide
    return parts, row


def _draw_marks(chart: Chart, frame: _Frame) -> Iterator[str]:
    for at, mark in enumerate(chart.marks):
        if not frame.first <= mark.generation <= frame.last:
            continue
        x = frame.x(mark.generation)
        way = f"M{number(x)} {number(frame.top)}V{frame.floor}"
        yield element("path", d=way, stroke=_INK, stroke_opacity=0.6, stroke_dasharray="2 3")
        # near the right end, the words are on the other side of their line
        anchor, reach = ("end", -5) if x > WIDTH - 100 else ("start", 5)
        look = {"fill": _INK, "class_": "mark", "text_anchor": anchor}
        yield text(mark.text, x + reach, frame.floor - 10 - 17 * at, 13, **look)


def _draw_band(frame: _Frame, points: Sequence[Point], at: int) -> Iterator[str]:
    if all(point.low == point.high for point in points):
        return
    upper = [frame.place(point.generation, point.high) for point in points]
    lower = [frame.place(point.generation, point.low) for point in points]
    # a single measurement gets a bar instead of a band
    if len(points) == 1:
        yield _stroke(f"M{lower[0]}V{upper[0].partition(' ')[2]}", at)
    else:
        way = "L".join([*upper, *reversed(lower)])
        yield element("path", d=f"M{way}z", fill=COLOURS[at % 6], fill_opacity=0.16, class_=f"f{at % 6}")


def _draw_line(frame: _Frame, points: Sequence[Point], chart: Chart, at: int) -> Iterator[str]:
    series = chart.series[at]
    if len(points) > 1:
        yield _stroke(f"M{'L'.join(frame.place(point.generation, point.value) for point in points)}", at)
    for point in points if len(points) <= MOST_DOTS else ():
        said = tooltip(f"{series.name}, {chart.axis} {point.generation}: {series.words(point)}")
        spot = {"cx": frame.x(point.generation), "cy": frame.y(point.value), "r": 3.2}
        yield element("circle", said, **spot, fill=COLOURS[at % 6], class_=f"f{at % 6}")


def _stroke(way: str, at: int) -> str:
    # a colour that is used again gets other dashes
    dashes = {"stroke_dasharray": dash} if (dash := DASHES[(at + at // 6) % 6]) else {}
    line = {"d": way, "class_": f"s{at % 6}", "fill": "none", "stroke": COLOURS[at % 6], **dashes}
    return element("path", **line, stroke_linejoin="round", stroke_width=2)
