"""The analysis of a position: as JSON values, a table, a bar, and a live view while a tree grows.

The live view is an overlay on the board in a terminal, one line per update elsewhere.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from neche.cli.board import Note, Shown, draw_board
from neche.cli.output import counted, is_live, worth
from neche.games.game import Game, geometry_of
from neche.players.engine import Analysis, Engine, MoveAnalysis
from neche.report.analysis import counted_plies, heading_of, label_of, marks_of, short_count, subheading_of

_UNITS = {
    "playouts_per_second": ("playouts/s", 0),
    "boards_per_second": ("boards/s", 0),
    "mean_depth": ("mean depth", 1),
    "tree_depth": ("tree depth", 0),
    "mean_plies": ("plies a playout", 1),
}
PROVEN: dict[int | None, str] = {1: "win", 0: "draw", -1: "loss"}
"""How a game ends for the side to move, by `Analysis.proven`."""
_BAR_WIDTH = 20
_STYLES = {"best": "bold #4de3f2", "most": "bold #ff7b72"}
_PLAIN = "#ffffff"
_SHOWN_MOVES, _SHOWN_IN_A_LINE, _LIST_WIDTH = 14, 6, 30
_SECONDS_A_VIEW = 0.12


def analysis_values(found: Analysis, move: str) -> dict[str, Any]:
    """Return the JSON values of an analysis; `move` is the move played."""
    values = {
        "move": move,
        "value": found.value,
        "pv": line_of(found, move),
        "nodes": found.nodes,
        "proven": PROVEN.get(found.proven),
    }
    if not found.is_score:
        moves = [{"move": entry.text, "value": entry.value} for entry in found.ranked()]
        return {**values, "depth": found.depth, "seconds": found.seconds, "moves": moves}
    return {
        **values,
        "playouts": found.playouts,
        "seconds": found.seconds,
        "moves": [_move_values(entry) for entry in found.ranked()],
        "facts": dict(found.figures),
    }


def line_of(found: Analysis, move: str) -> list[str]:
    """Return the best line from a move on; only the first of equal moves has one, others stand alone."""
    return list(found.pv) if move == found.pv[0] else [move]


def _move_values(entry: MoveAnalysis) -> dict[str, Any]:
    values = {"move": entry.text, "value": entry.value, "visits": entry.visits}
    if entry.wins + entry.draws + entry.losses:
        values |= {"wins": entry.wins, "draws": entry.draws, "losses": entry.losses}
    return {**values, "low": entry.low, "high": entry.high}


def analysis_table(values: Mapping[str, Any], side: str) -> str:
    """Write the result of `analysis_values` as text for people."""
    return _score_table(values, side) if "facts" in values else _value_table(values, side)


def _value_table(values: Mapping[str, Any], side: str) -> str:
    rate = values["nodes"] / max(values["seconds"], 1e-9) / 1e6
    lines = [
        f"{side} to move: {values['move']}, {worth(values['value'])}{_proven(values)}",
        f"line: {' '.join(values['pv'])}",
        f"{values['nodes']} nodes, depth {values['depth']}, {values['seconds']:.2f} s, {rate:.2g} M nodes/s",
        "",
        *(f"  {entry['move']:12} {worth(entry['value'])}" for entry in values["moves"]),
    ]
    return "\n".join(lines)


def _proven(values: Mapping[str, Any]) -> str:
    """Write the result that solved endings prove, with plies to the end if the value does not tell them."""
    left = values.get("facts", {}).get("proven_plies")
    plies = "" if left is None else f": {counted_plies(left)} to the end"
    return f" ({values['proven']}, proven{plies})" if values["proven"] else plies and f", proven{plies}"


def _score_table(values: Mapping[str, Any], side: str) -> str:
    """Write expected scores: the moves with N and Q, as in the MCTS lab."""
    facts = values["facts"]
    figures = [f"{facts[key]:,.{digits}f} {unit}" for key, (unit, digits) in _UNITS.items() if key in facts]
    effort = f"{counted(values['playouts'], 'playout')}, " if values["playouts"] else ""
    has_counts = any("wins" in entry for entry in values["moves"])
    heading = f"{'N':>10}  {'move':12} {'Q':>7}   {'95 %':15}" + "      won   drawn    lost" * has_counts
    return "\n".join(
        [
            f"{side} to move: {values['move']}, expected score {values['value']:.4f}{_proven(values)}",
            f"line: {' '.join(values['pv'])}",
            effort + ", ".join([f"{values['seconds']:.2f} s", *figures]),
            "",
            heading.rstrip(),
            *map(_row, values["moves"]),
        ]
    )


def _row(entry: Mapping[str, Any]) -> str:
    interval = f"{entry['low']:.4f}–{entry['high']:.4f}"
    row = f"{entry['visits']:>10}  {entry['move']:12} {entry['value']:7.4f}   {interval:15}"
    if "wins" in entry:
        row += f" {entry['wins']:>8} {entry['draws']:>7} {entry['losses']:>7}"
    return row


def balance_bar(first: str, second: str, score: float) -> str:
    """Draw the score of the first side, 0 … 1, between the names of both.

    >>> balance_bar("Black", "White", 0.75)
    'Black ███████████████▁▁▁▁▁ White  0.75'
    """
    filled = round(_BAR_WIDTH * min(1.0, max(0.0, score)))
    return f"{first} {'█' * filled}{'▁' * (_BAR_WIDTH - filled)} {second}  {score:.2f}"


@contextmanager
def viewing(
    game: Game, position: Any, console: Console, *, is_patient: bool = False
) -> Iterator[Callable[[Analysis], None]]:
    """Yield a function that shows one analysis after the other; the last one stays on the terminal.

    is_patient: show each for a moment, even if the search is faster.
    """
    if not is_live(console):
        yield lambda found: console.out(write_line(found), highlight=False)
        return
    pause, next_at = _SECONDS_A_VIEW if is_patient else 0.0, time.monotonic()
    with Live(console=console, auto_refresh=False) as live:

        def show(found: Analysis) -> None:
            nonlocal next_at
            time.sleep(max(0.0, next_at - time.monotonic()))
            next_at = time.monotonic() + pause
            is_wide = console.width >= 5 * len(geometry_of(game).columns) + 8 + _LIST_WIDTH
            live.update(draw_view(game, position, found, is_wide=is_wide), refresh=True)

        yield show


def watch(
    engine: Engine, position: Any, key: int, show: Callable[[Analysis], None] = lambda found: None
) -> list[Analysis]:
    """Analyse a position; return the analyses after growing numbers of playouts, the final one last."""
    analyses: list[Analysis] = []

    def hear(found: Analysis) -> None:
        analyses.append(found)
        show(found)

    hear(engine.analyse(position, key=key, progress=hear))
    return analyses


def write_line(found: Analysis) -> str:
    """Write an analysis in one line: values of the most visited moves, visits in brackets.

    Moves keep the game's order, so that successive lines align.
    """
    order, ranked = [move.text for move in found.moves], found.ranked()
    words = [
        f"{move.text} {label_of(found, move) or '-':5} {f'({short_count(move.visits)})':6}"
        for move in sorted(ranked[:_SHOWN_IN_A_LINE], key=lambda move: order.index(move.text))
    ]
    more = " …" if len(ranked) > _SHOWN_IN_A_LINE else ""
    return f"{heading_of(found):>22}  {' '.join(words)}{more}".rstrip()


def draw_view(game: Game, position: Any, found: Analysis, *, is_wide: bool = True) -> RenderableType:
    """Draw the board with values in the squares of placements, and the list of moves.

    is_wide: side by side; otherwise the list is below.
    """
    geometry, marks = geometry_of(game), marks_of(found)
    notes = {}
    for move in found.moves:
        squares, count = geometry.squares_of(move.text), short_count(move.visits)
        if len(squares) == 1:
            style = _STYLES[marks[move.text][0]] if move.text in marks else _PLAIN
            # Without the 0 before the point or the last one of 1.000, values of neighbours do not touch.
            label = label_of(found, move).removeprefix("0")
            notes[squares[0]] = Note("1.00" if label == "1.000" else label, count, style)
    marked = [square for move in marks for square in geometry.squares_of(move) if square not in notes]
    board = draw_board(game, position, shown=Shown(marked=marked, notes=notes), in_colour=True)
    words = f"{heading_of(found)}, {subheading_of(found)}"
    heading = Text(words, style="bold", no_wrap=True, overflow="ellipsis")
    if not is_wide:
        return Group(heading, board, _list(found, marks))
    side_by_side = Table.grid(padding=(0, 1))
    side_by_side.add_row(board, _list(found, marks))
    return Group(heading, side_by_side)


def _list(found: Analysis, marks: dict[str, tuple[str, ...]]) -> RenderableType:
    rows = Table.grid(padding=(0, 2))
    for justify in ("left", "right", "right"):
        rows.add_column(justify=justify, no_wrap=True)
    for move in found.ranked()[:_SHOWN_MOVES]:
        style = _STYLES[marks[move.text][0]] if move.text in marks else ""
        rows.add_row(Text(move.text, style), Text(label_of(found, move), style), f"{move.visits:,}")
    legend = Text.assemble(("best value", _STYLES["best"]), "  ", ("most visits", _STYLES["most"]))
    return Group(legend, rows)
