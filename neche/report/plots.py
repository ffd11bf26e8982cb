"""Pictures as files: those of a page as SVG, and plainer as PNG; a baseline ladder. matplotlib draws both."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from neche.archive.storage import make_directory, write_file
from neche.arena.baseline import Rung
from neche.errors import InputError
from neche.games.catalogue import geometry_of
from neche.games.geometry import BoardGeometry, GridPlace
from neche.report.chart import COLOURS, DASHES, Chart
from neche.report.network_picture import NEGATIVE, POSITIVE, NetworkDrawing, width_of
from neche.report.page import Page
from neche.report.piece_values import HeatMap, around_mean
from neche.report.svg import shade_of, text_colour

_WON, _DRAWN, _LOST = "#0072B2", "#BBBBBB", "#D55E00"
_INCHES_A_RUNG, _INCHES_AROUND, _WIDTH = 0.32, 1.25, 8.0


def write_figures(page: Page, folder: Path, *, with_png: bool = False) -> list[Path]:
    """Write every picture of a page into a folder; returns the files.

    with_png: charts, network and worth of pieces as PNG besides.

    Raises:
        InputError: matplotlib is asked for and not installed, or a file cannot be written.
    """
    pictures = {f"{name}.svg": svg.encode() for name, svg in page.pictures.items()}
    if with_png:
        pictures |= {f"{name}.png": png for name, png in _pngs(page)}
    make_directory(folder)
    for name, content in pictures.items():
        write_file(folder / name, content)
    return [folder / name for name in pictures]


def _pngs(page: Page) -> Iterator[tuple[str, bytes]]:
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise InputError("PNG needs the package matplotlib: pip install 'neche[plot]'") from error
    with mpl.rc_context({"font.size": 10}):
        for chart in page.charts:
            yield chart.name, _png((6.4, 4.2), partial(_plot, chart=chart))
        if page.network is not None:
            yield "network", _png((9.0, 4.5), partial(_plot_network, drawing=page.network))
            for heat in page.maps:
                board = partial(_plot_heat, heat=heat, geometry=geometry_of(page.network.rules))
                yield heat.name, _png((5.6, 5.6), board)


def _png(inches: tuple[float, float], plot: Callable[[Any], None]) -> bytes:
    from matplotlib.figure import Figure

    figure, content = Figure(figsize=inches, dpi=150, layout="constrained"), BytesIO()
    plot(figure.add_subplot())
    figure.savefig(content, format="png", metadata={"Software": None})
    return content.getvalue()


def _plot_network(axis: Any, drawing: NetworkDrawing) -> None:
    for source, sink, facts in drawing.graph.edges(data=True):
        ends = zip(drawing.places[source], drawing.places[sink], strict=True)
        weight = facts["weight"]
        style = {"color": POSITIVE if weight > 0 else NEGATIVE, "linestyle": "-" if weight > 0 else "--"}
        axis.plot(*ends, linewidth=0.6 * width_of(weight), alpha=0.6, zorder=1, **style)
    for neuron, (x, y) in drawing.places.items():
        name = drawing.names.get(neuron, "").rpartition(" ")[2]
        box = {"boxstyle": "round,pad=0.2", "facecolor": "#F3EADA", "edgecolor": "#8F7F66", "linewidth": 0.6}
        axis.text(x, y, name or "·", ha="center", va="center", fontsize=6, bbox=box, zorder=2)
    axis.set(xlim=(-10, drawing.width + 10), ylim=(drawing.height + 10, -10))
    axis.axis("off")


def _plot_heat(axis: Any, heat: HeatMap, geometry: BoardGeometry) -> None:
    span = around_mean(heat.values.values())
    for square, value in heat.values.items():
        place, shade = geometry.places[square], shade_of(value, span)
        axis.add_patch(_square(place, shade))
        words = {"color": text_colour(shade), "fontsize": 8, "ha": "center", "va": "center"}
        axis.text(place.column, place.row, f"{value:.3g}".replace("-", "−"), **words)
    axis.set_xticks(range(len(geometry.columns)), geometry.columns)
    axis.set_yticks(range(len(geometry.rows)), geometry.rows)
    axis.set(xlim=(-0.5, len(geometry.columns) - 0.5), ylim=(len(geometry.rows) - 0.5, -0.5), aspect="equal")
    axis.set_title(f"Worth of a {heat.kind} by square")


def _square(place: GridPlace, shade: str) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((place.column - 0.47, place.row - 0.47), 0.94, 0.94, facecolor=shade)


def _plot(axis: Any, chart: Chart) -> None:
    for at, series in enumerate(chart.series):
        generations, values, lows, highs = zip(*series.points, strict=True)
        geometry: dict[str, Any] = {"color": COLOURS[at % 6], "label": series.name}
        dashes = DASHES[at % 6]
        style = (0, tuple(map(float, dashes.split()))) if dashes else "solid"
        axis.plot(
            generations,
            values,
            linestyle=style,
            marker="o" if len(values) < 60 else None,
            markersize=3,
            **geometry,
        )
        if lows != highs:
            axis.fill_between(generations, lows, highs, color=COLOURS[at % 6], alpha=0.16, linewidth=0)
    for at, mark in enumerate(chart.marks):
        axis.axvline(mark.generation, color="#666666", linewidth=0.8, linestyle=":")
        axis.annotate(
            mark.text, (mark.generation, 0.02 + 0.06 * at), xycoords=("data", "axes fraction"), fontsize=9
        )
    axis.set(title=chart.title, xlabel="generation", ylabel=chart.unit)
    axis.set_ylim(*(chart.span or (0.0, None)))
    axis.legend(frameon=False)


def draw_ladder(champion: str, rungs: Sequence[Rung], target: Path) -> None:
    """Draw a climb as SVG; equal climbs give equal files.

    Raises:
        InputError: matplotlib is not installed, or the file cannot be written.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError("a picture needs the package matplotlib: pip install 'neche[plot]'") from error
    # Equal climbs give equal files, with text as text.
    with mpl.rc_context({"svg.hashsalt": "neche", "svg.fonttype": "none", "font.size": 10}):
        figure = Figure(figsize=(_WIDTH, _INCHES_AROUND + _INCHES_A_RUNG * len(rungs)), layout="constrained")
        axis = figure.add_subplot()
        places = list(range(len(rungs)))
        _draw_games(axis, places, rungs)
        _draw_scores(axis, places, rungs)
        axis.set_yticks(places, [rung.player for rung in rungs])
        axis.set(title=f"{champion} against", xlim=(0, 1), xlabel="share of games, score with 95 %")
        axis.invert_yaxis()
        axis.axvline(0.5, color="#444444", linewidth=0.8, linestyle="--")
        figure.legend(loc="outside lower center", ncols=4, frameon=False)
        try:
            figure.savefig(target, format="svg", metadata={"Date": None, "Creator": None})
        except OSError as error:
            raise InputError(f"{target}: cannot be written: {error.strerror or error}") from None


def _draw_games(axis: Any, places: list[int], rungs: Sequence[Rung]) -> None:
    begins = [0.0] * len(rungs)
    kinds = (("wins", "won", _WON), ("draws", "drawn", _DRAWN), ("losses", "lost", _LOST))
    for field, label, colour in kinds:
        shares = [getattr(rung, field) / (2 * rung.pairs.num_pairs) for rung in rungs]
        axis.barh(places, shares, left=begins, color=colour, alpha=0.75, height=0.7, label=label)
        begins = [begin + share for begin, share in zip(begins, shares, strict=True)]


def _draw_scores(axis: Any, places: list[int], rungs: Sequence[Rung]) -> None:
    scores = [rung.strength.score for rung in rungs]
    ends = [rung.interval for rung in rungs]
    reach = [
        [max(0.0, score - low) for score, (low, _) in zip(scores, ends, strict=True)],
        [max(0.0, high - score) for score, (_, high) in zip(scores, ends, strict=True)],
    ]
    axis.errorbar(scores, places, xerr=reach, fmt="D", color="black", markersize=4, capsize=3, label="score")
