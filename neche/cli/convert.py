"""`neche convert`: files of games as other formats."""

import argparse
from pathlib import Path

from neche.cli.arguments import add_json, add_seed
from neche.cli.meeting import progress_bar
from neche.cli.output import emit, note
from neche.errors import InputError
from neche.games.catalogue import game
from neche.records.conversion import STANDARD, ConversionReport, convert
from neche.records.formats import Format, format_named, format_of

_KILOBYTE = 1024
_SHOWN_FAULTS = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("input", metavar="INPUT", help="a file of games; - reads standard input")
    parser.add_argument("output", metavar="OUTPUT", help="the file to write; - writes standard output")
    parser.add_argument(
        "--from",
        dest="source_format",
        metavar="FORMAT",
        help="pdn, ggf, transcript or wthor (default: as the name of INPUT ends)",
    )
    parser.add_argument(
        "--to",
        dest="target_format",
        metavar="FORMAT",
        help="pdn, ggf or transcript (default: as the name of OUTPUT ends)",
    )
    parser.add_argument(
        "--game",
        default="",
        metavar="NAME",
        help="the game of PDN without a GameType tag (default: the one in which the moves are legal)",
    )
    parser.add_argument(
        "--skip", action="store_true", help="leave out the games that cannot be read, and say which"
    )
    add_seed(parser, "taken like everywhere; nothing here is random")
    add_json(parser)


def execute(options: argparse.Namespace) -> None:
    """Convert and report."""
    formats = (
        _format(options.input, options.source_format, "--from"),
        _format(options.output, options.target_format, "--to"),
    )
    if options.json and options.output == STANDARD:
        raise InputError("--json and OUTPUT - both want standard output")
    if options.game and game(options.game).pdn is None:
        raise InputError(f"--game {options.game}: there is no PDN of this game")
    faults = _Faults()
    with progress_bar(options, "kilobytes") as notify:
        report = convert(
            options.input,
            options.output,
            formats,
            default_game=options.game,
            on_fault=faults.take if options.skip else None,
            notify=lambda done, total: notify(done // _KILOBYTE, total // _KILOBYTE),
        )
    values = {
        "games": report.games,
        "moves": report.moves,
        "skipped": report.skipped,
        "left_out": report.left_out,
        "from": formats[0].name,
        "to": formats[1].name,
    }
    if options.output == STANDARD:
        note(_words(report, formats))
    else:
        emit(options, values, _words(report, formats))


class _Faults:
    """Says what cannot be read, up to a number of games."""

    def __init__(self) -> None:
        self._count = 0

    def take(self, fault: InputError) -> None:
        self._count += 1
        if self._count <= _SHOWN_FAULTS:
            note(f"skipped: {fault}")
        elif self._count == _SHOWN_FAULTS + 1:
            note("skipped: more games, not listed")


def _format(name: str, chosen: str | None, option: str) -> Format:
    if chosen is not None:
        return format_named(chosen)
    if name == STANDARD:
        raise InputError(f"{option} is needed to know the format of -")
    return format_of(Path(name))


def _words(report: ConversionReport, formats: tuple[Format, Format]) -> str:
    lines = [f"{report.games} games, {report.moves} moves written as {formats[1].name}"]
    if report.skipped:
        lines.append(f"{report.skipped} games could not be read and are left out")
    if report.left_out:
        listed = ", ".join(f"{number} {kind}" for kind, number in report.left_out.items())
        lines.append(f"{formats[1].name} has no room for {listed}")
    return "\n".join(lines)
