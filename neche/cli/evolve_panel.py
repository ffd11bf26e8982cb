"""The live panel of `neche evolve`, and the bars that other views share with it."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from neche.cli.evolve_progress import EvolutionProgress
from neche.cli.output import counted, duration
from neche.evolution.health import kind_of
from neche.players.options import short_name

_SPARKS = "▁▂▃▄▅▆▇█"
_SPARKS_SHOWN = 22
_NARROWEST, _WIDEST = 60, 120
"""Limits in columns between which the panel is as wide as the terminal."""
# Columns of the panel have fixed widths, so that nothing jumps when a number gains a digit; the bars get the
# rest.
_FRAME, _GAP = 6, 2
_LABEL, _NUMBER, _REMARK = 12, 11, 21
_PLAYER, _SCORE, _BARS = 20, 10, 20


def sparkline(scores: list[float], most: int = _SPARKS_SHOWN) -> str:
    """Draw scores from 0 to 1, the newest last; beyond `most`, the oldest are left out.

    >>> sparkline([0.0, 0.5, 1.0])
    '▁▅█'
    """
    steps = len(_SPARKS)
    return "".join(_SPARKS[min(steps - 1, int(score * steps))] for score in scores[-most:])


def trend(scores: list[float]) -> str:
    """Return an arrow that shows whether the newest score rose or fell from the one before.

    >>> trend([0.2, 0.5])
    '↑'
    """
    if len(scores) < 2 or abs(scores[-1] - scores[-2]) < 0.02:
        return "→" if len(scores) > 1 else " "
    return "↑" if scores[-1] > scores[-2] else "↓"


def draw_panel(progress: EvolutionProgress, width: int = 80, now: float | None = None) -> RenderableType:
    """Return the live panel.

    width: columns of the terminal. now: time on the progress's clock, to show how long preparation has taken
    before the first game.
    """
    inner = min(max(width, _NARROWEST), _WIDEST) - _FRAME
    notes = [Text(note, style="yellow") for note in progress.notes[-2:]]
    # the first warning of each kind, bold while the kind is still there
    present = {kind_of(warning) for warning in progress.record.get("warnings", ())}
    for kind, text in progress.warnings.items():
        notes.append(Text(text, style="bold yellow" if kind in present else "yellow"))
    return Panel(
        Group(
            _draw_progress(progress, inner, now),
            _draw_population(progress, inner),
            _draw_champion(progress, inner),
            *notes,
        ),
        title=Text(progress.title),
        title_align="left",
        subtitle="Ctrl-C stops, neche evolve --resume continues",
        subtitle_align="right",
        width=inner + _FRAME - 2,
    )


def _grid(*widths: int) -> Table:
    grid = Table.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
    for width in widths:
        grid.add_column(width=width, no_wrap=True, overflow="ellipsis")
    return grid


def _draw_progress(progress: EvolutionProgress, width: int, now: float | None) -> Table:
    bar = width - _LABEL - _NUMBER - _REMARK - 3 * _GAP
    grid = _grid(_LABEL, _NUMBER, bar, _REMARK)
    completed = progress.generation + progress.is_ranked
    left = progress.pace.seconds_left(progress.target + 1 - completed)
    grid.add_row(
        "generation",
        Text(f"{progress.generation}/{progress.target}", style="bold"),
        ProgressBar(total=progress.target + 1, completed=completed, width=bar),
        f"{duration(left)} left, depth {progress.depth or '…'}",
    )
    if progress.waits_for:
        grid.add_row("waits for", "", Text(progress.waits_for))
    if progress.work is not None:
        what, done, total, remark = progress.work
        grid.add_row(what, f"{done}/{total}", ProgressBar(total, done, bar), remark)
    rate, finished = progress.pace.games_per_second(), progress.pace.finished
    # Code for the first games, and for learning before them, may have to be compiled.
    preparing = "preparing" if now is None else f"preparing, {duration(now - finished[0][0])}"
    grid.add_row(
        "games",
        f"{progress.games_done}/{progress.games_planned}" if progress.games_planned else "",
        ProgressBar(total=max(progress.games_planned, 1), completed=progress.games_done, width=bar),
        f"{rate:,.0f} games/s" if rate or len(finished) > 1 else preparing,
    )
    return grid


def _draw_population(progress: EvolutionProgress, width: int) -> Table:
    half = (width - _LABEL - 2 * _GAP) // 2
    grid, lines = _grid(_LABEL, 2 * half + _GAP), list[str]()
    for left, right in filter(None, (means_of(progress.record), *_figures(progress.record))):
        # In a narrow panel a figure that is too wide for its half, and the one beside it, take a line each.
        fits = max(len(left), len(right)) <= half
        lines += [f"{left:{half + _GAP}}{right}"] if fits else filter(None, (left, right))
    grid.add_row("population", "\n".join(lines))
    return grid


def _draw_champion(progress: EvolutionProgress, width: int) -> Table:
    # A long name takes space from the bars, down to their least width.
    longest = max(map(len, map(short_name, progress.ladder)), default=0) + _GAP
    players = max(_PLAYER, min(longest, width - _BARS - _SCORE - 2 * _GAP))
    bars = width - players - _SCORE - 2 * _GAP
    grid = _grid(players, _SCORE, bars)
    spread = progress.record.get("champion_man_spread")
    unevenly = "" if spread is None else f"{progress.men} valued ±{spread:.0%}"
    grid.add_row("champion", Text(progress.champion_id or "…", style="bold cyan"), unevenly)
    for row in ladder_rows(progress.ladder, bars):
        grid.add_row(*row)
    if progress.ancestors:
        lowest = min(progress.ancestors.values())
        earlier = counted(len(progress.ancestors), "earlier champion")
        grid.add_row(
            "  ancestors",
            Text(f"≥ {lowest:.2f}", style=score_style(lowest)),
            f"{sparkline(list(progress.ancestors.values()))}  {earlier}",
        )
    return grid


def ladder_rows(
    ladder: Mapping[str, list[float]], most: int = _SPARKS_SHOWN
) -> Iterator[tuple[RenderableType, ...]]:
    """Yield a row for each fixed player: its name, the newest score against it, and a sparkline of scores.

    most: number of scores, the newest ones.
    """
    for player, scores in ladder.items():
        style = score_style(scores[-1])
        score = Text(f"{scores[-1]:.2f} {trend(scores)}", style=style)
        yield f"  {short_name(player)}", score, Text(sparkline(scores, most), style=style)


def means_of(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return mean live synapses and squares seen of the last generation, in words."""
    if "live_synapses" not in record:
        return ()
    squares = counted(round(record["squares_seen"]), "square")
    return counted(round(record["live_synapses"]), "live synapse"), f"{squares} seen"


def short_figure(value: float) -> str:
    """Write a figure of any size in few letters.

    >>> short_figure(0.0123456), short_figure(-123456.7), short_figure(9999.9), short_figure(1e300)
    ('0.01235', '-123,457', '10,000', '1e+300')
    """
    return f"{value:,.0f}" if 9_999.5 <= abs(value) < 1e9 else f"{value:.4g}"


def fitness_of(record: Mapping[str, Any]) -> str:
    """Return the best and the mean fitness of a generation, in words; empty without a plug-in for it."""
    if "fitness" not in record:
        return ""
    best, mean = (short_figure(record["fitness"][name]) for name in ("best", "mean"))
    return f"fitness {best}, mean {mean}"


def _figures(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield pairs of further figures of the last generation."""
    if fitness := fitness_of(record):
        yield fitness, ""
    if "prediction_error" in record:
        best = f"best {record['best_prediction_error']:.4f}"
        yield f"error {record['prediction_error']:.4f}, {best}", f"{record['samples']:,} samples"
    if "wired_distance" in record:
        wired, evaluations = record["wired_distance"], record["evaluation_distance"]
        yield counted(round(record["hidden_neurons"]), "hidden neuron"), f"{record['constant']:.0%} constant"
        yield f"{wired:.0%} wired DNA apart", f"{evaluations:.0%} evaluations apart"
        changed = f"{record['changed_children']:.0%} children changed" if "changed_children" in record else ""
        yield f"games agree {record['rank_agreement_mean']:.2f}", changed


def score_style(score: float) -> str:
    """Return the colour of a score: green from 0.55 on, red below 0.35."""
    return "green" if score >= 0.55 else "yellow" if score >= 0.35 else "red"
