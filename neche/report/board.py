"""A board as a picture: SVG that stands alone, or in a page, light or dark.

All it knows of a game is its `Look`. Squares are called as moves call them: 22 in checkers, d3 in Othello.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from neche.errors import InputError, suggestion
from neche.games.catalogue import Game, look_of
from neche.games.look import Look, Piece
from neche.report.svg import document, element, number, shade_of, span_of, text, text_colour

CELL = 60
"""Width of a square in units."""
FRAME = 26
"""Width of the frame that carries the coordinates, in units."""
DEFAULT_SIZE = 420
MARKS = {"best": "#00C2D6", "most": "#FF4D4F", "selected": "#FFD43B", "legal": "#FFFFFF"}
"""Marks and their colours. best, most, selected: a frame. legal: a spot where a piece may go."""

_WOOD = {"frame": "#4A3326", "label": "#E9D8BD", "light": "#EBD8B6", "dark": "#A97B54", "line": "#4A3326"}
_CLOTH = {"frame": "#1E3329", "label": "#CFE3D6", "light": "#3B8A5E", "dark": "#3B8A5E", "line": "#1F5238"}
_LAST_MOVE = "#FFE066"
_ARROW = "#1C7ED6"
_RADIUS = 23.0
_CROWN = ((-13, 9), (-15, -8), (-7, 0), (0, -12), (7, 0), (15, -8), (13, 9))
_LIGHT = {"body": "#FBF6EA", "edge": "#8F8470", "groove": "#D3C8B2", "crown": "#B8860B"}
_DARK = {"body": "#2E2B29", "edge": "#0E0D0C", "groove": "#5A5551", "crown": "#F2C14E"}


@dataclass(frozen=True)
class Overlay:
    """What is drawn on a board besides its pieces.

    marks: a square, or a move of several squares (its arrow), and one or more of `MARKS`. values: a square
    and a number, shown as a colour between those of the ends of `span`, and written in it. span: of the
    values; None for one that holds them all, the same on both sides of zero if some are negative. labels: a
    square and what is written in it instead of its value, a line each. arrows: a move and how much it
    matters, 0 to 1. last_move: its squares are tinted.
    """

    marks: Mapping[str, str | Sequence[str]]
    values: Mapping[str, float]
    labels: Mapping[str, str | Sequence[str]]
    arrows: Mapping[str, float]
    last_move: str | None = None
    span: tuple[float, float] | None = None


NOTHING = Overlay({}, {}, {}, {})


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
    flipped: turned by 180 degrees. size: width in pixels where there is room. title: what the picture is
    called instead of the game and who is to move; read out and shown by a resting pointer.

    Raises:
        InputError: the game has no look, a square is not on the board, or a mark is unknown.
    """
    look = look_of(game)
    overlay = Overlay(marks or {}, values or {}, labels or {}, arrows or {}, last_move, span)
    check(look, overlay)
    width, height = extent(look)
    body = [*draw_ground(look, flipped), *draw_overlay(game, position, overlay, flipped)]
    side = "" if position is None else f", {game.side_to_move(position)} to move"
    return document(
        width,
        height,
        body,
        title=title or f"{game.name.capitalize()}{side}",
        description=describe(game, position, last_move),
        size=size,
    )


def extent(look: Look) -> tuple[int, int]:
    """Return width and height of a board with its frame, in units."""
    return CELL * len(look.columns) + 2 * FRAME, CELL * len(look.rows) + 2 * FRAME


def describe(game: Game, position: Any | None, last_move: str | None = None) -> str:
    """Say in words what stands where, for those who do not see the picture.

    >>> from neche.games.catalogue import game
    >>> describe(game("othello"), game("othello").start(), "e6")
    'Black: d5, e4. White: d4, e5. Last move: e6.'
    """
    look, words = look_of(game), []
    pieces = {} if position is None else look.pieces(position)
    for side, name in enumerate(game.sides):
        for is_king, kind in ((False, ""), (True, " kings")):
            squares = [square for square in look.places if pieces.get(square) == (side, is_king)]
            if squares:
                words.append(f"{name}{kind}: {', '.join(sorted(squares, key=_in_order))}.")
    return " ".join([*(words or ["An empty board."]), *([f"Last move: {last_move}."] if last_move else [])])


def _in_order(square: str) -> tuple[int, str]:
    return int(square) if square.isdecimal() else 0, square


def check(look: Look, overlay: Overlay) -> None:
    """Raise InputError if a square is not on the board, a move names no square, or a mark is unknown."""
    for square in (*overlay.values, *overlay.labels):
        if square not in look.places:
            raise InputError(f"no square {square!r} on this board")
    for move in (*overlay.marks, *overlay.arrows, *([overlay.last_move] if overlay.last_move else [])):
        if not look.squares_of(move) and move != "pass":
            raise InputError(f"{move!r} names no square of this board")
    for mark in (mark for marks in overlay.marks.values() for mark in _each(marks)):
        if mark not in MARKS:
            raise InputError(f"unknown mark {mark!r}{suggestion(mark, MARKS)}")


def _each(words: str | Sequence[str]) -> tuple[str, ...]:
    return (words,) if isinstance(words, str) else tuple(words)


def corner(look: Look, square: str, flipped: bool) -> tuple[float, float]:
    """Return the top left corner of a square in the picture, in units."""
    column, row = look.places[square]
    if flipped:
        column, row = len(look.columns) - 1 - column, len(look.rows) - 1 - row
    return FRAME + CELL * column, FRAME + CELL * row


def _middle(look: Look, square: str, flipped: bool) -> tuple[float, float]:
    x, y = corner(look, square, flipped)
    return x + CELL / 2, y + CELL / 2


def draw_ground(look: Look, flipped: bool) -> list[str]:
    """Draw frame, coordinates and squares."""
    colours = _WOOD if look.is_checkered else _CLOTH
    width, height = extent(look)
    inner = {"x": FRAME, "y": FRAME, "width": width - 2 * FRAME, "height": height - 2 * FRAME}
    parts = [
        element("rect", width=width, height=height, rx=10, fill=colours["frame"]),
        element("rect", **inner, fill=colours["light"]),
    ]
    if look.is_checkered:
        corners = [corner(look, square, flipped) for square in look.places]
        squares = "".join(f"M{number(x)} {number(y)}h{CELL}v{CELL}h-{CELL}z" for x, y in corners)
        parts.append(element("path", d=squares, fill=colours["dark"]))
    else:
        parts += _lines(look, colours["line"], flipped)
    return [*parts, *_labels(look, colours["label"], flipped), *_names(look, colours["light"], flipped)]


def _lines(look: Look, colour: str, flipped: bool) -> list[str]:
    width, height = extent(look)
    across = "".join(f"M{FRAME} {FRAME + CELL * at}H{width - FRAME}" for at in range(len(look.rows) + 1))
    down = "".join(f"M{FRAME + CELL * at} {FRAME}V{height - FRAME}" for at in range(len(look.columns) + 1))
    parts = [element("path", d=across + down, stroke=colour, stroke_width=2, fill="none")]
    for column, row in look.dots:
        at = (len(look.columns) - column, len(look.rows) - row) if flipped else (column, row)
        parts.append(element("circle", cx=FRAME + CELL * at[0], cy=FRAME + CELL * at[1], r=4.5, fill=colour))
    return parts


def _labels(look: Look, colour: str, flipped: bool) -> list[str]:
    width, height = extent(look)
    step = -1 if flipped else 1
    parts = []
    for at, label in enumerate(look.columns[::step]):
        x = FRAME + CELL * (at + 0.5)
        parts += [text(label, x, y, 16) for y in (FRAME / 2, height - FRAME / 2)]
    for at, label in enumerate(look.rows[::step]):
        y = FRAME + CELL * (at + 0.5)
        parts += [text(label, x, y, 16) for x in (FRAME / 2, width - FRAME / 2)]
    return [element("g", "".join(parts), fill=colour)]


def _names(look: Look, colour: str, flipped: bool) -> list[str]:
    """Write the names of squares into them, where they are not the coordinates around the board anyhow."""
    if all(name == coordinates for name, coordinates in look.coordinates.items()):
        return []
    parts = []
    for square in look.places:
        x, y = corner(look, square, flipped)
        parts.append(text(square, x + 3, y + 8, 11.5, text_anchor="start"))
    return [element("g", "".join(parts), fill=colour, fill_opacity=0.85)]


def draw_overlay(game: Game, position: Any | None, overlay: Overlay, flipped: bool) -> list[str]:
    """Draw pieces and all that is shown besides them."""
    look = look_of(game)
    pieces = {} if position is None else look.pieces(position)
    parts = []
    for square in look.squares_of(overlay.last_move or ""):
        x, y = corner(look, square, flipped)
        box = {"x": x, "y": y, "width": CELL, "height": CELL}
        parts.append(element("rect", **box, fill=_LAST_MOVE, fill_opacity=0.5))
    parts += _heat(look, overlay, flipped)
    for square, piece in pieces.items():
        parts.append(draw_piece(*_middle(look, square, flipped), look, piece))
    parts += _marks(look, overlay, flipped)
    parts += _arrows(look, overlay, flipped)
    return [*parts, *_writing(look, overlay, set(pieces), flipped)]


def draw_piece(x: float, y: float, look: Look, piece: Piece) -> str:
    """Draw a piece with its middle at (x, y)."""
    colours = _DARK if look.is_dark[piece.side] else _LIGHT
    parts = [
        element("circle", cx=x, cy=y + 2.5, r=_RADIUS, fill="#000000", fill_opacity=0.3),
        element(
            "circle", cx=x, cy=y, r=_RADIUS, fill=colours["body"], stroke=colours["edge"], stroke_width=1.5
        ),
    ]
    if piece.is_king:
        points = " ".join(f"{number(x + across)},{number(y + down)}" for across, down in _CROWN)
        parts.append(element("polygon", points=points, fill=colours["crown"], stroke_linejoin="round"))
    if look.is_checkered:
        radius = _RADIUS - 3.5 if piece.is_king else 0.62 * _RADIUS
        groove: dict[str, str | float] = {"fill": "none", "stroke": colours["groove"], "stroke_width": 2}
        parts.append(element("circle", cx=x, cy=y, r=radius, **groove))
    return "".join(parts)


def _heat(look: Look, overlay: Overlay, flipped: bool) -> list[str]:
    span = overlay.span or span_of(overlay.values.values())
    parts = []
    for square, value in overlay.values.items():
        x, y = corner(look, square, flipped)
        box = {"x": x + 2, "y": y + 2, "width": CELL - 4, "height": CELL - 4, "rx": 4}
        parts.append(element("rect", **box, fill=shade_of(value, span)))
    return parts


def _writing(look: Look, overlay: Overlay, occupied: set[str], flipped: bool) -> list[str]:
    span = overlay.span or span_of(overlay.values.values())
    lines: dict[str, tuple[str, ...]] = {
        square: (f"{value:.2f}".replace("-", "−"),) for square, value in overlay.values.items()
    }
    lines |= {square: _each(label) for square, label in overlay.labels.items()}
    parts = []
    for square, words in lines.items():
        x, y = _middle(look, square, flipped)
        colour = "#FFFFFF"
        outline: dict[str, str | float] = {"paint_order": "stroke", "stroke": "#000000", "stroke_width": 3}
        if square in overlay.values and square not in occupied:
            colour, outline = text_colour(shade_of(overlay.values[square], span)), {}
        for at, word in enumerate(filter(None, words)):
            height = 16.5 if at == 0 else 14.0
            # long words become narrower rather than leave the square
            size = min(height, 1.7 * (CELL - 8) / max(1, len(word)))
            middle = y + 19 * (at - (len(words) - 1) / 2)
            weight: dict[str, str | float] = {"font_weight": "bold"} if at == 0 else {}
            parts.append(text(word, x, middle, size, fill=colour, **outline, **weight))
    return parts


def _marks(look: Look, overlay: Overlay, flipped: bool) -> list[str]:
    parts = []
    for move, marks in overlay.marks.items():
        squares = look.squares_of(move)
        if not squares:
            continue
        x, y = corner(look, squares[-1], flipped)
        inset = 2.5
        for mark in _each(marks):
            if mark == "legal":
                spot = {"cx": x + CELL / 2, "cy": y + CELL / 2, "r": 8, "fill_opacity": 0.55}
                parts.append(element("circle", **spot, fill=MARKS[mark]))
                continue
            box = {"x": x + inset, "y": y + inset, "width": CELL - 2 * inset, "height": CELL - 2 * inset}
            parts.append(element("rect", **box, rx=4, fill="none", stroke=MARKS[mark], stroke_width=4))
            inset += 4
    return parts


def _arrows(look: Look, overlay: Overlay, flipped: bool) -> list[str]:
    parts = []
    # the heavier the later, so that it lies on top
    for move, weight in sorted(overlay.arrows.items(), key=lambda item: item[1]):
        points = [_middle(look, square, flipped) for square in look.squares_of(move)]
        if len(points) < 2:
            continue
        colour = MARKS.get(next(iter(_each(overlay.marks.get(move, "")))), _ARROW)
        parts.append(_arrow(points, max(0.0, min(1.0, weight)), colour))
    return parts


def _arrow(points: list[tuple[float, float]], weight: float, colour: str) -> str:
    (x0, y0), (x1, y1) = points[-2:]
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    along, width = ((x1 - x0) / length, (y1 - y0) / length), 4 + 8 * weight
    head = 10 + 1.6 * width
    neck = (x1 - head * along[0], y1 - head * along[1])
    wing = 0.55 * head
    ends = [
        (x1, y1),
        (neck[0] - wing * along[1], neck[1] + wing * along[0]),
        (neck[0] + wing * along[1], neck[1] - wing * along[0]),
    ]
    way = " ".join(f"{number(x)},{number(y)}" for x, y in [*points[:-1], neck])
    tip = " ".join(f"{number(x)},{number(y)}" for x, y in ends)
    line = element(
        "polyline", points=way, fill="none", stroke=colour, stroke_width=width, stroke_linejoin="round"
    )
    return element("g", line + element("polygon", points=tip, fill=colour), opacity=0.35 + 0.55 * weight)
