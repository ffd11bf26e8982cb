"""`neche nboard`: an engine for graphical interfaces of Othello."""

import argparse

from neche.cli.arguments import add_seed
from neche.cli.conversation import add_log, converse
from neche.games.catalogue import game
from neche.protocols.engine import EngineSettings, make_engine, warm_up
from neche.protocols.nboard import NBoardSession

GAME = "othello"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--player", default="", metavar="SPEC", help="who plays (default: uct)")
    add_seed(parser, "draws among equally good moves, and playouts (default: 0)")
    add_log(parser)


def execute(options: argparse.Namespace) -> None:
    """Obey the interface until it goes away."""
    rules = game(GAME)
    engine = make_engine(rules, EngineSettings(options.player, options.seed or 0))
    warm_up(engine, rules)
    converse(lambda write: NBoardSession(rules, engine, write), options.log)
