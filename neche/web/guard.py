"""The guard between the network and the pages: which requests are answered, and what pages may do.

A page of another site can make a browser send requests here and, by pointing its own name to this machine,
even read the answers (DNS rebinding). So a request must address this server by its own name, come from its
own pages if it names an origin, and be small.
"""

import asyncio
import hashlib
import hmac
import ipaddress
import re
from contextvars import ContextVar
from urllib.parse import parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request, cookie_parser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from neche.web.messages import MOST_BYTES

MOST_SECONDS_TO_SEND = 10.0
MOST_PATH = 2000

_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A picture has inline styles, and may run no scripts wherever it is opened.
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
HEADERS = {
    "content-security-policy": _PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

# A name or an address, that of IPv6 in brackets, and perhaps a port.
_HOST = re.compile(r"(?:\[([^]]*)\]|((?!\[)[^:]*))(?::[0-9]*)?")

peer: ContextVar[str] = ContextVar("peer", default="")
"""The address from which the current request came."""


class Guard:
    """Passes requests on to `app`, or refuses them with one line and a status from 400 to 431."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        # No websockets are served.
        if scope["type"] != "http":
            return
        guarded = _with_headers(send)
        # Servers pass header names in lower case, but nothing here depends on it.
        headers = Headers(raw=[(name.lower(), value) for name, value in scope["headers"]])
        try:
            _check(scope, headers, self._hosts)
            body = await asyncio.wait_for(_body(scope, headers, receive), MOST_SECONDS_TO_SEND)
        except HTTPException as refused:
            status, reason = refused.status_code, refused.detail
        except TimeoutError:
            status, reason = 408, "the request took too long"
        except ClientDisconnect:
            return
        else:
            peer.set((scope.get("client") or ("",))[0])
            await self._app(scope, _replay(body, receive), guarded)
            return
        # The unread rest of a refused request must not be taken for the next one.
        refusal = PlainTextResponse(reason, status, {"connection": "close"})
        await refusal(scope, receive, guarded)


class Door:
    """Admits only browsers that know the token: first by the address `/?token=…`, then by a cookie."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._token = app, token
        # Cookies ignore ports: a second server on this machine needs a cookie name of its own.
        self._cookie = "neche-" + hashlib.sha256(token.encode()).hexdigest()[:8]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or ask for the token."""
        if scope["type"] != "http" or self._is_known(scope):
            await self._app(scope, receive, send)
        elif self._is_token(dict(parse_qsl(scope["query_string"].decode("latin-1"))).get("token", "")):
            cookie = f"{self._cookie}={self._token}; HttpOnly; SameSite=Strict; Path=/"
            # Redirect to an address without the token: others may read the address bar.
            fields = {"location": "/", "set-cookie": cookie, "connection": "close"}
            welcome = PlainTextResponse("", 303, fields)
            await welcome(scope, receive, _with_headers(send))
        else:
            reason = "open the address that neche serve printed: it ends in the token that lets you in"
            refusal = PlainTextResponse(reason, 401, {"connection": "close"})
            await refusal(scope, receive, _with_headers(send))

    def _is_known(self, scope: Scope) -> bool:
        # Cookies of other servers on this machine are sent too, and may have any form.
        return any(
            self._is_token(cookie_parser(value.decode("latin-1")).get(self._cookie, ""))
            for name, value in scope["headers"]
            if name.lower() == b"cookie"
        )

    def _is_token(self, word: str) -> bool:
        # Constant time: it does not depend on how much of the word is right.
        return hmac.compare_digest(word.encode(), self._token.encode())


def _check(scope: Scope, headers: Headers, names: frozenset[str]) -> None:
    """Raise HTTPException, with status and reason, if a request must be refused."""
    hosts = headers.getlist("host")
    # Two Host headers are refused too: software differs on which of them counts.
    if len(hosts) != 1 or not is_own_host(hosts[0], names):
        reason = "this server does not answer to that name: use the address it printed when it started"
        raise HTTPException(403, reason)
    # Browsers name the origin of every POST and of every request from another site's script.
    own = (f"http://{hosts[0]}", f"https://{hosts[0]}")
    is_foreign = any(origin not in own for origin in headers.getlist("origin"))
    # A link on another site may open a page; the API answers only to this site's own pages.
    is_page = scope["method"] == "GET" and not scope["path"].startswith("/api/")
    sites = headers.getlist("sec-fetch-site")
    if is_foreign or (not is_page and any(site not in ("same-origin", "none") for site in sites)):
        raise HTTPException(403, "requests from other sites are refused")
    if scope["method"] not in ("GET", "HEAD", "POST"):
        raise HTTPException(405, "only GET, HEAD and POST are supported")
    if len(scope["path"]) + len(scope.get("query_string", b"")) > MOST_PATH:
        raise HTTPException(414, "the address is too long")
    # A form of another site can send text, but JSON only after asking (CORS preflight), which is refused.
    kinds = [kind.partition(";")[0].strip().lower() for kind in headers.getlist("content-type")]
    if scope["method"] == "POST" and kinds != ["application/json"]:
        raise HTTPException(415, "a request must be JSON: content-type application/json")


def is_own_host(host: str, names: frozenset[str]) -> bool:
    """Return whether a Host header names this server: one of `names`, or an address, with any port.

    A foreign name can be made to point here, an address cannot.

    >>> names = frozenset({"localhost"})
    >>> [is_own_host(host, names) for host in ("localhost:80", "127.0.0.1", "evil.org", "")]
    [True, True, False, False]
    >>> is_own_host("[::1]:8000", frozenset()), is_own_host("127.0.0.1.evil.org", frozenset())
    (True, False)
    """
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    address = found[1] or found[2] or ""
    if address.lower() in names:
        return True
    try:
        ipaddress.ip_address(address)
    except ValueError:
        return False
    return True


async def _body(scope: Scope, headers: Headers, receive: Receive) -> bytes:
    """Return the whole body of a POST; for other methods, read nothing."""
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        raise HTTPException(400, "the length of the request is not a number")
    too_large = HTTPException(413, f"a request has at most {MOST_BYTES} bytes")
    # Digits are counted first: turning a very long number into an integer takes time.
    if len(length) > 12 or int(length) > MOST_BYTES:
        raise too_large
    body = b""
    if scope["method"] == "POST":
        # The header may lie, so the bytes are counted as well.
        async for chunk in Request(scope, receive).stream():
            body += chunk
            if len(body) > MOST_BYTES:
                raise too_large
    return body


def _replay(body: bytes, receive: Receive) -> Receive:
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_again


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers
