"""`neche watch`: follow a run on disk while another process continues it: curves, ladder, squares."""

import argparse
import math
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from neche.archive.checkpoint import crowned_score
from neche.archive.layout import RunLayout
from neche.archive.reading import newest_run, read_config, read_history, rotten_files
from neche.archive.resume import crowned_generation
from neche.archive.run import is_in_use
from neche.arena.probes import value_men
from neche.cli.arguments import Parser
from neche.cli.board import Note, Shown, draw_board
from neche.cli.evolve_panel import fitness_of, ladder_rows, short_figure, sparkline
from neche.cli.output import emit, is_live, remark
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.game import Game, geometry_of
from neche.network.packing import pack_networks
from neche.network.sensors import sensor_layout
from neche.players.source import network_of, read_source
from neche.storage import file_size

_CURVES = (
    *("fitness", "prediction_error", "live_synapses", "squares_seen", "hidden_neurons"),
    *("wired_distance", "evaluation_distance"),
)
_SIDE_BY_SIDE = 134
_PATIENCE = 3
"""Consecutive readings that may fail before the run counts as damaged."""


def add_watch_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche watch`."""
    parser.add_argument("run", metavar="RUN", nargs="?", help="run directory (default: the newest in runs/)")
    parser.add_switch("--once", "show the present state and exit")
    pause = "time between readings (default: 1)"
    parser.add_argument("--every", type=_seconds, metavar="SECONDS", help=pause)
    parser.add_seed("seed of the positions on which men are valued (default: 0)")


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0.05 <= (number := float(text.encode("ascii"))) <= 3600.0:
            return number
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0.05 to 3600")


class RunState(NamedTuple):
    """A run as it is on disk now.

    lines: of its history. champion: the crowned one, else the leader of the newest generation. worth: value
    of a man to it on each square, in weight units; squares on which no position had a man are left out.
    crowned: its scores, by player, if they are not the last ones of the history.
    """

    run: Path
    game: Game
    target: int
    lines: tuple[dict[str, Any], ...]
    champion: str
    worth: dict[str, float]
    crowned: dict[str, float]

    @property
    def ladder(self) -> dict[str, list[float]]:
        """Scores against each fixed player, oldest first; in a finished run, the last is its champion's."""
        scores: dict[str, list[float]] = {}
        for measured in (*(line.get("ladder", {}) for line in self.lines), self.crowned):
            for name, score in measured.items():
                scores.setdefault(name, []).append(score)
        return scores

    @property
    def measured(self) -> str | None:
        """The champion whose scores are the newest, which may lead no more; None if none was measured."""
        champions = (line.get("champion_id") for line in reversed(self.lines) if line.get("ladder"))
        return self.champion if self.crowned else next(champions, None)


def execute_watch(options: argparse.Namespace) -> None:
    """Show the run until it is finished or the command is interrupted."""
    is_once = options.json or options.once
    if is_once and options.every:
        remark(f"--every changes nothing with {'--once' if options.once else '--json'}")
    run = Path(options.run) if options.run else newest_run()
    remark(*read_history(run).notices[:5], *rotten_files(run))
    if is_once:
        state = read_state(run, options.seed or 0)
        if options.json or not sys.stdout.isatty():
            emit(options, _values(state), _text(state))
        else:
            console = Console(highlight=False, markup=False)
            console.print(draw_state(state, console.width, console.height))
        return
    _follow(run, options)


def read_state(run: Path, seed: int = 0) -> RunState:
    """Read a run as it is now; InputError if there is no run, or it is damaged."""
    settings = read_config(run).settings
    rules, lines = game(settings.games.game), read_history(run).lines
    # Values are shown for the crowned champion, else the leader; for nobody before the first games.
    is_led = bool(lines) and (lines[-1]["champion_id"] is not None or RunLayout(run).champions.exists())
    champion = _describe_champion(run, rules, seed, lines) if is_led else ("", {}, {})
    # The settings do not tell the target of a run that continued beyond them.
    target = max(settings.run.generations, lines[-1]["generation"] if lines else 0)
    return RunState(run, rules, target, lines, *champion)


def _describe_champion(
    run: Path, rules: Game, seed: int, lines: Sequence[dict[str, Any]]
) -> tuple[str, dict[str, float], dict[str, float]]:
    layout, record = sensor_layout(rules), read_source(str(run))
    packed = pack_networks([network_of(record)], layout)
    (worth,) = value_men(packed, [0], seed, name=rules.name).tolist()
    values = zip(layout.squares, worth, strict=True)
    known: dict[str, float] = next((line["ladder"] for line in reversed(lines) if "ladder" in line), {})
    scores = {name: crowned_score(record.fields, name) for name in known}
    crowned = {} if scores == known else {name: at for name, at in scores.items() if at is not None}
    return record.id, {square: value for square, value in values if not math.isnan(value)}, crowned


def _values(state: RunState) -> dict[str, Any]:
    last = state.lines[-1] if state.lines else {}
    return {
        "run": str(state.run),
        "game": state.game.name,
        "generation": last.get("generation"),
        "generations": state.target,
        "champion_id": state.champion or None,
        "measured_id": state.measured,
        "depth": last.get("depth"),
        "ladder": {name: scores[-1] for name, scores in state.ladder.items()},
        **({"fitness": last["fitness"]} if "fitness" in last else {}),
        "worth": {square: round(value, 4) for square, value in state.worth.items()},
    }


def _follow(run: Path, options: argparse.Namespace) -> None:
    """Follow the run: a live view on a terminal, a line for every new generation elsewhere."""
    console = Console(highlight=False, markup=False)
    if not is_live(console):
        shown = None
        for state in _states(run, options):
            # the run may be read twice for one generation, if it was written between checking and reading
            if len(state.lines) != shown:
                console.out(_line(state), highlight=False)
                console.file.flush()
            shown = len(state.lines)
        return
    with Live(console=console, auto_refresh=False) as live:
        for state in _states(run, options):
            live.update(draw_state(state, console.width, console.height), refresh=True)


def _states(run: Path, options: argparse.Namespace) -> Iterator[RunState]:
    """Yield the run whenever it has changed, until it has reached its last generation or ends."""
    seen, failures, begun = None, 0, None
    while True:
        crowned = crowned_generation(RunLayout(run))
        is_used = is_in_use(RunLayout(run))
        now = crowned, is_used, file_size(RunLayout(run).history) or 0
        if now != seen:
            try:
                state = read_state(run, options.seed or 0)
            except (InputError, OSError):
                # Files of old generations may vanish during a reading; a lasting fault is raised.
                failures += 1
                if seen is None or failures > _PATIENCE:
                    raise
            else:
                was_used = seen is None or seen[1]
                seen, failures = now, 0
                yield state
                newest = state.lines[-1]["generation"] if state.lines else -1
                begun = newest if begun is None else begun
                # A command that ends crowns a champion, even before the last generation of the settings; one
                # that goes on, even beyond it, locks the run.
                if (newest >= state.target and not is_used) or begun < newest == crowned:
                    return
                if was_used and not is_used:
                    where = f"at generation {newest}" if state.lines else "before its first generation"
                    remark(f"{run}: ended {where}; waiting for it to be continued")
        time.sleep(options.every or 1.0)


def _line(state: RunState) -> str:
    if not state.lines:
        return f"{state.run}: no generation yet"
    last = state.lines[-1]
    reached = f"generation {last['generation']}/{state.target}"
    ladder = [f"{name} {scores[-1]:.2f}" for name, scores in state.ladder.items()]
    scores = [f"scores of {state.measured}:"] if state.measured not in (None, state.champion) else []
    words = [reached, f"depth {last['depth']}", state.champion, fitness_of(last), *scores, *ladder]
    return "  ".join(filter(None, words))


def _text(state: RunState) -> str:
    console = Console(file=StringIO(), width=_SIDE_BY_SIDE, highlight=False, markup=False)
    with console.capture() as captured:
        console.print(draw_state(state, _SIDE_BY_SIDE))
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def draw_state(state: RunState, width: int, height: int | None = None) -> RenderableType:
    """Return the view of a run: curves, and beside or below them the champion's values of the squares.

    height: lines of the terminal; if the view is too high, the board shrinks first, then curves are dropped.
    """
    console = Console(width=width, file=StringIO(), markup=False)
    views = [_compose(state, width, *choice) for choice in ((False, _CURVES), (True, _CURVES), (True, ()))]
    fitting = (view for view in views if height is None or len(console.render_lines(view)) < height)
    return next(fitting, views[-1])


def _compose(state: RunState, width: int, is_low: bool, names: tuple[str, ...]) -> RenderableType:
    curves, last = _draw_curves(state, names), state.lines[-1] if state.lines else {}
    # at the bottom, since a sentence in a column would squeeze the others
    warnings = [Text(f"warning: {warning}", style="yellow") for warning in last.get("warnings", ())]
    if state.game.geometry is None or not state.worth:
        return Group(curves, *warnings)
    board = _draw_worth(state, is_low, width)
    if width < _SIDE_BY_SIDE:
        return Group(curves, board, *warnings)
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_row(curves, board)
    return Group(grid, *warnings)


def _draw_curves(state: RunState, names: tuple[str, ...]) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(3):
        grid.add_column(no_wrap=True)
    last = state.lines[-1] if state.lines else {}
    reached = f"{last.get('generation', '…')}/{state.target}"
    grid.add_row("run", Text(state.run.name, style="bold"), state.game.name)
    grid.add_row("generation", reached, f"depth {last.get('depth', '…')}")
    grid.add_row("champion", Text(state.champion or "…", style="bold cyan"))
    if state.measured not in (None, state.champion):
        grid.add_row("scores of", Text(state.measured, style="cyan"))
    for row in ladder_rows(state.ladder):
        grid.add_row(*row)
    for name in names:
        is_fitness = name == "fitness"
        values = [line[name]["best"] if is_fitness else line[name] for line in state.lines if name in line]
        if values:
            # Zero means nothing to a fitness. Halves: the difference of finite numbers may be infinite.
            low = min(values) / 2 if is_fitness else 0.0
            span = max(values) / 2 - low or 1.0
            drawn = sparkline([(value / 2 - low) / span for value in _thinned(values)])
            grid.add_row(name.replace("_", " "), short_figure(values[-1]), Text(drawn, style="dim"))
    return grid


def _thinned(values: list[float], most: int = 22) -> list[float]:
    """Return at most `most` values, evenly spread from the first to the last."""
    if len(values) <= most:
        return values
    return [values[round(index * (len(values) - 1) / (most - 1))] for index in range(most)]


def _draw_worth(state: RunState, is_low: bool, width: int) -> RenderableType:
    """Draw the board with the value of a piece on each square, relative to the mean size."""
    mean = sum(map(abs, state.worth.values())) / len(state.worth) or 1.0
    geometry = geometry_of(state.game)
    squares = {coordinates.upper(): name for name, coordinates in geometry.coordinates.items()}
    # if all squares hold pieces, a space keeps the values apart
    form = "{:z.2f}" if geometry.is_checkered else "{:z5.2f} "
    notes = {
        squares[square]: Note("", form.format(value / mean), "bold #ffffff" if value >= 0 else "bold #ff9b8a")
        for square, value in state.worth.items()
        if square in squares
    }
    what = f"a {'man' if geometry.is_checkered else 'disc'}'s value"
    board = draw_board(state.game, None, shown=Shown(notes=notes), is_low=is_low)
    board.rstrip()
    if (needed := max(map(len, board.plain.splitlines()))) > width:
        return Text(f"{what} by square needs {needed} columns", style="dim")
    return Group(Text(f"{what} to the champion; 1.00 is the mean size", style="dim"), board)
