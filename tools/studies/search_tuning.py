"""Play two selective searches with the same network against each other, to measure a search parameter.

Usage: python tools/studies/search_tuning.py A B [--game checkers] [--player champion-1]
           [--nodes 20000 | --time MS] [--games 400] [--sprt LOW,HIGH] [--seed 1] [--openings 6]
           [--results FILE] [--jobs 1] [--endings DIR]

A, B: `usual`, the game's parameters; `nothing`, all moves to one depth; or `exact`, the exact search. The
first two take changes, as in `usual,reduce_after=4`; `nodes=N` or `time=MS` gives one side its own limit.
Otherwise both have the same number of nodes per move, so that results are repeatable and do not depend on
other load; depths and positions per second are printed, since parameters may cost time. With --time both
sides have that many milliseconds per move instead: such a match needs its own core, and is never the same
twice. --endings: both sides know the solved endings of a directory; with `endings_pieces=0` a side does not
look up endings below the root. --sprt: the Elo differences of a sequential test at 5 %.
"""

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import joblib
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.arena.match import MatchReport, play_match
from neche.arena.sprt import plan_sprt
from neche.arena.tournament import Tournament
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.game import Game
from neche.players.alpha_beta import AlphaBeta, evaluation_of
from neche.players.alpha_beta_engine import AlphaBetaEngine
from neche.players.engine import MAX_DEPTH, Engine, Limits
from neche.players.selective_engine import SelectiveEngine
from neche.players.solved_endings import EndingsEngine, endings_in
from neche.players.spec import parse_player
from neche.search.selectivity import NOTHING, Selectivity, selectivity_of


@dataclass(frozen=True)
class TunedPlayer(AlphaBeta):
    """A player with its own search parameters."""

    figures: Selectivity | None = NOTHING
    # Not `time_ms`, which no match would accept.
    milliseconds: int | None = None
    endings: str | None = None

    # A player returns the engine of its kind, this one any engine that its parameters need.
    def new_game(self, game: Game, *, memory_mb: int | None = None) -> Engine:  # type: ignore[override]
        """Begin a game."""
        engine = self._engine(game)
        if self.endings is None:
            return engine
        return EndingsEngine(engine, endings_in(self.endings, game.name), gives_scores=False)

    def _engine(self, game: Game) -> AlphaBetaEngine:
        evaluation = evaluation_of(self.network, game)
        limits = Limits(self.depth, nodes=self.nodes, time_ms=self.milliseconds)
        if self.figures is None:
            return AlphaBetaEngine(game, evaluation, limits)
        return SelectiveEngine(game, evaluation, limits, selectivity=self.figures)


def tuned(words: str, rules: Game, options: argparse.Namespace) -> TunedPlayer:
    """Return the player that a text such as `usual,window=40` describes.

    Raises:
        InputError: it names an unknown parameter.
    """
    base, *changes = words.split(",")
    if base not in ("nothing", "usual", "exact") or (base == "exact" and changes):
        raise InputError(f"{words}: begins with usual or nothing, or is exact")
    nodes, milliseconds = options.nodes, options.time
    figures = NOTHING if base == "nothing" else selectivity_of(rules)
    for change in changes:
        name, _, number = change.partition("=")
        if name == "nodes":
            nodes, milliseconds = int(number), None
        elif name == "time":
            milliseconds = int(number)
        elif name in Selectivity._fields:
            figures = figures._replace(**{name: np.int64(int(number))})
        else:
            raise InputError(f"{words}: there is no figure {name!r}")
    spec = options.player
    network = parse_player(spec, rules.name).evaluating_network
    if network is None:
        raise InputError(f"{spec} has no network")
    limit = f"nodes={nodes}" if milliseconds is None else f"time={milliseconds}"
    return TunedPlayer(
        f"{spec} {words} {limit}",
        network,
        MAX_DEPTH,
        nodes=nodes if milliseconds is None else None,
        search="selective",
        figures=None if base == "exact" else figures,
        milliseconds=milliseconds,
        endings=options.endings,
    )


def told(report: MatchReport) -> str:
    """Return a result as text."""
    strength = report.strength
    counts = f"{report.wins}/{report.draws}/{report.losses}, score {strength.score:.3f}"
    ending = f", SPRT {report.sprt.accepted or 'undecided'}" if report.sprt else ""
    return f"{counts}, Elo {strength.elo:+z.0f} ± {strength.elo_error:.0f}{ending}"


def main() -> int:
    """Play and print."""
    parser = argparse.ArgumentParser(description="What is a parameter of a selective search worth?")
    parser.add_argument("first", metavar="A")
    parser.add_argument("second", metavar="B")
    parser.add_argument("--game", default="checkers")
    parser.add_argument("--player", default="champion-1")
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--time", type=int, metavar="MS")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--sprt", metavar="LOW,HIGH")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--openings", type=int, default=6)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--endings", metavar="DIR")
    options = parser.parse_args()
    rules = game(options.game)
    players = tuple(tuned(words, rules, options) for words in (options.first, options.second))
    for player in players:
        found = player.new_game(rules).analyse(rules.start(), limits=Limits(nodes=300_000))
        began = time.process_time()
        found = player.new_game(rules).analyse(rules.start(), limits=Limits(nodes=300_000))
        rate = found.nodes / (time.process_time() - began) / 1e6
        deep = player.new_game(rules).analyse(rules.start(), limits=Limits(time_ms=100))
        print(
            f"{player.name}: {rate:.1f} M positions a second from the start, "
            f"depth {found.depth} in 300 000 positions, {deep.depth} in a tenth of a second"
        )
    sprt = None if options.sprt is None else plan_sprt(*map(float, options.sprt.split(",")))
    tournament = Tournament(players, options.seed, options.openings, game=options.game)
    with joblib.parallel_config(backend="threading", n_jobs=options.jobs):
        report = play_match(tournament, options.games, sprt=sprt, results_path=options.results)
    print(f"{options.game} {options.first} against {options.second}, seed {options.seed}: {told(report)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
