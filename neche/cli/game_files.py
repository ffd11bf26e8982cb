"""Game files: writing them, reading positions from them, and `neche convert`."""

import argparse
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from os.path import realpath
from pathlib import Path

from neche.arena.game_in_progress import GameInProgress, resumed_game
from neche.cli.arguments import Parser
from neche.cli.output import counted, emit, note, output_path
from neche.cli.progress import progress_bar
from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.games.game import Game
from neche.records import formats as game_formats
from neche.records.reading import stop
from neche.records.record import GameRecord

_KILOBYTE = 1024
_SHOWN_FAULTS = 20


def game_writer(name: str | None, rules: Game) -> Callable[[Iterable[GameRecord]], int] | None:
    """Return a writer of games to a file, None without a name; InputError for a bad path or game."""
    path = output_path(name)
    if path is None:
        return None
    return partial(game_formats.write_games, path, chosen=game_formats.format_for(rules))


def _loaded(options: argparse.Namespace) -> Iterator[GameRecord]:
    """Yield the games in the file of `--load`; `--game` is the game of those that do not name it."""
    # The usual game is no choice: without one, the moves decide, and it is tried first.
    chosen = "" if options.game == GAMES[0] else options.game
    return game_formats.read_file(Path(options.load), default_game=chosen)


def first_game(options: argparse.Namespace) -> GameRecord:
    """Return the first game in the file of `--load`; InputError if none, or if `--pdn` would lose others."""
    first = [*islice(_loaded(options), 2)]
    if not first:
        raise InputError(f"{options.load}: the file contains no game")
    if len(first) > 1 and options.pdn and realpath(options.pdn) == realpath(options.load):
        others = "would overwrite the other games in this file; name another one"
        raise InputError(f"--pdn {options.pdn}: {others}")
    return first[0]


def add_game_file(parser: Parser) -> None:
    """Add `--load`, `--number` and `--ply`, read by `recorded_game`."""
    meaning = "take the position from a game in a file: PDN, GGF, …"
    # in other commands the older name is that of a file to be written
    parser.add_text("--load --pdn", "FILE", meaning)
    parser.add_number("--number", None, "number of the game in the file (default: the first)")
    parser.add_number("--ply", None, "the position after this many plies (default: the end)", low=0)


def recorded_game(options: argparse.Namespace) -> GameInProgress | None:
    """Return a game up to the position that options name in a file, None without; InputError if missing."""
    if options.load is None:
        if options.number is not None or options.ply is not None:
            raise InputError("--number and --ply need --load, which names a file of games")
        return None
    if options.fen is not None:
        raise InputError("a FEN and --load both name a position")
    number = options.number or 1
    record = next(islice(_loaded(options), number - 1, None), None)
    if record is None:
        raise InputError(f"{options.load}: the file has no game {number}")
    found, length = resumed_game(record), len(record.moves)
    ply = length if options.ply is None else options.ply
    if ply > length:
        raise InputError(f"{options.load}, game {number}: there is no ply {ply}, the game has {length}")
    return GameInProgress(found.game, found.positions[: ply + 1], found.moves[:ply])


def add_convert_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche convert`."""
    parser.add_argument("input", metavar="INPUT", help="a file of games; - reads standard input")
    parser.add_argument("output", metavar="OUTPUT", help="the file to write; - writes standard output")
    meaning = "pdn, ggf, transcript or wthor (default: by the extension of INPUT)"
    parser.add_text("--from", "FORMAT", meaning, dest="source_format")
    meaning = "pdn, ggf or transcript (default: by the extension of OUTPUT)"
    parser.add_text("--to", "FORMAT", meaning, dest="target_format")
    meaning = "game of PDN without a GameType tag (default: the game in which the moves are legal)"
    parser.add_text("--game", "NAME", meaning, default="")
    parser.add_switch("--skip", "skip games that cannot be read, and list them")


def execute_convert(options: argparse.Namespace) -> None:
    """Convert and report."""
    formats = (
        _format(options.input, options.source_format, "--from"),
        _format(options.output, options.target_format, "--to"),
    )
    if options.json and options.output == game_formats.STANDARD:
        raise InputError("--json and OUTPUT - both want standard output")
    output_path(options.output)
    if options.game and not formats[0].holds(game(options.game)):
        raise InputError(f"--game {options.game}: {formats[0].name.upper()} does not support this game")
    with progress_bar("kilobytes", is_silent=options.json) as notify:
        report = game_formats.convert(
            options.input,
            options.output,
            formats,
            default_game=options.game,
            on_fault=Faults().take if options.skip else stop,
            notify=lambda done, total: notify(done // _KILOBYTE, total // _KILOBYTE),
        )
    values = {**vars(report), "from": formats[0].name, "to": formats[1].name}
    words = conversion_words(report, formats[1].name)
    if options.output == game_formats.STANDARD:
        note(words)
    else:
        emit(options, values, words)


class Faults:
    """Reports games that cannot be read, up to a number of them."""

    def __init__(self) -> None:
        self._count = 0

    def take(self, fault: InputError) -> None:
        """Report a game that cannot be read, or that there are more."""
        self._count += 1
        if self._count <= _SHOWN_FAULTS:
            note(f"skipped: {fault}")
        elif self._count == _SHOWN_FAULTS + 1:
            note("skipped: more games, not listed")


def _format(name: str, chosen: str | None, option: str) -> game_formats.Format:
    if chosen is not None:
        return game_formats.format_named(chosen)
    if name == game_formats.STANDARD:
        raise InputError(f"{option} is needed to know the format of -")
    return game_formats.format_of(Path(name))


def conversion_words(report: game_formats.ConversionReport, target: str) -> str:
    """Say what a file of games holds that was written in the format `target`."""
    games, moves, skipped = counted(report.games, "game"), counted(report.moves, "move"), report.skipped
    lines = [f"{games}, {moves} written as {target}"]
    if skipped:
        is_left = "is" if skipped == 1 else "are"
        lines.append(f"{counted(skipped, 'game')} could not be read and {is_left} left out")
    if report.left_out:
        listed = ", ".join(f"{number} {kind}" for kind, number in report.left_out.items())
        lines.append(f"{target} cannot store {listed}")
    return "\n".join(lines)
