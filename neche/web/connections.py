"""Connections to the server: how long a peer may take to send a request, and how many it may hold.

Uvicorn waits forever for the head of a request, and refuses new connections once it holds too many. Here an
idle connection makes room for a new one, so that a peer that holds many of them does not keep others out.
"""

import asyncio
from http import HTTPStatus

from uvicorn.protocols.http.h11_impl import H11Protocol

from neche.web.guard import HEADERS

MOST_CONNECTIONS, MOST_OF_A_PEER = 64, 48
MOST_SECONDS_TO_ASK = 10.0
"""Time limit for the head of a request, and between two requests."""


class Connection(H11Protocol):
    """One connection. Its own answers carry the security headers too."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection if there is room, or if an idle one makes room."""
        super().connection_made(transport)
        others = [one for one in self.connections if isinstance(one, Connection) and one is not self]
        own = [one for one in others if one.client and self.client and one.client[0] == self.client[0]]
        if len(own) >= MOST_OF_A_PEER or len(others) >= MOST_CONNECTIONS:
            rivals = own if len(own) >= MOST_OF_A_PEER else others
            waiting = [one for one in rivals if not one.is_busy]
            if not waiting:
                self.refuse(HTTPStatus.SERVICE_UNAVAILABLE, "too many requests at once; try again")
                return
            # The timer that expires first was set first.
            oldest = min(waiting, key=lambda one: one._timer.when() if one._timer else 0.0)
            oldest.refuse(HTTPStatus.REQUEST_TIMEOUT, "another connection needs the place")
        self._set_timer()

    def data_received(self, data: bytes) -> None:
        """Take in a piece of a request."""
        super().data_received(data)
        if self.is_busy:
            self._stop_timer()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._stop_timer()
        self._set_timer()
        super().on_response_complete()
        if self.is_busy:
            self._stop_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop_timer()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer invalid HTTP."""
        self.refuse(HTTPStatus.BAD_REQUEST, "this is not a valid request")

    @property
    def is_busy(self) -> bool:
        """Whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def refuse(self, status: HTTPStatus, reason: str) -> None:
        """Answer with a status and hang up."""
        self._stop_timer()
        self.connections.discard(self)
        if self.transport.is_closing():
            return
        fields = {"content-type": "text/plain; charset=utf-8", **HEADERS}
        fields |= {"content-length": str(len(reason)), "connection": "close"}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.transport.write(f"HTTP/1.1 {status.value} {status.phrase}\r\n{head}\r\n{reason}".encode())
        self.transport.close()

    def _set_timer(self) -> None:
        late = (HTTPStatus.REQUEST_TIMEOUT, "the request took too long")
        self._timer = self.loop.call_later(MOST_SECONDS_TO_ASK, self.refuse, *late)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
