"""Make the pictures of the documentation from real runs, into docs/images.

    evolve.svg     the panel of `neche evolve`, as it stood at two thirds of a run of the recipe `default`
    champion.svg   the champion of a run of `tournament`, as `neche export` draws it
    climb.svg      the champions of that run and of a run of `original` against the network that sees nothing

Usage: python tools/pictures/readme_pictures.py [--work DIR] [--original-generations N]

It needs matplotlib and the graphviz program. `original` searches six plies and takes long; with `--work` its
run is kept, and continued next time.
"""

import argparse
import io
import shutil
import sys
import tempfile
import time
from pathlib import Path

import joblib
from rich.console import Console
from rich.terminal_theme import TerminalTheme

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.archive.reading import read_history
from neche.archive.run import RunDirectory
from neche.cli.evolve_panel import draw_panel
from neche.cli.evolve_progress import EvolutionProgress
from neche.cli.main import main as neche
from neche.compiled.batches import PromptThreads
from neche.evolution.champion import select_champion
from neche.evolution.events import Event, GamesPlayed
from neche.evolution.evolve import evolve
from neche.evolution.recipes import load_recipe, override
from tools.studies.plateau_figures import plotting, save

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
SEED = 0
_JOBS = 2
_PICTURE_AT = 2 / 3
_ORIGINAL_LADDER_GAMES = 100

# Colours for light and dark pages: a dark card with a border that is visible on both.
THEME = TerminalTheme(
    (22, 27, 34),
    (230, 237, 243),
    [
        *((72, 79, 88), (255, 123, 114), (86, 211, 100), (227, 179, 65)),
        *((121, 192, 255), (210, 168, 255), (86, 212, 221), (177, 186, 196)),
    ],
)
# As rich draws it, without the fonts that it would load from the network.
SCREEN = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def watch_recipe(recipe: str, run_path: Path) -> str:
    """Evolve a recipe, crown its champion; return the panel at two thirds of the run as SVG."""
    settings = load_recipe(recipe)
    target = settings.run.generations
    progress = EvolutionProgress(
        f"neche evolve · runs/{recipe} · seed {SEED}", target, depth=settings.curriculum.depth
    )
    began = time.monotonic()
    progress.pace.finish(began, 0)
    pictures: list[str] = []

    def watch(event: Event) -> None:
        progress.update(event, time.monotonic())
        is_half_played = isinstance(event, GamesPlayed) and 2 * event.done > event.total
        if not pictures and is_half_played and progress.generation >= _PICTURE_AT * target:
            pictures.append(picture_of(progress))

    with RunDirectory.create(run_path, settings, SEED) as run:
        for generation in evolve(settings, SEED, notify=watch):
            run.save(generation)
        member, ladder = select_champion(settings, SEED, generation)
        run.crown(member, generation=target, scores=ladder)
    print(f"{run_path}: {time.monotonic() - began:.0f} s, champion {member.id} {ladder}")
    return pictures[0]


def picture_of(progress: EvolutionProgress) -> str:
    """Draw the terminal's content."""
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True, highlight=False)
    console.print("[bold green]$[/] neche evolve")
    console.print(draw_panel(progress))
    return console.export_svg(title="", theme=THEME, code_format=SCREEN, unique_id="evolve")


def run_original(run_path: Path, last: int) -> None:
    """Evolve the recipe `original` to generation `last`, or continue its run."""
    settings = override(load_recipe("original"), f"ladder_games={_ORIGINAL_LADDER_GAMES}")
    is_begun = (run_path / "config.toml").exists()
    opened = RunDirectory.open(run_path) if is_begun else RunDirectory.create(run_path, settings, SEED)
    with opened as run:
        for generation in evolve(settings, SEED, generations=last, resume_from=run.last):
            run.save(generation)
            print(f"{run_path}: generation {generation.number} {generation.record.get('ladder')}", flush=True)


def climb(run_path: Path) -> tuple[list[float], dict[str, list[float]]]:
    """Return, for each ladder of a run, the positions searched until then, and the scores by opponent."""
    searched, total = [], 0.0
    scores: dict[str, list[float]] = {}
    for line in read_history(run_path).lines:
        total += line["nodes"]
        if line.get("ladder"):
            searched.append(total)
            for player, score in line["ladder"].items():
                scores.setdefault(player, []).append(score)
    return searched, scores


def draw_climb(runs: dict[str, Path], target: Path) -> None:
    """Draw the scores of champions over the work that went into them."""
    plot = plotting()
    figure, axes = plot.subplots(1, 2, figsize=(8, 3.2), sharey=True, layout="constrained")
    colours = {"tournament": "#0072B2", "original": "#D55E00"}
    opponents = {
        "blind:depth=4": "against blindness (no synapse)",
        "material:depth=4": "against material count",
    }
    for axis, (player, title) in zip(axes, opponents.items(), strict=True):
        for name, path in runs.items():
            searched, scores = climb(path)
            axis.plot(searched, scores[player], color=colours[name], marker=".", label=f"recipe {name}")
        axis.axhline(0.5, color="#888888", linewidth=0.8, linestyle="--")
        axis.set(title=title, xscale="log", ylim=(-0.03, 1.03), xlabel="positions searched in training")
        axis.grid(alpha=0.25)
    axes[0].set_ylabel("champion's score a game, depth 4")
    axes[1].legend(loc="upper left", frameon=False)
    save(plot, figure, target)


def make(work: Path, original_generations: int) -> None:
    """Make all three pictures; long runs are kept in `work`."""
    with joblib.parallel_config(backend=PromptThreads(), n_jobs=_JOBS):
        for recipe in ("tournament", "default"):
            shutil.rmtree(work / recipe, ignore_errors=True)
            panel = watch_recipe(recipe, work / recipe)
        (IMAGES / "evolve.svg").write_text(panel, encoding="utf-8")
        run_original(work / "original", original_generations)
    words = ["--format", "svg", "--output", str(IMAGES / "champion.svg")]
    if neche(["export", str(work / "tournament"), *words]) != 0:
        raise SystemExit("no picture of the champion")
    draw_climb({name: work / name for name in ("tournament", "original")}, IMAGES / "climb.svg")


def main() -> int:
    """Read the arguments and make the pictures."""
    parser = argparse.ArgumentParser(description="Make the pictures of the documentation from real runs.")
    parser.add_argument("--work", type=Path, metavar="DIR", help="keep the runs here (default: nowhere)")
    parser.add_argument("--original-generations", type=int, default=100, metavar="N")
    options = parser.parse_args()
    IMAGES.mkdir(parents=True, exist_ok=True)
    if options.work is not None:
        options.work.mkdir(parents=True, exist_ok=True)
        make(options.work, options.original_generations)
        return 0
    with tempfile.TemporaryDirectory() as work:
        make(Path(work), options.original_generations)
    return 0


if __name__ == "__main__":
    sys.exit(main())
