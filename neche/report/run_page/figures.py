"""The pictures of a page as files: SVG always; PNG drawn with matplotlib, plainer."""

from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from neche.archive.storage import make_directory, write_file
from neche.errors import InputError
from neche.games.catalogue import look_of
from neche.games.look import Look, Place
from neche.report.run_page.chart import COLOURS, DASHES, Chart
from neche.report.run_page.heat import HeatMap, around_mean
from neche.report.run_page.network_picture import NEGATIVE, POSITIVE, Drawing, width_of
from neche.report.run_page.page import Page
from neche.report.shades import shade_of, text_colour


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
                board = partial(_plot_heat, heat=heat, look=look_of(page.network.rules))
                yield heat.name, _png((5.6, 5.6), board)


def _png(inches: tuple[float, float], plot: Callable[[Any], None]) -> bytes:
    from matplotlib.figure import Figure

    figure, content = Figure(figsize=inches, dpi=150, layout="constrained"), BytesIO()
    plot(figure.add_subplot())
    figure.savefig(content, format="png", metadata={"Software": None})
    return content.getvalue()


def _plot_network(axis: Any, drawing: Drawing) -> None:
    for source, sink, facts in drawing.graph.edges(data=True):
        ends = zip(drawing.places[source], drawing.places[sink], strict=True)
        weight = facts["weight"]
        look = {"color": POSITIVE if weight > 0 else NEGATIVE, "linestyle": "-" if weight > 0 else "--"}
        axis.plot(*ends, linewidth=0.6 * width_of(weight), alpha=0.6, zorder=1, **look)
    for neuron, (x, y) in drawing.places.items():
        name = drawing.names.get(neuron, "").rpartition(" ")[2]
        box = {"boxstyle": "round,pad=0.2", "facecolor": "#F3EADA", "edgecolor": "#8F7F66", "linewidth": 0.6}
        axis.text(x, y, name or "·", ha="center", va="center", fontsize=6, bbox=box, zorder=2)
    axis.set(xlim=(-10, drawing.width + 10), ylim=(drawing.height + 10, -10))
    axis.axis("off")


def _plot_heat(axis: Any, heat: HeatMap, look: Look) -> None:
    span = around_mean(heat.values.values())
    for square, value in heat.values.items():
        place, shade = look.places[square], shade_of(value, span)
        axis.add_patch(_square(place, shade))
        words = {"color": text_colour(shade), "fontsize": 8, "ha": "center", "va": "center"}
        axis.text(place.column, place.row, f"{value:.3g}".replace("-", "−"), **words)
    axis.set_xticks(range(len(look.columns)), look.columns)
    axis.set_yticks(range(len(look.rows)), look.rows)
    axis.set(xlim=(-0.5, len(look.columns) - 0.5), ylim=(len(look.rows) - 0.5, -0.5), aspect="equal")
    axis.set_title(f"Worth of a {heat.kind} by square")


def _square(place: Place, shade: str) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((place.column - 0.47, place.row - 0.47), 0.94, 0.94, facecolor=shade)


def _plot(axis: Any, chart: Chart) -> None:
    for at, series in enumerate(chart.series):
        generations, values, lows, highs = zip(*series.points, strict=True)
        look: dict[str, Any] = {"color": COLOURS[at % 6], "label": series.name}
        dashes = DASHES[at % 6]
        style = (0, tuple(map(float, dashes.split()))) if dashes else "solid"
        axis.plot(
            generations,
            values,
            linestyle=style,
            marker="o" if len(values) < 60 else None,
            markersize=3,
            **look,
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
