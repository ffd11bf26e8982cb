"""Pictures as files: those of a page as SVG, and plainer ones as PNG; a baseline ladder as SVG.

PNG files and the ladder are drawn by matplotlib, which is imported only when needed.
"""

from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from neche.arena.ladder import Rung
from neche.errors import InputError, one_line
from neche.games.game import geometry_of
from neche.report.chart import COLOURS, DASHES, Chart
from neche.report.network_picture import NEGATIVE, POSITIVE, NetworkDrawing, width_of
from neche.report.page import Page
from neche.report.piece_values import HeatMap, around_mean, labels_of
from neche.report.svg import shade_of, text_colour
from neche.storage import make_directory, write_file

_WON, _DRAWN, _LOST = "#0072B2", "#BBBBBB", "#D55E00"
_INCHES_A_RUNG, _INCHES_AROUND, _WIDTH = 0.32, 1.25, 8.0
_TEXT = {"font.size": 10, "text.parse_math": False}  # a name with dollars is no formula


def write_figures(page: Page, folder: Path, *, with_png: bool = False) -> list[Path]:
    """Write every picture of a page into a folder; return the files.

    with_png: also write charts, network and piece values as PNG. InputError if matplotlib is needed and not
    installed, or a file cannot be written.
    """
    files = {f"{name}.svg": svg.encode() for name, svg in page.pictures.items()}
    if with_png:
        with _matplotlib().rc_context(_TEXT):
            files |= {f"{name}.png": _content(figure, "png", "Software") for name, figure in _figures(page)}
    make_directory(folder)
    for name, content in files.items():
        write_file(folder / name, content)
    return [folder / name for name in files]


def _matplotlib() -> Any:
    """Return the package, with its modules `figure` and `patches` imported."""
    try:
        import matplotlib.figure
    except ImportError as error:
        raise InputError("a picture needs the package matplotlib: pip install 'neche[plot]'") from error
    return matplotlib


def _figures(page: Page) -> Iterator[tuple[str, Any]]:
    for chart in page.charts:
        yield chart.name, _plot_chart(_figure(6.4, 4.2), chart)
    if page.network is not None:
        yield "network", _plot_network(_figure(9.0, 4.5), page.network)
        for heat in page.maps:
            yield heat.name, _plot_heat(_figure(5.6, 5.6), heat, page.network)


def _figure(width: float, height: float) -> Any:
    """Return an empty figure. width, height: in inches."""
    return _matplotlib().figure.Figure(figsize=(width, height), dpi=150, layout="constrained")


def _content(figure: Any, form: str, *unsaid: str) -> bytes:
    content = BytesIO()
    # leave out matplotlib's version and the date, so that equal runs give equal files
    figure.savefig(content, format=form, metadata=dict.fromkeys(unsaid))
    return content.getvalue()


def _plot_chart(figure: Any, chart: Chart) -> Any:
    axis = figure.add_subplot()
    for at, series in enumerate(chart.series):
        generations, values, lows, highs = zip(*series.points, strict=True)
        colour, dashes = COLOURS[at % 6], DASHES[(at + at // 6) % 6]
        style = (0, tuple(map(float, dashes.split()))) if dashes else "solid"
        dots = {"marker": "o" if len(values) < 60 else None, "markersize": 3}
        axis.plot(generations, values, linestyle=style, color=colour, label=series.name, **dots)
        if lows != highs:
            # a single measurement gets a bar instead of a band
            alpha, width = (0.16, 0) if len(values) > 1 else (1, 1.5)
            axis.fill_between(generations, lows, highs, color=colour, alpha=alpha, linewidth=width)
    for at, mark in enumerate(chart.marks):
        axis.axvline(mark.generation, color="#666666", linewidth=0.8, linestyle=":")
        place = (mark.generation, 0.02 + 0.06 * at)
        axis.annotate(mark.text, place, xycoords=("data", "axes fraction"), fontsize=9)
    axis.set(title=chart.title, xlabel="generation", ylabel=chart.unit)
    axis.set(yscale="log") if chart.is_log else axis.set(ylim=chart.span or (0.0, None))
    axis.legend(frameon=False)
    return figure


def _plot_network(figure: Any, drawing: NetworkDrawing) -> Any:
    axis = figure.add_subplot()
    for source, sink, weight in drawing.graph.edges(data="weight"):
        ends = zip(drawing.places[source], drawing.places[sink], strict=True)
        look = {"color": POSITIVE if weight > 0 else NEGATIVE, "linestyle": "-" if weight > 0 else "--"}
        axis.plot(*ends, linewidth=0.6 * width_of(weight), alpha=0.6, zorder=1, **look)
    # a square is named once for all sensors that see it
    kinds = drawing.graph.nodes(data="kind")
    seen = {square for sensor, kind in kinds if kind == "sensor" for square in drawing.sights[sensor]}
    spots = [(name if at in seen else "·", drawing.centres[at]) for at, name in enumerate(drawing.squares)]
    others = ((drawing.names[at], drawing.places[at]) for at, kind in kinds if kind != "sensor")
    for name, (x, y) in (*spots, *others):
        box = {"boxstyle": "round,pad=0.2", "facecolor": "#F3EADA", "edgecolor": "#8F7F66", "linewidth": 0.6}
        axis.text(x, y, name.rpartition(" ")[2], ha="center", va="center", fontsize=6, bbox=box, zorder=2)
    axis.set(xlim=(-10, drawing.width + 10), ylim=(drawing.height + 10, -10))
    axis.axis("off")
    return figure


def _plot_heat(figure: Any, heat: HeatMap, drawing: NetworkDrawing) -> Any:
    axis, geometry = figure.add_subplot(), geometry_of(drawing.rules)
    span, labels = around_mean(heat.values.values()), labels_of(heat.values)
    for square, value in heat.values.items():
        (column, row), shade = geometry.places[square], shade_of(value, span)
        box = _matplotlib().patches.Rectangle((column - 0.47, row - 0.47), 0.94, 0.94, facecolor=shade)
        axis.add_patch(box)
        words = {"color": text_colour(shade), "fontsize": 8, "ha": "center", "va": "center"}
        axis.text(column, row, labels[square], **words)
    axis.set_xticks(range(len(geometry.columns)), geometry.columns)
    axis.set_yticks(range(len(geometry.rows)), geometry.rows)
    axis.set(xlim=(-0.5, len(geometry.columns) - 0.5), ylim=(len(geometry.rows) - 0.5, -0.5), aspect="equal")
    axis.set_title(f"Worth of a {heat.kind} by square")
    return figure


def draw_ladder(champion: str, rungs: Sequence[Rung], target: Path) -> None:
    """Draw games won, drawn and lost against each rung, score and error, as SVG; InputError if that fails."""
    # Equal climbs give equal files, with text as text.
    with _matplotlib().rc_context({"svg.hashsalt": "neche", "svg.fonttype": "none", **_TEXT}):
        figure = _figure(_WIDTH, _INCHES_AROUND + _INCHES_A_RUNG * len(rungs))
        axis, places, begins = figure.add_subplot(), range(len(rungs)), [0.0] * len(rungs)
        kinds = (("wins", "won", _WON), ("draws", "drawn", _DRAWN), ("losses", "lost", _LOST))
        for kind, label, colour in kinds:
            shares = [getattr(rung, kind) / (2 * rung.pairs.num_pairs) for rung in rungs]
            axis.barh(places, shares, left=begins, color=colour, alpha=0.75, height=0.7, label=label)
            begins = [begin + share for begin, share in zip(begins, shares, strict=True)]
        scores = [rung.strength.score for rung in rungs]
        below = [max(0.0, rung.strength.score - rung.interval[0]) for rung in rungs]
        above = [max(0.0, rung.interval[1] - rung.strength.score) for rung in rungs]
        look = {"fmt": "D", "color": "black", "markersize": 4, "capsize": 3, "label": "score"}
        axis.errorbar(scores, places, xerr=[below, above], **look)
        axis.set_yticks(places, [one_line(rung.player) for rung in rungs])
        axis.set(title=one_line(f"{champion} against"), xlim=(0, 1), xlabel="share of games, score with 95 %")
        axis.invert_yaxis()
        axis.axvline(0.5, color="#444444", linewidth=0.8, linestyle="--")
        figure.legend(loc="outside lower center", ncols=4, frameon=False)
        write_file(target, _content(figure, "svg", "Date", "Creator"))
