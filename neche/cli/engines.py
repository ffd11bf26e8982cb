"""Engines for other programs: `neche hub` and `neche nboard` for interfaces, `neche dxp` for matches.

Hub and NBoard use standard input and output: lines in, lines out, and nothing else on either stream. DXP
connects two playing programs over a socket.
"""

import argparse
import gc
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import IO, Any

from neche.cli.arguments import Parser
from neche.cli.output import counted, emit, note, remark
from neche.cli.workers import prepare_player
from neche.errors import InputError
from neche.games.catalogue import game
from neche.parsing import whole_number
from neche.players.source import game_of_players
from neche.protocols.dxp_connection import PORT, NewSession, connect, is_knocked, listening, talk
from neche.protocols.dxp_messages import GameRequest
from neche.protocols.dxp_session import NAME, DxpSession
from neche.protocols.engine import ProtocolEngine
from neche.protocols.hub_options import VARIANTS, HubOptions
from neche.protocols.hub_session import HubSession
from neche.protocols.lines import LONGEST_LINE, read_lines
from neche.protocols.nboard import NBoardSession
from neche.report.analysis import counted_plies

LOOPBACK = "127.0.0.1"
_MINUTES, _MOVES = 5, 75
_SEED = "seed of the choice among equally good moves, and of playouts (default: 0)"


def add_hub_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche hub`."""
    names = "international, brazilian or checkers; the interface may set it too"
    meaning = f"{names} (default: that of the champion that plays, or international)"
    parser.add_text("--game", "NAME", meaning, default="")
    _add_player(parser)
    parser.add_seed(_SEED)
    _add_log(parser)


def execute_hub(options: argparse.Namespace) -> None:
    """Serve a draughts interface until it quits or disconnects."""
    name = options.game or game_of_players([options.player]) or "international"
    if name not in VARIANTS.values():
        raise InputError(f"Hub is for draughts, not for {name}: {', '.join(VARIANTS.values())}")
    settings = HubOptions(name, options.player)
    if options.seed is not None:
        settings.set("seed", str(options.seed))
    converse(lambda write: HubSession(settings, write), options.log)


def add_nboard_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche nboard`."""
    _add_player(parser)
    parser.add_seed(_SEED)
    _add_log(parser)


def execute_nboard(options: argparse.Namespace) -> None:
    """Serve an Othello interface until it disconnects."""
    engine = _engine("othello", options)
    engine.warm_up()
    converse(lambda write: NBoardSession(engine, write), options.log)


def add_dxp_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche dxp`."""
    _add_player(parser)
    parser.add_text("--connect", "HOST:PORT", "connect to a program that waits there, and request games")
    here = "address to listen on for other programs; the default admits this machine only"
    parser.add_text("--host", "ADDRESS", here, default=LOOPBACK)
    parser.add_number("--port", PORT, "port to listen on; 0 takes a free one", low=0, high=65535)
    parser.add_number("--games", None, "games to play (default: 1 with --connect, else any number)")
    parser.add_number("--minutes", _MINUTES, "time per side to request", low=0, high=999)
    parser.add_number("--moves", _MOVES, "limit of moves to request; 0: none", low=0, high=999)
    parser.add_number("--seconds", 1, "seconds a move in games without a time limit", high=3600)
    parser.add_seed(_SEED)


def execute_dxp(options: argparse.Namespace) -> None:
    """Play games of international draughts against another program, up to the number wanted."""
    lacks = "with" if options.connect else "without"
    usual = {"host": LOOPBACK, "port": PORT} if options.connect else {"minutes": _MINUTES, "moves": _MOVES}
    given = (name for name, value in usual.items() if getattr(options, name) != value)
    remark(*(f"--{name} changes nothing {lacks} --connect" for name in given))
    engine = _engine("international", options)
    prepare_player(engine.player, game=engine.game.name)
    engine.warm_up()
    skip_full_collections()
    sessions: list[DxpSession] = []

    def new_session(send: Any) -> DxpSession:
        sessions.append(DxpSession(engine, send, seconds_a_move=float(options.seconds)))
        return sessions[-1]

    try:
        (_lead if options.connect else _follow)(options, new_session)
    except KeyboardInterrupt:
        # Games already played are reported, even if the other program is still connected.
        if not any(session.results for session in sessions):
            raise
    results = [result for session in sessions for result in session.results]
    values = {"games": [{**one._asdict(), "moves": list(one.moves)} for one in results]}
    ends = [(f"{one.opponent}: {one.result} as {one.side}", len(one.moves)) for one in results]
    lines = [f"{end}, {counted_plies(plies)}" for end, plies in ends]
    emit(options, values, "\n".join(lines) or "no game was played")


def _add_player(parser: Parser) -> None:
    parser.add_text("--player", "SPEC", "the player (default: the champion of the game)", default="")
    parser.add_plugin()


def _add_log(parser: Parser) -> None:
    parser.add_text("--log", "FILE", "log the lines of both sides, with their times")


def _engine(game_name: str, options: argparse.Namespace) -> ProtocolEngine:
    return ProtocolEngine(game(game_name), options.player, seed=options.seed or 0)


def _follow(options: argparse.Namespace, new_session: NewSession) -> None:
    """Wait for programs, one after the other, and play the games they request."""
    played, wanted = 0, options.games or sys.maxsize

    def goes_on(session: DxpSession) -> bool:
        return played + len(session.results) < wanted

    with listening(options.host, options.port) as server:
        host, port = server.getsockname()[:2]
        note(f"waiting for DXP at {host}:{port}")
        while played < wanted:
            connection, address = server.accept()
            note(f"{address[0]} has connected")
            played += len(talk(connection, new_session, goes_on, lambda: is_knocked(server)).results)
            note(f"{address[0]} has disconnected, {counted(played, 'game')} so far")


def _lead(options: argparse.Namespace, new_session: NewSession) -> None:
    """Connect to a program and request games, with alternating colours."""
    host, _, port = options.connect.rpartition(":")
    number = whole_number(port, 65535)
    if not host or number is None:
        raise InputError(f"--connect {options.connect}: HOST:PORT is needed, such as {LOOPBACK}:27531")

    def lead(session: DxpSession) -> bool:
        if session.is_over or session.refusals or len(session.results) >= (options.games or 1):
            return False
        if not session.is_playing:
            follower = "BW"[len(session.results) % 2]
            session.ask_for_game(GameRequest(NAME, follower, options.minutes, options.moves))
        return True

    if talk(connect(host, number), new_session, lead).refusals:
        note("the other program refused the game")


def converse(begin: Callable[[Callable[[str], None]], HubSession | NBoardSession], log: str | None) -> None:
    """Hold a conversation until one side ends it. begin: called with a function that writes a line."""
    skip_full_collections()
    with _log(log) as keep, _alone_on_output() as output:
        lock = threading.Lock()

        def write(line: str) -> None:
            with lock:
                keep("<", line)
                # A reader that has gone also closes our input, which ends the loop below.
                with suppress(BrokenPipeError, ValueError):
                    output.write(line.encode("utf-8", "replace") + b"\n")
                    output.flush()

        engine = begin(write)
        try:
            for line in read_lines(sys.stdin.buffer):
                keep(">", line if line is not None else "(a line that is too long)")
                if line is None:
                    engine.complain(f"a line of more than {LONGEST_LINE} bytes was skipped")
                elif not engine.hear(line):
                    break
        finally:
            engine.close()


def skip_full_collections() -> None:
    """Let the garbage collector visit new objects only: a full collection costs 70 ms of thinking time."""
    gc.set_threshold(700, 10, 1 << 30)


@contextmanager
def _alone_on_output() -> Iterator[IO[bytes]]:
    """Yield standard output; discard everything else that is printed or warned.

    An interface reads every line as an answer, even on standard error.
    """
    sys.stdout.flush()
    own = sys.stdout.buffer
    with (
        open(os.devnull, "w", encoding="utf-8") as nowhere,
        redirect_stdout(nowhere),
        redirect_stderr(nowhere),
        warnings.catch_warnings(action="ignore"),
    ):
        yield own


@contextmanager
def _log(path: str | None) -> Iterator[Callable[[str, str], None]]:
    """Yield a function that writes a line into the log, with its direction."""
    if path is None:
        yield lambda direction, line: None
        return
    with open(path, "a", encoding="utf-8", buffering=1) as file:
        began = time.perf_counter()

        def keep(direction: str, line: str) -> None:
            # An engine plays on when the disk is full; the fault surfaces when the log is closed.
            with suppress(OSError):
                file.write(f"{time.perf_counter() - began:9.3f} {direction} {line}\n")

        yield keep
