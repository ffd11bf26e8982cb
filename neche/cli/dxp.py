"""`neche dxp`: games of international draughts against another program."""

import argparse
from typing import Any

from neche.cli.arguments import add_json, add_seed, whole_number
from neche.cli.conversation import keep_rubbish
from neche.cli.output import emit, note
from neche.errors import InputError
from neche.games.catalogue import game
from neche.protocols.dxp_connection import NewSession, connect, listening, talk
from neche.protocols.dxp_messages import GameRequest
from neche.protocols.dxp_session import NAME, DxpSession, GameResult
from neche.protocols.engine import EngineSettings, make_engine, warm_up

GAME = "international"
LOOPBACK = "127.0.0.1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--player", default="", metavar="SPEC", help="who plays (default: uct)")
    parser.add_argument(
        "--connect", metavar="HOST:PORT", help="go to a program that waits there, and ask for games"
    )
    parser.add_argument(
        "--host",
        default=LOOPBACK,
        help=f"address to wait at for other programs (default: {LOOPBACK}, this machine only)",
    )
    parser.add_argument(
        "--port", type=whole_number(0, 65535), default=27531, help="port (default: 27531; 0: any)"
    )
    parser.add_argument(
        "--games",
        type=whole_number(1),
        metavar="N",
        help="games to play (default: 1 with --connect, else any number)",
    )
    parser.add_argument(
        "--minutes", type=whole_number(0, 999), default=5, help="time of each side that is asked for (5)"
    )
    parser.add_argument(
        "--moves", type=whole_number(0, 999), default=75, help="most moves that are asked for (75; 0: any)"
    )
    parser.add_argument(
        "--seconds",
        type=whole_number(1, 3600),
        default=1,
        help="seconds a move in games without a time (default: 1)",
    )
    add_seed(parser, "draws among equally good moves, and playouts (default: 0)")
    add_json(parser)


def execute(options: argparse.Namespace) -> None:
    """Play games until there are enough."""
    rules = game(GAME)
    engine = make_engine(rules, EngineSettings(options.player, options.seed or 0))
    warm_up(engine, rules)
    keep_rubbish()

    def new_session(send: Any) -> DxpSession:
        return DxpSession(rules, engine, send, seconds_a_move=float(options.seconds))

    results = _lead(options, new_session) if options.connect else _follow(options, new_session)
    values = {"games": [{**one._asdict(), "moves": list(one.moves)} for one in results]}
    lines = [f"{one.opponent}: {one.result} as {one.side}, {len(one.moves)} plies" for one in results]
    emit(options, values, "\n".join(lines) or "no game was played")


def _follow(options: argparse.Namespace, new_session: NewSession) -> list[GameResult]:
    """Wait for programs, one after the other, and play what they ask for."""
    results: list[GameResult] = []
    with listening(options.host, options.port) as server:
        host, port = server.getsockname()[:2]
        note(f"waiting for DXP at {host}:{port}")
        try:
            while options.games is None or len(results) < options.games:
                connection, address = server.accept()
                note(f"{address[0]} has come")
                results += talk(connection, new_session).results
                note(f"{address[0]} has gone, {len(results)} games so far")
        except KeyboardInterrupt:
            if not results:
                raise
    return results


def _lead(options: argparse.Namespace, new_session: NewSession) -> list[GameResult]:
    """Go to a program and ask it for games, with the colours in turn."""
    host, _, port = options.connect.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise InputError(f"--connect {options.connect}: HOST:PORT is needed, such as {LOOPBACK}:27531")
    wanted = options.games or 1

    def lead(session: DxpSession) -> bool:
        if session.is_over or session.refusals:
            return False
        if not session.is_playing:
            if len(session.results) >= wanted:
                return False
            follower = "BW"[len(session.results) % 2]
            session.ask_for_game(GameRequest(NAME, follower, options.minutes, options.moves))
        return True

    session = talk(connect(host, int(port)), new_session, lead)
    if session.refusals:
        note("the other program refused the game")
    return session.results
