"""`neche hub`: an engine for graphical interfaces and bots of draughts."""

import argparse

from neche.cli.arguments import add_seed
from neche.cli.conversation import add_log, converse
from neche.errors import InputError
from neche.protocols.hub_options import VARIANTS, HubOptions
from neche.protocols.hub_session import HubSession


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--game",
        default="international",
        metavar="NAME",
        help="international, brazilian or checkers; the interface may set it too (default: international)",
    )
    parser.add_argument(
        "--player", default="", metavar="SPEC", help="who plays (default: the game's, see docs)"
    )
    add_seed(parser, "draws among equally good moves, and playouts (default: 0)")
    add_log(parser)


def execute(options: argparse.Namespace) -> None:
    """Obey the interface until it says quit or goes away."""
    if options.game not in VARIANTS.values():
        raise InputError(f"Hub is for draughts, not for {options.game}: {', '.join(VARIANTS.values())}")
    settings = HubOptions(options.game, options.player)
    if options.seed is not None:
        settings.set("seed", str(options.seed))
    converse(lambda write: HubSession(settings, write), options.log)
