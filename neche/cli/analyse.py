"""How a player evaluates: `neche analyse` for one position, `neche phases` for the phases of a game."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from os.path import realpath
from pathlib import Path
from typing import Any

from rich.console import Console

from neche.arena.game_in_progress import GameInProgress, set_up
from neche.arena.phases import PhaseReport, examine, sample_positions
from neche.cli.analysis_view import analysis_table, analysis_values, line_of, viewing, watch
from neche.cli.arguments import FEN, Parser
from neche.cli.board import draw_board
from neche.cli.game_files import add_game_file, recorded_game
from neche.cli.output import counted, emit, output_path
from neche.cli.progress import progress_bar
from neche.cli.workers import prepare_field, prepare_player, workers
from neche.compiled.streams import stream, stream_key
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.game import Game, geometry_of
from neche.players.background import Background
from neche.players.engine import Analysis, Engine, Player
from neche.players.spec import parse_player
from neche.report.analysis import analysis_svg
from neche.report.animation import animation_svg
from neche.storage import write_file


def add_analyse_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche analyse`."""
    named = parser.add_mutually_exclusive_group()
    meaning = "the position (default: the start position)"
    # No default: it would overwrite the option's value.
    named.add_argument("fen", metavar="FEN", nargs="?", default=argparse.SUPPRESS, help=meaning)
    named.add_argument(*FEN.split(), metavar="FEN", help="the position, as an option")
    add_game_file(parser)
    parser.add_text("--player", "SPEC", "the player that evaluates", default="material:depth=8")
    parser.add_switch("--live", "show a uct player's values while it searches")
    parser.add_text("--output --svg", "FILE.svg", "draw the board with the values of the moves to this file")
    picture = "write an animation of how a uct player's values developed"
    parser.add_text("--animation", "FILE.svg", picture)
    parser.add_game()
    parser.add_plugin()
    parser.add_workers()
    parser.add_seed("seed of the choice among equally good moves (default: the first of them)")


def execute_analyse(options: argparse.Namespace) -> None:
    """Search and print."""
    so_far = recorded_game(options) or set_up(game(options.game), options.fen)
    rules, position = so_far.game, so_far.position
    player = parse_player(options.player, rules.name)
    if not player.judges:
        raise InputError(f"player {player.name} does not evaluate; use blind, material or a network")
    player.require_board(rules)
    picture = output_path(options.output, endings=(".svg",))
    animation = output_path(options.animation, option="--animation", endings=(".svg",))
    if picture and animation and realpath(picture) == realpath(animation):
        raise InputError(f"--output and --animation both name {picture}")
    if options.live or animation or picture:
        geometry_of(rules)  # raises for a game without one, before any search
    if (options.live or animation) and not player.is_tree:
        raise InputError("only a uct player can be watched while it searches")
    prepare_player(player, game=rules.name)
    found = _analysis(player, so_far, options)
    best = found.best_moves
    draw = None if options.seed is None else stream(options.seed, 0, "analyse")
    move = best[0] if draw is None else best[draw.integers(len(best))]
    if picture:
        drawn = replace(found, pv=tuple(line_of(found, move)))
        kind = player.name.partition(":")[0]
        write_file(picture, analysis_svg(rules, position, drawn, note=kind).encode())
    named = {"game": rules.name, "fen": so_far.fens[-1], "player": player.name, "seed": options.seed}
    values = {**named, **analysis_values(found, move)}
    table = analysis_table(values, rules.side_to_move(position))
    emit(options, values, _board(rules, position, options) + table)


def _board(rules: Game, position: Any, options: argparse.Namespace) -> str:
    """Return the board as text, in colour on a terminal; empty if it was shown already."""
    if options.json or not sys.stdout.isatty() or rules.geometry is None:
        return f"{rules.diagram(position)}\n\n"
    if options.live:
        return ""
    console = Console(highlight=False)
    in_colour = console.color_system is not None and not console.no_color
    with console.capture() as captured:
        console.print(draw_board(rules, position, in_colour=in_colour))
    return captured.get()


def _analysis(player: Player, so_far: GameInProgress, options: argparse.Namespace) -> Analysis:
    rules, position = so_far.game, so_far.position
    key = stream_key(options.seed or 0, 0, "analyse: thought")

    def analyse() -> Analysis:
        engine = player.new_game(rules)
        engine.follow(so_far.positions[:-1])
        with workers(options):
            if options.live or options.animation:
                return _watched(engine, rules, position, key, options)
            return engine.analyse(position, key=key, every_value=True)

    return Background(lambda _: analyse()).result()


def _watched(engine: Engine, rules: Game, position: Any, key: int, options: argparse.Namespace) -> Analysis:
    if options.live:
        console = Console(stderr=options.json, highlight=False, soft_wrap=True)
        # An engine with a time limit must not wait for the viewer.
        with viewing(rules, position, console, is_patient=engine.limits.time_ms is None) as show:
            analyses = watch(engine, position, key, show)
    else:
        analyses = watch(engine, position, key)
    if options.animation:
        write_file(Path(options.animation), animation_svg(rules, position, analyses).encode())
    return analyses[-1]


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
    parser.add_argument("player", metavar="PLAYER", help="the player to examine, such as uct:playouts=10000")
    parser.add_game()
    parser.add_plugin()
    parser.add_number("--positions", 10, "positions of each phase, each from a different game", high=10_000)
    guide = "the player of the games from which positions are taken"
    parser.add_text("--guide", "PLAYER", guide, default=DEFAULT_GUIDE)
    parser.add_seed("seed of the games, the choice of positions and the analyses (default: 0)")


def execute_phases(options: argparse.Namespace) -> None:
    """Analyse the positions and report."""
    rules, seed = game(options.game), options.seed or 0
    player, guide = (parse_player(spec, rules.name) for spec in (options.player, options.guide))
    player.require_board(rules)
    guide.require_board(rules)
    if not player.judges:  # reported before anything is compiled
        raise InputError(f"player {player.name} does not evaluate positions")
    prepare_field([guide], rules.name)
    prepare_player(player, game=rules.name)
    with progress_bar("positions", is_silent=options.json) as notify:
        samples = sample_positions(rules, guide, options.positions, seed)
        # The first analysis of a process loads compiled code, so it is not timed.
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
    columns = {key: _COLUMNS[key] for key in _COLUMNS if any(key in one.means for one in reports)}
    lines = [
        f"{name}: means of {counted(len(reports[0].samples), 'position')} of each phase",
        "",
        "  ".join([f"{'phase':8}", *(heading for heading, _ in columns.values())]),
    ]
    for report in reports:
        means = {key: f"{report.means[key]:,.{columns[key][1]}f}" for key in columns if key in report.means}
        cells = [f"{means.get(key, '–'):>{len(heading)}}" for key, (heading, _) in columns.items()]
        lines.append("  ".join([f"{report.phase:8}", *cells]))
    return "\n".join(lines)
