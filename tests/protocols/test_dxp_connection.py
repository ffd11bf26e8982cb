"""A partner that is silent, or that sends and never reads, does not keep others from connecting."""

import json
import select
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress

import pytest

from neche.games.catalogue import game
from neche.protocols import dxp_connection
from neche.protocols.dxp_connection import connect, is_knocked, listening, talk
from neche.protocols.dxp_session import DxpSession
from neche.protocols.engine import ProtocolEngine
from tests.cli.interrupts import hear_interrupts

REQUEST = b"R01" + b"Somebody".ljust(32) + b"W005075A\0"


@pytest.fixture(scope="module")
def engine():
    return ProtocolEngine(game("international"), "random")


@pytest.fixture
def pair(monkeypatch):
    """Two ends of a connection, with little patience."""
    for name in ("_SECONDS_WITHOUT_GAME", "_SEND_SECONDS", "_TICK"):
        monkeypatch.setattr(dxp_connection, name, 0.1)
    ours, theirs = socket.socketpair()
    yield ours, theirs
    ours.close()
    theirs.close()


def talking(connection, engine, **options):
    def converse():
        talk(connection, lambda send: DxpSession(engine, send), **options)

    thread = threading.Thread(target=converse, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("said", [b"", b"R01half a mess", b"Chello\0" * 5])
def test_a_partner_without_a_game_makes_room_for_who_waits(pair, engine, said):
    ours, theirs = pair
    theirs.sendall(said)
    thread = talking(ours, engine, is_knocked=lambda: True)
    thread.join(60)
    assert not thread.is_alive()


def test_a_partner_may_be_silent_while_nobody_waits(pair, engine):
    ours, theirs = pair
    thread = talking(ours, engine)
    thread.join(1)
    assert thread.is_alive()
    theirs.sendall(REQUEST)
    assert theirs.recv(1) == b"A"
    theirs.close()
    thread.join(60)
    assert not thread.is_alive()


def test_a_partner_in_a_game_is_waited_for_while_others_knock(pair, engine):
    ours, theirs = pair
    theirs.sendall(REQUEST)
    thread = talking(ours, engine, is_knocked=lambda: True)
    thread.join(2)
    assert thread.is_alive()
    theirs.close()
    thread.join(60)


def test_a_flood_that_is_never_read_ends_the_conversation(pair, engine):
    ours, theirs = pair
    thread = talking(ours, engine)
    with suppress(OSError):
        for _ in range(1000):
            theirs.sendall(b"?\0" * 10_000)
    thread.join(60)
    assert not thread.is_alive()


def test_who_knocks_is_heard():
    with listening("127.0.0.1", 0) as server:
        assert not is_knocked(server)
        with connect("127.0.0.1", server.getsockname()[1]):
            # comes back as soon as somebody is there
            select.select([server], [], [], 60)
            assert is_knocked(server)


def test_who_waits_hangs_up_after_the_games_that_were_asked_for():
    command = [sys.executable, "-m", "neche", "dxp", "--port", "0", "--player", "random", "--games", "2"]
    pipe = subprocess.PIPE
    with subprocess.Popen([*command, "--json"], stdout=pipe, stderr=pipe) as process:
        assert process.stderr
        port = int(process.stderr.readline().rpartition(b":")[2])
        with socket.create_connection(("127.0.0.1", port), 30) as partner, partner.makefile("rb") as told:
            # It is Black, and White, which does not move, resigns.
            game_lost = b"R01" + b"Somebody".ljust(32) + b"Z005075A\0E10\0"
            for _ in range(2):
                partner.sendall(game_lost)
                assert told.read(39)[-4:] == b"E00\0"
            assert told.read() == b""
        output, _ = process.communicate(timeout=60)
    assert [played["result"] for played in json.loads(output)["games"]] == ["won", "won"]


def test_games_are_told_when_the_program_is_ended_before_its_partner():
    command = [sys.executable, "-m", "neche", "dxp", "--port", "0", "--player", "random", "--json"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, preexec_fn=hear_interrupts) as process:
        assert process.stderr
        port = int(process.stderr.readline().rpartition(b":")[2])
        with socket.create_connection(("127.0.0.1", port), 60) as partner, partner.makefile("rb") as told:
            # It is Black, and White, which does not move, resigns.
            partner.sendall(b"R01" + b"Somebody".ljust(32) + b"Z005075A\0E10\0X\0")
            assert told.read(35).startswith(b"Aneche")
            # What comes after the end is answered after it.
            assert told.read(9) == b"E00\0Cnech"
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=60)
    (played,) = json.loads(output)["games"]
    assert (played["opponent"], played["side"], played["result"]) == ("Somebody", "B", "won")
    assert process.returncode == 0
