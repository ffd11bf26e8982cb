"""Sockets for DXP: wait for another program or connect to one; one connection at a time."""

import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress

from neche.errors import InputError
from neche.protocols.dxp_messages import LONGEST
from neche.protocols.dxp_session import DxpSession
from neche.protocols.lines import split_messages

PORT = 27531
"""The standard port of DXP."""
_CONNECT_SECONDS = _SEND_SECONDS = 10.0
_SECONDS_WITHOUT_GAME, _SECONDS_WITHIN_GAME = 10.0, 3600.0
"""How long the other side may be silent; without a game it counts only if a third program is waiting."""
_TICK = 0.5
_CHUNK = 4096

NewSession = Callable[[Callable[[str], None]], DxpSession]


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that waits for connections, at any free port if 0; InputError if it cannot."""
    with _naming_address(host, port):
        return socket.create_server((host, port))


def connect(host: str, port: int) -> socket.socket:
    """Return a connection to a program that listens; InputError if no program answers there."""
    with _naming_address(host, port):
        return socket.create_connection((host, port), timeout=_CONNECT_SECONDS)


def is_knocked(server: socket.socket) -> bool:
    """Return whether another program is waiting to connect."""
    return bool(select.select([server], [], [], 0)[0])


@contextmanager
def _naming_address(host: str, port: int) -> Iterator[None]:
    try:
        yield
    except (OSError, OverflowError) as error:
        raise InputError(f"{host}:{port}: {getattr(error, 'strerror', None) or error}") from error


def talk(
    connection: socket.socket,
    new_session: NewSession,
    lead: Callable[[DxpSession], bool] = lambda session: True,
    is_knocked: Callable[[], bool] = lambda: False,
) -> DxpSession:
    """Exchange messages until the other side hangs up or `lead` ends it; return the session.

    It also ends when the other side is silent for too long or does not read its messages.

    lead: called with the session before the first message and after each one; it may ask for games, and
    returns whether to continue. is_knocked: whether another program is waiting to connect.
    """
    lock = threading.Lock()

    # Sends whole messages under a lock, as the search sends its move from its own thread.
    def send(text: str) -> None:
        with lock:
            try:
                connection.sendall(text.encode("ascii", "replace") + b"\0")
            except OSError:
                # The other side is gone or does not read. Part of a message may be sent, so nothing can
                # follow. The reading loop notices the shutdown.
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    connection.settimeout(_SEND_SECONDS)
    session = new_session(send)
    heard = played = time.monotonic()

    def is_patient() -> bool:
        nonlocal played
        now = time.monotonic()
        if session.is_playing:
            played = now
            return now - heard < _SECONDS_WITHIN_GAME
        return now - played < _SECONDS_WITHOUT_GAME or not is_knocked()

    with connection, closing(session):
        messages = split_messages(_chunks(connection, is_patient), LONGEST)
        for text in messages if lead(session) else ():
            heard = time.monotonic()
            if text is None:
                session.complain(f"a message is 1 to {LONGEST} ASCII characters")
            elif text.strip():
                session.hear(text)
            if not lead(session):
                break
    return session


def _chunks(connection: socket.socket, is_patient: Callable[[], bool]) -> Iterator[bytes]:
    """Yield bytes as they arrive, until the other side hangs up or is silent for too long."""
    with suppress(OSError):
        while is_patient():
            if select.select([connection], [], [], _TICK)[0]:
                data = connection.recv(_CHUNK)
                if not data:
                    return
                yield data
