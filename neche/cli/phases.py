"""`neche phases`: what a player's thinking looks like in the opening, the middle and the end."""

import argparse
from collections.abc import Sequence
from typing import Any

from neche.arena.phases import PhaseReport, examine, sample_positions
from neche.cli.arguments import Parser
from neche.cli.output import emit
from neche.cli.progress import progress_bar
from neche.cli.workers import prepare_field, prepare_player
from neche.games.catalogue import game
from neche.games.game import Game
from neche.players.spec import parse_player

DEFAULT_GUIDE = "uct:playouts=200"

# name of a mean: (heading, digits)
_COLUMNS = {
    "legal_moves": ("moves", 1),
    "value": ("value", 3),
    "playouts_per_second": ("playouts/s", 0),
    "nodes_per_second": ("nodes/s", 0),
    "depth": ("depth", 1),
    "mean_depth": ("mean depth", 1),
    "tree_depth": ("tree depth", 1),
    "line_to_leaf": ("line", 1),
    "line_length": ("sure line", 1),
    "mean_plies": ("plies a playout", 1),
}


def add_phases_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche phases`."""
    parser.add_argument("player", metavar="PLAYER", help="who thinks, such as uct:playouts=10000")
    parser.add_game()
    parser.add_plugin()
    parser.add_number("--positions", 10, "of each phase, each from a game of its own", high=10_000)
    guide = "plays the games that the positions are from"
    parser.add_text("--guide", "PLAYER", guide, default=DEFAULT_GUIDE)
    parser.add_seed("of the games, the choice of positions and the analyses (default: 0)")


def execute_phases(options: argparse.Namespace) -> None:
    """Think and report."""
    rules, seed = game(options.game), options.seed or 0
    player, guide = (parse_player(spec, rules.name) for spec in (options.player, options.guide))
    player.require_board(rules)
    guide.require_board(rules)
    prepare_field([guide], rules.name)
    prepare_player(player, game=rules.name)
    with progress_bar("positions", is_silent=options.json) as notify:
        samples = sample_positions(rules, guide, options.positions, seed)
        # The first analysis of a process loads compiled code: it is not timed.
        tuple(examine(player, rules, samples[:1], seed))
        reports = tuple(examine(player, rules, samples, seed, notify=notify))
    values = {
        "player": player.name,
        "game": rules.name,
        "guide": guide.name,
        "seed": seed,
        "phases": [_values(rules, report) for report in reports],
    }
    emit(options, values, _table(player.name, reports))


def _values(rules: Game, report: PhaseReport) -> dict[str, Any]:
    positions = [
        {"fen": rules.format_fen(sample.position), "ply": sample.ply, "plies": sample.plies, **figures}
        for sample, figures in zip(report.samples, report.figures, strict=True)
    ]
    return {"phase": report.phase, "means": report.means, "positions": positions}


def _table(name: str, reports: Sequence[PhaseReport]) -> str:
    columns = {key: column for key, column in _COLUMNS.items() if key in reports[0].means}
    lines = [
        f"{name}: means of {len(reports[0].samples)} positions of each phase",
        "",
        "  ".join([f"{'phase':8}", *(heading for heading, _ in columns.values())]),
    ]
    for report in reports:
        cells = [
            f"{report.means[key]:{len(heading)},.{digits}f}" for key, (heading, digits) in columns.items()
        ]
        lines.append("  ".join([f"{report.phase:8}", *cells]))
    return "\n".join(lines)
