"""`neche analyse`: what a player thinks of one position."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from neche.api.board import Board
from neche.archive.storage import write_file
from neche.cli.analysis_view import View, analysis_table, analysis_values, line_of, watch
from neche.cli.arguments import FEN, Parser
from neche.cli.board import draw_board
from neche.cli.game_files import add_game_file, recorded_board
from neche.cli.output import emit, output_path
from neche.cli.workers import prepare_player, workers
from neche.compiled.streams import stream, stream_key
from neche.errors import InputError
from neche.games.game import Game, geometry_of
from neche.players.background import Background
from neche.players.engine import Analysis, Engine, Player
from neche.players.spec import parse_player
from neche.report.analysis import analysis_svg
from neche.report.animation import animation_svg


def add_analyse_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche analyse`."""
    named = parser.add_mutually_exclusive_group()
    meaning = "the position (default: the start position)"
    # Without a default, which would replace what the option has read.
    named.add_argument("fen", metavar="FEN", nargs="?", default=argparse.SUPPRESS, help=meaning)
    named.add_argument(*FEN.split(), metavar="FEN", help="the same")
    add_game_file(parser)
    parser.add_text("--player", "SPEC", "who judges", default="material:depth=8")
    parser.add_switch("--live", "show a uct player's values while it thinks")
    parser.add_text("--output --svg", "FILE.svg", "draw the board and the values of the moves here")
    picture = "draw a uct player's values, as they grew, as a moving picture"
    parser.add_text("--animation", "FILE.svg", picture)
    parser.add_game()
    parser.add_plugin()
    parser.add_workers()
    parser.add_seed("draws the move among equally good ones (default: the first of them)")


def execute_analyse(options: argparse.Namespace) -> None:
    """Search and print."""
    board = recorded_board(options) or Board(options.game, options.fen)
    rules, position = board.game, board.position
    player = parse_player(options.player, rules.name)
    if not player.judges:
        raise InputError(f"player {player.name} judges nothing; analyse with blind, material or a network")
    player.require_board(rules)
    picture = output_path(options.output, option="--output", ending=".svg")
    output_path(options.animation, option="--animation", ending=".svg")
    if options.live or options.animation or picture:
        geometry_of(rules)  # a game without one is a fault, before any search
    if (options.live or options.animation) and not player.is_tree:
        raise InputError("only a uct player can be watched while it thinks")
    prepare_player(player, game=rules.name)
    found = _analysis(player, rules, position, options)
    best = found.best_moves
    draw = None if options.seed is None else stream(options.seed, 0, "analyse")
    move = best[0] if draw is None else best[draw.integers(len(best))]
    if picture:
        drawn = replace(found, pv=tuple(line_of(found, move)))
        kind = player.name.partition(":")[0]
        write_file(picture, analysis_svg(rules, position, drawn, note=kind).encode())
    named = {"game": rules.name, "fen": board.fen, "player": player.name, "seed": options.seed}
    values = {**named, **analysis_values(found, move)}
    emit(options, values, _board(rules, position, options) + analysis_table(values, board.turn))


def _board(rules: Game, position: Any, options: argparse.Namespace) -> str:
    """Return the board as text: in colour on a terminal, nothing where it was shown already."""
    if options.json or not sys.stdout.isatty() or rules.geometry is None:
        return f"{rules.diagram(position)}\n\n"
    if options.live:
        return ""

    console = Console(highlight=False)
    in_colour = console.color_system is not None and not console.no_color
    with console.capture() as captured:
        console.print(draw_board(rules, position, in_colour=in_colour))
    return captured.get()


def _analysis(player: Player, rules: Game, position: Any, options: argparse.Namespace) -> Analysis:
    key = stream_key(options.seed or 0, 0, "analyse: thought")

    def analyse() -> Analysis:
        engine = player.new_game(rules)
        with workers(options):
            if options.live or options.animation:
                return _watched(engine, rules, position, key, options)
            return engine.analyse(position, key=key, every_value=True)

    return Background(lambda _: analyse()).result()


def _watched(engine: Engine, rules: Game, position: Any, key: int, options: argparse.Namespace) -> Analysis:
    if options.live:
        console = Console(stderr=options.json, highlight=False, soft_wrap=True)
        # An engine that plays by the clock must not wait for the viewer.
        is_patient = engine.limits.time_ms is None
        with View(rules, position, console, is_patient=is_patient) as view:
            analyses = watch(engine, position, key, view.show)
    else:
        analyses = watch(engine, position, key)
    if options.animation:
        write_file(Path(options.animation), animation_svg(rules, position, analyses).encode())
    return analyses[-1]
