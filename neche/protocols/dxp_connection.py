"""Sockets for DXP: wait for another program or connect to one; one connection at a time."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress

from neche.errors import InputError
from neche.protocols.dxp_messages import LONGEST
from neche.protocols.dxp_session import DxpSession
from neche.protocols.lines import split_messages

PORT = 27531
"""The port of DXP."""
_CONNECT_SECONDS = 10.0
_CHUNK = 4096

NewSession = Callable[[Callable[[str], None]], DxpSession]


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that waits for connections; port 0 takes any free one.

    Raises:
        InputError: the address is not of this machine, or the port is taken.
    """
    with _naming_address(host, port):
        return socket.create_server((host, port))


def connect(host: str, port: int) -> socket.socket:
    """Return a connection to a program that listens.

    Raises:
        InputError: no program answers there.
    """
    with _naming_address(host, port):
        connection = socket.create_connection((host, port), timeout=_CONNECT_SECONDS)
    # The timeout was for connecting: a partner may think for minutes.
    connection.settimeout(None)
    return connection


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
) -> DxpSession:
    """Exchange messages until the other side hangs up or `lead` ends it; return the session.

    lead: called with the session before the first message and after each one; it may ask for games. It
    returns whether the conversation goes on.
    """
    lock = threading.Lock()

    # Whole messages at a time: the search sends its move from a thread of its own.
    def send(text: str) -> None:
        # If the other side has gone, the loop that reads finds out too.
        with lock, suppress(OSError):
            connection.sendall(text.encode("ascii", "replace") + b"\0")

    session = new_session(send)
    with connection, closing(session):
        goes_on = lead(session)
        messages = split_messages(_chunks(connection), LONGEST)
        for text in messages if goes_on else ():
            if text is None:
                session.complain(f"a message is 1 to {LONGEST} ASCII characters")
            elif text.strip():
                session.hear(text)
            if not lead(session):
                break
    return session


def _chunks(connection: socket.socket) -> Iterator[bytes]:
    """Yield the bytes that arrive, until the other side hangs up."""
    with suppress(OSError):
        while data := connection.recv(_CHUNK):
            yield data
