"""`neche perft`: count the leaves of the tree of legal moves."""

import argparse
import time

from neche.cli.arguments import add_game, add_json, add_seed, whole_number
from neche.cli.output import emit
from neche.cli.workers import interruptible, prepare
from neche.games.catalogue import game

MAX_DEPTH = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_game(parser)
    parser.add_argument("--fen", metavar="FEN", help="the position (default: the start position)")
    parser.add_argument(
        "--depth", type=whole_number(0, MAX_DEPTH), default=8, metavar="N", help="plies (default: 8)"
    )
    add_seed(parser, "taken like everywhere; nothing here is random")
    add_json(parser)


def execute(options: argparse.Namespace) -> None:
    """Count and print."""
    rules = game(options.game)
    position = rules.start() if options.fen is None else rules.parse_fen(options.fen)
    prepare("rules", rules.name)
    began = time.perf_counter()
    nodes = interruptible(lambda: rules.perft(position, options.depth))
    seconds = time.perf_counter() - began
    values = {
        "game": rules.name,
        "fen": rules.format_fen(position),
        "depth": options.depth,
        "nodes": nodes,
        "seconds": seconds,
    }
    rate = f", {nodes / seconds / 1e6:.1f} M leaves/s" if seconds > 0.01 else ""
    emit(options, values, f"depth {options.depth}: {nodes} leaves in {seconds:.3f} s{rate}")
