"""A search watched while it thinks: values over the board on a terminal, a line now and then elsewhere."""

import time
from collections.abc import Callable
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from neche.cli.board import Note, Shown, draw_board
from neche.games.catalogue import Game, geometry_of
from neche.players.engine import Analysis, Engine
from neche.report.thinking import verdict_of
from neche.report.verdict import MoveValue, Verdict, marks_of, short_count

_STYLES = {"best": "bold #4de3f2", "most": "bold #ff7b72"}
_PLAIN = "#ffffff"
_SHOWN_MOVES, _SHOWN_IN_A_LINE, _LIST_WIDTH = 14, 6, 30
_SECONDS_A_VIEW = 0.12


class View:
    """Shows one analysis after the other; a context that leaves the last one on the terminal.

    is_patient: let each be seen for a moment, also where the search would be faster.
    """

    def __init__(
        self,
        game: Game,
        position: Any,
        console: Console,
        *,
        is_patient: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._game, self._position, self._console = game, position, console
        self._pause, self._clock = _SECONDS_A_VIEW if is_patient else 0.0, clock
        self._next_at = clock()
        self._live = Live(console=console, auto_refresh=False) if console.is_terminal else None

    def __enter__(self) -> "View":
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def show(self, found: Analysis) -> None:
        """Show what is known now."""
        verdict = verdict_of(found)
        if self._live is None:
            self._console.out(write_line(verdict, [move.text for move in found.moves]), highlight=False)
            return
        time.sleep(max(0.0, self._next_at - self._clock()))
        self._next_at = self._clock() + self._pause
        is_wide = self._console.width >= 5 * len(geometry_of(self._game).columns) + 8 + _LIST_WIDTH
        self._live.update(draw_view(self._game, self._position, verdict, is_wide=is_wide), refresh=True)


def open_view(game: Game, position: Any, *, to_stderr: bool, is_patient: bool) -> View:
    """Return a view on standard output, or on standard error where the output is for scripts."""
    console = Console(stderr=to_stderr, highlight=False, soft_wrap=True)
    return View(game, position, console, is_patient=is_patient)


def watch(
    engine: Engine, position: Any, key: int, show: Callable[[Analysis], None] | None = None
) -> list[Analysis]:
    """Analyse a position; return what was known after growing numbers of playouts, and at the end."""
    told: list[Analysis] = []

    def hear(found: Analysis) -> None:
        told.append(found)
        if show is not None:
            show(found)

    hear(engine.analyse(position, key=key, progress=hear))
    return told


def write_line(verdict: Verdict, order: list[str]) -> str:
    """Write what is known now in one line: values of the most visited moves, visits in brackets.

    order: of the moves, so that equal moves stand one below the other.
    """
    most = sorted(verdict.moves[:_SHOWN_IN_A_LINE], key=lambda move: order.index(move.text))
    words = [f"{move.text} {move.label or '-':5} {f'({short_count(move.visits or 0)})':6}" for move in most]
    more = " …" if len(verdict.moves) > _SHOWN_IN_A_LINE else ""
    return f"{verdict.heading:>22}  {' '.join(words)}{more}".rstrip()


def draw_view(game: Game, position: Any, verdict: Verdict, *, is_wide: bool = True) -> RenderableType:
    """Draw the board with the values of squares where something is put, and the list of moves.

    is_wide: side by side; otherwise the list is below.
    """
    geometry, marks = geometry_of(game), marks_of(verdict)
    notes = {
        geometry.squares_of(move.text)[0]: Note(
            move.label, short_count(move.visits or 0), _style(move, marks)
        )
        for move in verdict.moves
        if len(geometry.squares_of(move.text)) == 1
    }
    marked = [square for move in marks for square in geometry.squares_of(move) if square not in notes]
    board = draw_board(game, position, shown=Shown(marked=marked, notes=notes), in_colour=True)
    heading = Text(f"{verdict.heading}, {verdict.below}", style="bold", no_wrap=True, overflow="ellipsis")
    if not is_wide:
        return Group(heading, board, _list(verdict, marks))
    side_by_side = Table.grid(padding=(0, 1))
    side_by_side.add_row(board, _list(verdict, marks))
    return Group(heading, side_by_side)


def _style(move: MoveValue, marks: dict[str, tuple[str, ...]]) -> str:
    return _STYLES[marks[move.text][0]] if move.text in marks else _PLAIN


def _list(verdict: Verdict, marks: dict[str, tuple[str, ...]]) -> RenderableType:
    rows = Table.grid(padding=(0, 2))
    for justify in ("left", "right", "right"):
        rows.add_column(justify=justify, no_wrap=True)
    for move in verdict.moves[:_SHOWN_MOVES]:
        style = _STYLES[marks[move.text][0]] if move.text in marks else ""
        rows.add_row(Text(move.text, style), Text(move.label, style), f"{move.visits or 0:,}")
    legend = Text.assemble(("best value", _STYLES["best"]), "  ", ("most visits", _STYLES["most"]))
    return Group(legend, rows)
