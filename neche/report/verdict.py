"""What a player says of the moves of a position, as a picture: on the board, and in a list beside it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from neche.games.catalogue import Game, geometry_of
from neche.games.geometry import BoardGeometry
from neche.report.board import MARKS, NOTHING, BoardView, Overlay, check, describe, draw_ground, draw_overlay
from neche.report.svg import document, element, text

PANEL = 330
"""Width of what stands beside the board, in units."""
GAP = 14
DEFAULT_SIZE = 760
_LEFT, _RIGHT = 16, 16
_HEAD, _ROW = 92, 27
CARD, INK, FAINT = "#1D2226", "#E9ECEF", "#9AA5AE"
_BAR = "#3D5A73"
_LONGEST_LINE = 46


class MoveValue(NamedTuple):
    """A move and what it is worth. label: the value in words. visits: behind it; None if none are counted."""

    text: str
    value: float
    label: str
    visits: int | None = None


class Verdict(NamedTuple):
    """What is said of a position. heading, below: two lines. moves: every legal move, the first on top."""

    heading: str
    below: str
    moves: tuple[MoveValue, ...]


def verdict_svg(game: Game, position: Any, verdict: Verdict, *, flipped: bool = False) -> str:
    """Draw a position with the values of its moves as SVG.

    The best value is marked in cyan, the most visited move in red, as in the legend.
    """
    geometry = geometry_of(game)
    check(geometry, overlay_of(geometry, verdict, span_of_values(verdict)))
    body = [
        *draw_ground(BoardView(geometry, flipped)),
        *draw_overlay(BoardView(geometry, flipped), position, NOTHING),
        *draw_verdict(game, verdict, flipped=flipped, span=span_of_values(verdict)),
    ]
    width, height = picture_extent(geometry)
    said = ", ".join(f"{move.text} {move.label}" for move in verdict.moves)
    return document(
        width,
        height,
        [*draw_card(geometry), *body],
        title=f"{game.name.capitalize()}, {game.side_to_move(position)} to move: {verdict.heading}",
        description=f"{describe(game, position)} Values: {said}.",
        size=DEFAULT_SIZE,
    )


def picture_extent(geometry: BoardGeometry) -> tuple[int, int]:
    """Return width and height of the picture, in units."""
    width, height = BoardView(geometry).extent
    return width + GAP + PANEL, height


def num_rows(geometry: BoardGeometry, room_below: float = 0.0) -> int:
    """Return how many moves the list has room for."""
    return int((BoardView(geometry).extent[1] - _HEAD - 12 - room_below) // _ROW)


def span_of_values(verdict: Verdict) -> tuple[float, float]:
    """Return the ends of the colours: half a tenth to both sides of the middle value at least."""
    values = [move.value for move in verdict.moves if abs(move.value) < 1e6 and move.visits != 0]
    low, high = min(values, default=0.0), max(values, default=1.0)
    reach = max(0.05, (high - low) / 2)
    return (low + high) / 2 - reach, (low + high) / 2 + reach


def marks_of(verdict: Verdict) -> dict[str, tuple[str, ...]]:
    """Return the marks of the moves: the best value and, where visits are counted, the most visits."""
    tried = [move for move in verdict.moves if move.visits != 0]
    marks: dict[str, tuple[str, ...]] = {}
    if tried:
        best = max(tried, key=lambda move: move.value)
        marks[best.text] = ("best",)
        if best.visits is not None:
            most = max(tried, key=lambda move: move.visits or 0)
            marks[most.text] = (*marks.get(most.text, ()), "most")
    return marks


def overlay_of(geometry: BoardGeometry, verdict: Verdict, span: tuple[float, float]) -> Overlay:
    """Return what is drawn on the board: values in the squares where something is put, arrows for steps."""
    puts = [move for move in verdict.moves if len(geometry.squares_of(move.text)) == 1]
    steps = [move for move in verdict.moves if len(geometry.squares_of(move.text)) > 1]
    values, labels = {}, {}
    for move in puts:
        square = geometry.squares_of(move.text)[0]
        labels[square] = move.label if move.visits is None else (move.label, short_count(move.visits))
        if move.visits != 0:
            values[square] = move.value
    return Overlay(marks_of(verdict), values, labels, _weights(steps), None, span)


def _weights(moves: Sequence[MoveValue]) -> Mapping[str, float]:
    """Return how heavy the arrows are: by visits, or by value where none are counted."""
    if any(move.visits is None for move in moves):
        values = [max(-1e3, min(1e3, move.value)) for move in moves]
        reach = max(values) - min(values) or 1.0
        return {
            move.text: 1.0 - 0.9 * (max(values) - value) / reach
            for move, value in zip(moves, values, strict=True)
        }
    most = max((move.visits or 0 for move in moves), default=0) or 1
    return {move.text: (move.visits or 0) / most for move in moves if move.visits}


def short_count(number: int) -> str:
    """Write a number in four letters at most.

    >>> [short_count(number) for number in (7, 9_999, 12_345, 456_789, 1_250_000, 25_000_000)]
    ['7', '9999', '12k', '457k', '1.2M', '25M']
    """
    if number < 10_000:
        return str(number)
    if number < 999_500:
        return f"{number / 1e3:.0f}k"
    return f"{number / 1e6:.1f}M" if number < 9_950_000 else f"{number / 1e6:.0f}M"


def draw_card(geometry: BoardGeometry) -> list[str]:
    """Draw the ground of the whole picture."""
    width, height = picture_extent(geometry)
    return [element("rect", width=width, height=height, rx=10, fill=CARD)]


def draw_verdict(
    game: Game,
    verdict: Verdict,
    *,
    flipped: bool,
    span: tuple[float, float],
    rows: int | None = None,
    keys: Mapping[str, str] | None = None,
) -> list[str]:
    """Draw the values on the board, which has its pieces, and the list.

    rows: moves in the list, None for all that fit. keys: colours by which moves are known elsewhere.
    """
    geometry = geometry_of(game)
    parts = draw_overlay(BoardView(geometry, flipped), None, overlay_of(geometry, verdict, span))
    return [*parts, *_list(geometry, verdict, num_rows(geometry) if rows is None else rows, keys or {})]


def _list(geometry: BoardGeometry, verdict: Verdict, rows: int, keys: Mapping[str, str]) -> list[str]:
    left = BoardView(geometry).extent[0] + GAP
    begin = {"text_anchor": "start"}
    parts = [
        text(verdict.heading, left, 28, 21, fill=INK, font_weight="bold", **begin),
        text(_cut(verdict.below), left, 54, 14, fill=FAINT, **begin),
        *_legend(left, verdict),
    ]
    marks, most = marks_of(verdict), max((move.visits or 0 for move in verdict.moves), default=0) or 1
    for at, move in enumerate(verdict.moves[:rows]):
        top = _HEAD + _ROW * at
        parts.append(_row(left, top, move, marks.get(move.text, ()), most))
        if move.text in keys:
            spot = {"cx": left + 66, "cy": top + _ROW / 2, "r": 4.5}
            parts.append(element("circle", **spot, fill=keys[move.text]))
    return parts


def _cut(words: str) -> str:
    return words if len(words) <= _LONGEST_LINE else words[: _LONGEST_LINE - 2].rsplit(" ", 1)[0] + " …"


def _legend(left: float, verdict: Verdict) -> list[str]:
    words = [("best", "best value")]
    if any(move.visits is not None for move in verdict.moves):
        words.append(("most", "most visits"))
    parts = []
    for at, (mark, word) in enumerate(words):
        x = left + 110 * at
        box = {"x": x, "y": 68, "width": 10, "height": 10, "rx": 2}
        parts.append(element("rect", **box, fill="none", stroke=MARKS[mark], stroke_width=3))
        parts.append(text(word, x + 17, 73, 13, fill=FAINT, text_anchor="start"))
    return parts


def _row(left: float, top: float, move: MoveValue, marks: Sequence[str], most: int) -> str:
    colour = MARKS[marks[0]] if marks else INK
    middle, right = top + _ROW / 2, left + PANEL - _RIGHT - GAP
    value_x = left + 178 if move.visits is not None else right
    parts = []
    if move.visits is not None:
        share = {"width": (right - left + 12) * move.visits / most, "height": _ROW - 5}
        parts.append(element("rect", x=left - 6, y=top + 2, rx=3, **share, fill=_BAR, fill_opacity=0.65))
        parts.append(text(f"{move.visits:,}", right, middle, 14, fill=INK, text_anchor="end"))
    weight = {"font_weight": "bold"} if marks else {}
    # a long capture becomes narrower rather than run into its value
    size = min(16.0, 16.0 * 13 / max(1, len(move.text)))
    parts.append(text(move.text, left, middle, size, fill=colour, text_anchor="start", **weight))
    if move.label:
        parts.append(text(move.label, value_x, middle, 15, fill=colour, text_anchor="end", **weight))
    return "".join(parts)
