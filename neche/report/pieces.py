"""Pieces as pictures: discs, men with a groove, kings with a crown."""

from neche.games.look import Look, Piece
from neche.report.svg import element, number

CELL = 60
"""Width of a square in units."""
_RADIUS = 23.0
_CROWN = ((-13, 9), (-15, -8), (-7, 0), (0, -12), (7, 0), (15, -8), (13, 9))
_LIGHT = {"body": "#FBF6EA", "edge": "#8F8470", "groove": "#D3C8B2", "crown": "#B8860B"}
_DARK = {"body": "#2E2B29", "edge": "#0E0D0C", "groove": "#5A5551", "crown": "#F2C14E"}


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
