"""A board as a picture: SVG to be used alone or in a page, light or dark.

It knows only the `BoardGeometry` of a game. Squares have the names used in moves: 22 in checkers, d3 in
Othello.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from neche.errors import InputError, suggestion
from neche.games.game import Game, geometry_of
from neche.games.geometry import BoardGeometry, Piece
from neche.report.svg import (
    Attributes,
    document,
    element,
    number,
    numeral,
    points,
    shade_of,
    span_of,
    text,
    text_colour,
)

CELL = 60
"""Width of a square in units."""
FRAME = 26
"""Width of the frame that carries the coordinates, in units."""
DEFAULT_SIZE = 420
MARKS = {"best": "#00C2D6", "most": "#FF4D4F", "selected": "#FFD43B", "legal": "#FFFFFF"}
"""Marks and their colours. best, most, selected: a frame. legal: a spot where a piece may move."""

_WOOD = {"frame": "#4A3326", "label": "#E9D8BD", "light": "#EBD8B6", "dark": "#A97B54", "line": "#4A3326"}
_CLOTH = {"frame": "#1E3329", "label": "#CFE3D6", "light": "#3B8A5E", "dark": "#3B8A5E", "line": "#1F5238"}
_LIGHT_PIECE = {"body": "#FBF6EA", "edge": "#8F8470", "groove": "#D3C8B2", "crown": "#B8860B"}
_DARK_PIECE = {"body": "#2E2B29", "edge": "#0E0D0C", "groove": "#5A5551", "crown": "#F2C14E"}
_ARROW = "#1C7ED6"
_RADIUS = 23.0
_CROWN = ((-13, 9), (-15, -8), (-7, 0), (0, -12), (7, 0), (15, -8), (13, 9))


@dataclass(frozen=True)
class Overlay:
    """What is drawn on a board besides its pieces.

    marks: by square, or by move of several squares (its arrow): one or more of `MARKS`. values: by square, a
    number that is written in the square and gives its colour between the ends of `span`. span: of the values;
    None for the smallest that holds them all, symmetric about zero if some are negative. labels: by square,
    the lines written in it instead of its value. arrows: by move, its weight from 0 to 1. last_move: its
    squares are tinted.
    """

    marks: Mapping[str, str | Sequence[str]]
    values: Mapping[str, float]
    labels: Mapping[str, str | Sequence[str]]
    arrows: Mapping[str, float]
    last_move: str | None = None
    span: tuple[float, float] | None = None


NOTHING = Overlay({}, {}, {}, {})


class BoardView(NamedTuple):
    """The places of a board's squares in its picture, in units.

    flipped: turned by 180 degrees. has_names: squares show their names if the frame does not.
    """

    geometry: BoardGeometry
    flipped: bool = False
    has_names: bool = True

    @property
    def extent(self) -> tuple[int, int]:
        """Width and height of the board with its frame."""
        return CELL * len(self.geometry.columns) + 2 * FRAME, CELL * len(self.geometry.rows) + 2 * FRAME

    def corner(self, square: str) -> tuple[float, float]:
        """Return the top left corner of a square."""
        column, row = self.geometry.places[square]
        if self.flipped:
            column, row = len(self.geometry.columns) - 1 - column, len(self.geometry.rows) - 1 - row
        return FRAME + CELL * column, FRAME + CELL * row

    def middle(self, square: str) -> tuple[float, float]:
        """Return the middle of a square."""
        x, y = self.corner(square)
        return x + CELL / 2, y + CELL / 2

    def box(self, square: str, inset: float = 0) -> dict[str, float]:
        """Return a square as the attributes of a rectangle, smaller by `inset` on every side."""
        x, y = self.corner(square)
        return {"x": x + inset, "y": y + inset, "width": CELL - 2 * inset, "height": CELL - 2 * inset}


def board_svg(
    game: Game,
    position: Any | None,
    *,
    marks: Mapping[str, str | Sequence[str]] | None = None,
    values: Mapping[str, float] | None = None,
    span: tuple[float, float] | None = None,
    labels: Mapping[str, str | Sequence[str]] | None = None,
    arrows: Mapping[str, float] | None = None,
    last_move: str | None = None,
    flipped: bool = False,
    size: float = DEFAULT_SIZE,
    title: str | None = None,
) -> str:
    """Draw a position as SVG; equal arguments give equal text.

    position: None for a board without pieces. marks, values, span, labels, arrows, last_move: see `Overlay`.
    flipped: turned by 180 degrees. size: width in pixels if there is room. title: replaces the game and the
    side to move as the picture's title, which screen readers read and browsers show as a tooltip. InputError
    if the game has no geometry, a square is not on the board, or a mark is unknown.
    """
    view = BoardView(geometry_of(game), flipped)
    overlay = Overlay(marks or {}, values or {}, labels or {}, arrows or {}, last_move, span)
    check(view.geometry, overlay)
    side = "" if position is None else f", {game.side_to_move(position)} to move"
    return document(
        *view.extent,
        [*draw_ground(view), *draw_overlay(view, position, overlay)],
        title=title or f"{game.name.capitalize()}{side}",
        description=describe(game, position, last_move),
        size=size,
    )


def describe(game: Game, position: Any | None, last_move: str | None = None) -> str:
    """Say in words which pieces stand where, for readers who cannot see the picture.

    >>> from neche.games.catalogue import game
    >>> describe(game("othello"), game("othello").start(), "e6")
    'Black: d5, e4. White: d4, e5. Last move: e6.'
    """
    geometry, words = geometry_of(game), []
    pieces = {} if position is None else geometry.pieces(position)
    for side, name in enumerate(game.sides):
        for is_king, kind in ((False, ""), (True, " kings")):
            squares = [square for square in geometry.places if pieces.get(square) == (side, is_king)]
            if squares:
                squares.sort(key=lambda square: (int(square) if square.isdecimal() else 0, square))
                words.append(f"{name}{kind}: {', '.join(squares)}.")
    return " ".join([*(words or ["An empty board."]), *([f"Last move: {last_move}."] if last_move else [])])


def check(geometry: BoardGeometry, overlay: Overlay) -> None:
    """Raise InputError if a square is not on the board, a move names no square, or a mark is unknown."""
    for square in (*overlay.values, *overlay.labels):
        if square not in geometry.places:
            raise InputError(f"no square {square!r} on this board")
    for move in (*overlay.marks, *overlay.arrows, *([overlay.last_move] if overlay.last_move else [])):
        if not geometry.squares_of(move) and move != "pass":
            raise InputError(f"{move!r} names no square of this board")
    for mark in (mark for marks in overlay.marks.values() for mark in _each(marks)):
        if mark not in MARKS:
            raise InputError(f"unknown mark {mark!r}{suggestion(mark, MARKS)}")


def _each(words: str | Sequence[str]) -> tuple[str, ...]:
    return (words,) if isinstance(words, str) else tuple(words)


def draw_ground(view: BoardView) -> Iterator[str]:
    """Draw frame, coordinates and squares."""
    geometry = view.geometry
    colours = _WOOD if geometry.is_checkered else _CLOTH
    width, height = view.extent
    yield element("rect", width=width, height=height, rx=10, fill=colours["frame"])
    inner = {"x": FRAME, "y": FRAME, "width": width - 2 * FRAME, "height": height - 2 * FRAME}
    yield element("rect", **inner, fill=colours["light"])
    if geometry.is_checkered:
        corners = map(view.corner, geometry.places)
        squares = "".join(f"M{number(x)} {number(y)}h{CELL}v{CELL}h-{CELL}z" for x, y in corners)
        yield element("path", d=squares, fill=colours["dark"])
    else:
        yield from _draw_lines(view, colours["line"])
    yield element("g", _coordinates(view), fill=colours["label"])
    if names := _names(view, geometry.places):
        yield element("g", names, fill=colours["light"], fill_opacity=0.85)


def _draw_lines(view: BoardView, colour: str) -> Iterator[str]:
    columns, rows = len(view.geometry.columns), len(view.geometry.rows)
    width, height = view.extent
    across = "".join(f"M{FRAME} {FRAME + CELL * at}H{width - FRAME}" for at in range(rows + 1))
    down = "".join(f"M{FRAME + CELL * at} {FRAME}V{height - FRAME}" for at in range(columns + 1))
    yield element("path", d=across + down, stroke=colour, stroke_width=2, fill="none")
    for column, row in view.geometry.dots:
        if view.flipped:
            column, row = columns - column, rows - row
        yield element("circle", cx=FRAME + CELL * column, cy=FRAME + CELL * row, r=4.5, fill=colour)


def _coordinates(view: BoardView) -> Iterator[str]:
    width, height = view.extent
    step = -1 if view.flipped else 1
    for at, label in enumerate(view.geometry.columns[::step]):
        for y in (FRAME / 2, height - FRAME / 2):
            yield text(label, FRAME + CELL * (at + 0.5), y, 16)
    for at, label in enumerate(view.geometry.rows[::step]):
        for x in (FRAME / 2, width - FRAME / 2):
            yield text(label, x, FRAME + CELL * (at + 0.5), 16)


def _names(view: BoardView, squares: Iterable[str], **look: str) -> list[str]:
    """Write the names of squares into them, unless these are the coordinates around the board."""
    if not view.has_names or all(name == place for name, place in view.geometry.coordinates.items()):
        return []
    corners = ((square, *view.corner(square)) for square in squares)
    return [text(square, x + 3, y + 8, 11.5, text_anchor="start", **look) for square, x, y in corners]


def draw_overlay(view: BoardView, position: Any | None, overlay: Overlay) -> Iterator[str]:
    """Draw the pieces and the overlay."""
    geometry = view.geometry
    pieces = {} if position is None else geometry.pieces(position)
    span = overlay.span or span_of(overlay.values.values())
    shades = {square: shade_of(value, span) for square, value in overlay.values.items()}
    yield from tint_squares(view, overlay.last_move)
    for square, shade in shades.items():
        yield element("rect", **view.box(square, 2), rx=4, fill=shade)
        yield from _names(view, [square], fill=text_colour(shade))
    for square, piece in pieces.items():
        yield draw_piece(*view.middle(square), geometry, piece)
    yield from _draw_marks(view, overlay)
    yield from _draw_arrows(view, overlay)
    lines = {square: (numeral(value, "z.2f"),) for square, value in overlay.values.items()}
    for square, words in {**lines, **overlay.labels}.items():
        yield from _write(view, square, _each(words), None if square in pieces else shades.get(square))


def tint_squares(view: BoardView, move: str | None) -> Iterator[str]:
    """Tint the squares of the last move, if there is one."""
    for square in view.geometry.squares_of(move or ""):
        yield element("rect", **view.box(square), fill="#FFE066", fill_opacity=0.5)


def draw_piece(x: float, y: float, geometry: BoardGeometry, piece: Piece) -> str:
    """Draw a piece centred at (x, y): a disc; a man has a groove, a king a crown."""
    colours = _DARK_PIECE if geometry.is_dark[piece.side] else _LIGHT_PIECE
    disc: Attributes = {"cx": x, "cy": y, "r": _RADIUS, "fill": colours["body"]}
    parts = [
        element("circle", cx=x, cy=y + 2.5, r=_RADIUS, fill="#000000", fill_opacity=0.3),
        element("circle", **disc, stroke=colours["edge"], stroke_width=1.5),
    ]
    if piece.is_king:
        crown = points((x + across, y + down) for across, down in _CROWN)
        parts.append(element("polygon", points=crown, fill=colours["crown"], stroke_linejoin="round"))
    if geometry.is_checkered:
        groove = {"r": _RADIUS - 3.5 if piece.is_king else 0.62 * _RADIUS, "stroke_width": 2.0}
        parts.append(element("circle", cx=x, cy=y, **groove, fill="none", stroke=colours["groove"]))
    return "".join(parts)


def _draw_marks(view: BoardView, overlay: Overlay) -> Iterator[str]:
    for move, marks in overlay.marks.items():
        inset = 2.5
        for square in view.geometry.squares_of(move)[-1:]:
            x, y = view.middle(square)
            for mark in _each(marks):
                if mark == "legal":
                    yield element("circle", cx=x, cy=y, r=8, fill_opacity=0.55, fill=MARKS[mark])
                    continue
                frame: Attributes = {"rx": 4, "fill": "none", "stroke": MARKS[mark], "stroke_width": 4}
                yield element("rect", **view.box(square, inset), **frame)
                inset += 4


def _draw_arrows(view: BoardView, overlay: Overlay) -> Iterator[str]:
    # heavier arrows are drawn later, so that they lie on top
    for move, weight in sorted(overlay.arrows.items(), key=lambda item: item[1]):
        way = list(map(view.middle, view.geometry.squares_of(move)))
        if len(way) > 1:
            colour = MARKS.get(next(iter(_each(overlay.marks.get(move, "")))), _ARROW)
            yield _arrow(way, max(0.0, min(1.0, weight)), colour)


def _arrow(way: list[tuple[float, float]], weight: float, colour: str) -> str:
    (x0, y0), (x1, y1) = way[-2:]
    width, opacity = 4 + 8 * weight, 0.35 + 0.55 * weight
    line: Attributes = {"fill": "none", "stroke": colour, "stroke_width": width, "stroke_linejoin": "round"}
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    if length == 0:  # a king whose capture ends where it began
        return element("circle", cx=x1, cy=y1, r=_RADIUS, **line, opacity=opacity)
    along = (x1 - x0) / length, (y1 - y0) / length
    # the shaft ends at the neck of the head, so that its blunt end does not show at the tip
    head = 10 + 1.6 * width
    neck = x1 - head * along[0], y1 - head * along[1]
    wing = 0.55 * head * along[1], 0.55 * head * along[0]
    tip = [(x1, y1), (neck[0] - wing[0], neck[1] + wing[1]), (neck[0] + wing[0], neck[1] - wing[1])]
    shaft = element("polyline", points=points([*way[:-1], neck]), **line)
    return element("g", [shaft, element("polygon", points=points(tip), fill=colour)], opacity=opacity)


def _write(view: BoardView, square: str, lines: Sequence[str], shade: str | None) -> Iterator[str]:
    """Write lines into a square. shade: the colour behind them; None for a piece or the bare board."""
    look: Attributes = (
        {"fill": text_colour(shade)}
        if shade
        else {"fill": "#FFFFFF", "paint_order": "stroke", "stroke": "#000000", "stroke_width": 3}
    )
    x, y = view.middle(square)
    for at, line in enumerate(filter(None, lines)):
        # long words are set smaller so that they stay within the square
        size = min(14.0 if at else 16.5, 1.7 * (CELL - 8) / max(1, len(line)))
        weight: Attributes = {} if at else {"font_weight": "bold"}
        yield text(line, x, y + 19 * (at - (len(lines) - 1) / 2), size, **look, **weight)
