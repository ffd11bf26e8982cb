"""The guard between the network and the pages: which requests are answered, and what pages may do.

A page of another site can make a browser send requests here, and if it lets its own name point to this
machine it can even read the answers (DNS rebinding). So a request must be addressed to this server by its own
name, come from its own pages if it names an origin, and be small.
"""

import asyncio
import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from neche.web.messages import MOST_BYTES

MOST_SECONDS_TO_SEND = 10.0
MOST_PATH = 2000

_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A picture has inline styles, and may run no scripts wherever it is opened.
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
_HEADERS = {
    "content-security-policy": _PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Guard:
    """Passes requests on to `app`, or refuses them with one line and a status of 400 to 431."""

    def __init__(self, app: App, hosts: frozenset[str]) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        guarded = _with_headers(send)
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope)
        if refusal is None:
            try:
                body = await asyncio.wait_for(_body(scope, receive), MOST_SECONDS_TO_SEND)
            except _RefusedError as refused:
                refusal = refused.status, str(refused)
            except TimeoutError:
                refusal = 408, "the request came too slowly"
            else:
                if body is not None:
                    await self._app(scope, _replay(body, receive), guarded)
                return
        await _answer(guarded, *refusal)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return status and reason if a request is to be refused."""
        headers: list[tuple[str, str]] = [
            (name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]
        ]
        hosts = [value for name, value in headers if name == "host"]
        if len(hosts) != 1 or not is_own_host(hosts[0], self._hosts):
            return 403, "this server does not answer to that name: use the address it printed when it started"
        # Browsers name the origin of every POST and of every request from another site's script.
        origins = [value for name, value in headers if name == "origin"]
        if any(origin not in (f"http://{hosts[0]}", f"https://{hosts[0]}") for origin in origins):
            return 403, "requests from other sites are refused"
        sites = [value for name, value in headers if name == "sec-fetch-site"]
        # A link on another site may open a page; the API answers only to this site's own pages.
        is_page = scope["method"] == "GET" and not scope["path"].startswith("/api/")
        if any(site not in ("same-origin", "none") for site in sites) and not is_page:
            return 403, "requests from other sites are refused"
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "only GET, HEAD and POST are known here"
        if len(scope["path"]) + len(scope.get("query_string", b"")) > MOST_PATH:
            return 414, "the address is too long"
        if scope["method"] != "POST":
            return None
        # A form of another site can send text, but JSON only after asking (CORS preflight), which is refused.
        kinds = [value.partition(";")[0].strip().lower() for name, value in headers if name == "content-type"]
        if kinds != ["application/json"]:
            return 415, "a request is JSON: content-type application/json"
        return None


def is_own_host(host: str, names: frozenset[str]) -> bool:
    """Return whether a Host header names this server: one of `names`, or an address, with any port.

    A foreign name may be made to point here, an address may not.

    >>> names = frozenset({"localhost"})
    >>> [is_own_host(host, names) for host in ("localhost:80", "127.0.0.1", "evil.org", "")]
    [True, True, False, False]
    >>> is_own_host("[::1]:8000", frozenset()), is_own_host("127.0.0.1.evil.org", frozenset())
    (True, False)
    """
    if host.startswith("["):
        address, bracket, port = host[1:].partition("]")
        port = port.removeprefix(":") if port.startswith(":") or not port else "x"
        if not bracket:
            return False
    else:
        address, _, port = host.partition(":")
    if port and not (port.isascii() and port.isdecimal()):
        return False
    if address.lower() in names:
        return True
    try:
        ipaddress.ip_address(address)
    except ValueError:
        return False
    return True


class _RefusedError(Exception):
    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


async def _body(scope: Scope, receive: Receive) -> bytes | None:
    """Return the whole body; None if the browser went away."""
    length = next((value for name, value in scope["headers"] if name.lower() == b"content-length"), b"0")
    if not length.isdigit():
        raise _RefusedError(400, "the length of the request is not a number")
    if len(length) > 12 or int(length) > MOST_BYTES:
        raise _RefusedError(413, f"a request has at most {MOST_BYTES} bytes")
    # The header may lie, so the bytes are counted as well.
    body: bytes = b""
    if scope["method"] != "POST":
        return body
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if len(body) > MOST_BYTES:
            raise _RefusedError(413, f"a request has at most {MOST_BYTES} bytes")
        if not message.get("more_body", False):
            return body


def _replay(body: bytes, receive: Receive) -> Receive:
    waiting: list[MutableMapping[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> MutableMapping[str, Any]:
        return waiting.pop() if waiting else await receive()

    return receive_again


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            given = list(message.get("headers", []))
            known = {name.lower() for name, _ in given}
            given += [
                (name.encode(), value.encode())
                for name, value in _HEADERS.items()
                if name.encode() not in known
            ]
            message = {**message, "headers": given}
        await send(message)

    return send_with_headers


async def _answer(send: Send, status: int, reason: str) -> None:
    body = reason.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    # What was not read of a refused request must not be taken for the next one.
    headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
