"""Requests that are refused."""

import random

import pytest

from neche.errors import InputError
from neche.games.catalogue import game
from neche.web import ServerConfiguration
from neche.web.messages import MOST_BYTES
from neche.web.opponents import opponent_of
from tools.fuzz.pages import HOST, Ask, fuzz, fuzz_wire, hostile_requests

OWN = {"host": HOST, "content-type": "application/json"}
BODY = b'{"game": "checkers"}'


def post(visitor, headers, body=BODY):
    return visitor.ask(Ask("POST", "/api/new", headers, body))


@pytest.mark.parametrize(
    "host", ["localhost:8765", "127.0.0.1:1", "LOCALHOST", "[::1]:8765", "192.168.1.5:80"]
)
def test_own_names_and_addresses_are_heard(visitor, host):
    assert post(visitor, {**OWN, "host": host}).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "",
        "localhost:x",
        "[::1",
        "a@localhost",
    ],
)
def test_foreign_names_are_refused_on_every_page(visitor, host):
    for path in ("/", "/api/hello", "/assets/style.css"):
        assert visitor.get(path, host=host).status == 403
    assert post(visitor, {**OWN, "host": host}).status == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:1", "http://127.0.0.1:8765"]
)
def test_foreign_origins_are_refused(visitor, origin):
    assert post(visitor, {**OWN, "origin": origin}).status == 403
    assert len(visitor.pages.sessions) == 0


def test_the_own_origin_is_heard(visitor):
    assert post(visitor, {**OWN, "origin": f"http://{HOST}"}).status == 200


def test_a_link_from_another_site_opens_the_page_but_asks_nothing(visitor):
    assert visitor.get("/", sec_fetch_site="cross-site").status == 200
    assert visitor.get("/api/hello", sec_fetch_site="cross-site").status == 403
    assert post(visitor, {**OWN, "sec-fetch-site": "same-site"}).status == 403


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_what_a_form_of_another_site_can_send_is_refused(visitor, kind):
    assert post(visitor, {**OWN, "content-type": kind}).status == 415


def test_large_requests_are_refused_whatever_length_they_name(visitor):
    large = b'{"game": "' + b"x" * MOST_BYTES + b'"}'
    assert post(visitor, OWN, large).status == 413
    assert post(visitor, {**OWN, "content-length": "20"}, large).status == 413
    assert post(visitor, {**OWN, "content-length": "9" * 30}).status == 413
    assert post(visitor, {**OWN, "content-length": "-5"}).status == 400


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'{"game": 3}', b'{"game": "checkers", "more": 1}', b"\xff", b"[" * 100_000],
)
def test_what_is_no_message_is_refused_in_one_line(visitor, body):
    reply = post(visitor, OWN, body)
    assert reply.status == 422
    assert reply.json()["error"].startswith("the request cannot be understood")


@pytest.mark.parametrize(
    "path",
    ["/assets/../app.py", "/assets/%2e%2e/app.py", "/assets/", "/assets", "/x", "//", "/assets/app.py"],
)
def test_there_is_no_way_out_of_the_assets(visitor, path):
    assert visitor.get(path).status == 404


def test_pages_may_load_nothing_from_elsewhere_and_never_be_framed(visitor):
    headers = visitor.get("/").headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "text",
    [
        "network:file=/etc/passwd",
        "cnn:file=/etc/passwd",
        "/etc/passwd",
        "../runs/reference",
        "runs/reference:depth=2",
        "champion:file=/etc/passwd",
        "uct:leaf=/etc/passwd",
        "uct:leaf=champion",
        "uct:leaf=runs,scale=1",
        "material:depth=61",
        "material:time=99999999",
        "uct:playouts=100000000",
        "uct:device=cuda",
        "mcrd:playouts=1000000",
        "run:depth=1",
        "given",
        "CGATGGTAGTCGGATC" * 4,
        "",
        "a" * 500,
    ],
)
def test_a_request_names_no_file_and_no_endless_work(text):
    with pytest.raises(InputError):
        opponent_of(ServerConfiguration(), text, game("checkers"))


def test_a_file_that_is_called_like_a_shipped_champion_is_not_read(tmp_path, monkeypatch):
    (tmp_path / "champion").write_text("no genome")
    monkeypatch.chdir(tmp_path)
    assert (
        opponent_of(ServerConfiguration(), "champion:depth=1", game("checkers")).label == "champion, depth 1"
    )


def test_hostile_requests_get_a_clear_answer_and_the_server_lives_on():
    counts = fuzz(400, seed=1)
    assert sum(counts.values()) == 400
    assert {200, 403, 404, 413, 415, 422} <= set(counts)


def test_hostile_requests_are_the_same_for_the_same_seed():
    first, second = (hostile_requests(5, "x") for _ in range(2))
    assert [next(first) for _ in range(50)] == [next(second) for _ in range(50)]


def test_what_is_hardly_http_leaves_the_server_alive():
    assert fuzz_wire(40, seed=random.Random(2).randrange(9)) > 10
