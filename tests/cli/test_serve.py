"""`neche serve` prints its address, refuses invalid options, and ends at Ctrl-C."""

import json
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from neche.cli import serve
from tests.archive.builders import write_run
from tests.cli.interrupts import hear_interrupts


def test_it_says_where_it_listens_answers_and_ends_at_ctrl_c():
    with subprocess.Popen(
        [sys.executable, "-m", "neche", "serve", "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_interrupts,
    ) as process:
        assert process.stdout is not None
        server = json.loads(process.stdout.readline())
        assert server["url"] == f"http://127.0.0.1:{server['port']}/"
        with urllib.request.urlopen(server["url"] + "api/hello", timeout=20) as answer:
            assert json.loads(answer.read())["run"] is None
        foreign = urllib.request.Request(server["url"], headers={"Host": "evil.example"})
        with pytest.raises(urllib.error.HTTPError, match="403") as refused:
            urllib.request.urlopen(foreign, timeout=20)
        refused.value.close()  # it is an answer, too, of which Python 3.14 warns if left open
        process.send_signal(signal.SIGINT)
        rest, complaint = process.communicate(timeout=20)
    assert process.returncode == 130
    assert (rest, complaint.splitlines()) == ("", ["neche: interrupted"])


def test_a_run_is_called_by_its_name_where_one_stands_in_it(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(write_run(tmp_path / "mine"))
    found = []

    def serve_once(sock, configuration, **_):
        sock.close()
        found.append(configuration)

    monkeypatch.setattr(serve, "serve", serve_once)
    terminal.text("serve", "--run", ".", "--port", 0)
    assert found[0].run.name == "mine"


def test_a_port_that_is_taken_is_one_line(terminal):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"127.0.0.1 port {port}" in terminal.fault("serve", "--port", port)


def test_a_run_without_its_configuration_keeps_no_other_from_being_watched(terminal, tmp_path):
    for name in ("a", "b"):
        write_run(tmp_path / name)
    (tmp_path / "a" / "config.toml").unlink()
    # a port that cannot be had comes after the runs
    assert "203.0.113.7" in terminal.fault("serve", "--run", tmp_path, "--host", "203.0.113.7", "--port", 0)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--host", "a..b"), "no such address"),
        (("--host", "203.0.113.7", "--port", "0"), "203.0.113.7"),
        (("--port", "70000"), "out of range"),
        (("--run", "/nowhere"), "/nowhere: neither a run nor a directory of runs"),
        (("--player", "materiel"), "material"),
        (("--game", "chess"), "unknown game"),
    ],
)
def test_what_cannot_be_is_one_line(terminal, words, fault):
    assert fault in terminal.fault("serve", *words)
