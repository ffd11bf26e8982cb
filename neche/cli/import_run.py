"""`neche import`: the original program's folder becomes a run."""

import argparse
from pathlib import Path

from neche.archive.nechedbg import import_nechedbg
from neche.cli.arguments import add_json, add_seed
from neche.cli.output import emit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("kind", choices=("nechedbg",), help="whose files: those of the original program")
    parser.add_argument("folder", metavar="DIR", help="the folder with N_nets.txt and best_networks.txt")
    parser.add_argument(
        "--run", metavar="DIR", help="the run directory to write (default: runs/<DIR's name>)"
    )
    add_seed(parser, "of what evolves from there (default: 0)")
    add_json(parser)


def execute(options: argparse.Namespace) -> None:
    """Read the folder and write the run."""
    folder = Path(options.folder)
    run = Path(options.run) if options.run else Path("runs") / folder.resolve().name
    found = import_nechedbg(folder, run, seed=options.seed or 0)
    values = {"run": str(run), "seed": options.seed or 0, **found._asdict()}
    text = (
        f"{run}: generation {found.generation} with {found.num_members} members,"
        f" {found.num_champions} champions\ngo on with: neche evolve --resume --run {run}"
    )
    emit(options, values, text)
