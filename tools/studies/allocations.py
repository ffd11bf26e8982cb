"""Compare allocations of MCRD's playouts at equal playouts: the moves they choose, and matches.

Usage: python tools/studies/allocations.py [--playouts 200,2000] [--games 400] [--positions 400] [--seed 1]
           [--openings 4] [--true-playouts 100000] [--jobs N] [--no-matches]

The first table compares choices. In positions of random games every child is played out --true-playouts
times, which gives its true value. Loss is the difference between the true values of the best and the chosen
move, in thousandths of a point. All allocations see the same positions; ± is the standard error of the
difference to `equal`. The second table is a round robin on the same paired openings, colours swapped.
"""

import argparse
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray

from neche.arena.round_robin import play_round_robin
from neche.arena.tournament import Tournament
from neche.compiled.batches import PromptThreads
from neche.compiled.streams import stream, stream_key, stream_keys
from neche.games.catalogue import game
from neche.games.game import Game
from neche.montecarlo.playouts_cpu import count_playouts
from neche.players.mcrd import ALLOCATIONS, Mcrd
from neche.players.spec import parse_player

_LONGEST_GAME = 60


def positions(rules: Game, count: int, seed: int) -> list[Any]:
    """Draw positions with a choice, each from its own random game; in none can a move end the game."""
    found: list[Any] = []
    index = 0
    while len(found) < count:
        draw = stream(seed, 0, "allocations: position", index)
        index += 1
        position = rules.start()
        for _ in range(int(draw.integers(2, _LONGEST_GAME))):
            moves = rules.legal_moves(position)
            if not moves:
                break
            position = moves[draw.integers(len(moves))].after
        moves = rules.legal_moves(position)
        if len(moves) > 2 and all(rules.legal_moves(move.after) for move in moves):
            found.append(position)
    return found


def true_values(rules: Game, position: Any, playouts: int, key: int) -> NDArray[np.float64]:
    """Return the mean score of each move over very many playouts."""
    children = [move.after for move in rules.legal_moves(position)]
    keys = stream_keys(key, 0, "allocations: truth", len(children)).tolist()
    counts = count_playouts(rules, children, [playouts] * len(children), keys)
    return np.asarray((counts.losses + counts.draws / 2) / playouts)


def losses(rules: Game, player: Mcrd, position: Any, values: NDArray[np.float64], key: int) -> float:
    """Return the loss of the player's choice, the mean over equally good choices."""
    best = player.new_game(rules).analyse(position, key=key).best_moves
    chosen = [
        value for move, value in zip(rules.legal_moves(position), values, strict=True) if move.text in best
    ]
    return float(values.max() - np.mean(chosen))


def print_choices(options: argparse.Namespace, budgets: list[int]) -> None:
    """Print the table of choices."""
    rules = game("checkers")
    drawn = positions(rules, options.positions, options.seed)
    truth = [
        true_values(rules, position, options.true_playouts, options.seed + index)
        for index, position in enumerate(drawn)
    ]
    print(
        f"| {options.positions} positions, loss in 1/1000 | "
        + " | ".join(f"{n} playouts" for n in budgets)
        + " |"
    )
    print("|---" * (len(budgets) + 1) + "|")
    plain: dict[int, NDArray[np.float64]] = {}
    for allocation in ALLOCATIONS:
        cells = []
        for budget in budgets:
            player = Mcrd(playouts=budget, allocation=allocation)
            lost = np.array(
                [
                    losses(rules, player, *pair, stream_key(options.seed, 0, "allocations: choice", index))
                    for index, pair in enumerate(zip(drawn, truth, strict=True))
                ]
            )
            difference = lost - plain.setdefault(budget, lost)
            error = difference.std(ddof=1) / np.sqrt(len(lost))
            told = (
                f" ({1000 * difference.mean():+z.2f} ± {1000 * error:.2f})" if allocation != "equal" else ""
            )
            cells.append(f"{1000 * lost.mean():.2f}{told}")
        print(f"| {allocation} | " + " | ".join(cells) + " |", flush=True)


def print_matches(options: argparse.Namespace, budgets: list[int]) -> None:
    """Print a round robin at each budget; the anchor of Elo is `equal`."""
    for budget in budgets:
        names = [f"mcrd:playouts={budget},allocation={allocation}" for allocation in ALLOCATIONS]
        players = tuple(parse_player(name) for name in names)
        event = Tournament(players, options.seed, options.openings)
        report = play_round_robin(event, options.games, anchor=players[0].name)
        print(f"\n{options.games} games a pair, {options.openings} random plies, seed {options.seed}\n")
        print("| player | won | drawn | lost | score | Elo ± (95 %) |")
        print("|---|---|---|---|---|---|")
        for line in report.standings:
            results = f"{line.wins} | {line.draws} | {line.losses} | {line.points / line.games:.3f}"
            print(f"| {line.name} | {results} | {line.elo:+z.0f} ± {line.elo_error:.0f} |", flush=True)


def main() -> None:
    """Print the tables, in Markdown."""
    parser = argparse.ArgumentParser(description="Compare allocations of MCRD's playouts.")
    parser.add_argument("--playouts", default="200,2000")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--openings", type=int, default=4)
    parser.add_argument("--true-playouts", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--no-matches", action="store_true")
    options = parser.parse_args()
    budgets = [int(word) for word in options.playouts.split(",")]
    threads = PromptThreads()
    with joblib.parallel_config(backend=threads, n_jobs=options.jobs):
        print_choices(options, budgets)
        if not options.no_matches:
            print_matches(options, budgets)
    threads.close()


if __name__ == "__main__":
    main()
