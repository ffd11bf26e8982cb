"""`neche analyse`: what a player thinks of one position."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from neche.api.board import Board
from neche.archive.storage import write_file
from neche.cli.arguments import add_game, add_json, add_seed, add_workers
from neche.cli.board import draw_board
from neche.cli.game_files import add_game_file, recorded_board
from neche.cli.output import emit, output_path, worth
from neche.cli.thoughts import thought_table, thought_values
from neche.cli.watching import open_view, watch
from neche.cli.workers import interruptible, prepare_player, workers
from neche.compiled.streams import stream, stream_key
from neche.errors import InputError
from neche.games.catalogue import Game, geometry_of
from neche.montecarlo.thinking import LimitedSeat, Seat, Thought
from neche.players.player import Player, require_board
from neche.players.spec import parse_player
from neche.report.thinking import counted_playouts, thinking_svg
from neche.report.verdict import MoveValue, Verdict, verdict_svg
from neche.search.analysis import search_position


def add_analyse_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `neche analyse`."""
    parser.add_argument("fen", metavar="FEN", nargs="?", help="the position (default: the start position)")
    add_game_file(parser)
    parser.add_argument(
        "--player", default="material:depth=8", metavar="SPEC", help="who judges (default: material:depth=8)"
    )
    parser.add_argument("--live", action="store_true", help="show a uct player's values while it thinks")
    parser.add_argument("--svg", metavar="FILE.svg", help="draw the board and the values of the moves here")
    parser.add_argument(
        "--animation",
        metavar="FILE.svg",
        help="draw a uct player's values, as they grew, as a moving picture",
    )
    add_game(parser)
    add_workers(parser)
    add_seed(parser, "draws the move among equally good ones (default: the first of them)")
    add_json(parser)


def execute_analyse(options: argparse.Namespace) -> None:
    """Search and print."""
    board = recorded_board(options) or Board(options.game, options.fen)
    rules, position = board.game, board.position
    player = parse_player(options.player, rules.name)
    if player.network is None and player.thinker is None:
        raise InputError(f"player {player.name} judges nothing; analyse with blind, material or a network")
    require_board(player, rules)
    picture = output_path(options.svg, option="--svg", ending=".svg")
    output_path(options.animation, option="--animation", ending=".svg")
    if options.live or options.animation or picture:
        geometry_of(rules)  # a game without one is told before anybody thinks
    prepare_player(player, game=rules.name)
    if player.thinker is None:
        if options.live or options.animation:
            raise InputError("only a uct player can be watched while it thinks")
        found = _search(player, rules, position, options)
    else:
        found = _think(player, rules, position, options)
    named = {"game": rules.name, "fen": rules.format_fen(position), "player": player.name}
    values = {**named, "seed": options.seed, **found}
    if picture:
        _draw(rules, position, values, picture)
    write = _table if player.thinker is None else thought_table
    emit(options, values, _board(rules, position, options) + write(values, rules.side_to_move(position)))


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


def _drawn(best: Sequence[str], seed: int | None) -> str:
    """Return one of equally good moves: the first, or, with a seed, any."""
    return best[0] if seed is None else best[int(stream(seed, 0, "analyse").integers(len(best)))]


def _think(player: Player, rules: Game, position: Any, options: argparse.Namespace) -> dict[str, Any]:
    assert player.thinker is not None
    seat, key = player.thinker.sit(rules), stream_key(options.seed or 0, 0, "analyse: thought")

    def think() -> Thought:
        with workers(options):
            if options.live or options.animation:
                return _think_watched(seat, rules, position, key, options)
            return seat.think(position, key)

    thought = interruptible(think)
    return thought_values(thought, _drawn(thought.best, options.seed))


def _think_watched(seat: Seat, rules: Game, position: Any, key: int, options: argparse.Namespace) -> Thought:
    if not isinstance(seat, LimitedSeat):
        raise InputError("only a uct player can be watched while it thinks")
    if options.live:
        # Who thinks by the clock must not wait for whoever looks.
        is_patient = seat.limits.time_ms is None
        with open_view(rules, position, to_stderr=options.json, is_patient=is_patient) as view:
            told = watch(seat, position, key, view.show)
    else:
        told = watch(seat, position, key)
    if options.animation:
        write_file(Path(options.animation), thinking_svg(rules, position, told).encode())
    return told[-1]


def _search(player: Player, rules: Game, position: Any, options: argparse.Namespace) -> dict[str, Any]:
    assert player.network is not None
    result = search_position(
        rules, position, player.network, depth=player.depth, time_ms=player.time_ms, every_value=True
    )
    move = result.pv[0] if options.seed is None else _drawn(result.best_moves, options.seed)
    moves = sorted(result.move_values.items(), key=lambda item: -item[1])
    return {
        "move": move,
        "value": result.value,
        # The line is known for the first of equals only.
        "pv": list(result.pv) if move == result.pv[0] else [move],
        "nodes": result.nodes,
        "depth": result.depth,
        "seconds": result.seconds,
        "moves": [{"move": move, "value": value} for move, value in moves],
    }


def _label(entry: dict[str, Any], *, is_score: bool, is_counted: bool) -> str:
    """Write the value of a move; one that nobody tried has none."""
    if not is_score:
        return worth(entry["value"]).removeprefix("value ")
    return f"{entry['value']:.3f}" if entry["visits"] or not is_counted else ""


def _draw(rules: Game, position: Any, values: dict[str, Any], path: Path) -> None:
    """Draw what was found."""
    facts, playouts = values.get("facts"), values.get("playouts")
    moves = tuple(
        MoveValue(
            entry["move"],
            entry["value"],
            _label(entry, is_score=facts is not None, is_counted=bool(playouts)),
            entry["visits"] if playouts else None,
        )
        for entry in values["moves"]
    )
    heading = f"{values['move']}, {moves[0].label}"
    if facts is not None and playouts:
        heading = counted_playouts(int(facts.get("descents", playouts)))
    below = f"{values['player'].partition(':')[0]}, line {' '.join(values['pv'])}"
    svg = verdict_svg(rules, position, Verdict(heading, below, moves))
    write_file(path, svg.encode())


def _table(values: dict[str, Any], side: str) -> str:
    rate = values["nodes"] / max(values["seconds"], 1e-9) / 1e6
    lines = [
        f"{side} to move: {values['move']}, {worth(values['value'])}",
        f"line: {' '.join(values['pv'])}",
        f"{values['nodes']} nodes, depth {values['depth']}, {values['seconds']:.2f} s, {rate:.1f} M nodes/s",
        "",
        *(f"  {entry['move']:12} {worth(entry['value'])}" for entry in values["moves"]),
    ]
    return "\n".join(lines)
