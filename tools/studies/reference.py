"""Turn a finished run into the reference run of the repository, and its champion into the shipped one.

    config.toml champion.fasta champions.fasta history.jsonl   as the run left them
    champion.dot champion.svg    its network
    man-values.svg               what a man on each square is worth to it
    climb.svg                    its ladder over the games of the run

Usage: python tools/studies/reference.py RUN [--target DIR] | --check GENERATIONS | --cut FILE

Everything is written into runs/reference, without populations, which the command in its README makes again.
With `--check` nothing is written: the run is started again elsewhere, and its first generations are compared.
With `--cut` the champion is written to FILE without the synapses of its hidden neurons, as an opponent.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

import joblib
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.archive.layout import RunLayout, parse_config
from neche.archive.reading import read_history
from neche.archive.run import RunDirectory
from neche.arena.probes import value_men
from neche.cli.main import main as neche
from neche.compiled.batches import PromptThreads
from neche.evolution.evolve import evolve
from neche.games.sensors import DARK_8X8
from neche.genome.dna import read_genes, write_genes
from neche.genome.fasta import Record, format_record
from neche.network.decode import decode
from neche.network.packing import pack_networks
from neche.network.topology import ORIGINAL
from neche.players.source import SHIPPED, read_source
from neche.storage import read_file
from tools.studies.plateau_figures import Plot, plotting, save

TARGET = Path(__file__).resolve().parents[2] / "runs" / "reference"
LARGEST_BYTES = 2_000_000
_PROBE_SEEDS = range(64)
_LIGHT, _DARK = "#f6f1e6", "#d9cdb4"


def copy_run(run: Path, target: Path) -> None:
    """Copy the committed files of a run, and its champion into the package."""
    source, copy = RunLayout(run), RunLayout(target)
    target.mkdir(parents=True, exist_ok=True)
    for name in ("config", "champion", "champions", "history"):
        shutil.copyfile(getattr(source, name), getattr(copy, name))
    shutil.copyfile(source.champion, SHIPPED / "champion-1.fasta")


def draw_men(plot: Plot, run: Path, target: Path) -> None:
    """Draw what a man is worth on each square, relative to the mean of all squares; the own side is below."""
    from matplotlib.colors import ListedColormap

    record = read_source(str(run))
    network = decode(record.genome, perspective=record.fields["perspective"])  # type: ignore[arg-type]
    packed = pack_networks([network])
    probed = np.concatenate([value_men(packed, [0], seed) for seed in _PROBE_SEEDS])
    # No man stands on the king row, so no probe values one there.
    seen = np.isfinite(probed).any(axis=0)
    worth = np.full(len(DARK_8X8.squares), np.nan)
    worth[seen] = np.nanmean(probed[:, seen], axis=0)
    relative = worth / np.nanmean(worth)
    board = np.full((8, 8), np.nan)
    for square, value in zip(DARK_8X8.squares, relative, strict=True):
        board[int(square[1]) - 1, ord(square[0]) - ord("A")] = value
    figure, axis = plot.subplots(figsize=(4.6, 4.2), layout="constrained")
    squares = np.add.outer(range(8), range(8)) % 2
    axis.imshow(squares, origin="lower", cmap=ListedColormap([_DARK, _LIGHT]))
    spread = float(np.nanmax(np.abs(relative - 1)))
    image = axis.imshow(board, origin="lower", cmap="RdBu", vmin=1 - spread, vmax=1 + spread)
    for (row, column), value in np.ndenumerate(board):
        if np.isfinite(value):
            is_strong = abs(value - 1) > 0.6 * spread
            axis.text(column, row, f"{value:.2f}", ha="center", va="center", color="w" if is_strong else "k")
    axis.set(title="worth of an own man, mean 1")
    axis.set_xticks(range(8), "ABCDEFGH")
    axis.set_yticks(range(8), "12345678")
    figure.colorbar(image, shrink=0.8)
    save(plot, figure, target)


def draw_ladder(plot: Plot, run: Path, target: Path) -> None:
    """Draw the ladder scores of the run's champions over its ranking games."""
    played = 0
    curves: dict[str, list[tuple[float, float]]] = {}
    for line in read_history(run).lines:
        played += line["games"]
        for player, score in line.get("ladder", {}).items():
            curves.setdefault(player, []).append((played / 1e6, score))
    figure, axis = plot.subplots(figsize=(6, 3.2), layout="constrained")
    for (player, points), colour in zip(curves.items(), ("#D55E00", "#0072B2"), strict=False):
        axis.plot(*zip(*points, strict=True), color=colour, marker=".", label=f"against {player}")
    axis.axhline(0.5, color="#888888", linewidth=0.8, linestyle="--")
    axis.set(xlabel="million ranking games", ylabel="champion's score a game", ylim=(-0.03, 1.03))
    axis.grid(alpha=0.25)
    axis.legend(loc="lower right", frameon=False)
    save(plot, figure, target)


def make(run: Path, target: Path) -> int:
    """Make the reference run; return 1 if it is too large."""
    copy_run(run, target)
    for form in ("dot", "svg"):
        if neche(["export", str(target), "--format", form, "--output", str(target / f"champion.{form}")]):
            return 1
    plot = plotting()
    draw_men(plot, target, target / "man-values.svg")
    draw_ladder(plot, target, target / "climb.svg")
    size = sum(path.stat().st_size for path in target.iterdir())
    print(f"{target}: {size} bytes, at most {LARGEST_BYTES} wanted")
    return 1 if size > LARGEST_BYTES else 0


def check(target: Path, generations: int) -> int:
    """Repeat the first generations of the reference run; return 1 if a line of its history differs."""
    config = parse_config(read_file(RunLayout(target).config), str(target))
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "run"
        with (
            joblib.parallel_config(backend=PromptThreads(), n_jobs=-1),
            RunDirectory.create(path, config.settings, config.seed) as run,
        ):
            for generation in evolve(config.settings, config.seed, generations=generations):
                run.save(generation)
        repeated = [dict(line) for line in read_history(path).lines]
    recorded = [dict(line) for line in read_history(target).lines[: len(repeated)]]
    # The chain of checks begins with the versions, which may differ.
    same = [without_check(one) == without_check(two) for one, two in zip(repeated, recorded, strict=True)]
    print(f"{sum(same)} of {len(same)} generations are the same, populations included")
    return 0 if all(same) else 1


def cut(target: Path, file: Path) -> int:
    """Write the champion with every gene into or out of a hidden neuron made silent."""
    record = read_source(str(target))
    genes = read_genes(record.genome)
    hidden = range(ORIGINAL.first_layer1, ORIGINAL.output)
    is_hidden = np.isin(genes.source, hidden) | np.isin(genes.sink, hidden)
    silenced = write_genes(genes._replace(sink=np.where(is_hidden, 0, genes.sink)))
    fields = {"perspective": record.fields["perspective"]}
    file.write_text(format_record(Record(f"{record.id}-cut", silenced, fields)), encoding="ascii")
    print(f"{file}: {int(is_hidden.sum())} genes made silent")
    return 0


def without_check(line: dict[str, object]) -> dict[str, object]:
    """Return a line of a history without the check that chains it to the lines before."""
    return {key: value for key, value in line.items() if key != "check"}


def main() -> int:
    """Read the arguments; make or check the reference run."""
    parser = argparse.ArgumentParser(description="Turn a finished run into the reference run.")
    parser.add_argument("run", type=Path, nargs="?", metavar="RUN")
    parser.add_argument("--target", type=Path, default=TARGET, metavar="DIR")
    parser.add_argument("--check", type=int, metavar="GENERATIONS", help="repeat the first ones and compare")
    parser.add_argument("--cut", type=Path, metavar="FILE", help="write the champion without hidden synapses")
    options = parser.parse_args()
    if options.cut is not None:
        return cut(options.target, options.cut)
    if options.check is not None:
        return check(options.target, options.check)
    if options.run is None:
        parser.error("name the run to make the reference of")
    return make(options.run, options.target)


if __name__ == "__main__":
    sys.exit(main())
