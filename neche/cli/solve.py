"""`neche solve`: endings with few pieces, solved once and kept in files; or the last moves of one game."""

import argparse
import time
from pathlib import Path
from typing import Any

from neche.api.board import Board
from neche.cli.analysis_view import PROVEN
from neche.cli.arguments import FEN, Parser
from neche.cli.output import counted, emit, note, remark
from neche.cli.progress import keep_hint, progress_bar
from neche.cli.workers import prepare, workers
from neche.endings.files import FOLDER, SliceCounts, usual_directory
from neche.endings.slices import FEWEST_PIECES, MOST_PIECES
from neche.endings.solving import check_endings, size_of, solve_endings
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.game import Game
from neche.players.background import Background
from neche.players.engine import require_moves
from neche.players.exact_endings import last_moves_of, solve_position

DEFAULT_PIECES = 4


def add_solve_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche solve`."""
    parser.add_game("checkers")
    parser.add_text(FEN, "FEN", "solve this one position to the end, in a game such as Othello")
    most = "solve all endings of at most this many pieces, of both sides together"
    parser.add_number("--pieces", DEFAULT_PIECES, most, low=FEWEST_PIECES, high=MOST_PIECES)
    where = f"directory for the files of all games (default: {FOLDER}, or a cache)"
    parser.add_text("--output", "DIR", where)
    parser.add_switch("--distance", "also store how many plies a win takes, in files four times as large")
    parser.add_switch("--check", "then check that every value follows from those of its successors")
    parser.add_number("--jobs", None, "parallel workers (default: all cores)")
    parser.set_defaults(backend="threading")


def execute_solve(options: argparse.Namespace) -> None:
    """Solve the missing slices, and report on all of them."""
    rules = game(options.game)
    if options.fen is not None:
        _solve_position(options, rules)
        return
    if rules.last_moves is not None:
        raise InputError(f"the endings of {rules.name} are too many; --fen solves one position to the end")
    directory = Path(options.output) if options.output else usual_directory()
    size = size_of(rules, options.pieces, with_distances=options.distance)
    if not options.json:
        extent = f"{size.positions:,} positions in {size.slices} slices, {size.num_bytes / 1e6:,.1f} MB"
        note(f"{rules.name}, up to {options.pieces} pieces: {extent}, in {directory}")
    prepare("endings", rules.name)
    began = time.monotonic()
    kept = f"finished slices are kept in {directory}; the same command continues from there"
    with keep_hint(kept), workers(options), progress_bar("positions", is_silent=options.json) as notify:
        arguments = rules, directory, options.pieces
        found = list(solve_endings(*arguments, with_distances=options.distance, notify=notify))
        seconds = time.monotonic() - began
        checked = 0
        if options.check:
            checked = check_endings(*arguments, with_distances=options.distance, notify=notify)
    values = {
        "game": rules.name,
        "pieces": options.pieces,
        "directory": str(directory),
        "slices": len(found),
        "new_slices": sum(is_new for _, _, is_new in found),
        **_sums([counts for _, counts, _ in found]),
        "bytes": size.num_bytes,
        "distances": options.distance,
        "by_pieces": [
            {"pieces": pieces, **_sums([counts for of, counts, _ in found if sum(of) == pieces])}
            for pieces in range(FEWEST_PIECES, options.pieces + 1)
        ],
        "checked": checked,
        "seconds": seconds,
    }
    emit(options, values, _words(values))


def _solve_position(options: argparse.Namespace, rules: Game) -> None:
    board, last_moves = Board(rules.name, options.fen), last_moves_of(rules)
    require_moves(rules, board.position)
    usual = {"pieces": DEFAULT_PIECES, "output": None, "distance": False, "check": False, "jobs": None}
    given = [name for name, value in usual.items() if getattr(options, name) != value]
    remark(*(f"--{name} changes nothing with --fen" for name in given))
    prepare("last moves", rules.name)
    found = Background(lambda _: solve_position(rules, board.position)).result()
    points, left = int(found.figures[last_moves.points]), last_moves.num_left(board.position)
    values = {
        "game": rules.name,
        "fen": board.fen,
        "left": left,
        "score": points,
        "proven": PROVEN[found.proven],
        "best_moves": list(found.best_moves),
        "pv": list(found.pv),
        "nodes": found.nodes,
        "seconds": found.seconds,
    }
    rate = found.nodes / max(found.seconds, 1e-9) / 1e6
    result = f"{values['proven']}, {points:+d} {last_moves.points}"
    lines = [
        f"{board.turn} to move: {result}, {counted(left, 'move')} left",
        f"best: {' '.join(found.best_moves)}",
        f"line: {' '.join(found.pv)}",
        f"{found.nodes} nodes, {found.seconds:.2f} s, {rate:.2g} M nodes/s",
    ]
    emit(options, values, "\n".join(lines))


def _sums(counts: list[SliceCounts]) -> dict[str, int]:
    added = ("positions", "wins", "draws", "losses")
    sums = {name: sum(getattr(one, name) for one in counts) for name in added}
    return {**sums, "longest": max(one.longest for one in counts)}


def _words(values: dict[str, Any]) -> str:
    titles = f"pieces  {'positions':>15} {'won':>15} {'drawn':>15} {'lost':>15}"
    titles += "  longest, plies" if values["distances"] else ""
    rows = [
        f"{row['pieces']:6}  {row['positions']:15,} {row['wins']:15,} {row['draws']:15,} {row['losses']:15,}"
        + (f"  {row['longest']:14}" if values["distances"] else "")
        for row in values["by_pieces"]
    ]
    kept = values["slices"] - values["new_slices"]
    there = f", {kept} of {values['slices']} slices were already there" if kept else ""
    checked = f"\n{values['checked']:,} values follow from their successors" if values["checked"] else ""
    return "\n".join([titles, *rows]) + f"\n{values['seconds']:.1f} s{there}{checked}"
