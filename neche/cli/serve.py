"""`neche serve`: a board in the browser, and a view of a run in progress."""

import argparse
import ipaddress
import secrets
from pathlib import Path

from neche.archive.layout import RunLayout
from neche.cli.arguments import Parser
from neche.cli.output import emit, note
from neche.games.catalogue import GAMES, game
from neche.games.game import geometry_of
from neche.players.source import game_of_players
from neche.players.spec import parse_player
from neche.report.comparison import find_runs
from neche.web import LOOPBACK_NAMES, ServerConfiguration
from neche.web.server import listen, serve, url_of
from neche.web.watching import RunWatch


def add_serve_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche serve`."""
    parser.add_text("--host", "ADDRESS", "address to listen on", default="127.0.0.1")
    parser.add_number("--port", 8765, "port to listen on; 0 takes a free one", low=0, high=65535)
    meaning = "a run to watch, or a directory of runs; the champion of the first is an opponent too"
    parser.add_texts("--run", "DIR", f"{meaning}; may be repeated")
    parser.add_text("--player", "SPEC", "an additional player to choose from")
    meaning = "the game shown first, or a Python file that defines one (default: the run's, or checkers)"
    parser.add_text("--game", "NAME", meaning, default="")
    parser.add_plugin()
    parser.add_seed("seed of the players' random choices, the same in every game (default: fresh ones)")


def execute_serve(options: argparse.Namespace) -> None:
    """Serve pages until Ctrl-C."""
    places = [Path(place).absolute() for place in options.run]
    found = find_runs(places) if places else [None]
    # A run without its configuration is reported on the pages and does not stop the others from being shown.
    run = next((path for path in found if path and RunLayout(path).config.is_file()), found[0])
    if options.game:
        rules = game(options.game)
    else:
        rules = RunWatch(run).game if run else game(game_of_players([options.player or ""]) or GAMES[0])
    geometry_of(rules)
    if options.player:
        parse_player(options.player, rules.name).require_board(rules)
    sock = listen(options.host, options.port)
    url = url_of(sock)
    address = ipaddress.ip_address(sock.getsockname()[0].partition("%")[0])
    token = "" if address.is_loopback else secrets.token_urlsafe(16)
    names = LOOPBACK_NAMES | {options.host.lower()}
    configuration = ServerConfiguration(
        run, tuple(places), options.player or "", rules.name, names, options.seed, is_shared=bool(token)
    )
    if token:
        url = f"{url}?token={token}"

    def started() -> None:
        if token:
            note("anyone who knows the address below can play here and keep this machine busy")
        emit(options, {"url": url, "port": sock.getsockname()[1]}, f"neche is at {url} (Ctrl-C ends it)")

    serve(sock, configuration, token=token, started=started)
