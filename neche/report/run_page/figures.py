"""The pictures of a page as files: SVG always, PNG of what matplotlib can draw."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from neche.archive.storage import make_directory, write_file
from neche.errors import InputError
from neche.report.run_page.chart import COLOURS, DASHES, Chart
from neche.report.run_page.page import Page


def write_figures(page: Page, folder: Path, *, with_png: bool = False) -> list[Path]:
    """Write every picture of a page into a folder; returns the files. with_png: the charts as PNG besides.

    Raises:
        InputError: matplotlib is asked for and not installed, or a file cannot be written.
    """
    pictures = {f"{name}.svg": svg.encode() for name, svg in page.pictures.items()}
    if with_png:
        pictures |= {f"{chart.name}.png": png for chart, png in _pngs(page.charts)}
    make_directory(folder)
    for name, content in pictures.items():
        write_file(folder / name, content)
    return [folder / name for name in pictures]


def _pngs(charts: tuple[Chart, ...]) -> Iterator[tuple[Chart, bytes]]:
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError("PNG needs the package matplotlib: pip install 'neche[plot]'") from error
    from io import BytesIO

    with mpl.rc_context({"font.size": 10}):
        for chart in charts:
            figure = Figure(figsize=(6.4, 4.2), dpi=150, layout="constrained")
            _plot(figure.add_subplot(), chart)
            content = BytesIO()
            figure.savefig(content, format="png", metadata={"Software": None})
            yield chart, content.getvalue()


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
    for mark in chart.marks:
        axis.axvline(mark.generation, color="#666666", linewidth=0.8, linestyle=":")
        axis.annotate(mark.text, (mark.generation, 0.02), xycoords=("data", "axes fraction"), fontsize=9)
    axis.set(title=chart.title, xlabel="generation", ylabel=chart.unit)
    axis.set_ylim(*(chart.span or (0.0, None)))
    axis.legend(frameon=False)
