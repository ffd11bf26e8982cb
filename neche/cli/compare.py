"""`neche compare`: runs side by side, grouped by the settings in which they differ."""

import argparse
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from neche.archive.reading import rotten_files
from neche.cli.arguments import Parser
from neche.cli.output import counted, emit, output_path, remark
from neche.errors import InputError
from neche.parsing import naming_file
from neche.report import spread
from neche.report.comparison import (
    FITNESS,
    cautions,
    find_runs,
    read_runs,
    table_of,
    versions_apart,
    write_csv,
)
from neche.storage import write_file

_ENDINGS = (".html", ".csv", ".parquet")


def add_compare_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche compare`."""
    parser.add_argument("runs", metavar="RUN", nargs="+", help="run directories, or directories of runs")
    meaning = "write a page with curves (.html), or every measurement as a table (.csv, .parquet)"
    parser.add_text("--output", "FILE", meaning)


def execute_compare(options: argparse.Namespace) -> None:
    """Read the runs, compare, write."""
    target = output_path(options.output, endings=_ENDINGS)
    arrow = _pyarrow(target) if target is not None and target.suffix.lower() == ".parquet" else None
    paths = find_runs(options.runs)
    runs = read_runs(paths)
    remark(*chain.from_iterable(map(rotten_files, paths)), *cautions(runs))
    if apart := versions_apart(runs):
        remark(f"the runs began with {apart}: differences may be due to that")
    groups = spread.groups_of(runs)
    players = [*spread.players_of(runs), FITNESS]
    spreads = [one for player in players for one in spread.spreads_of(groups, player)]
    differences = [one for player in players for one in spread.differences_of(groups, player)]
    if target is not None:
        rows = spread.curve_rows(runs)
        if arrow is not None:
            heads = dict.fromkeys(key for row in rows for key in row)
            table = arrow.table({key: [row.get(key) for row in rows] for key in heads})
            with naming_file(target, "written"):
                arrow.parquet.write_table(table, target)
        else:
            text = spread.compose_comparison(runs) if target.suffix.lower() == ".html" else write_csv(rows)
            write_file(target, text.encode())
    values = {
        "runs": table_of(runs),
        "first": groups[0].label,
        "scores": [one._asdict() for one in spreads if one.player != FITNESS],
        "differences": [one._asdict() for one in differences if one.player != FITNESS],
        "fitness": [one._asdict() for one in spreads if one.player == FITNESS],
        "fitness_differences": [one._asdict() for one in differences if one.player == FITNESS],
        "output": None if target is None else str(target),
    }
    emit(options, values, _words(values, spreads, differences))


def _pyarrow(target: Path) -> Any:
    try:
        import pyarrow.parquet  # optional: most users never need it
    except ImportError:
        raise InputError(f"{target}: Parquet needs pyarrow: pip install pyarrow; or use .csv") from None
    return pyarrow


def _words(
    values: dict[str, Any], spreads: Sequence[spread.Spread], differences: Sequence[spread.Difference]
) -> str:
    wide = max([len("settings"), *(len(one.label) for one in spreads)]) + 2
    lines = [f"{counted(len(values['runs']), 'run')}; final scores a game, over seeds"]
    if not values["scores"]:
        lines += ["none: no champion of these runs has met the ladder's players (see ladder, ladder_games)"]
    player = None
    for one in spreads:
        cell = 13 if one.player == FITNESS else 7
        if one.player != player:
            player = one.player
            heads = "".join(f"{head:>{cell}}" for head in ("median", "mean", "worst", "best"))
            lines += ["", _measure(player), f"  {'settings':{wide}}runs {heads}"]
        figures = "".join(f"{figure:>{cell}}" for figure in spread.spread_words(one))
        lines.append(f"  {one.label:{wide}}{one.num_runs:4} {figures}")
    if differences:
        lines += ["", f"mean minus that of {values['first']}, 95 % by bootstrap, p by Mann-Whitney"]
    for found in differences:
        value, interval, p_value = spread.difference_words(found)
        sure = f"  ({interval}), p {p_value}" if interval else "  (a single run: no interval)"
        lines.append(f"  {found.label:{wide}}{value}{sure}  {_measure(found.player)}")
    if values["output"]:
        lines += ["", f"written: {values['output']}"]
    return "\n".join(lines)


def _measure(player: str) -> str:
    return f"{FITNESS}, of the last generation" if player == FITNESS else f"against {player}"
