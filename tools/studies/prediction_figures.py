"""Draw the figures of docs/studies/prediction.md from the committed data, into docs/images.

    prediction-curves.svg     champions over the generations of their evolutions, by recipe
    prediction-variants.svg   what a network learns with one thing changed

Usage: python tools/studies/prediction_figures.py [--keep RECIPE=RUN …]

With `--keep` the histories of runs are first added to the committed data, replacing any of the same name and
seed. It needs matplotlib (the extra `plot`).
"""

import argparse
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.archive.reading import read_history
from tools.studies import prediction
from tools.studies.measurement import Cell, append_cell, read_cells, score_of
from tools.studies.plateau_figures import COLOURS, IMAGES, Plot, plotting, save

CURVES = IMAGES.parent / "data" / "prediction-curves.jsonl"
_MATERIAL, _CHAMPION = "material:depth=4", "network:file=champion-1,depth=4"


def curve_of(recipe: str, run: Path) -> Cell:
    """Return the scores of a run's measured champions, by generation."""
    config = tomllib.loads((run / "config.toml").read_text(encoding="utf-8"))
    lines = [line for line in read_history(run).lines if line.get("ladder")]
    return {
        "recipe": recipe,
        "seed": config["seed"],
        "generations": [line["generation"] for line in lines],
        **{
            name: [line["ladder"][player] for line in lines]
            for name, player in (("material", _MATERIAL), ("champion-1", _CHAMPION))
        },
    }


def keep_curves(runs: Sequence[str], target: Path) -> None:
    """Add the curves of runs, RECIPE=RUN, to the existing ones, by recipe and seed."""
    curves = {(cell["recipe"], cell["seed"]): cell for cell in read_cells(target)}
    for recipe, _, run in (text.partition("=") for text in runs):
        cell = curve_of(recipe, Path(run))
        curves[recipe, cell["seed"]] = cell
    target.unlink(missing_ok=True)
    for _, cell in sorted(curves.items()):
        append_cell(target, cell)


def draw_curves(plot: Plot, curves: Sequence[Cell], target: Path) -> None:
    """Draw the champions' scores at depth 4 over the generations, one line per seed."""
    figure, axes = plot.subplots(1, 2, figsize=(8, 3.6), sharey=True, layout="constrained")
    recipes = list(dict.fromkeys(cell["recipe"] for cell in curves))
    for cell in curves:
        colour = COLOURS[recipes.index(cell["recipe"])]
        is_first = next(other for other in curves if other["recipe"] == cell["recipe"]) is cell
        for axis, player in zip(axes, ("material", "champion-1"), strict=True):
            label = cell["recipe"] if is_first and player == "material" else None
            axis.plot(cell["generations"], cell[player], color=colour, alpha=0.8, label=label)
    for axis, title in zip(axes, ("against material count", "against champion-1"), strict=True):
        axis.axhline(0.5, color="#888888", linewidth=0.8, linestyle="--")
        axis.grid(alpha=0.25)
        axis.set(title=title, xlabel="generation", ylim=(-0.02, 1.02))
    axes[0].set_ylabel("champion's score a game, depth 4")
    figure.legend(frameon=False, loc="outside lower center", ncols=len(recipes), fontsize=9)
    save(plot, figure, target)


def draw_variants(plot: Plot, cells: Sequence[Cell], games: int, target: Path) -> None:
    """Draw the score at depth 6 of every variant of the study, on openings of 4 and of 12 random plies."""
    names = [name for name in prediction.VARIANTS if prediction.cells_of(cells, name, games)]
    figure, axis = plot.subplots(figsize=(8, 0.9 + 0.3 * len(names)), layout="constrained")
    for shift, plies, colour in zip((-0.2, 0.2), (4, 12), COLOURS, strict=False):
        for place, name in enumerate(names):
            found = prediction.cells_of(cells, name, games)
            scores = [score_of(cell["results"][f"depth 6, {plies} plies"]) for cell in found]
            label = f"openings of {plies} plies" if place == 0 else None
            mean = sum(scores) / len(scores)
            axis.barh(place + shift, mean, height=0.36, color=colour, alpha=0.6, label=label)
    axis.set_yticks(range(len(names)), names)
    axis.axvline(0.5, color="#888888", linewidth=0.8, linestyle="--")
    axis.set(xlim=(0, 0.85), xlabel="score a game against champion-1, depth 6", ylim=(len(names) - 0.5, -0.5))
    axis.grid(alpha=0.25, axis="x")
    figure.legend(frameon=False, loc="outside lower center", ncols=2)
    save(plot, figure, target)


def main() -> int:
    """Draw the figures from the committed data."""
    parser = argparse.ArgumentParser(description="Draw the figures of docs/studies/prediction.md.")
    parser.add_argument("--keep", nargs="+", default=[], metavar="RECIPE=RUN", help="runs to add")
    parser.add_argument("--games", type=int, default=10_000, help="of a cell of the variants")
    options = parser.parse_args()
    if options.keep:
        keep_curves(options.keep, CURVES)
    plot = plotting()
    draw_curves(plot, read_cells(CURVES), IMAGES / "prediction-curves.svg")
    draw_variants(plot, read_cells(prediction.DATA), options.games, IMAGES / "prediction-variants.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
