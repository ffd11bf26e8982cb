"""Players against each other: `neche match`, `neche round-robin` and `neche ladder`."""

import argparse
import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from os.path import realpath
from pathlib import Path
from typing import Any

import joblib

from neche.arena.elo import Strength
from neche.arena.ladder import Rung, check_ladder, climb, usual_rungs
from neche.arena.match import MatchReport, play_match, replay_match
from neche.arena.round_robin import RoundRobinReport, play_round_robin
from neche.arena.scale import Placing, place_on_scale
from neche.arena.sprt import parse_sprt
from neche.arena.tournament import OPENING_PLIES, Tournament, check_tournament, require_repeatable
from neche.cli.arguments import FEN, Parser
from neche.cli.game_files import game_writer
from neche.cli.output import emit, output_path, remark
from neche.cli.progress import keep_hint, progress_bar, show_climb
from neche.cli.workers import CLUSTERS, prepare_field, workers
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.draws import parse_draws
from neche.genome.fasta import members_of, read_fasta
from neche.players.engine import MAX_DEPTH, Player
from neche.players.source import is_path, shipped_champions
from neche.players.spec import parse_player
from neche.report.plots import draw_ladder

EVERY_SHIPPED = "shipped"
"""The word for all champions of a game that are shipped with the package: its league."""
# The part of a player's name that says where its network comes from; its digest identifies the network.
_SOURCE = re.compile(r"\b(file|id)=[^,]*")


def add_match_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche match`."""
    parser.add_argument("a", metavar="A", help="a player, such as material:depth=4 or runs/default")
    parser.add_argument("b", metavar="B", help="its opponent")
    begun = "start position; with two, A moves first from the first, B from the second (a handicap)"
    parser.add_argument(*FEN.split(), nargs="+", metavar="FEN", default=[], help=begun)
    shown = "stop once the difference is shown to be above ELO0, or below ELO1"
    parser.add_text("--sprt", "ELO0,ELO1", shown)
    parser.add_text("--pdn", "FILE", "write the games to this file, as PDN, or GGF for Othello")
    most = "games at most, in pairs with the colours swapped"
    _add_shared(parser, 200, most, usual=" (default: 12; with --fen, 0)")


def execute_match(options: argparse.Namespace) -> None:
    """Play a match over paired openings, and print the result with its statistics."""
    rules = game(options.game)
    write_games = game_writer(options.pdn, rules)
    starts = tuple(rules.format_fen(rules.parse_fen(fen)) for fen in options.fen)
    tournament = _tournament(options, _players(options, options.a, options.b), starts)
    plan = parse_sprt(options.sprt) if options.sprt else None
    with _playing(options, tournament) as notify:
        report = play_match(tournament, options.games, sprt=plan, results_path=options.results, notify=notify)
        if write_games:
            write_games(replay_match(tournament, report))
    # Equal networks play alike, wherever they come from; but a handicap has a result.
    identities = {(_SOURCE.sub("", player.name), player.digest) for player in tournament.players}
    if len(identities) == 1 and len(starts) < 2:
        remark(
            "both are the same player: games mirror each other but for random choices among equal"
            " moves, so the result tells nothing"
        )
    values = {**report.as_record(), **_conditions(tournament), "start": starts, "pdn": options.pdn}
    emit(options, values, _match_words(report))


def _match_words(report: MatchReport) -> str:
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
        unit = "Elo" if plan.model == "logistic" else f"{plan.model} Elo"
        verdict = {"H1": f"above {plan.elo0:g} {unit}", "H0": f"below {plan.elo1:g} {unit}"}
        lines.append(
            f"SPRT {plan.elo0:g} to {plan.elo1:g}: log-likelihood ratio {llr:.2f}"
            f" in ({plan.lower:.2f}, {plan.upper:.2f}): {verdict.get(accepted, 'undecided')}"
        )
    return "\n".join(lines)


def add_round_robin_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche round-robin`."""
    every = f"two players or more; {EVERY_SHIPPED} or {EVERY_SHIPPED}:depth=6: the game's shipped champions"
    parser.add_argument("players", metavar="PLAYER", nargs="*", help=every)
    parser.add_text("--file", "FASTA", "every genome of this file plays too")
    parser.add_number("--depth", 4, f"search depth for --file and {EVERY_SHIPPED}", high=MAX_DEPTH)
    parser.add_text("--anchor", "PLAYER", "player whose Elo is set to 0 (default: the mean is 0)")
    _add_shared(parser, 20, "games of each pair of players", usual=" (default: 12)")


def execute_round_robin(options: argparse.Namespace) -> None:
    """Let every pair of players meet, and print a table with ratings."""
    specs = _with_shipped(options)
    if options.file:
        members, depth = members_of(read_fasta(options.file)), options.depth
        specs += [f"network:file={options.file},id={member.id},depth={depth}" for member in members]
    if len(specs) < 2:
        raise InputError(f"a round robin needs two players or more, got {len(specs)}")
    tournament = _tournament(options, _players(options, *specs))
    anchor = parse_player(options.anchor, options.game).name if options.anchor else None
    with _playing(options, tournament) as notify:
        report = play_round_robin(
            tournament, options.games, anchor=anchor, results_path=options.results, notify=notify
        )
    emit(options, {**report.as_record(), **_conditions(tournament)}, _round_robin_table(report))


def _with_shipped(options: argparse.Namespace) -> list[str]:
    """Return the players named, with `shipped` replaced by the champions of the game."""
    specs: list[str] = []
    for words in options.players:
        if words.partition(":")[0] != EVERY_SHIPPED or is_path(EVERY_SHIPPED):
            specs.append(words)
            continue
        names = shipped_champions(options.game)
        if not names:
            raise InputError(f"no champion of {options.game} comes with neche")
        limits = words.partition(":")[2] or f"depth={options.depth}"
        specs += [f"{name}:{limits}" for name in names]
    return specs


def _round_robin_table(report: RoundRobinReport) -> str:
    width = max(len(line.name) for line in report.standings)
    titles = f"{'Elo':>7} {'±':>6}  {'points':>8} /games  {'won':>5} {'drawn':>5} {'lost':>5}"
    heading = f"{'':4}{'player':{width}}  {titles}"
    rows = [
        f"{rank:3} {line.name:{width}}  {line.elo:+z7.1f} {line.elo_error:6.1f}"
        f"  {line.points:8.1f} /{line.games:<5}  {line.wins:5} {line.draws:5} {line.losses:5}"
        for rank, line in enumerate(report.standings, start=1)
    ]
    return "\n".join([heading, *rows])


def add_ladder_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche ladder`."""
    parser.add_argument("champion", metavar="RUN|FASTA|PLAYER", help="the player to measure")
    parser.add_number("--depth", None, "search depth of its network (default: 4)", high=MAX_DEPTH)
    others = "players to meet instead of the usual rungs"
    parser.add_argument("--rungs", nargs="+", metavar="PLAYER", help=others)
    parser.add_text("--output --picture", "FILE.svg", "draw the ladder to this file")
    against = "games against each rung, in pairs with the colours swapped"
    _add_shared(parser, 100, against, usual=" (default: 12)")


def execute_ladder(options: argparse.Namespace) -> None:
    """Play a champion against fixed players, from random moves to 100 000 playouts; print its results."""
    rules = game(options.game)
    picture = output_path(options.output, endings=(".svg",))
    champion = _champion(options)
    rungs = _players(options, *options.rungs) if options.rungs else usual_rungs(rules)
    tournament = _tournament(options, (champion, *rungs))
    climbed: list[Rung] = []
    check_ladder(tournament, options.games)
    with (
        _playing(options, tournament, shows_bar=False),
        show_climb(tournament, options.games, is_silent=options.json) as display,
    ):
        for rung in climb(tournament, options.games, results_path=options.results, notify=display.update):
            climbed.append(rung)
            display.finish(f"{rung.player}: {_rung_words(rung)}")
    if picture:
        draw_ladder(champion.name, climbed, picture)
    placing = place_on_scale(tournament, [rung.pairs for rung in climbed])
    values = {
        "champion": champion.name,
        "games": 2 * climbed[0].pairs.num_pairs,
        **_conditions(tournament),
        "rungs": [rung.as_record() for rung in climbed],
        "scale": placing.as_record() if placing else None,
        "picture": options.output,
    }
    emit(options, values, _ladder_table(tournament, climbed) + (_scale_words(placing) if placing else ""))


def _champion(options: argparse.Namespace) -> Player:
    """Return the player to measure, at the requested depth."""
    player = parse_player(options.champion, options.game)
    if options.depth is None:
        return player
    if (deeper := player.at_depth(options.depth)) is None:
        raise InputError(f"--depth {options.depth}: {player.name} does not search to a depth")
    if re.search(r"[:,]depth=", options.champion):
        raise InputError(f"--depth {options.depth}: {options.champion} already names its depth")
    return deeper


def _ladder_table(tournament: Tournament, climbed: Sequence[Rung]) -> str:
    width = max(len(rung.player) for rung in climbed)
    lines = [
        f"{tournament.players[0].name}: {2 * climbed[0].pairs.num_pairs} games against each,"
        f" openings of {tournament.opening_plies} random plies, seed {tournament.seed}",
        "",
        f"{'rung':{width}}  {'won':>5} {'drawn':>5} {'lost':>5}   score   Elo (95 %)",
    ]
    return "\n".join([*lines, *(f"{rung.player:{width}}  {_rung_words(rung)}" for rung in climbed)])


def _scale_words(placing: Placing) -> str:
    """Write each player's place on the scale, with the champion marked."""
    width = max(len(place.player) for place in placing.places)
    lines = ["", "", f"all on one scale, where {placing.anchor} is 0: Elo (95 %)"]
    for place in placing.places:
        mark = "  <" if place is placing.climber else ""
        lines.append(f"  {place.player:{width}}  {place.elo:+z7.1f} ± {place.elo_error:.1f}{mark}")
    return "\n".join(lines)


def _rung_words(rung: Rung) -> str:
    counts = f"{rung.wins:5} {rung.draws:5} {rung.losses:5}"
    return f"{counts}   {rung.strength.score:.3f}   {interval_words(rung.strength)}"


def interval_words(strength: Strength) -> str:
    """Write an Elo difference with its 95 % interval, or its bound if only that is known."""
    low, high = strength.elo - strength.elo_error, strength.elo + strength.elo_error
    if strength.bound:
        return f"above {low:+z.1f}" if strength.bound == ">" else f"below {high:+z.1f}"
    return f"{strength.elo:+z.1f} ± {strength.elo_error:.1f}"


def _add_shared(parser: Parser, games: int, of_games: str, *, usual: str) -> None:
    """Add the arguments that all three commands share.

    games: default of `--games`; `of_games` says how they are counted. usual: default of `--openings`.
    """
    parser.add_game()
    parser.add_number("--games", games, of_games)
    plies = f"random plies that open each pair of games{usual}"
    parser.add_number("--openings", None, plies, low=0, high=100, metavar="PLIES")
    kept = "keep finished pairs in this file, and continue from those already there"
    parser.add_argument("--results", type=Path, metavar="FILE", help=kept)
    parser.add_draws()
    solved = "end games once the solved endings in this directory decide them; usual: where solve writes them"
    parser.add_text("--adjudicate", "DIR", solved)
    parser.add_plugin()
    parser.add_workers()
    parser.add_seed("seed of openings, playouts and choices among equal moves (default: 0)")


def _players(options: argparse.Namespace, *specs: str) -> tuple[Player, ...]:
    return tuple(parse_player(spec, options.game) for spec in specs)


def _tournament(
    options: argparse.Namespace, players: tuple[Player, ...], starts: tuple[str, ...] = ()
) -> Tournament:
    """Return everything that determines the games. Faults are found here, before any game."""
    draws = parse_draws(options.draws, game(options.game).draws)
    usual = 0 if starts else OPENING_PLIES
    plies = usual if options.openings is None else options.openings
    endings = options.adjudicate or ""
    tournament = Tournament(players, options.seed or 0, plies, draws, options.game, starts, endings)
    check_tournament(tournament)
    pdn = getattr(options, "pdn", None)
    others = [realpath(other) for other in (pdn, getattr(options, "output", None)) if other]
    if options.results and realpath(options.results) in others:
        raise InputError(f"--results {options.results}: another option writes to this file")
    if options.results or pdn:
        require_repeatable(tournament)
    return tournament


def _conditions(tournament: Tournament) -> dict[str, Any]:
    """Return the JSON values that say under which conditions the games were played."""
    return {
        "seed": tournament.seed,
        "opening_plies": tournament.opening_plies,
        "draw_rule": tournament.draw_rule.as_record(),
        "adjudicate": tournament.endings or None,
        "repeatable": not tournament.unrepeatable,
    }


def _share_cores(options: argparse.Namespace, tournament: Tournament) -> None:
    """Report that timed games are not repeatable, and let no two of them share a core.

    In a game one player searches at a time, with all of its threads. The number of cores of a cluster is not
    known here.
    """
    if not tournament.unrepeatable:
        return
    name, threads = tournament.unrepeatable[0].name, max(one.threads for one in tournament.unrepeatable)
    if options.backend not in CLUSTERS:
        # Where the system does not tell, joblib warns, with a traceback, and counts logical cores.
        with warnings.catch_warnings(action="ignore"), redirect_stderr(io.StringIO()):
            most = max(1, joblib.cpu_count(only_physical_cores=True) // threads)
        if (options.jobs or 1) > most:
            raise InputError(f"--jobs {options.jobs}: timed games need cores of their own, at most {most}")
        options.jobs = options.jobs or most
    at_once = f"; {options.jobs} at a time" if options.jobs else ""
    remark(f"{name} is not repeatable: the next run will play other games{at_once}")


@contextmanager
def _playing(
    options: argparse.Namespace, tournament: Tournament, *, shows_bar: bool = True
) -> Iterator[Callable[[int, int], None]]:
    """Load the code and start the workers; yield a function that shows (games done, total).

    After Ctrl-C, say what was kept and how to continue.
    """
    kept = "nothing was kept; --results FILE keeps finished pairs"
    if options.results is not None:
        kept = f"finished pairs are kept in {options.results}; the same command continues from there"
    fixed = [one for one in tournament.players if one.judges and one.is_repeatable and not one.needs_key]
    if not tournament.opening_plies and options.games > 2 and len(fixed) > 1:
        remark("without random openings games may repeat, and ± counts each as new; see --openings")
    _share_cores(options, tournament)
    with keep_hint(kept), workers(options):
        prepare_field(tournament.players, tournament.game)
        with progress_bar("games", is_silent=options.json or not shows_bar) as notify:
            yield notify
