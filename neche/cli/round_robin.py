"""`neche round-robin`: every pair of players meets; a table with ratings."""

import argparse
from pathlib import Path

from neche.arena.meetings import OPENING_PLIES, Event, check_event
from neche.arena.round_robin import RoundRobinReport, play_round_robin
from neche.cli.arguments import add_draws, add_game, add_json, add_seed, add_workers, whole_number
from neche.cli.meeting import keep_hint, progress_bar
from neche.cli.output import emit
from neche.cli.workers import prepare_field, workers
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.draws import parse_draws
from neche.genome.fasta import read_fasta
from neche.players.player import Player
from neche.players.spec import parse_player

DEFAULT_GAMES = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("players", metavar="PLAYER", nargs="*", help="two players or more")
    parser.add_argument("--file", metavar="FASTA", help="every genome of this file plays too")
    parser.add_argument(
        "--depth",
        type=whole_number(1, 60),
        default=4,
        metavar="N",
        help="plies for those of --file (default: 4)",
    )
    add_game(parser)
    parser.add_argument(
        "--games",
        type=whole_number(1),
        default=DEFAULT_GAMES,
        metavar="N",
        help=f"of each pair of players (default: {DEFAULT_GAMES})",
    )
    parser.add_argument(
        "--openings",
        type=whole_number(0, 100),
        metavar="PLIES",
        help="random plies that open a pair of games",
    )
    parser.add_argument("--anchor", metavar="PLAYER", help="whose Elo is 0 (default: the mean is 0)")
    parser.add_argument(
        "--results", metavar="FILE", help="keep finished pairs here; go on from what is there"
    )
    add_draws(parser)
    add_workers(parser)
    add_seed(parser, "of openings and draws among equal moves (default: 0)")
    add_json(parser)


def execute(options: argparse.Namespace) -> None:
    """Play and report."""
    draws = parse_draws(options.draws, game(options.game).draws)
    plies = OPENING_PLIES if options.openings is None else options.openings
    event = Event(_players(options), options.seed or 0, plies, draws, options.game)
    anchor = parse_player(options.anchor, options.game).name if options.anchor else None
    check_event(event)
    prepare_field(event.players, event.game)
    with keep_hint(options), workers(options), progress_bar(options) as notify:
        report = play_round_robin(
            event,
            options.games,
            anchor=anchor,
            results_path=Path(options.results) if options.results else None,
            notify=notify,
        )
    conditions = {"seed": event.seed, "opening_plies": plies, "draw_rule": draws.as_record()}
    values = {**report.as_record(), **conditions}
    emit(options, values, _table(report))


def _players(options: argparse.Namespace) -> tuple[Player, ...]:
    specs = list(options.players)
    if options.file:
        given = f"depth={options.depth}"
        specs += [
            f"network:file={options.file},id={record.id},{given}" for record in read_fasta(options.file)
        ]
    if len(specs) < 2:
        raise InputError(f"a round robin needs two players or more, got {len(specs)}")
    return tuple(parse_player(spec, options.game) for spec in specs)


def _table(report: RoundRobinReport) -> str:
    width = max(len(line.name) for line in report.standings)
    titles = f"{'Elo':>7} {'±':>6}  {'points':>8} /games  {'won':>5} {'drawn':>5} {'lost':>5}"
    heading = f"{'':4}{'player':{width}}  {titles}"
    rows = [
        f"{rank:3} {line.name:{width}}  {line.elo:+7.1f} {line.elo_error:6.1f}"
        f"  {line.points:8.1f} /{line.games:<5}  {line.wins:5} {line.draws:5} {line.losses:5}"
        for rank, line in enumerate(report.standings, start=1)
    ]
    return "\n".join([heading, *rows])
