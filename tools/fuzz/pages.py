"""Send hostile requests to the pages of `neche serve`: each must be answered, or refused in one line.

Requests run in this process, without a network; input that is not HTTP goes to a real server over a socket.
No answer may be an internal server error, or show a file that is not part of a page.

Usage: python tools/fuzz/pages.py [--cases 10000] [--seed 0]
"""

import argparse
import asyncio
import json
import random
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from neche.web import ServerConfiguration
from neche.web.app import make_app
from neche.web.server import listen, serve

HOST = "localhost:8765"
GOOD_STATUS = {200}
REFUSALS = {400, 403, 404, 405, 408, 409, 410, 413, 414, 415, 422, 431}
_SECRET = b"root:"
_JSON = {"content-type": "application/json"}

MESSAGES: dict[str, dict[str, Any]] = {
    "new": {
        "game": "checkers",
        "fen": "",
        "moves": ["11-15"],
        "clock": [{"seconds": 60, "increment": 1}, {"seconds": 9}],
        "source": {"text": "1. 11-15 22-18", "number": 0},
        "scores": [0.5, None],
    },
    "move": {"move": "11-15", "ply": 0},
    "back": {"ply": 0},
    "think": {"player": "material:depth=1", "ply": 0, "is_move": True, "ponders": True},
    "halt": {"is_dropped": True},
    "load": {"text": "1. 11-15 22-18 2. 15x22 25x18"},
    "save": {"names": ["human", "random"]},
    "light": {"player": "champion:depth=1", "ply": 0},
}
PATHS = (
    "/",
    "/watch",
    "/assets/style.css",
    "/api/hello",
    "/api/state",
    "/api/state?ply=3",
    "/api/runs",
    "/api/run",
    "/api/champion",
    "/api/games/othello",
    "/api/games/othello?player=uct:playouts=10",
    "/api/prepare/othello",
    "/board/checkers/straight.svg",
    "/piece/checkers/0k.svg",
)
TRICKS: tuple[Any, ...] = (
    "../../../../etc/passwd",
    "..%2f..%2f..%2fetc%2fpasswd",
    "/etc/passwd",
    "file:///etc/passwd",
    "....//....//etc/passwd",
    "network:file=/etc/passwd",
    "cnn:file=/etc/passwd",
    "uct:leaf=/etc/passwd",
    "/etc/passwd:depth=1",
    "run:file=/etc/passwd",
    "champion:file=/etc/passwd,depth=1",
    "uct:playouts=999999999999",
    "uct:playouts=٣",
    "material:depth=1e9",
    "mcrd:playouts=100000000",
    "run",
    "given",
    "checkers.py",
    "__import__('os')",
    "\x00",
    "\ud800",
    "<script>alert(1)</script>",
    "A" * 5000,
    "CGATGGTAGTCGGATC" * 20,
    "B:W21:B1",
    "W:WK1:BK2",
    "W:W:B",
    "[Event" * 50,
    "(;GM[Othello]" * 20,
    "1. " + "(" * 3000,
    "{" * 3000,
    -1,
    10**30,
    1.5,
    float("inf"),
    None,
    True,
    [],
    {},
    ["x"] * 100,
)


class Ask(NamedTuple):
    """A request."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes = b""


class Reply(NamedTuple):
    """An answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the content."""
        return json.loads(self.body)


class Visitor:
    """A client of the pages in this process. session: as kept by a browser tab."""

    def __init__(self, settings: ServerConfiguration | None = None) -> None:
        self.app, self.pages = make_app(settings or ServerConfiguration())
        self._loop = asyncio.new_event_loop()
        self.session = ""

    def close(self) -> None:
        """End all searches."""
        self.pages.sessions.close()
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    def get(self, path: str, **headers: str) -> Reply:
        """Request a page."""
        return self.ask(Ask("GET", path, self._headers(headers)))

    def post(self, name: str, **message: Any) -> Reply:
        """Send a message; keep the session if one begins."""
        reply = self.ask(Ask("POST", f"/api/{name}", self._headers(_JSON), json.dumps(message).encode()))
        if reply.status == 200 and "session" in reply.json():
            self.session = reply.json()["session"]
        return reply

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        named = {name.replace("_", "-"): value for name, value in more.items()}
        return {"host": HOST, "x-neche-session": self.session, **named}

    def ask(self, ask: Ask) -> Reply:
        """Send any request."""
        return self._loop.run_until_complete(self._ask(ask))

    async def _ask(self, ask: Ask) -> Reply:
        path, _, query = ask.path.partition("?")
        headers = {name.lower(): value for name, value in ask.headers.items()}
        if ask.body and "content-length" not in headers:
            headers["content-length"] = str(len(ask.body))
        scope = {
            "type": "http",
            "http_version": "1.1",
            "asgi": {"version": "3.0"},
            "method": ask.method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode("utf-8", "replace"),
            "query_string": query.encode("utf-8", "replace"),
            "root_path": "",
            "headers": [
                (name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
                for name, value in headers.items()
            ],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8765),
        }
        sent: list[Any] = []
        waiting = [{"type": "http.request", "body": ask.body, "more_body": False}]

        async def receive() -> Any:
            return waiting.pop() if waiting else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        answered = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
        return Reply(sent[0]["status"], answered, b"".join(part.get("body", b"") for part in sent[1:]))


def hostile_requests(seed: int, session: str) -> Iterator[Ask]:
    """Yield requests without end: some good, most not."""
    rng = random.Random(seed)
    while True:
        headers = {"host": HOST, "x-neche-session": session}
        if rng.random() < 0.35:
            yield _hostile_page(rng, headers)
            continue
        name = rng.choice(list(MESSAGES))
        message: Any = dict(MESSAGES[name])
        for key in list(message):
            if rng.random() < 0.5:
                message[key] = rng.choice(TRICKS)
        if rng.random() < 0.1:
            message[str(rng.choice(TRICKS))] = 1
        if rng.random() < 0.05:
            message = rng.choice(TRICKS)
        body = json.dumps(message).encode("utf-8", "replace")
        yield _damaged(rng, Ask("POST", f"/api/{name}", {**headers, **_JSON}, body))


def _hostile_page(rng: random.Random, headers: dict[str, str]) -> Ask:
    path = rng.choice(PATHS)
    if rng.random() < 0.6:
        parts = path.split("/")
        parts[rng.randrange(len(parts))] = str(rng.choice(TRICKS))
        path = "/" + "/".join(parts).lstrip("/")
    return _damaged(rng, Ask(rng.choice(("GET", "GET", "GET", "HEAD", "POST", "PUT")), path, headers))


def _damaged(rng: random.Random, ask: Ask) -> Ask:
    """Spoil headers or body of some requests."""
    body = bytearray(ask.body)
    if body and rng.random() < 0.3:
        for _ in range(rng.randint(1, 6)):
            body[rng.randrange(len(body))] = rng.randrange(256)
    if rng.random() < 0.02:
        body = bytearray(b"[" * 200_000)
    if rng.random() < 0.02:
        body = bytearray(b'"' + b"x" * rng.choice((200_000, 262_140, 300_000)) + b'"')
    changed = dict(ask.headers)
    if rng.random() < 0.15:
        name, value = rng.choice(
            (
                ("host", "evil.example"),
                ("host", "localhost.evil.example:8765"),
                ("host", "[::1"),
                ("origin", "http://evil.example"),
                ("origin", "null"),
                ("sec-fetch-site", "cross-site"),
                ("content-type", "text/plain"),
                ("content-length", "-1"),
                ("content-length", "99999999999999999999"),
                ("x-neche-session", "../" * 9),
                ("x-neche-session", "é" * 99),
            )
        )
        changed[name] = value
    return ask._replace(headers=changed, body=bytes(body))


def problem_of(ask: Ask, reply: Reply) -> str:
    """Return what is wrong with an answer, empty if nothing is."""
    if reply.status not in GOOD_STATUS | REFUSALS:
        return f"status {reply.status}"
    if _SECRET in reply.body or b"Traceback" in reply.body:
        return "shows what it must not"
    if "content-security-policy" not in reply.headers:
        return "has no policy"
    if reply.status in REFUSALS and ask.method != "HEAD":
        said = reply.json()["error"] if reply.body.startswith(b"{") else reply.body.decode()
        if not said or "\n" in said or len(said) > 1200:
            return f"is not one clear line: {said[:80]!r}"
    return ""


def fuzz(cases: int, seed: int) -> Counter[int]:
    """Send requests and count the answers by status.

    Raises:
        AssertionError: an answer is wrong.
    """
    visitor, counts = Visitor(), Counter[int]()
    visitor.post("new", game="checkers")
    requests = hostile_requests(seed, visitor.session)
    for _ in range(cases):
        ask = next(requests)
        reply = visitor.ask(ask)
        problem = problem_of(ask, reply)
        assert not problem, f"{problem}: {ask.method} {ask.path[:200]} {ask.headers} {ask.body[:400]!r}"
        counts[reply.status] += 1
    still = visitor.post("new", game="checkers")
    assert still.status == 200, "the server no longer answers"
    visitor.close()
    return counts


def fuzz_wire(cases: int, seed: int) -> int:
    """Send input that is hardly HTTP to a real server; return how many got an answer before it hung up."""
    rng, answered = random.Random(seed), 0
    sock = listen("127.0.0.1", 0)
    port = sock.getsockname()[1]
    ready = threading.Event()
    settings = ServerConfiguration()
    threading.Thread(target=serve, args=(sock, settings), kwargs={"started": ready.set}, daemon=True).start()
    assert ready.wait(20)
    good = f"GET /api/hello HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode()
    for _ in range(cases):
        line = bytearray(good)
        for _ in range(rng.randint(1, 12)):
            line[rng.randrange(len(line))] = rng.randrange(256)
        if rng.random() < 0.05:
            line[4:4] = b"/" + b"a" * rng.choice((20_000, 70_000))
        if rng.random() < 0.05:
            line = bytearray(rng.randbytes(200))
        answered += _sent(port, bytes(line)) != b""
    assert b"200 OK" in _sent(port, good, 20), "the server no longer answers"
    return answered


def _sent(port: int, content: bytes, seconds: float = 0.05) -> bytes:
    """Send bytes and nothing more; return what comes back at once, or within this many seconds."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as wire:
        try:
            wire.sendall(content)
            wire.settimeout(seconds)
            return wire.recv(1 << 16)
        except OSError:
            return b""


def main() -> int:
    """Send a number of requests of each sort; return 1 if an answer was wrong."""
    parser = argparse.ArgumentParser(description="Send hostile requests to the pages of neche serve.")
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    assert not Path("passwd").exists()
    begin = time.perf_counter()
    counts = fuzz(options.cases, options.seed)
    answered = fuzz_wire(options.cases // 5, options.seed)
    told = ", ".join(f"{status}: {number}" for status, number in sorted(counts.items()))
    print(f"{options.cases} requests answered ({told})")
    print(
        f"{options.cases // 5} more over the wire, {answered} answered; {time.perf_counter() - begin:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
