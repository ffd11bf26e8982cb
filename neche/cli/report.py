"""`neche report` and `neche gallery`: a run, or many champions, as one page that opens in any browser."""

import argparse
from itertools import chain
from pathlib import Path

from neche.archive.reading import read_config, rotten_files
from neche.cli.arguments import Parser
from neche.cli.output import counted, emit, output_path, remark
from neche.cli.progress import progress_bar
from neche.cli.workers import prepare, prepare_field, workers
from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.game import Game
from neche.players.source import shipped_champions
from neche.report.gallery import compose_gallery, run_exhibit, shipped_exhibits
from neche.report.page import compose
from neche.report.plots import write_figures
from neche.report.sample_games import SampleMatch, opponents, play_samples
from neche.report.story import read_story
from neche.storage import write_file


def add_report_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche report`."""
    parser.add_argument("run", metavar="RUN", help="run directory, finished or not")
    parser.add_text("--output", "FILE", "file to write (default: the name of the run, with .html)")
    parser.add_number("--games", 4, "number of the champion's games to step through", low=0, high=100)
    parser.add_text("--figures", "DIR", "also write the pictures to this directory, as SVG files")
    parser.add_switch("--png", "with --figures: write most of them as PNG too")
    parser.add_plugin()
    parser.add_workers()
    parser.add_seed("seed of the games played for the page (default: the run's)")


def execute_report(options: argparse.Namespace) -> None:
    """Read the run, play its sample games, write the page."""
    if options.png and not options.figures:
        raise InputError("--png needs --figures DIR, the directory to write to")
    story = read_story(options.run)
    _tell_no_boards(story.rules)
    remark(*rotten_files(options.run))
    name = options.output or f"{Path(options.run).resolve().name}.html"
    target = output_path(name, endings=(".html", ".htm", ""))
    assert target is not None
    samples: list[SampleMatch] = []
    if story.network is not None:
        if options.games:
            prepare_field(opponents(story), story.rules.name)
            seed = story.config.seed if options.seed is None else options.seed
            with workers(options):
                samples = play_samples(story, options.games, seed)
        prepare("diagnostics", story.rules.name)
    page = compose(story, samples)
    content = page.html.encode()
    write_file(target, content)
    figures = write_figures(page, Path(options.figures), with_png=options.png) if options.figures else []
    values = {
        "output": str(target),
        "bytes": len(content),
        "generations": len(story.entries),
        "champion_id": story.champion.id if story.champion else None,
        "games": sum(len(sample.games) for sample in samples),
        "figures": [str(path) for path in figures],
    }
    generations = counted(len(story.entries), "generation")
    text = f"{target}: {len(content) / 1000:,.0f} kB, {generations}; open it in a browser"
    emit(options, values, text + (f"\n{options.figures}: {len(figures)} pictures" if figures else ""))


def _tell_no_boards(rules: Game) -> None:
    if rules.geometry is None:
        remark(f"{rules.name} defines no geometry of its board: the page has no boards")


def add_gallery_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche gallery`."""
    parser.add_argument("runs", metavar="RUN", nargs="*", help="run directories whose champions are added")
    parser.add_text("--output", "FILE", "file to write", default="gallery.html")


def execute_gallery(options: argparse.Namespace) -> None:
    """Collect the champions, value their pieces, write the page."""
    target = output_path(options.output, endings=(".html", ".htm"))
    assert target is not None
    # read before anything is compiled, so that a bad run is reported at once
    games = dict.fromkeys(read_config(run).settings.games.game for run in options.runs)
    for name in games:
        _tell_no_boards(game(name))
    for name in [*filter(shipped_champions, GAMES), *games]:
        prepare("diagnostics", name)
    count = len(options.runs) + sum(len(shipped_champions(name)) for name in GAMES)
    remark(f"valuing the pieces of {counted(count, 'champion')}")
    exhibits = []
    with progress_bar("champions", is_silent=options.json) as notify:
        for exhibit in chain(map(run_exhibit, options.runs), shipped_exhibits()):
            exhibits.append(exhibit)
            notify(len(exhibits), count)
    write_file(target, compose_gallery(exhibits).encode())
    values = {
        "output": str(target),
        "champions": [{"name": one.name, "game": one.game, "command": one.command} for one in exhibits],
    }
    emit(options, values, f"{target}: {counted(len(exhibits), 'champion')}; open it in a browser")
