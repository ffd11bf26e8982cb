"""A game on the page: the board as it ended, its moves, and all positions for a script to step through."""

from collections.abc import Iterator
from html import escape
from json import dumps
from typing import Any

from neche.games.catalogue import Game, look_of
from neche.games.look import Look, Piece
from neche.report.board import CELL, describe, draw_ground, draw_piece, extent
from neche.report.sample_games import SampleGame
from neche.report.svg import FONT, element, number

_LETTERS = {(0, False): "a", (0, True): "b", (1, False): "c", (1, True): "d"}
_NOTHING = "."
_TITLE = {1.0: "won", 0.5: "drawn", 0.0: "lost"}


def piece_symbols(rules: Game) -> str:
    """Return the pieces, drawn once for all boards of the page; nothing of it is seen."""
    look = look_of(rules)
    symbols = [
        element("g", draw_piece(0, 0, look, Piece(side, is_king)), id=f"piece-{letter}")
        for (side, is_king), letter in _LETTERS.items()
    ]
    return (
        f'<svg width="0" height="0" aria-hidden="true" class="symbols"><defs>{"".join(symbols)}</defs></svg>'
    )


def encode(look: Look, position: Any) -> str:
    """Write a position as one letter a square, in the order of the look's squares."""
    pieces = look.pieces(position)
    return "".join(
        _LETTERS[pieces[square].side, pieces[square].is_king] if square in pieces else _NOTHING
        for square in look.places
    )


def game_board(rules: Game, game: SampleGame, ply: int, *, title: str) -> str:
    """Draw the board after so many plies, seen by the champion, with pieces that a script can move."""
    look = look_of(rules)
    flipped = look.is_turned_for(game.side)
    width, height = extent(look)
    position = game.positions[ply]
    last_move = game.moves[ply - 1] if ply else None
    parts = ["".join(draw_ground(look, flipped))]
    parts.append(element("g", _last_move(look, last_move, flipped), class_="last"))
    parts.append(element("g", _pieces(look, position, flipped), class_="pieces"))
    label = f"{title}. {describe(rules, position, last_move)}"
    return element(
        "svg",
        "".join(parts),
        role="img",
        aria_label=label,
        viewBox=f"0 0 {width} {height}",
        width=420,
        height=420,
        font_family=FONT,
        data_flipped="1" if flipped else "0",
    )


def centres(look: Look, flipped: bool) -> list[tuple[float, float]]:
    """Return the middles of the squares in the order of the look, in units of the picture."""
    from neche.report.board import corner

    corners = (corner(look, square, flipped) for square in look.places)
    return [(x + CELL / 2, y + CELL / 2) for x, y in corners]


def _pieces(look: Look, position: Any, flipped: bool) -> str:
    letters = encode(look, position)
    return "".join(
        element("use", href=f"#piece-{letter}", x=x, y=y)
        for letter, (x, y) in zip(letters, centres(look, flipped), strict=True)
        if letter != _NOTHING
    )


def _last_move(look: Look, move: str | None, flipped: bool) -> str:
    places = dict(zip(look.places, centres(look, flipped), strict=True))
    boxes = []
    for square in look.squares_of(move or ""):
        x, y = places[square]
        box = {"x": x - CELL / 2, "y": y - CELL / 2, "width": CELL, "height": CELL}
        boxes.append(element("rect", **box, fill="#FFE066", fill_opacity=0.5))
    return "".join(boxes)


def script_data(rules: Game, game: SampleGame) -> str:
    """Return the positions for the script: JSON that is safe inside an element of a page."""
    look = look_of(rules)
    flipped = look.is_turned_for(game.side)
    numbers = {square: at for at, square in enumerate(look.places)}
    values = {
        "centres": [[float(number(x)), float(number(y))] for x, y in centres(look, flipped)],
        "boards": [encode(look, position) for position in game.positions],
        "moves": list(game.moves),
        "squares": [[numbers[square] for square in look.squares_of(move)] for move in game.moves],
        "cell": CELL,
    }
    return dumps(values, separators=(",", ":")).replace("<", "\\u003c")


def heading(rules: Game, game: SampleGame) -> str:
    """Say who won in how many plies."""
    result = f"{_TITLE[game.points].capitalize()} as {rules.sides[game.side]}"
    return f"{result} against {game.opponent}, {len(game.moves)} plies"


def game_section(rules: Game, game: SampleGame, number_: int) -> str:
    """Write a game as a part of the page."""
    name = f"game-{number_}"
    title = f"Game {number_}, final position"
    caption = escape(f"{heading(rules, game)}. The first {game.opening} plies are random.")
    buttons = "".join(
        f'<button type="button" data-go="{step}" aria-label="{label}">{sign}</button>'
        for step, label, sign in (
            ("first", "to the beginning", "|&lt;"),
            ("back", "one move back", "&lt;"),
            ("forward", "one move forward", "&gt;"),
            ("last", "to the end", "&gt;|"),
        )
    )
    return (
        f'<figure class="game" id="{name}" tabindex="0" aria-labelledby="{name}-caption">'
        f'<figcaption id="{name}-caption">{caption}</figcaption>'
        f'<div class="play"><div class="stage">{game_board(rules, game, len(game.moves), title=title)}'
        f'<div class="buttons" role="group" aria-label="step through the game" hidden>{buttons}'
        f'<output aria-live="polite">ply {len(game.moves)} of {len(game.moves)}</output></div></div>'
        f'<ol class="moves">{"".join(_move_list(game))}</ol></div>'
        f'<script type="application/json">{script_data(rules, game)}</script></figure>'
    )


def _move_list(game: SampleGame) -> Iterator[str]:
    """Yield one item a full move: both sides' plies."""
    for begin in range(0, len(game.moves), 2):
        plies = (_ply(game, at) for at in range(begin, min(begin + 2, len(game.moves))))
        yield f"<li>{' '.join(plies)}</li>"


def _ply(game: SampleGame, at: int) -> str:
    look = ' class="random"' if at < game.opening else ""
    return f'<span data-ply="{at + 1}"{look}>{escape(game.moves[at])}</span>'
