"""An analysis as it developed, as an animation: one SVG file that moves by itself, without a script.

Each frame shows what a tree search knew after some playouts: values over the board, the list of moves, and
the values so far as lines. All frames are in the file, and CSS shows one after the other. Without animation,
on paper or for readers who prefer reduced motion, the last frame is shown.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from neche.errors import InputError
from neche.games.game import Game, geometry_of
from neche.players.engine import Analysis
from neche.report import analysis as still
from neche.report.board import BoardView, describe
from neche.report.svg import document, element, number, points, text

SECONDS_A_FRAME = 0.5
_HELD_FRAMES = 8
_CHART = 190.0
"""Height of the chart of lines, in units."""
_LINES = ("#56B4E9", "#E69F00", "#2CB67D", "#F0E442", "#CC79A7", "#D5743D", "#8EA0FF", "#B8C4CE")
_LEAST_REACH = 0.05


def animation_svg(game: Game, position: Any, analyses: Sequence[Analysis]) -> str:
    """Draw analyses in order as an animated SVG, equal ones as equal text; InputError if there is none."""
    if not analyses:
        raise InputError("no analysis: there is nothing to show")
    view, last = BoardView(geometry_of(game)), analyses[-1]
    # moves keep the order of the last frame, and the first of them get lines in the chart
    order, rows = [move.text for move in last.ranked()], still.num_rows(view, _CHART)
    keys, span = dict(zip(order[:rows], _LINES, strict=False)), still.span_of_values(last)
    chart = _lay_out(view, analyses, list(keys))
    body = [*still.draw_position(view, position), _style(len(analyses))]
    for move, line in chart.lines.items():
        look = {"fill": "none", "stroke": keys[move], "stroke_linejoin": "round"}
        body.append(element("polyline", points=points(line), **look, stroke_width=2))
    for at, analysis in enumerate(analyses):
        moves = sorted(analysis.moves, key=lambda move: order.index(move.text))
        parts = still.draw_analysis(view, analysis, moves, span=span, rows=rows, keys=keys)
        # cover what was not known yet
        box = {"x": chart.xs[at] + 1, "y": chart.top - 3, "width": chart.right - chart.xs[at] + 4}
        cover = element("rect", **box, height=chart.bottom - chart.top + 6, fill=still.CARD)
        body.append(_frame([*parts, cover], at, len(analyses)))
    if len(analyses) > 1:
        body += _draw_axes(chart)
    said = ", ".join(f"{move.text} {still.label_of(last, move)}" for move in last.ranked() if move.visits)
    return document(
        *still.picture_extent(view),
        body,
        title=f"{game.name.capitalize()}, {game.side_to_move(position)} to move: an analysis as it grows",
        description=f"{describe(game, position)} After {still.heading_of(last)}: {said}.",
        size=still.DEFAULT_SIZE,
    )


def _seconds(num_frames: int) -> float:
    return SECONDS_A_FRAME * (num_frames + _HELD_FRAMES)


def _style(num_frames: int) -> str:
    """Return the styles of frames: most are shown for one frame's time, the last for several."""
    total = num_frames + _HELD_FRAMES
    name = f"neche-{num_frames}"
    rules = [f".{name}{{animation:{name} {number(_seconds(num_frames))}s step-end infinite}}"]
    rules.append(f".{name}.last{{animation-name:{name}-last}}")
    for ending, shown in (("", 1), ("-last", 1 + _HELD_FRAMES)):
        away = f"{number(100 * shown / total)}%,100%{{visibility:hidden}}"
        rules.append(f"@keyframes {name}{ending}{{0%{{visibility:visible}}{away}}}")
    rules.append(f"@media (prefers-reduced-motion:reduce){{.{name}{{animation:none}}}}")
    return element("style", rules)


def _frame(content: Sequence[str], at: int, num_frames: int) -> str:
    # Start in the past, so that every frame is in its phase from the first moment.
    delay = SECONDS_A_FRAME * at - _seconds(num_frames)
    is_last = at == num_frames - 1
    return element(
        "g",
        content,
        class_=f"neche-{num_frames}" + " last" * is_last,
        style=f"animation-delay:{number(delay)}s",
        visibility="visible" if is_last else "hidden",
    )


class _LineField(NamedTuple):
    """The chart of values over playouts. xs, counts: of the analyses. low, high: values. lines: by move."""

    left: float
    right: float
    top: float
    bottom: float
    low: float
    high: float
    xs: list[float]
    counts: list[int]
    lines: dict[str, list[tuple[float, float]]]


def _lay_out(view: BoardView, analyses: Sequence[Analysis], moves: Sequence[str]) -> _LineField:
    width, height = view.extent
    left, right = width + still.GAP + 34, width + still.GAP + still.PANEL - 24
    top, bottom = height - _CHART + 34, height - 34.0
    # A position looked up in solved endings needs no playouts and has no lines.
    counts = [max(1, still.num_playouts(analysis)) for analysis in analyses]
    begin, end = math.log(counts[0]), math.log(max(counts[-1], counts[0] + 1))
    xs = [left + (right - left) * (math.log(count) - begin) / (end - begin) for count in counts]
    values: dict[str, list[tuple[float, float]]] = {move: [] for move in moves}
    for x, analysis in zip(xs, analyses, strict=True):
        for move in analysis.moves:
            if move.text in values and move.visits:
                values[move.text].append((x, move.value))
    # early values are erratic; the lines of the later two thirds fill the height
    settled = [value for line in values.values() for x, value in line if x >= left + (right - left) / 3]
    middle = (min(settled, default=0.5) + max(settled, default=0.5)) / 2
    reach = max(_LEAST_REACH, 1.1 * (max(settled, default=0.5) - middle))
    low, high = max(0.0, middle - reach), min(1.0, middle + reach)

    def y(value: float) -> float:
        return bottom - (bottom - top) * (max(low, min(high, value)) - low) / (high - low)

    lines = {move: [(x, y(value)) for x, value in line] for move, line in values.items()}
    return _LineField(left, right, top, bottom, low, high, xs, counts, lines)


def _draw_axes(field: _LineField) -> Iterator[str]:
    across = f"M{number(field.left)} {number(field.top)}V{number(field.bottom)}H{number(field.right)}"
    yield element("path", d=across, fill="none", stroke=still.FAINT, stroke_width=1)
    yield text("value by playouts", field.left, field.top - 13, 13, fill=still.FAINT, text_anchor="start")
    for value, y in ((field.low, field.bottom), (field.high, field.top)):
        yield text(f"{value:.2f}", field.left - 5, y, 12, fill=still.FAINT, text_anchor="end")
    for at, anchor in ((0, "start"), (-1, "end")):
        label = f"{field.counts[at]:,}"
        yield text(label, field.xs[at], field.bottom + 14, 12, fill=still.FAINT, text_anchor=anchor)
