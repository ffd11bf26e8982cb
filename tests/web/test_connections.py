"""Peers that are slow, hold many connections or lack the token keep nobody else out."""

import contextlib
import socket
import threading
import urllib.request
from contextvars import copy_context

import pytest

from neche.games.catalogue import game
from neche.web import ServerConfiguration, connections, guard
from neche.web.server import listen, serve, url_of
from neche.web.sessions import MOST_SESSIONS, SessionStore


@contextlib.contextmanager
def running(token=""):
    sock, ready = listen("127.0.0.1", 0), threading.Event()
    options = {"token": token, "started": ready.set}
    threading.Thread(target=serve, args=(sock, ServerConfiguration()), kwargs=options, daemon=True).start()
    assert ready.wait(30)
    yield sock.getsockname()[1], url_of(sock)


def begun(port, head=b"GET / HT"):
    peer = socket.create_connection(("127.0.0.1", port), timeout=30)
    peer.sendall(head)
    return peer


def answer_of(peer):
    answer = b""
    with contextlib.suppress(OSError):
        while piece := peer.recv(4096):
            answer += piece
    peer.close()
    return answer


def ask(port, path="", **headers):
    fields = {"Host": f"127.0.0.1:{port}", "Connection": "close", **headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return answer_of(begun(port, f"GET /{path} HTTP/1.1\r\n{lines}\r\n".encode()))


def assert_guarded(answer):
    head = answer.partition(b"\r\n\r\n")[0].lower()
    for name in guard.HEADERS:
        assert head.count(f"\r\n{name}:".encode()) == 1, answer


def test_half_a_request_from_many_connections_keeps_nobody_out():
    with running() as (port, url):
        slow = [begun(port) for _ in range(200)]
        for _ in range(5):
            with urllib.request.urlopen(url + "api/hello", timeout=20) as answer:
                assert answer.status == 200
        for peer in slow:
            peer.close()


def test_half_a_request_is_answered_in_the_end(monkeypatch):
    monkeypatch.setattr(connections, "MOST_SECONDS_TO_ASK", 0.2)
    with running() as (port, _):
        for head in (b"", b"GET / HT", b"GET /api/hello HTTP/1.1\r\nHost: 127.0.0.1\r\n"):
            answer = answer_of(begun(port, head))
            assert answer.startswith(b"HTTP/1.1 408 ")
            assert_guarded(answer)


def test_a_second_request_that_does_not_end_is_answered_too(monkeypatch):
    monkeypatch.setattr(connections, "MOST_SECONDS_TO_ASK", 0.2)
    with running() as (port, _):
        whole = f"GET /assets/style.css HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        answer = answer_of(begun(port, whole + b"GET / HT"))
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert b"HTTP/1.1 408 " in answer


@pytest.mark.parametrize("head", [b"\x16\x03\x01\x02\x00\r\n\r\n", b"GET\r\n\r\n"])
def test_what_is_no_request_is_answered_with_all_headers(head):
    with running() as (port, _):
        answer = answer_of(begun(port, head))
        assert answer.startswith(b"HTTP/1.1 400 ")
        assert_guarded(answer)


def test_only_who_knows_the_token_is_let_in():
    with running("right") as (port, _):
        for headers in ({}, {"Cookie": "neche=right"}, {"Cookie": "="}, {"path": "?token=wrong"}):
            answer = ask(port, **headers)
            assert answer.startswith(b"HTTP/1.1 401 ")
            assert_guarded(answer)
        welcome = ask(port, path="?token=right")
        assert welcome.startswith(b"HTTP/1.1 303 ")
        assert_guarded(welcome)
        assert b"httponly; samesite=strict" in welcome.lower()
        cookie = welcome.partition(b"set-cookie: ")[2].partition(b";")[0].decode()
        for others in ("", 'theme={"dark":true}; ', "a b=1; ", "x; "):
            assert ask(port, Cookie=others + cookie).startswith(b"HTTP/1.1 200 ")
        assert ask(port, Cookie=cookie + "x").startswith(b"HTTP/1.1 401 ")


def test_many_games_of_one_peer_throw_out_none_of_another():
    store, checkers = SessionStore(1), game("checkers")

    def begin_from(address):
        guard.peer.set(address)
        return store.begin(checkers)[0]

    lonely = copy_context().run(begin_from, "192.0.2.1")
    crowd = [copy_context().run(begin_from, "192.0.2.2") for _ in range(3 * MOST_SESSIONS)]
    assert len(store) == MOST_SESSIONS
    assert store.find(lonely)
    assert store.find(crowd[-1])
