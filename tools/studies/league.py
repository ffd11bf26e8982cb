"""Publish the results of a round robin: a league as a table of the documentation, or rungs as a scale.

Usage: python tools/studies/league.py RESULTS --page PAGE.md [--name NAME] [--anchor PLAYER]
       python tools/studies/league.py RESULTS --scale PLAYER

RESULTS: the results file of a `neche round-robin`, such as

    neche round-robin shipped:depth=4 --games 400 --results league.jsonl
    neche round-robin random material:depth=4 champion-1:depth=4 uct:playouts=1000 --results rungs.jsonl

--page: puts the table between `<!-- league NAME -->` and `<!-- end -->` on that page, or at its end if there
are no such marks. --scale: writes neche/arena/scales/GAME.json, from which `neche ladder` rates players; the
Elo of PLAYER is 0 there. Every pairing must be complete.
"""

import argparse
import json
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.arena.elo import count_pairs
from neche.arena.results import PairResult, open_results
from neche.arena.round_robin import RoundRobinReport, tabulate
from neche.arena.scale import SCALES, Scale
from neche.errors import InputError
from neche.storage import write_file

_END = "<!-- end -->"


def read_league(path: Path) -> tuple[dict[str, Any], tuple[PairResult, ...]]:
    """Return header and pairs of a finished round robin.

    Raises:
        InputError: the file is damaged, of another event, or not finished.
    """
    identity = json.loads(path.read_text(encoding="utf-8").partition("\n")[0])
    for key in ("format", "check"):
        identity.pop(key, None)
    if identity.get("event") != "round robin":
        raise InputError(f"{path}: holds no round robin")
    pairs = open_results(path, identity).pairs
    num_pairings = len(list(combinations(identity["players"], 2)))
    if len(pairs) != num_pairings * identity["games"] // 2:
        raise InputError(f"{path}: is not finished, {len(pairs)} pairs of games are there")
    return identity, pairs


def scale_of(identity: dict[str, Any], pairs: tuple[PairResult, ...], anchor: str) -> Scale:
    """Return the scale from these results. anchor: the player whose Elo is 0."""
    names = identity["players"]
    if anchor not in names:
        raise InputError(f"{anchor} is not among the players: {', '.join(names)}")
    num_pairs = identity["games"] // 2
    results = []
    for number, (first, second) in enumerate(combinations(range(len(names)), 2)):
        met = pairs[number * num_pairs : (number + 1) * num_pairs]
        counted = count_pairs([outcome for pair in met for outcome in pair.outcomes])
        results.append((first, second, tuple(counted)))
    return msgspec.convert(
        {**identity, "anchor": anchor, "networks": identity["networks"], "results": results}, Scale
    )


def table(identity: dict[str, Any], report: RoundRobinReport) -> str:
    """Return the league as a table in Markdown, with the conditions below it."""
    lines = [
        "| rank | player | Elo (95 %) | points / games | won | drawn | lost |",
        "|--:|---|--:|--:|--:|--:|--:|",
    ]
    for rank, line in enumerate(report.standings, start=1):
        elo = f"{line.elo:+z.0f} ± {line.elo_error:.0f}".replace("-", "−")
        counts = f"{line.points:g} / {line.games} | {line.wins} | {line.draws} | {line.losses}"
        lines.append(f"| {rank} | `{line.name}` | {elo} | {counts} |")
    return "\n".join(
        [
            *lines,
            "",
            f"{identity['game']}, {identity['games']} games of each pair of players, openings of"
            f" {identity['opening_plies']} random plies, seed {identity['seed']}.",
        ]
    )


def put_into_page(page: Path, name: str, text: str) -> None:
    """Put a text between its marks on a page, at the end if there are none yet."""
    begin = f"<!-- league {name} -->"
    content = page.read_text(encoding="utf-8") if page.exists() else ""
    block = f"{begin}\n\n{text}\n\n{_END}"
    before, mark, after = content.partition(begin)
    if mark:
        after = after.partition(_END)[2]
    else:
        before, after = f"{content.rstrip()}\n\n".lstrip(), "\n"
    write_file(page, f"{before}{block}{after}".encode())


def main() -> None:
    """Write the table or scale that the command line requests."""
    parser = argparse.ArgumentParser(description="Publish the results of a round robin.")
    parser.add_argument("results", type=Path, metavar="RESULTS", help="its results file")
    parser.add_argument("--page", type=Path, metavar="PAGE.md", help="write its table into this page")
    parser.add_argument("--name", default="checkers", help="of the table on the page (default: checkers)")
    parser.add_argument(
        "--anchor", metavar="PLAYER", help="whose Elo is 0 in the table (default: the mean is)"
    )
    parser.add_argument("--scale", metavar="PLAYER", help="write the scale of rungs; the Elo of PLAYER is 0")
    options = parser.parse_args()
    identity, pairs = read_league(options.results)
    names, num_pairs = identity["players"], identity["games"] // 2
    pairings = list(combinations(range(len(names)), 2))
    text = table(identity, tabulate(names, pairings, num_pairs, pairs, anchor=options.anchor))
    print(text)
    if options.page:
        put_into_page(options.page, options.name, text)
    if options.scale:
        SCALES.mkdir(exist_ok=True)
        content = msgspec.json.encode(scale_of(identity, pairs, options.scale))
        write_file(SCALES / f"{identity['game']}.json", content + b"\n")


if __name__ == "__main__":
    main()
