"""`neche match`: two players over paired openings, and what the result proves."""

import argparse
from pathlib import Path

from neche.arena.match import MatchReport, play_match
from neche.arena.meetings import OPENING_PLIES, Event, check_event
from neche.arena.replay import replay_match
from neche.arena.sprt import parse_sprt
from neche.cli.arguments import add_draws, add_game, add_json, add_seed, add_workers, whole_number
from neche.cli.game_file import game_file
from neche.cli.meeting import keep_hint, progress_bar
from neche.cli.output import emit, interval_words
from neche.cli.workers import prepare_field, workers
from neche.games.catalogue import game
from neche.games.draws import parse_draws
from neche.players.spec import parse_player

DEFAULT_GAMES = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("a", metavar="A", help="a player, such as material:depth=4 or runs/default")
    parser.add_argument("b", metavar="B", help="its opponent")
    add_game(parser)
    parser.add_argument(
        "--games",
        type=whole_number(1),
        default=DEFAULT_GAMES,
        metavar="N",
        help=f"at most, in pairs with the colours swapped (default: {DEFAULT_GAMES})",
    )
    parser.add_argument(
        "--openings",
        type=whole_number(0, 100),
        metavar="PLIES",
        help="random plies that open a pair of games (default: 12, with --start 0)",
    )
    parser.add_argument(
        "--start",
        nargs="+",
        metavar="FEN",
        default=[],
        help="where games begin; two: where A has the first move, and where B has it (a handicap)",
    )
    parser.add_argument(
        "--sprt", metavar="ELO0,ELO1", help="stop as soon as one of these differences is proven"
    )
    parser.add_argument("--pdn", metavar="FILE", help="write the games here: as PDN; Othello as GGF")
    parser.add_argument(
        "--results", metavar="FILE", help="keep finished pairs here; go on from what is there"
    )
    add_draws(parser)
    add_workers(parser)
    add_seed(parser, "of openings and draws among equal moves (default: 0)")
    add_json(parser)


def execute(options: argparse.Namespace) -> None:
    """Play and report."""
    rules = game(options.game)
    sheet = game_file(options.pdn, rules)
    draws = parse_draws(options.draws, rules.draws)
    usual = 0 if options.start else OPENING_PLIES
    plies = usual if options.openings is None else options.openings
    starts = tuple(rules.format_fen(rules.parse_fen(fen)) for fen in options.start)
    players = (parse_player(options.a, rules.name), parse_player(options.b, rules.name))
    event = Event(players, options.seed or 0, plies, draws, rules.name, starts)
    plan = parse_sprt(options.sprt) if options.sprt else None
    check_event(event)
    prepare_field(event.players, event.game)
    with keep_hint(options), workers(options), progress_bar(options) as notify:
        report = play_match(
            event,
            options.games,
            sprt=plan,
            results_path=Path(options.results) if options.results else None,
            notify=notify,
        )
        if sheet:
            sheet.write(replay_match(event, report))
    conditions = {"seed": event.seed, "opening_plies": plies, "start": starts}
    values = {**report.as_record(), **conditions, "draw_rule": draws.as_record(), "pdn": options.pdn}
    emit(options, values, _words(report))


def _words(report: MatchReport) -> str:
    strength = report.strength
    lines = [
        f"{report.first}  against  {report.second}",
        f"{2 * report.pairs.num_pairs} games: {report.wins} won, {report.draws} drawn, {report.losses} lost",
        f"score {strength.score:.4f}, Elo {interval_words(strength)} (95 %),"
        f" likelihood of superiority {strength.los:.3f}",
        f"pairs with 0, ½, 1, 1½, 2 points: {', '.join(map(str, report.pairs))}",
    ]
    if report.sprt:
        plan, llr, accepted = report.sprt
        verdict = {"H1": f"at least {plan.elo1:g} Elo", "H0": f"at most {plan.elo0:g} Elo"}
        lines.append(
            f"SPRT {plan.elo0:g} to {plan.elo1:g}: log-likelihood ratio {llr:.2f}"
            f" in ({plan.lower:.2f}, {plan.upper:.2f}): {verdict.get(accepted, 'undecided')}"
        )
    return "\n".join(lines)
