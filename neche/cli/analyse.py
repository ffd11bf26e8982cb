"""`neche analyse`: what a player thinks of one position."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from neche.cli.arguments import add_game, add_json, add_seed, add_workers
from neche.cli.output import emit, worth
from neche.cli.thoughts import thought_table, thought_values
from neche.cli.workers import interruptible, prepare_player, workers
from neche.errors import InputError

if TYPE_CHECKING:
    from neche.games.catalogue import Game
    from neche.montecarlo.thinking import Thought
    from neche.players.player import Player


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("fen", metavar="FEN", nargs="?", help="the position (default: the start position)")
    parser.add_argument(
        "--player", default="material:depth=8", metavar="SPEC", help="who judges (default: material:depth=8)"
    )
    add_game(parser)
    add_workers(parser)
    add_seed(parser, "draws the move among equally good ones (default: the first of them)")
    add_json(parser)


def execute(options: argparse.Namespace) -> None:
    """Search and print."""
    from neche.games.catalogue import game
    from neche.players.player import require_board
    from neche.players.spec import parse_player

    rules = game(options.game)
    position = rules.start() if options.fen is None else rules.parse_fen(options.fen)
    player = parse_player(options.player)
    if player.network is None and player.thinker is None:
        raise InputError(f"player {player.name} judges nothing; analyse with blind, material or a network")
    require_board(player, rules)
    prepare_player(player, game=rules.name)
    judge = _search if player.thinker is None else _think
    values = {
        "game": rules.name,
        "fen": rules.format_fen(position),
        "player": player.name,
        "seed": options.seed,
        **judge(player, rules, position, options),
    }
    write = _table if player.thinker is None else thought_table
    emit(options, values, f"{rules.diagram(position)}\n\n{write(values, rules.side_to_move(position))}")


def _drawn(best: Sequence[str], seed: int | None) -> str:
    """Return one of equally good moves: the first, or, with a seed, any."""
    from neche.compiled.streams import stream

    return best[0] if seed is None else best[int(stream(seed, 0, "analyse").integers(len(best)))]


def _think(player: "Player", rules: "Game", position: Any, options: argparse.Namespace) -> dict[str, Any]:
    from neche.compiled.streams import stream_key

    assert player.thinker is not None
    seat, key = player.thinker.sit(rules), stream_key(options.seed or 0, 0, "analyse: thought")

    def think() -> "Thought":
        with workers(options):
            return seat.think(position, key)

    thought = interruptible(think)
    return thought_values(thought, _drawn(thought.best, options.seed))


def _search(player: "Player", rules: "Game", position: Any, options: argparse.Namespace) -> dict[str, Any]:
    from neche.search.analysis import search_position

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
