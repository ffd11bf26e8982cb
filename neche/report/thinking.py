"""A search while it thinks, as an animation: one SVG file that moves by itself, without a script.

Each frame is what the search knew after so many playouts: values over the board, the list of moves, and the
values so far as lines. The frames are there all the time and are shown one after the other by CSS. Where
nothing moves, on paper or for readers who asked for less motion, the last one is seen.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from neche.errors import InputError
from neche.games.catalogue import Game, geometry_of
from neche.games.geometry import BoardGeometry
from neche.players.engine import Analysis
from neche.report.board import NOTHING, BoardView, describe, draw_ground, draw_overlay
from neche.report.svg import document, element, number, text
from neche.report.verdict import (
    CARD,
    DEFAULT_SIZE,
    FAINT,
    GAP,
    PANEL,
    MoveValue,
    Verdict,
    draw_card,
    draw_verdict,
    num_rows,
    picture_extent,
    span_of_values,
)

SECONDS_A_FRAME = 0.5
_HELD_FRAMES = 8
_CHART = 190.0
_LINES = ("#56B4E9", "#E69F00", "#2CB67D", "#F0E442", "#CC79A7", "#D5743D", "#8EA0FF", "#B8C4CE")
_LEAST_REACH = 0.05


def verdict_of(found: Analysis, order: Sequence[str] = ()) -> Verdict:
    """Return what an analysis says of the moves, most visits first or in a given order."""
    ranks = {move: rank for rank, move in enumerate(order)}
    moves = sorted(
        found.moves, key=lambda move: (ranks.get(move.text, len(ranks)), -move.visits, -move.value)
    )
    return Verdict(
        counted_playouts(_done(found)),
        f"expected score {found.value:.3f}, line {' '.join(found.pv)}",
        tuple(
            MoveValue(move.text, move.value, f"{move.value:.3f}" if move.visits else "", move.visits)
            for move in moves
        ),
    )


def counted_playouts(number: int) -> str:
    """Write a number of playouts.

    >>> counted_playouts(1), counted_playouts(1024)
    ('1 playout', '1,024 playouts')
    """
    return f"{number:,} playout{'' if number == 1 else 's'}"


def _done(found: Analysis) -> int:
    return int(found.figures.get("descents", found.playouts))


def thinking_svg(game: Game, position: Any, analyses: Sequence[Analysis], *, flipped: bool = False) -> str:
    """Draw analyses of one position, the last one last, as an animated SVG; equal analyses, equal text.

    Raises:
        InputError: there is no analysis.
    """
    if not analyses:
        raise InputError("nothing was thought: there is nothing to show")
    geometry = geometry_of(game)
    last = verdict_of(analyses[-1])
    order = [move.text for move in last.moves]
    rows = num_rows(geometry, _CHART)
    keys = dict(zip(order[:rows], _LINES, strict=False))
    chart = _chart(geometry, analyses, order[: len(keys)])
    body = [
        *draw_card(geometry),
        *draw_ground(BoardView(geometry, flipped)),
        *draw_overlay(BoardView(geometry, flipped), position, NOTHING),
    ]
    body += [_style(len(analyses)), *_draw_lines(chart, keys)]
    for at, found in enumerate(analyses):
        verdict = verdict_of(found, order)
        parts = draw_verdict(game, verdict, flipped=flipped, span=span_of_values(last), rows=rows, keys=keys)
        # what was not known yet is covered
        cover = {"x": chart.xs[at] + 1, "y": chart.top - 3, "width": chart.right - chart.xs[at] + 4}
        parts.append(element("rect", **cover, height=chart.bottom - chart.top + 6, fill=CARD))
        body.append(_frame("".join(parts), at, len(analyses)))
    if len(analyses) > 1:
        body += _draw_axes(chart)
    width, height = picture_extent(geometry)
    said = ", ".join(f"{move.text} {move.label}" for move in last.moves if move.label)
    return document(
        width,
        height,
        body,
        title=f"{game.name.capitalize()}, {game.side_to_move(position)} to move: a search while it thinks",
        description=f"{describe(game, position)} After {last.heading}: {said}.",
        size=DEFAULT_SIZE,
    )


def _seconds(num_frames: int) -> float:
    return SECONDS_A_FRAME * (num_frames + _HELD_FRAMES)


def _style(num_frames: int) -> str:
    """Return the two ways to be shown: for one frame's time, or, the last frame, for some."""
    total = num_frames + _HELD_FRAMES
    name = f"neche-{num_frames}"
    rules = [f".{name}{{animation:{name} {number(_seconds(num_frames))}s step-end infinite}}"]
    rules.append(f".{name}.last{{animation-name:{name}-last}}")
    for ending, shown in (("", 1), ("-last", 1 + _HELD_FRAMES)):
        away = f"{number(100 * shown / total)}%,100%{{visibility:hidden}}"
        rules.append(f"@keyframes {name}{ending}{{0%{{visibility:visible}}{away}}}")
    rules.append(f"@media (prefers-reduced-motion:reduce){{.{name}{{animation:none}}}}")
    return element("style", "".join(rules))


def _frame(content: str, at: int, num_frames: int) -> str:
    # Begun in the past, so that every frame is where it belongs from the first moment on.
    delay = SECONDS_A_FRAME * at - _seconds(num_frames)
    is_last = at == num_frames - 1
    return element(
        "g",
        content,
        class_=f"neche-{num_frames}" + " last" * is_last,
        style=f"animation-delay:{number(delay)}s",
        visibility="visible" if is_last else "hidden",
    )


class _Chart(NamedTuple):
    """Values of moves over playouts. xs: of the analyses. low, high: of the values. lines: of the moves."""

    left: float
    right: float
    top: float
    bottom: float
    low: float
    high: float
    xs: list[float]
    counts: list[int]
    lines: dict[str, list[tuple[float, float]]]


def _chart(geometry: BoardGeometry, analyses: Sequence[Analysis], moves: Sequence[str]) -> _Chart:
    width, height = BoardView(geometry).extent
    left, right = width + GAP + 34, width + GAP + PANEL - 24
    top, bottom = height - _CHART + 34, height - 34.0
    counts = [_done(found) for found in analyses]
    begin, end = math.log(counts[0]), math.log(max(counts[-1], counts[0] + 1))
    xs = [left + (right - left) * (math.log(done) - begin) / (end - begin) for done in counts]
    values = {
        name: [
            (x, move.value)
            for x, found in zip(xs, analyses, strict=True)
            for move in found.moves
            if move.text == name and move.visits
        ]
        for name in moves
    }
    # first values are wild; the lines of the later two thirds fill the height
    settled = [value for line in values.values() for x, value in line if x >= left + (right - left) / 3]
    middle = (min(settled, default=0.5) + max(settled, default=0.5)) / 2
    reach = max(_LEAST_REACH, 1.1 * (max(settled, default=0.5) - middle))
    low, high = max(0.0, middle - reach), min(1.0, middle + reach)

    def y(value: float) -> float:
        return bottom - (bottom - top) * (max(low, min(high, value)) - low) / (high - low)

    lines = {name: [(x, y(value)) for x, value in line] for name, line in values.items()}
    return _Chart(left, right, top, bottom, low, high, xs, counts, lines)


def _draw_lines(chart: _Chart, keys: dict[str, str]) -> list[str]:
    parts = []
    for name, line in chart.lines.items():
        points = " ".join(f"{number(x)},{number(y)}" for x, y in line)
        look = {"fill": "none", "stroke": keys[name], "stroke_linejoin": "round"}
        parts.append(element("polyline", points=points, stroke_width=2, **look))
    return parts


def _draw_axes(chart: _Chart) -> list[str]:
    across = f"M{number(chart.left)} {number(chart.top)}V{number(chart.bottom)}H{number(chart.right)}"
    parts = [element("path", d=across, fill="none", stroke=FAINT, stroke_width=1)]
    caption = {"fill": FAINT, "text_anchor": "start"}
    parts.append(text("value by playouts", chart.left, chart.top - 13, 13, **caption))
    for value, y in ((chart.low, chart.bottom), (chart.high, chart.top)):
        parts.append(text(f"{value:.2f}", chart.left - 5, y, 12, fill=FAINT, text_anchor="end"))
    for at, anchor in ((0, "start"), (-1, "end")):
        label = f"{chart.counts[at]:,}"
        place = (chart.xs[at], chart.bottom + 14)
        parts.append(text(label, *place, 12, fill=FAINT, text_anchor=anchor))
    return parts
