"""The server around the application: its socket, and its shutdown."""

import contextlib
import os
import socket
from collections.abc import Callable

import uvicorn

from neche.errors import InputError
from neche.web import ServerConfiguration
from neche.web.app import make_app
from neche.web.connections import Connection
from neche.web.guard import Door

_BACKLOG = 64
_MOST_HEADER_BYTES = 16 << 10


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes any free one. InputError if host or port cannot be had."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise InputError(f"--host {host}: no such address on this machine") from None
    family, *_, address = found[0]
    # As by default: an address for all networks serves IPv4 and IPv6.
    is_dual = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    try:
        return socket.create_server(address, family=family, backlog=_BACKLOG, dualstack_ipv6=is_dual)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise InputError(f"{host} port {port}: {reason}; --port 0 takes a free one") from None


def url_of(sock: socket.socket) -> str:
    """Return the address at which a browser reaches a socket."""
    host, port = sock.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def serve(
    sock: socket.socket, configuration: ServerConfiguration, *, token: str = "", started: Callable[[], None]
) -> None:
    """Answer requests until Ctrl-C, which is raised again as KeyboardInterrupt.

    token: required from every browser; empty: none is required. started: called once requests are answered.
    InputError if there is no run in the directory to be watched.
    """
    app, pages = make_app(configuration)
    settings = uvicorn.Config(
        Door(app, token) if token else app,
        lifespan="off",
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        ws="none",
        loop="asyncio",
        http=Connection,
        h11_max_incomplete_event_size=_MOST_HEADER_BYTES,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=2,
    )
    try:
        _Server(settings, started).run(sockets=[sock])
    finally:
        pages.sessions.close()
        with contextlib.suppress(OSError):
            sock.close()


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._started()
