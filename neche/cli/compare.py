"""`neche compare`: runs side by side, grouped by the settings in which they differ."""

import argparse
from itertools import chain
from pathlib import Path
from typing import Any

from neche.archive.reading import rotten_files
from neche.cli.arguments import Parser
from neche.cli.output import counted, emit, output_path, remark
from neche.errors import InputError
from neche.parsing import naming_file
from neche.report import spread
from neche.report.comparison import cautions, find_runs, read_runs, table_of, versions_apart, write_csv
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
    players = spread.players_of(runs)
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
        "scores": [one._asdict() for one in spreads],
        "differences": [one._asdict() for one in differences],
        "output": None if target is None else str(target),
    }
    emit(options, values, _words(values, [spread.difference_words(one) for one in differences]))


def _pyarrow(target: Path) -> Any:
    try:
        import pyarrow.parquet  # optional: most users never need it
    except ImportError:
        raise InputError(f"{target}: Parquet needs pyarrow: pip install pyarrow; or use .csv") from None
    return pyarrow


def _words(values: dict[str, Any], written: list[tuple[str, str, str]]) -> str:
    wide = max([len("settings"), *(len(one["label"]) for one in values["scores"])]) + 2
    lines = [f"{counted(len(values['runs']), 'run')}; final scores a game, over seeds"]
    if not values["scores"]:
        lines += ["none: no champion of these runs has met the ladder's players (see ladder, ladder_games)"]
    player = None
    for one in values["scores"]:
        if one["player"] != player:
            player = one["player"]
            heads = f"{'settings':{wide}}runs  median   mean  worst   best"
            lines += ["", f"against {player}", f"  {heads}"]
        figures = "".join(f"{one[key]:7.3f}" for key in ("mean", "low", "high"))
        lines.append(f"  {one['label']:{wide}}{one['num_runs']:4}  {one['median']:6.3f}{figures}")
    if values["differences"]:
        lines += ["", f"mean minus that of {values['first']}, 95 % by bootstrap, p by Mann-Whitney"]
    for one, (value, interval, p_value) in zip(values["differences"], written, strict=True):
        sure = f"  ({interval}), p {p_value}" if interval else "  (a single run: no interval)"
        lines.append(f"  {one['label']:{wide}}{value}{sure}  against {one['player']}")
    if values["output"]:
        lines += ["", f"written: {values['output']}"]
    return "\n".join(lines)
