"""Print the tables of the teachers' page of the lab on Monte Carlo tree search.

Usage: python tools/studies/lab.py [TABLE ...] [--games 100] [--positions 20] [--jobs N]

Tables: position, rollouts, baselines, sides, handicap, variations, phases (default: all, ten minutes on
two cores). The seed is fixed and printed. All figures except rates are the same on every machine.
"""

import argparse
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import joblib
import numba
import numpy as np

import neche
from neche.arena.match import MatchReport, play_match
from neche.arena.phases import examine, sample_positions
from neche.arena.round_robin import play_round_robin
from neche.arena.tournament import Tournament
from neche.compiled.batches import PromptThreads
from neche.compiled.streams import stream_key
from neche.games.catalogue import game
from neche.games.draws import LAB_DRAWS
from neche.montecarlo.playouts_cpu import count_playouts
from neche.players.engine import Analysis
from neche.players.spec import parse_player
from neche.players.uct import Uct

GAME = "brazilian"
SEED = 1
OPENING_PLIES = 4
SEEDS = range(1, 21)
UCB1 = 2**0.5
"""Constant c of UCB1 as published, √(2 ln N / n). Source: Auer, Cesa-Bianchi, Fischer, 2002."""
FEN = "W:W12,23,27,29,30,31:B1,3,4,8,22"
LAB_MOVES = {
    "30-25": ("C8 B7", 301, 0.880),
    "30-26": ("C8 D7", 230, 0.842),
    "27-24": ("F7 G6", 184, 0.804),
    "23-18": ("E6 D5", 103, 0.693),
    "23-19": ("E6 F5", 86, 0.652),
    "29-25": ("A8 B7", 49, 0.490),
    "31-26": ("E8 D7", 46, 0.478),
}
"""The lab's figures for its position: its name of each move, N and Q after 1000 playouts."""
LAB_Q = 0.781
BASELINES = (
    "random",
    "material:depth=1",
    "material:depth=2",
    "material:depth=4",
    "mcrd:playouts=200",
    "uct:playouts=50",
    "uct:playouts=200",
    "uct:playouts=1000",
)
EQUALS = ("random", "material:depth=4", "uct:playouts=1000")
HANDICAPS = (0, 1, 2, 3, 4)
HANDICAPPED, RIVAL = "uct:playouts=1000", "material:depth=4"
VARIATIONS = (
    "uct:playouts=1000",
    "uct:playouts=1000,c=0.1",
    "uct:playouts=1000,c=1",
    "uct:playouts=1000,c=1.4142",
    "uct:playouts=1000,leaf=4",
    "uct:playouts=1000,leaf=material",
    "uct:playouts=4000",
)
THINKERS = ("uct:playouts=1000", "uct:playouts=10000")


class Sizes(NamedTuple):
    """Sizes of the measurements. games: per pair of players. positions: per phase."""

    games: int
    positions: int


def row(cells: Iterable[Any]) -> str:
    """Write a row of a Markdown table."""
    return f"| {' | '.join(map(str, cells))} |"


def table(heading: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """Write a Markdown table."""
    return [row(heading), row("---" for _ in heading), *map(row, rows)]


def event(*players: str, starts: tuple[str, ...] = ()) -> Tournament:
    """Return a tournament with the game and the draw rule of the lab, and a few random opening plies."""
    return Tournament(tuple(map(parse_player, players)), SEED, OPENING_PLIES, LAB_DRAWS, GAME, starts)


def think(seed: int) -> Analysis:
    """Return the lab's search of its position: UCT with UCB1 as published, and without proofs."""
    rules = game(GAME)
    key = stream_key(seed, 0, "analyse: thought")
    return (
        Uct(playouts=1000, exploration=UCB1, is_solving=False)
        .new_game(rules)
        .analyse(rules.parse_fen(FEN), key=key)
    )


def position_table(sizes: Sizes) -> list[str]:
    """Compare the lab's figures for its position with the means of twenty seeds."""
    thoughts = [think(seed) for seed in SEEDS]
    values = [float(thought.figures["root_value"]) for thought in thoughts]
    chosen = [thought.best_moves[0] for thought in thoughts]
    rows = []
    for number, move in enumerate(thoughts[0].moves):
        name, visits, value = LAB_MOVES[move.text]
        found = [thought.moves[number] for thought in thoughts]
        mean_visits = statistics.fmean(one.visits for one in found)
        mean_value = statistics.fmean(one.value for one in found)
        rows.append((move.text, name, visits, f"{value:.3f}", f"{mean_visits:.0f}", f"{mean_value:.3f}"))
    rows.sort(key=lambda cells: -int(cells[2]))
    counts = ", ".join(
        f"{text} for {chosen.count(text)} seeds" for text in sorted(set(chosen), key=chosen.count)[::-1]
    )
    return [
        *table(("move", "name in the lab", "N, lab", "Q, lab", "N, mean", "Q, mean"), rows),
        "",
        f"Q of the position: {LAB_Q} in the lab; for seeds {SEEDS[0]} to {SEEDS[-1]} the mean is"
        f" {statistics.fmean(values):.3f}, the smallest {min(values):.3f} and the largest {max(values):.3f}."
        f" The best move is {counts}.",
    ]


def rollouts_table(sizes: Sizes) -> list[str]:
    """Count random games from the start and from the lab's position."""
    rules, rows = game(GAME), []
    for name, fen in (("start", rules.format_fen(rules.start())), ("the lab's position", FEN)):
        position, count = rules.parse_fen(fen), 1000 * sizes.games
        with joblib.parallel_config(n_jobs=1):
            count_playouts(rules, [position], [100], [SEED])
            began = time.process_time()
            counts = count_playouts(rules, [position], [count], [stream_key(SEED, 0, "playouts")])
            seconds = time.process_time() - began
        wins, draws, _, plies = (int(column[0]) for column in counts)
        score, rate = (wins + draws / 2) / count, count / max(seconds, 1e-9)
        rows.append(
            (
                name,
                f"{count:,}",
                f"{score:.4f}",
                f"{draws / count:.3f}",
                f"{plies / count:.1f}",
                f"{rate / 1000:,.0f} k",
            )
        )
    return table(
        ("position", "random games", "White's score", "drawn", "plies a game", "games/s on one core"), rows
    )


def baselines_table(sizes: Sizes) -> list[str]:
    """Play a round robin of the lab's baselines, each of them equally often with either side."""
    report = play_round_robin(event(*BASELINES), sizes.games, anchor=parse_player(RIVAL).name)
    return table(
        ("player", "Elo", "won", "drawn", "lost"),
        (
            (f"`{line.name}`", f"{line.elo:+z.0f} ± {line.elo_error:.0f}", line.wins, line.draws, line.losses)
            for line in report.standings
        ),
    )


def sides_table(sizes: Sizes) -> list[str]:
    """Play players against themselves, to measure the value of the first move."""
    rows = []
    for name in EQUALS:
        report = play_match(event(name, name), 4 * sizes.games)
        outcomes = [
            side * outcome
            for pair in report.results
            for side, outcome in zip((1, -1), pair.outcomes, strict=True)
        ]
        score = (statistics.fmean(outcomes) + 1) / 2
        # An opening that favours White does so in both games of its pair, so the error comes from pairs.
        pairs = [(a + b) / 2 for a, b in zip(outcomes[::2], outcomes[1::2], strict=True)]
        error = 1.96 * statistics.pstdev(pairs) / 2 / len(pairs) ** 0.5
        counts = [outcomes.count(outcome) for outcome in (1, 0, -1)]
        rows.append((f"`{name}`", *counts, f"{score:.3f} ± {error:.3f}"))
    return table(("both players", "White won", "drawn", "Black won", "White's score"), rows)


def handicap(missing: int) -> tuple[str, str]:
    """Return the start positions of games in which the first player lacks this many men of its second row."""
    black, white = (6, 7, 5, 8)[:missing], (27, 26, 28, 25)[:missing]
    men = {
        "W": [n for n in range(21, 33) if n not in white],
        "B": [n for n in range(1, 13) if n not in black],
    }
    full = {"W": range(21, 33), "B": range(1, 13)}

    def fen(sides: dict[str, Sequence[int]]) -> str:
        return "W:" + ":".join(side + ",".join(map(str, squares)) for side, squares in sides.items())

    return fen({"W": men["W"], "B": full["B"]}), fen({"W": full["W"], "B": men["B"]})


def handicap_table(sizes: Sizes) -> list[str]:
    """Remove men of the stronger player until it is the weaker one."""
    rows = []
    for missing in HANDICAPS:
        report = play_match(event(HANDICAPPED, RIVAL, starts=handicap(missing)), sizes.games)
        rows.append((missing, *result(report)))
    return table(
        (f"men removed from `{HANDICAPPED}`", "won", "drawn", f"lost to `{RIVAL}`", "score", "Elo"), rows
    )


def result(report: MatchReport) -> tuple[Any, ...]:
    """Return the cells with the result of a match."""
    strength = report.strength
    words = {"": f"{strength.elo:+z.0f} ± {strength.elo_error:.0f}"}
    elo = words.get(strength.bound, f"{'above' if strength.bound == '>' else 'below'} {strength.elo:+z.0f}")
    return report.wins, report.draws, report.losses, f"{strength.score:.3f}", elo


def variations_table(sizes: Sizes) -> list[str]:
    """Measure variations of UCT against one rival on the same openings."""
    rows = []
    for name in VARIATIONS:
        report = play_match(event(name, RIVAL), sizes.games)
        rows.append((f"`{name}`", *result(report)))
    return table(("player", "won", "drawn", f"lost to `{RIVAL}`", "score", "Elo"), rows)


def phases_table(sizes: Sizes) -> list[str]:
    """Show how players search in the opening, the middle game and the endgame."""
    rules, rows = game(GAME), []
    samples = sample_positions(rules, parse_player("uct:playouts=200"), sizes.positions, SEED)
    names = ("legal_moves", "value", "mean_depth", "tree_depth", "line_to_leaf", "line_length", "mean_plies")
    for name in THINKERS:
        player = parse_player(name)
        tuple(examine(player, rules, samples[:1], SEED))
        for report in examine(player, rules, samples, SEED):
            means = [
                f"{report.means[key]:.3f}" if key == "value" else f"{report.means[key]:.1f}" for key in names
            ]
            rows.append(
                (f"`{name}`", report.phase, *means, f"{report.means['playouts_per_second'] / 1000:,.0f} k")
            )
    heading = ("player", "phase", "legal moves", "value", "mean depth", "tree depth", "line", "sure line")
    return table((*heading, "plies a playout", "playouts/s"), rows)


TABLES: dict[str, Callable[[Sizes], list[str]]] = {
    "position": position_table,
    "rollouts": rollouts_table,
    "baselines": baselines_table,
    "sides": sides_table,
    "handicap": handicap_table,
    "variations": variations_table,
    "phases": phases_table,
}


def versions() -> str:
    """Return the versions and conditions of the figures."""
    parts = {"neche": neche.__version__, "Python": platform.python_version(), "numpy": np.__version__}
    listed = ", ".join(f"{name} {version}" for name, version in {**parts, "numba": numba.__version__}.items())
    return f"{listed}; seed {SEED}, `{GAME}`, `--draws lab`, openings of {OPENING_PLIES} random plies"


def main() -> None:
    """Print the requested tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}; default: all")
    parser.add_argument("--games", type=int, default=100, help="games of each pair of players")
    parser.add_argument("--positions", type=int, default=20, help="positions of each phase")
    parser.add_argument("--jobs", type=int, default=-1, help="threads; default: all cores")
    options = parser.parse_args()
    for name in options.tables:
        if name not in TABLES:
            parser.error(f"unknown table {name!r} (known: {', '.join(TABLES)})")
    sizes = Sizes(options.games, options.positions)
    threads = PromptThreads()
    print(f"{versions()}, {sizes.games} games, {sizes.positions} positions of each phase")
    with joblib.parallel_config(backend=threads, n_jobs=options.jobs):
        for name in options.tables or TABLES:
            began = time.perf_counter()
            lines = TABLES[name](sizes)
            print("", f"## {name} ({time.perf_counter() - began:.0f} s)", "", *lines, sep="\n", flush=True)
    threads.close()


if __name__ == "__main__":
    main()
