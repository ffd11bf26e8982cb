"""Play N random games of Othello at once, N = 32 … 10^8, and show how the time grows: a table and a figure.

Usage: python tools/studies/othello_experiment.py [--device cpu|cuda] [--fen FEN] [--jobs 1]
            [--most 100000000]
           [--tries 5] [--seed 0] [--data FILE.jsonl] [--figure FILE.svg] [--only-draw]

Each finished measurement is a line of the data, to which other machines and devices add; the table and the
figure show all of it. Time runs from the call with a position to the counts of the results, without
compilation; the fastest of the tries counts. On a GPU it is wall time. On the CPU it is the CPU time of all
cores, so that other load does not count: with one worker, the time on an idle core.
"""

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import joblib

from neche.compiled.batches import PromptThreads
from neche.compiled.streams import stream_key
from neche.errors import InputError
from neche.games.catalogue import game
from neche.montecarlo.counting import count_playouts_on
from tools.studies.measurement import Cell, append_cell, read_cells

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "docs" / "data" / "othello-experiment.jsonl"
FIGURE = ROOT / "docs" / "images" / "othello-experiment.svg"
COUNTS = (32, 1_000, 32_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
CLAIM = (32, 32_000)
"""Numbers of games between which the notebook "doesn't see much difference in timing"; it gives no time."""
PUBLISHED = {
    "OpenSpiel,\none core": 3e3,
    "Edax's board,\none core": 8.2e5,
    "g2flip,\nGTX 1080": 6.5e9 / 60,
}
"""Games per second: two measured on a core of a similar machine, one published (6.5 G moves, 60 a game)."""
_LARGEST_TRIED_AGAIN = 10_000_000
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")


CLOCKS: dict[str, Callable[[], float]] = {"cpu": time.process_time, "cuda": time.perf_counter}


def measure(device: str, games: int, options: argparse.Namespace) -> Cell:
    """Play the games several times on a device; return the counts and the time."""
    count_playouts = count_playouts_on(device)
    rules = game("othello")
    position = rules.start() if options.fen is None else rules.parse_fen(options.fen)
    key = stream_key(options.seed, 0, "othello experiment")
    seconds, clock = [], CLOCKS[device]
    tries = 1 if games > _LARGEST_TRIED_AGAIN else options.tries
    for _ in range(tries):
        began = clock()
        counts = count_playouts(rules, [position], [games], [key])
        seconds.append(clock() - began)
    return {
        "device": device,
        "fen": rules.format_fen(position),
        "seed": options.seed,
        "games": games,
        "first_wins": int(counts.wins[0]),
        "draws": int(counts.draws[0]),
        "second_wins": int(counts.losses[0]),
        "mean_plies": round(int(counts.plies[0]) / games, 4),
        "seconds": float(f"{min(seconds):.4g}"),
        "median_seconds": float(f"{statistics.median(seconds):.4g}"),
        "tries": tries,
    }


def measure_all(options: argparse.Namespace) -> list[Cell]:
    """Measure every number of games with every number of workers; add the lines to the data."""
    found = []
    for jobs in options.jobs:
        threads = PromptThreads()
        with joblib.parallel_config(backend=threads, n_jobs=jobs):
            # The first call compiles, and the first large one starts the workers.
            measure(options.device, 10_000, argparse.Namespace(**{**vars(options), "tries": 1}))
            for games in (count for count in COUNTS if count <= options.most):
                cell = {
                    "label": _label(options.device, jobs),
                    **measure(options.device, games, options),
                }
                append_cell(options.data, cell)
                found.append(cell)
                print(f"{cell['label']}: {games:,} games in {cell['seconds']:.4g} s", flush=True)
        threads.close()
    return found


def _label(device: str, jobs: int) -> str:
    if device == "cuda":
        from neche.compiled.cuda import device as cuda_device

        return cuda_device().name
    return f"CPU, {jobs} {'core' if jobs == 1 else 'cores'}"


def newest(cells: Sequence[Cell]) -> dict[str, dict[int, Cell]]:
    """Return the last measurement of each number of games by label, in ascending order."""
    found: dict[str, dict[int, Cell]] = {}
    for cell in cells:
        found.setdefault(cell["label"], {})[cell["games"]] = cell
    return {label: dict(sorted(row.items())) for label, row in found.items()}


def table(cells: Sequence[Cell]) -> list[str]:
    """Write times, and rates of the largest number, as a Markdown table."""
    rows = newest(cells)
    counts = sorted({games for row in rows.values() for games in row})
    head = ["games at once", *(f"{games:,}" for games in counts), "games/s at most"]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for label, row in rows.items():
        times = [_in_words(row[games]["seconds"]) if games in row else "–" for games in counts]
        best = max(games / cell["seconds"] for games, cell in row.items())
        lines.append(f"| {' | '.join([label, *times, f'{best / 1e6:.2f} M'])} |")
    return lines


def results(cells: Sequence[Cell]) -> str:
    """Write the results of the largest number of games as a row of Markdown, as shares."""
    most = max(cells, key=lambda cell: int(cell["games"]))
    shares = [most[name] / most["games"] for name in ("first_wins", "draws", "second_wins")]
    return f"| {' | '.join(f'{share:.4f}' for share in shares)} | {most['mean_plies']:.2f} |"


def _in_words(seconds: float) -> str:
    """Write a time with three digits.

    >>> _in_words(0.00001234), _in_words(0.0321), _in_words(2.5)
    ('0.0123 ms', '32.1 ms', '2.5 s')
    """
    return f"{1000 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def draw(cells: Sequence[Cell], target: Path) -> None:
    """Draw times over games on logarithmic scales, with published rates; equal data give equal files."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError("a picture needs the package matplotlib: pip install 'neche[plot]'") from error
    with mpl.rc_context({"svg.hashsalt": "neche", "svg.fonttype": "none", "font.size": 10}):
        figure = Figure(figsize=(8, 4.6), layout="constrained")
        figure.set_facecolor("white")
        axis = figure.add_subplot()
        for (label, row), colour in zip(newest(cells).items(), _COLOURS, strict=False):
            seconds = [cell["seconds"] for cell in row.values()]
            axis.plot(list(row), seconds, color=colour, marker="o", markersize=4, label=f"neche: {label}")
        axis.set(
            xscale="log", yscale="log", xlabel="games at once", ylabel="seconds until the results are counted"
        )
        axis.set(xlim=(COUNTS[0] / 2, COUNTS[-1] * 2), ylim=(1e-5, 1e5))
        _draw_published(axis)
        axis.grid(alpha=0.25)
        axis.legend(loc="upper left", frameon=False, fontsize=9)
        figure.savefig(target, format="svg", metadata={"Date": None, "Creator": None})


def _rounded(rate: float) -> str:
    """Write a rate in short.

    >>> _rounded(3e3), _rounded(8.2e5), _rounded(1.083e8)
    ('3 k', '820 k', '108 M')
    """
    return f"{rate / 1e6:.0f} M" if rate >= 1e6 else f"{rate / 1e3:.0f} k"


def _draw_published(axis: Any) -> None:
    for name, rate in PUBLISHED.items():
        ends = [COUNTS[0] / 2, COUNTS[-1] * 2]
        axis.plot(ends, [count / rate for count in ends], color="#888888", linewidth=0.9, linestyle="--")
        axis.annotate(
            f"{name}\n{_rounded(rate)} games/s",
            (ends[1], ends[1] / rate),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            annotation_clip=False,
            color="#555555",
            fontsize=8,
        )
    axis.axvspan(*CLAIM, color="#F0E442", alpha=0.18, linewidth=0)
    axis.annotate(
        "32 to 32k games on a GPU: not much\ndifference, says the notebook;\nit tells no time",
        (CLAIM[0], 500),
        xytext=(4, 0),
        textcoords="offset points",
        fontsize=8,
        color="#555555",
    )


def parsed(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description="Time N random games of Othello at once.")
    parser.add_argument("--device", default="cpu", metavar="cpu|cuda")
    parser.add_argument("--fen", help="the position (default: the start position)")
    parser.add_argument("--jobs", type=_numbers, default=[1], metavar="N,…", help="workers")
    parser.add_argument("--most", type=int, default=COUNTS[-1], metavar="N", help="games at once")
    parser.add_argument("--tries", type=int, default=5, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", type=Path, default=DATA, metavar="FILE")
    parser.add_argument("--figure", type=Path, default=FIGURE, metavar="FILE")
    parser.add_argument("--only-draw", action="store_true", help="measure nothing, draw what is there")
    return parser.parse_args(words)


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def main() -> None:
    """Measure, print the table, draw."""
    options = parsed()
    if not options.only_draw:
        print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
        measure_all(options)
    cells = read_cells(options.data)
    print("\n".join([*table(cells), results(cells)]))
    draw(cells, options.figure)


if __name__ == "__main__":
    main()
