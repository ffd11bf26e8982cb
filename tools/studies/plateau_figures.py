"""Draw the figures of docs/studies/plateau.md from the committed data, into docs/images.

    plateau-valley.svg       score of networks that see k squares against the blind player, by depth
    plateau-original.svg     the original scheme at depth 6: its champions, and what its networks see
    plateau-curves.svg       champions over the games of their evolutions, by recipe
    plateau-ingredients.svg  what a recipe is worth with one thing changed
    plateau-ranking.svg      ranking schemes at equal games

Usage: python tools/studies/plateau_figures.py [--keep RUN]

With `--keep` the history of a run of the recipe `original` first becomes the committed data of its figure.
It needs matplotlib (the extra `plot`). Every figure has a white background, to be readable on dark pages too.
"""

import argparse
import itertools
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.archive.reading import read_history
from tools.studies import ablation, valley
from tools.studies.measurement import Cell, append_cell, estimate, read_cells, score_of

ORIGINAL = Path(__file__).resolve().parents[2] / "docs" / "data" / "original-depth-6.jsonl"
_KEPT = ("generation", "games", "ladder", "squares_seen", "live_synapses", "constant", "distance")
IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
_MATERIAL = ("material:depth=2", "material:depth=4")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Palette of Okabe and Ito, which colour-blind readers can tell apart."""
_RANKING = "ranking "
_BASE = "as it is"
Plot = Any
"""matplotlib's module `pyplot` and its axes, which have no types."""


def plotting() -> Plot:
    """Return matplotlib's pyplot, set up so that equal data give equal files, with text as text."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "neche", "svg.fonttype": "none", "font.size": 10})
    from matplotlib import pyplot

    return pyplot


def draw_valley(plot: Plot, cells: Sequence[Cell], target: Path) -> None:
    """Draw score over squares seen, one line per depth, and next to it the spread of random genomes."""
    figure, (left, right) = plot.subplots(
        1, 2, figsize=(8, 3.6), sharey=True, width_ratios=(2.2, 1), layout="constrained"
    )
    cells = [cell for cell in cells if cell["perspective"] == "own"]
    depths = sorted({cell["depth"] for cell in cells})
    for depth, colour in zip(depths, COLOURS, strict=False):
        row = {
            cell["size"]: [score_of(counts) for counts in cell["results"]]
            for cell in cells
            if (cell["family"], cell["depth"]) == ("squares", depth)
        }
        means = [estimate(row[size]) for size in sorted(row)]
        left.errorbar(
            sorted(row),
            [value.mean for value in means],
            [value.error for value in means],
            color=colour,
            marker=".",
            capsize=2,
            label=f"depth {depth}",
        )
        random = [c for c in cells if (c["family"], c["depth"]) == ("random", depth)]
        for cell in random:
            scores = [score_of(counts) for counts in cell["results"]]
            box = right.boxplot(scores, positions=[depth], widths=0.6, showfliers=True, patch_artist=True)
            box["boxes"][0].set(facecolor=colour, alpha=0.6)
    left.set(xlabel="squares seen, all with equal right weight", ylabel="score a game against blindness")
    left.legend(frameon=False)
    right.set(xlabel="depth", title="random genomes")
    for axis in (left, right):
        axis.axhline(0.5, color="#888888", linewidth=0.8, linestyle="--")
        axis.grid(alpha=0.25)
        axis.set_ylim(-0.02, 1.02)
    save(plot, figure, target)


def keep_history(run: Path, target: Path) -> None:
    """Write the figure's data of every generation of a run."""
    target.unlink(missing_ok=True)
    for line in read_history(run).lines:
        append_cell(target, {key: line[key] for key in _KEPT})


def draw_original(plot: Plot, history: Sequence[Cell], target: Path) -> None:
    """Draw the champions of the original scheme, and next to them what its networks see."""
    figure, (left, right) = plot.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
    numbers = [line["generation"] for line in history]
    for player, colour in zip(("blind:depth=4", "material:depth=4"), COLOURS, strict=False):
        scores = [line["ladder"][player] for line in history]
        left.plot(numbers, scores, color=colour, label=f"against {player.split(':')[0]}, depth 4")
    left.axhline(0.5, color="#888888", linewidth=0.8, linestyle="--")
    left.set(xlabel="generation", ylabel="champion's score a game", ylim=(-0.02, 1.02))
    squares = [line["squares_seen"] for line in history]
    right.plot(numbers, squares, color=COLOURS[2], label="squares seen, mean")
    blind = [10 * line["constant"] for line in history]
    right.plot(numbers, blind, color=COLOURS[3], label="networks that see none, tenths")
    right.set(xlabel="generation", ylim=(0, None))
    for axis in (left, right):
        axis.grid(alpha=0.25)
        axis.legend(frameon=False)
    save(plot, figure, target)


def draw_curves(plot: Plot, cells: Sequence[Cell], history: Sequence[Cell], target: Path) -> None:
    """Draw the champions' scores at depth 4 over the games played, one line per seed."""
    series = {
        "tournament": [cell["curve"] for cell in ablation.cells_of(cells, "refine", _BASE)],
        "tournament-quick without refinement": [
            cell["curve"] for cell in ablation.cells_of(cells, "climb", _BASE)
        ],
        "depth 2 from the start": [
            cell["curve"] for cell in ablation.cells_of(cells, "climb", "depth 2 from the start")
        ],
        "original, depth 6": [curve_of(history)],
    }
    figure, axes = plot.subplots(1, 2, figsize=(8, 3.6), sharey=True, layout="constrained")
    for (name, curves), colour in zip(series.items(), COLOURS, strict=False):
        for column, axis in enumerate(axes, 1):
            for index, curve in enumerate(curves):
                label = name if (index, column) == (0, 1) else None
                games = [point[0] / 1000 for point in curve]
                axis.plot(games, [point[column] for point in curve], color=colour, alpha=0.8, label=label)
    for axis, title in zip(axes, ("against blindness", "against material count"), strict=True):
        axis.axhline(0.5, color="#888888", linewidth=0.8, linestyle="--")
        axis.grid(alpha=0.25)
        axis.set(title=title, xlabel="thousand ranking games", ylim=(-0.02, 1.02))
    axes[0].set_ylabel("champion's score a game, depth 4")
    figure.legend(frameon=False, loc="outside lower center", ncols=len(series), fontsize=9)
    save(plot, figure, target)


def curve_of(history: Sequence[Cell]) -> list[list[float]]:
    """Return [games so far, score against blindness, against material] of every tenth generation."""
    played = list(itertools.accumulate(line["games"] for line in history))
    return [
        [games, *line["ladder"].values()] for games, line in list(zip(played, history, strict=True))[::10]
    ]


def draw_bars(plot: Plot, groups: Sequence[tuple[str, list[Cell]]], target: Path) -> None:
    """Draw a pair of bars, material at depth 2 and 4, for each group of cells, with a dot per seed."""
    figure, axis = plot.subplots(figsize=(8, 0.9 + 0.42 * len(groups)), layout="constrained")
    for shift, player, colour in zip((-0.2, 0.2), _MATERIAL, COLOURS, strict=False):
        for place, (_, cells) in enumerate(groups):
            scores = [score_of(cell["results"][player]) for cell in cells]
            label = f"against {player.replace(':', ', ').replace('=', ' ')}" if place == 0 else None
            mean = estimate(scores).mean
            axis.barh(place + shift, mean, height=0.36, color=colour, alpha=0.45, label=label)
            axis.plot(scores, [place + shift] * len(scores), ".", color=colour)
    axis.set_yticks(range(len(groups)), [f"{name} ({len(cells)})" for name, cells in groups])
    axis.axvline(0.5, color="#888888", linewidth=0.8, linestyle="--")
    axis.set(xlim=(0, 1), xlabel="champion's score a game (dots: seeds)", ylim=(len(groups) - 0.5, -0.5))
    axis.grid(alpha=0.25, axis="x")
    axis.legend(frameon=False, loc="upper right")
    save(plot, figure, target)


def groups_of(cells: Sequence[Cell], study: str, *, is_ranking: bool) -> list[tuple[str, list[Cell]]]:
    """Return the variants of a study that are measured, ranking schemes or the others, with their cells."""
    groups = []
    for variant in ablation.STUDIES[study].variants:
        found = ablation.cells_of(cells, study, variant)
        if found and (variant == _BASE or variant.startswith(_RANKING) == is_ranking):
            base = "descent" if is_ranking else _BASE
            name = base if variant == _BASE else variant.removeprefix(_RANKING)
            groups.append((name, found))
    return groups


def save(plot: Plot, figure: Plot, target: Path) -> None:
    """Write a figure to a file, the same bytes each time, and close it."""
    figure.savefig(target, metadata={"Date": None, "Creator": None})
    plot.close(figure)


def draw_all(
    cells: Sequence[Cell], valley_cells: Sequence[Cell], history: Sequence[Cell], folder: Path
) -> None:
    """Draw every figure into a folder."""
    plot = plotting()
    folder.mkdir(parents=True, exist_ok=True)
    draw_original(plot, history, folder / "plateau-original.svg")
    draw_valley(plot, valley_cells, folder / "plateau-valley.svg")
    draw_curves(plot, cells, history, folder / "plateau-curves.svg")
    climb = groups_of(cells, "climb", is_ranking=False)
    refine = [(f"tournament: {name}", found) for name, found in groups_of(cells, "refine", is_ranking=False)]
    draw_bars(plot, [*climb, *refine], folder / "plateau-ingredients.svg")
    draw_bars(plot, groups_of(cells, "climb", is_ranking=True), folder / "plateau-ranking.svg")


def main() -> int:
    """Draw every figure from the committed data."""
    parser = argparse.ArgumentParser(description="Draw the figures of docs/studies/plateau.md.")
    parser.add_argument("--keep", type=Path, metavar="RUN", help="a run of the recipe `original`")
    run = parser.parse_args().keep
    if run is not None:
        keep_history(run, ORIGINAL)
    draw_all(read_cells(ablation.DATA), read_cells(valley.DATA), read_cells(ORIGINAL), IMAGES)
    return 0


if __name__ == "__main__":
    sys.exit(main())
