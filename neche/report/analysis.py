"""An analysis as a picture: the values of the moves on the board, and in a list beside it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neche.games.game import Game, geometry_of
from neche.games.geometry import BoardGeometry
from neche.players.engine import Analysis, MoveAnalysis, plies_to_end
from neche.report.board import MARKS, NOTHING, BoardView, Overlay, check, describe, draw_ground, draw_overlay
from neche.report.svg import Attributes, document, element, numeral, text

PANEL = 330
"""Width of the panel beside the board, in units."""
GAP = 14
DEFAULT_SIZE = 760
CARD, INK, FAINT = "#1D2226", "#E9ECEF", "#9AA5AE"
_RIGHT, _HEAD, _ROW = 16, 92, 27
_BAR = "#3D5A73"
_LONGEST_LINE = 46
_DECIDED = 1e6
"""Larger values are wins and losses, which would leave no colours for the others."""


def analysis_svg(
    game: Game, position: Any, analysis: Analysis, *, note: str = "", flipped: bool = False
) -> str:
    """Draw a position with the values of its moves as SVG; equal arguments give equal text.

    The best value is marked in cyan, the most visited move in red, as in the legend. note: text before the
    best line, such as the kind of player; by default the value, if the heading does not give it.
    """
    view, span, moves = BoardView(geometry_of(game), flipped), span_of_values(analysis), analysis.ranked()
    check(view.geometry, overlay_of(view.geometry, analysis, span))
    said = ", ".join(f"{move.text} {label_of(analysis, move)}" for move in moves)
    return document(
        *picture_extent(view),
        [*draw_position(view, position), *draw_analysis(view, analysis, moves, span=span, note=note)],
        title=f"{game.name.capitalize()}, {game.side_to_move(position)} to move: {heading_of(analysis)}",
        description=f"{describe(game, position)} Values: {said}.",
        size=DEFAULT_SIZE,
    )


def heading_of(analysis: Analysis) -> str:
    """Return the number of playouts; for an analysis without any, its first move and its value."""
    if is_counted(analysis):
        count = num_playouts(analysis)
        return f"{count:,} playout{'' if count == 1 else 's'}"
    best = next(move for move in analysis.moves if move.text == analysis.pv[0])
    return f"{best.text}, {label_of(analysis, best)}"


def subheading_of(analysis: Analysis, note: str = "") -> str:
    """Return the best line, after a note or the expected score."""
    if not note and is_counted(analysis):
        note = f"expected score {analysis.value:.3f}"
    return ", ".join(filter(None, [note, f"line {' '.join(analysis.pv)}"]))


def label_of(analysis: Analysis, move: MoveAnalysis) -> str:
    """Return the value of a move in words; empty if it was never tried."""
    if analysis.is_score:
        return f"{move.value:.3f}" if _is_tried(analysis, move) else ""
    return ending_words(move.value) or numeral(move.value, "+z.4f")


def ending_words(value: float) -> str:
    """Write how soon a value in weight units wins or loses; empty if the game is not decided.

    >>> ending_words(1 - 1e12), ending_words(0.25)
    ('loses in 1 ply', '')
    """
    plies = plies_to_end(value)
    return "" if plies is None else f"{'wins' if value > 0 else 'loses'} in {counted_plies(plies)}"


def counted_plies(number: int) -> str:
    """Write a number of plies for people.

    >>> counted_plies(1), counted_plies(12)
    ('1 ply', '12 plies')
    """
    return f"{number} {'ply' if number == 1 else 'plies'}"


def short_count(number: int) -> str:
    """Write a number in at most four characters.

    >>> [short_count(number) for number in (7, 9_999, 12_345, 456_789, 1_250_000, 25_000_000)]
    ['7', '9999', '12k', '457k', '1.2M', '25M']
    """
    if number < 10_000:
        return str(number)
    if number < 999_500:
        return f"{number / 1e3:.0f}k"
    return f"{number / 1e6:.1f}M" if number < 9_950_000 else f"{number / 1e6:.0f}M"


def num_playouts(analysis: Analysis) -> int:
    """Return the playouts of an analysis; for a tree that evaluates by network, its number of descents."""
    return int(analysis.figures.get("descents", analysis.playouts))


def is_counted(analysis: Analysis) -> bool:
    """Return whether the moves have visit counts."""
    return num_playouts(analysis) > 0


def _is_tried(analysis: Analysis, move: MoveAnalysis) -> bool:
    return move.visits > 0 or not is_counted(analysis)


def marks_of(analysis: Analysis) -> dict[str, tuple[str, ...]]:
    """Return the marks of the moves: the best value and, if visits are counted, the most visits."""
    tried = [move for move in analysis.ranked() if _is_tried(analysis, move)]
    marks: dict[str, tuple[str, ...]] = {}
    if tried:
        best = max(tried, key=lambda move: move.value)
        marks[best.text] = ("best",)
        if is_counted(analysis):
            most = max(tried, key=lambda move: move.visits)
            marks[most.text] = (*marks.get(most.text, ()), "most")
    return marks


def span_of_values(analysis: Analysis) -> tuple[float, float]:
    """Return the ends of the colour scale: at least half a tenth to both sides of the middle value."""
    tried = (move.value for move in analysis.moves if _is_tried(analysis, move))
    values = [value for value in tried if abs(value) < _DECIDED]
    low, high = min(values, default=0.0), max(values, default=1.0)
    reach = max(0.05, (high - low) / 2)
    return (low + high) / 2 - reach, (low + high) / 2 + reach


def overlay_of(geometry: BoardGeometry, analysis: Analysis, span: tuple[float, float]) -> Overlay:
    """Return the overlay for the board: values in squares of placements, arrows for other moves."""
    values, labels, steps = {}, {}, []
    for move in analysis.moves:
        squares = geometry.squares_of(move.text)
        if len(squares) > 1:
            steps.append(move)
        for square in squares if len(squares) == 1 else ():
            label = label_of(analysis, move)
            labels[square] = (label, short_count(move.visits)) if is_counted(analysis) else label
            if _is_tried(analysis, move):
                values[square] = move.value
    arrows = _weights(steps, by_visits=is_counted(analysis))
    return Overlay(marks_of(analysis), values, labels, arrows, None, span)


def _weights(moves: Sequence[MoveAnalysis], *, by_visits: bool) -> Mapping[str, float]:
    """Return the weights of the arrows: by visits, or by value if none are counted."""
    if by_visits:
        most = max((move.visits for move in moves), default=0)
        return {move.text: move.visits / most for move in moves if move.visits}
    values = {move.text: max(-1e3, min(1e3, move.value)) for move in moves}
    high = max(values.values(), default=0.0)
    reach = high - min(values.values(), default=0.0) or 1.0
    return {move: 1.0 - 0.9 * (high - value) / reach for move, value in values.items()}


def picture_extent(view: BoardView) -> tuple[int, int]:
    """Return width and height of the picture, in units."""
    width, height = view.extent
    return width + GAP + PANEL, height


def num_rows(view: BoardView, room_below: float = 0.0) -> int:
    """Return the number of moves that fit into the list."""
    return int((view.extent[1] - _HEAD - 12 - room_below) // _ROW)


def draw_position(view: BoardView, position: Any) -> Iterator[str]:
    """Draw the background of the picture, and the board with its pieces."""
    width, height = picture_extent(view)
    yield element("rect", width=width, height=height, rx=10, fill=CARD)
    yield from draw_ground(view)
    yield from draw_overlay(view, position, NOTHING)


def draw_analysis(
    view: BoardView,
    analysis: Analysis,
    moves: Sequence[MoveAnalysis],
    *,
    span: tuple[float, float],
    note: str = "",
    rows: int | None = None,
    keys: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Draw the values over the board and its pieces, and the list of the moves beside it.

    moves: in the order of the list. rows: of the list, None for all that fit. keys: colours that identify
    moves elsewhere in the picture.
    """
    yield from draw_overlay(view, None, overlay_of(view.geometry, analysis, span))
    left = view.extent[0] + GAP
    bold, line = {"fill": INK, "font_weight": "bold"}, _cut(subheading_of(analysis, note))
    yield text(heading_of(analysis), left, 28, 21, **bold, text_anchor="start")
    yield text(line, left, 54, 14, fill=FAINT, text_anchor="start")
    yield from _draw_legend(left, is_counted(analysis))
    marks, most = marks_of(analysis), 0
    if is_counted(analysis):
        most = max(1, *(move.visits for move in moves))
    for at, move in enumerate(moves[: num_rows(view) if rows is None else rows]):
        top = _HEAD + _ROW * at
        row = _draw_row(left, top, move, label_of(analysis, move), marks.get(move.text, ()), most)
        yield "".join(row)
        if keys and move.text in keys:
            yield element("circle", cx=left + 66, cy=top + _ROW / 2, r=4.5, fill=keys[move.text])


def _cut(words: str) -> str:
    return words if len(words) <= _LONGEST_LINE else words[: _LONGEST_LINE - 2].rsplit(" ", 1)[0] + " …"


def _draw_legend(left: float, has_visits: bool) -> Iterator[str]:
    for at, (mark, word) in enumerate([("best", "best value"), ("most", "most visits")][: 1 + has_visits]):
        x = left + 110 * at
        box = {"x": x, "y": 68, "width": 10, "height": 10, "rx": 2}
        yield element("rect", **box, fill="none", stroke=MARKS[mark], stroke_width=3)
        yield text(word, x + 17, 73, 13, fill=FAINT, text_anchor="start")


def _draw_row(
    left: float, top: float, move: MoveAnalysis, label: str, marks: Sequence[str], most: int
) -> Iterator[str]:
    middle, right = top + _ROW / 2, left + PANEL - _RIGHT - GAP
    look: Attributes = {"fill": MARKS[marks[0]], "font_weight": "bold"} if marks else {"fill": INK}
    if most:
        share = (right - left + 12) * move.visits / most
        bar = {"x": left - 6, "y": top + 2, "rx": 3, "width": share, "height": _ROW - 5}
        yield element("rect", **bar, fill=_BAR, fill_opacity=0.65)
        yield text(f"{move.visits:,}", right, middle, 14, fill=INK, text_anchor="end")
    # a long capture is set smaller so that it does not run into its value
    size = min(16.0, 16.0 * 13 / max(1, len(move.text)))
    yield text(move.text, left, middle, size, **look, text_anchor="start")
    if label:
        yield text(label, left + 178 if most else right, middle, 15, **look, text_anchor="end")
