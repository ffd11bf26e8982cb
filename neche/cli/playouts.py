"""`neche playouts`: random games from one position, counted."""

import argparse
import time
from typing import Any

from neche.cli.arguments import add_game, add_json, add_seed, add_workers, whole_number
from neche.cli.meeting import progress_bar
from neche.cli.output import emit
from neche.cli.workers import prepare, workers
from neche.compiled.streams import stream_key
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.contract import PlayoutRule
from neche.montecarlo.devices import count_playouts_on

DEFAULT_COUNT = 1_000_000
MAX_COUNT = 10**12
_MOST_PLIES = 10**9


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_game(parser)
    parser.add_argument("--fen", metavar="FEN", help="the position (default: the start position)")
    parser.add_argument(
        "--count",
        type=whole_number(1, MAX_COUNT),
        default=DEFAULT_COUNT,
        metavar="N",
        help=f"games (default: {DEFAULT_COUNT})",
    )
    parser.add_argument("--device", default="cpu", metavar="cpu|cuda", help="where they are played")
    plies = whole_number(0, _MOST_PLIES)
    parser.add_argument(
        "--quiet-plies",
        type=plies,
        default=80,
        metavar="N",
        help="drawn after so many plies without capture or man move; 0: never (default: 80)",
    )
    parser.add_argument(
        "--max-plies", type=plies, default=0, metavar="N", help="stop a game there; 0: never (default: 0)"
    )
    parser.add_argument(
        "--by-count", action="store_true", help="a stopped game is won with more pieces, not drawn"
    )
    parser.add_argument(
        "--avoid-cycles", action="store_true", help="kings do not go back at once where they can do else"
    )
    parser.add_argument(
        "--whole-captures",
        action="store_true",
        help="draw among whole moves instead of steps: of all complete captures each is as likely",
    )
    add_workers(parser)
    add_seed(parser, "of the games (default: 0)")
    add_json(parser)


def execute(options: argparse.Namespace) -> None:
    """Play and print."""
    rules = game(options.game)
    position = rules.start() if options.fen is None else rules.parse_fen(options.fen)
    if not rules.legal_moves(position):
        raise InputError(f"the game is over: {rules.side_to_move(position)} has no legal move")
    count_playouts = count_playouts_on(options.device)
    rule = _rule(options)
    prepare("playouts", rules.name)
    key, done = stream_key(options.seed or 0, 0, "playouts"), 0
    with workers(options), progress_bar(options, "games", shows_rate=True) as show:

        def notify(finished: int) -> None:
            nonlocal done
            done += finished
            show(done, options.count)

        began = time.perf_counter()
        counts = count_playouts(rules, [position], [options.count], [key], rule=rule, notify=notify)
        seconds = time.perf_counter() - began
    values = {
        "game": rules.name,
        "fen": rules.format_fen(position),
        "seed": options.seed or 0,
        "count": options.count,
        "device": options.device,
        "rule": rule._asdict(),
        "first_wins": int(counts.wins[0]),
        "draws": int(counts.draws[0]),
        "second_wins": int(counts.losses[0]),
        "mean_plies": int(counts.plies[0]) / options.count,
        "seconds": seconds,
        "games_per_second": options.count / max(seconds, 1e-9),
    }
    emit(options, values, _words(values, rules.side_to_move(position)))


def _rule(options: argparse.Namespace) -> PlayoutRule:
    if options.by_count and not options.max_plies:
        raise InputError("--by-count needs --max-plies, the length at which pieces are counted")
    return PlayoutRule(
        quiet_plies=options.quiet_plies,
        max_plies=options.max_plies,
        by_count=int(options.by_count),
        avoid_cycles=int(options.avoid_cycles),
        whole_moves=int(options.whole_captures),
    )


def _words(values: dict[str, Any], first: str) -> str:
    results = {f"{first} wins": "first_wins", "draws": "draws", f"{first} loses": "second_wins"}
    lines = [
        f"{label:12} {values[key]:>12}  {values[key] / values['count']:.4f}" for label, key in results.items()
    ]
    return "\n".join(
        [
            f"{values['count']} random games from {values['fen']}",
            *lines,
            f"{values['mean_plies']:.2f} plies on average",
            f"{values['seconds']:.2f} s, {values['games_per_second']:,.0f} games/s",
        ]
    )
