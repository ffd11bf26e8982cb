"""`neche ladder`: a champion against fixed rungs, from random moves to playouts by the hundred thousand."""

import argparse
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from neche.arena.baseline import Ladder, Rung, check_ladder, climb, usual_rungs
from neche.arena.meetings import OPENING_PLIES
from neche.cli.arguments import add_draws, add_game, add_json, add_seed, add_workers, whole_number
from neche.cli.climbing import watch_climb
from neche.cli.meeting import keep_hint
from neche.cli.output import emit, interval_words
from neche.cli.workers import prepare_field, workers
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.draws import parse_draws
from neche.players.player import Player
from neche.players.spec import parse_player
from neche.report.plots import draw_ladder

DEFAULT_GAMES = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("champion", metavar="RUN|FASTA|PLAYER", help="who climbs")
    parser.add_argument(
        "--depth", type=whole_number(1, 60), metavar="N", help="plies its network searches (default: 4)"
    )
    parser.add_argument(
        "--rungs", nargs="+", metavar="PLAYER", help="other players to meet instead of the usual rungs"
    )
    parser.add_argument(
        "--games",
        type=whole_number(1),
        default=DEFAULT_GAMES,
        metavar="N",
        help=f"against each rung, in pairs with the colours swapped (default: {DEFAULT_GAMES})",
    )
    parser.add_argument(
        "--openings",
        type=whole_number(0, 100),
        metavar="PLIES",
        help="random plies that open a pair of games",
    )
    parser.add_argument(
        "--results", metavar="FILE", help="keep finished pairs here; go on from what is there"
    )
    parser.add_argument("--picture", metavar="FILE.svg", help="draw the ladder here")
    add_game(parser)
    add_draws(parser)
    add_workers(parser)
    add_seed(parser, "of openings, playouts and draws among equal moves (default: 0)")
    add_json(parser)


def execute(options: argparse.Namespace) -> None:
    """Climb and report."""
    rules = game(options.game)
    picture = _picture_path(options)
    plies = OPENING_PLIES if options.openings is None else options.openings
    champion = _champion(options)
    rungs = (
        tuple(parse_player(text, rules.name) for text in options.rungs)
        if options.rungs
        else usual_rungs(rules)
    )
    draws = parse_draws(options.draws, rules.draws)
    ladder = Ladder(champion, rungs, options.games, options.seed or 0, plies, options.game, draws)
    climbed: list[Rung] = []
    results_path = Path(options.results) if options.results else None
    check_ladder(ladder)
    prepare_field((champion, *rungs), ladder.game)
    with keep_hint(options), workers(options), watch_climb(ladder, is_silent=options.json) as watch:
        for rung in climb(ladder, results_path=results_path, notify=watch.update):
            climbed.append(rung)
            watch.finish(f"{rung.player}: {figures(rung)}")
    if picture:
        draw_ladder(champion.name, climbed, picture)
    values = {
        "champion": champion.name,
        "games": 2 * climbed[0].pairs.num_pairs,
        "seed": ladder.seed,
        "opening_plies": plies,
        "draw_rule": draws.as_record(),
        "rungs": [rung.as_record() for rung in climbed],
        "picture": options.picture,
    }
    emit(options, values, _table(ladder, climbed))


def _champion(options: argparse.Namespace) -> Player:
    """Return who climbs, at the depth asked for."""
    player = parse_player(options.champion, options.game)
    if options.depth is None:
        return player
    if player.network is None or player.time_ms is not None:
        raise InputError(f"--depth {options.depth}: {player.name} does not search to a depth")
    if re.search(r"[:,]depth=", options.champion):
        raise InputError(f"--depth {options.depth}: {options.champion} names its depth already")
    name = re.sub(r"(?<=[:,]depth=)\d+$", str(options.depth), player.name)
    return replace(player, name=name, depth=options.depth)


def _picture_path(options: argparse.Namespace) -> Path | None:
    """Return where the picture goes; a wrong place is found before the games are played."""
    if options.picture is None:
        return None
    path = Path(options.picture)
    if path.suffix.lower() != ".svg":
        raise InputError(f"--picture {path}: its name must end in .svg")
    if not path.parent.is_dir():
        raise InputError(f"{path}: cannot be written: there is no directory {path.parent}")
    return path


def _table(ladder: Ladder, climbed: Sequence[Rung]) -> str:
    width = max(len(rung.player) for rung in climbed)
    games = 2 * climbed[0].pairs.num_pairs
    lines = [
        f"{ladder.champion.name}: {games} games against each,"
        f" openings of {ladder.opening_plies} random plies, seed {ladder.seed}",
        "",
        f"{'rung':{width}}  {'won':>5} {'drawn':>5} {'lost':>5}   score   Elo (95 %)",
    ]
    return "\n".join([*lines, *(f"{rung.player:{width}}  {figures(rung)}" for rung in climbed)])


def figures(rung: Rung) -> str:
    """Write the result against one rung."""
    counts = f"{rung.wins:5} {rung.draws:5} {rung.losses:5}"
    return f"{counts}   {rung.strength.score:.3f}   {interval_words(rung.strength)}"
