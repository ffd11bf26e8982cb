"""Counts from a position: `neche perft` counts leaves of the move tree, `neche playouts` random games."""

import argparse
import time
from typing import Any

from neche.api.board import Board
from neche.cli.arguments import Parser
from neche.cli.output import counted, emit, remark
from neche.cli.progress import progress_bar
from neche.cli.workers import prepare, workers
from neche.compiled.streams import stream_key
from neche.errors import InputError
from neche.games.contract import is_registered
from neche.games.draws import MAX_PLIES
from neche.games.playouts import PlayoutRule
from neche.montecarlo.counting import MAX_COUNT, RULE, check_rule, count_playouts_on
from neche.players.background import Background

_MOST_PERFT_PLIES = 40
_MOST_PLIES = 10**9


def add_perft_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche perft`."""
    parser.add_game("checkers")
    parser.add_fen()
    parser.add_number("--depth", 8, "depth of the tree in plies", low=0, high=_MOST_PERFT_PLIES)


def execute_perft(options: argparse.Namespace) -> None:
    """Count the leaves and print them."""
    board = Board(options.game, options.fen)
    prepare("rules", board.game.name)
    began = time.perf_counter()
    nodes = Background(lambda _: board.perft(options.depth)).result()
    seconds = time.perf_counter() - began
    about = {"game": board.game.name, "fen": board.fen, "depth": options.depth}
    rate = f", {nodes / seconds / 1e6:.1f} M leaves/s" if seconds > 0.01 else ""
    leaves = f"{nodes} {'leaf' if nodes == 1 else 'leaves'}"
    text = f"depth {options.depth}: {leaves} in {seconds:.3f} s{rate}"
    emit(options, {**about, "nodes": nodes, "seconds": seconds}, text)


def add_playouts_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche playouts`."""
    parser.add_game("checkers")
    parser.add_fen()
    parser.add_number("--games --count", 1_000_000, "number of random games", high=MAX_COUNT)
    parser.add_text("--device", "cpu|cuda", "where the games are played", default="cpu")
    quiet = f"draw a game after this many plies without capture or man move; 0: {MAX_PLIES}, the maximum"
    quiet += f" (default: {RULE.quiet_plies})"
    parser.add_number("--quiet-plies", None, quiet, low=0, high=MAX_PLIES)
    longest = f"stop a game after this many plies; 0: never, or at {MAX_PLIES} in games from Python files"
    parser.add_number("--max-plies", 0, longest, low=0, high=_MOST_PLIES)
    parser.add_switch("--by-count", "a stopped game is won by the side with more pieces, not drawn")
    parser.add_switch("--avoid-cycles", "kings do not move straight back if another move is possible")
    whole = "choose among whole moves instead of steps: all complete captures are equally likely"
    parser.add_switch("--whole-captures", whole)
    parser.add_workers()
    parser.add_seed("seed of the games (default: 0)")


def execute_playouts(options: argparse.Namespace) -> None:
    """Play the games, count their results and print them."""
    board = Board(options.game, options.fen)
    if board.is_over:
        raise InputError(f"the game is over: {board.turn} has no legal move")
    count_playouts = count_playouts_on(options.device)
    rule, starts = _rule(options, board), [board.position]
    check_rule(board.game, starts, rule)
    prepare("playouts", board.game.name)
    key, done = stream_key(options.seed or 0, 0, "playouts"), 0
    with workers(options), progress_bar("games", is_silent=options.json, shows_rate=True) as show:

        def notify(finished: int) -> None:
            nonlocal done
            done += finished
            show(done, options.games)

        began = time.perf_counter()
        counts = count_playouts(board.game, starts, [options.games], [key], rule=rule, notify=notify)
        seconds = time.perf_counter() - began
    values = {
        "game": board.game.name,
        "fen": board.fen,
        "seed": options.seed or 0,
        "count": options.games,
        "device": options.device,
        "rule": rule._asdict(),
        "first_wins": int(counts.wins[0]),
        "draws": int(counts.draws[0]),
        "second_wins": int(counts.losses[0]),
        "mean_plies": int(counts.plies[0]) / options.games,
        "seconds": seconds,
        "games_per_second": options.games / max(seconds, 1e-9),
    }
    emit(options, values, _words(values, board.turn))


def _rule(options: argparse.Namespace, board: Board) -> PlayoutRule:
    quiet = options.quiet_plies
    if quiet is not None and not is_registered(type(board.position), "is_progress"):
        remark(f"--quiet-plies changes nothing: no ply of {board.game.name} counts as quiet")
    if options.by_count and not options.max_plies:
        raise InputError("--by-count needs --max-plies, the length at which pieces are counted")
    return PlayoutRule(
        quiet_plies=RULE.quiet_plies if quiet is None else quiet,
        max_plies=options.max_plies,
        by_count=int(options.by_count),
        avoid_cycles=int(options.avoid_cycles),
        whole_moves=int(options.whole_captures),
    )


def _words(values: dict[str, Any], first: str) -> str:
    results = ((f"{first} wins", "first_wins"), ("draws", "draws"), (f"{first} loses", "second_wins"))
    lines = [f"{label:12} {values[key]:>12}  {values[key] / values['count']:.4f}" for label, key in results]
    games = f"{counted(values['count'], 'random game')} from {values['fen']}"
    rate = f"{values['seconds']:.2f} s, {values['games_per_second']:,.0f} games/s"
    return "\n".join([games, *lines, f"{values['mean_plies']:.2f} plies on average", rate])
