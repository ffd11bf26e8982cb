"""Sockets for DXP: wait for another program or connect to one; one connection at a time."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from neche.errors import InputError
from neche.protocols.dxp_messages import LONGEST
from neche.protocols.dxp_session import DxpSession
from neche.protocols.lines import MessageSplitter

PORT = 27531
"""The port of DXP."""
_CONNECT_SECONDS = 10.0
_CHUNK = 4096

NewSession = Callable[[Callable[[str], None]], DxpSession]


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """Yield a socket that waits for connections; port 0 takes any free one.

    Raises:
        InputError: the address is not of this machine, or the port is taken.
    """
    try:
        server = socket.create_server((host, port))
    except (OSError, OverflowError) as error:
        raise InputError(f"{host}:{port}: {getattr(error, 'strerror', None) or error}") from error
    with server:
        yield server


def connect(host: str, port: int) -> socket.socket:
    """Return a connection to a program that listens.

    Raises:
        InputError: no program answers there.
    """
    try:
        connection = socket.create_connection((host, port), timeout=_CONNECT_SECONDS)
    except (OSError, OverflowError) as error:
        raise InputError(f"{host}:{port}: {getattr(error, 'strerror', None) or error}") from error
    connection.settimeout(None)
    return connection


def talk(
    connection: socket.socket, new_session: NewSession, lead: Callable[[DxpSession], bool] | None = None
) -> DxpSession:
    """Exchange messages until the other side hangs up or `lead` ends it; return the session.

    lead: called with the session before the first message and after each one; it may ask for games. It
    returns whether the conversation goes on.
    """
    lock = threading.Lock()

    def send(text: str) -> None:
        # If the other side has gone, the loop that reads finds out too.
        with lock, suppress(OSError):
            connection.sendall(text.encode("ascii", "replace") + b"\0")

    session = new_session(send)
    with connection:
        try:
            _listen(connection, session, lead)
        finally:
            session.close()
    return session


def _listen(
    connection: socket.socket, session: DxpSession, lead: Callable[[DxpSession], bool] | None
) -> None:
    splitter = MessageSplitter(LONGEST)
    if lead is not None and not lead(session):
        return
    while True:
        try:
            data = connection.recv(_CHUNK)
        except OSError:
            return
        if not data:
            return
        for text in splitter.feed(data):
            if text is None:
                session.complain(f"a message is 1 to {LONGEST} ASCII characters")
            elif text.strip():
                session.hear(text)
            if lead is not None and not lead(session):
                return
