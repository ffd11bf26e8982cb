"""Check that memory, open files and threads of long-lived processes stay constant after a start-up phase.

Usage: python tools/checks/memory.py [--generations 10000] [--games 2000] [--hours 24] [--part serve]

Three processes are watched, on Linux: an evolution of small generations with all its files, a match of UCT
players, and `neche serve`, which serves simulated hours without waiting: a run's page polls it every two
seconds, and every five minutes a new visitor plays a game. Medians over the third and over the last tenth of
the time are compared. Exit status 1 if one has grown by more than a twentieth, or by an open file or thread.
"""

import argparse
import http.client
import json
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

NECHE = [sys.executable, "-m", "neche"]
SMALL = ("population=4", "genes=20", "games_per_member=2", "ladder_every=500", "ladder_games=2", "elites=1")
UCT = "uct:playouts=30"
_POLL_SECONDS, _VISIT_SECONDS, _POLLS_A_CONNECTION = 2, 300, 100
_MOVES_A_GAME = 12
_MOST_GROWTH = 0.05


class Sample(NamedTuple):
    """Resources of a process: memory in MB (2^20 bytes), open files, threads."""

    memory: float
    files: int
    threads: int


def sample(process: int) -> Sample:
    """Return the current resources of a process."""
    proc = Path("/proc") / str(process)
    facts = dict(line.split(":", 1) for line in (proc / "status").read_text().splitlines() if ":" in line)
    return Sample(
        int(facts["VmRSS"].split()[0]) / 1024, len(list((proc / "fd").iterdir())), int(facts["Threads"])
    )


@contextmanager
def watched(process: int, every: float) -> Iterator[list[Sample]]:
    """Yield a list that samples of a process are added to during the block. every: seconds."""
    samples: list[Sample] = []
    done = threading.Event()

    def watch() -> None:
        while not done.wait(every):
            try:
                samples.append(sample(process))
            except (OSError, KeyError):  # it has ended
                return

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield samples
    finally:
        done.set()
        thread.join()


def run(words: list[str], folder: Path) -> list[Sample]:
    """Run a command to its end and return the samples."""
    process = subprocess.Popen([*NECHE, *words], cwd=folder, stdout=subprocess.DEVNULL)
    with process, watched(process.pid, 0.5) as samples:
        process.wait()
    assert process.returncode == 0, words
    return samples


def evolve(options: argparse.Namespace, folder: Path) -> list[Sample]:
    """Evolve small generations."""
    settings = [word for setting in SMALL for word in ("--set", setting)]
    words = ["--generations", str(options.generations), "--seed", str(options.seed), "--jobs", "1", "--json"]
    return run(["evolve", "--recipe", "tournament", "--run", "run", *settings, *words], folder)


def match(options: argparse.Namespace, folder: Path) -> list[Sample]:
    """Let two UCT players play."""
    words = ["--games", str(options.games), "--seed", str(options.seed), "--jobs", "1", "--json"]
    return run(["match", UCT, UCT, *words], folder)


class Browser:
    """A client that keeps its connection for a while. session: of the board that it views."""

    def __init__(self, port: int) -> None:
        self._port, self._asked, self.session = port, 0, ""
        self._wire = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, path: str, message: dict[str, Any] | None = None) -> Any:
        """Get a page, or post a message; return the answer."""
        self._asked += 1
        if self._asked % _POLLS_A_CONNECTION == 0:
            self.close()
            self._wire = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        headers = {"content-type": "application/json", "x-neche-session": self.session}
        body = None if message is None else json.dumps(message)
        try:
            self._wire.request("GET" if message is None else "POST", f"/api/{path}", body, headers)
            reply = self._wire.getresponse()
        except ConnectionError:
            # The server closes connections idle for seconds, as this page's is during a visit.
            self.close()
            return self.ask(path, message)
        answer = json.loads(reply.read())
        assert "error" not in answer, (path, message, answer)
        return answer

    def close(self) -> None:
        """Hang up."""
        self._wire.close()


def visit(port: int, rng: random.Random) -> None:
    """Play some moves of a game as a new visitor, and hang up."""
    browser = Browser(port)
    state = browser.ask("new", {"game": rng.choice(("checkers", "othello"))})
    browser.session = state["session"]
    while len(state["moves"]) < _MOVES_A_GAME and state["legal"]:
        ply = len(state["moves"])
        browser.ask("move", {"move": rng.choice(state["legal"])["text"], "ply": ply})
        browser.ask("think", {"player": "material:depth=2", "ply": ply + 1, "is_move": True})
        state = browser.ask("state")
        while state["thinking"] is None or state["thinking"]["status"] in ("waiting", "thinking"):
            state = browser.ask("state")
    browser.close()


def serve(options: argparse.Namespace, folder: Path) -> list[Sample]:
    """Serve pages for some simulated hours."""
    rng = random.Random(options.seed)
    run(["evolve", "--recipe", "quick", "--generations", "1", "--run", "run", "--json"], folder)
    words = [*NECHE, "serve", "--port", "0", "--run", "run", "--json"]
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = json.loads(process.stdout.readline())["port"]
        try:
            page = Browser(port)
            for _ in range(3):  # compiles
                visit(port, rng)
            with watched(process.pid, 0.2) as samples:
                for second in range(0, round(3600 * options.hours), _POLL_SECONDS):
                    page.ask("run?after=0")
                    if second % _VISIT_SECONDS == 0:
                        visit(port, rng)
            page.close()
        finally:
            process.send_signal(signal.SIGTERM)
    return samples


PARTS: dict[str, Callable[[argparse.Namespace, Path], list[Sample]]] = {
    "evolve": evolve,
    "match": match,
    "serve": serve,
}


def growth(samples: list[Sample]) -> tuple[Sample, Sample, bool]:
    """Return medians over the third and the last tenth, and whether they show growth."""
    tenth = max(1, len(samples) // 10)
    early, late = (
        Sample(*(statistics.median(values) for values in zip(*part, strict=True)))
        for part in (samples[2 * tenth : 3 * tenth], samples[-tenth:])
    )
    has_grown = late.memory > (1 + _MOST_GROWTH) * early.memory
    return early, late, has_grown or late.files > early.files or late.threads > early.threads


def main() -> int:
    """Watch the requested parts, print a line for each, and return 1 if one has grown."""
    parser = argparse.ArgumentParser(description="Memory, open files and threads of long-lived processes.")
    parser.add_argument("--generations", type=int, default=10_000)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--hours", type=float, default=24)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", choices=PARTS, action="append")
    options = parser.parse_args()
    status = 0
    print("           third tenth               last tenth")
    for name in options.part or PARTS:
        with tempfile.TemporaryDirectory() as folder:
            early, late, has_grown = growth(PARTS[name](options, Path(folder)))
        shown = (f"{one.memory:7.1f} MB {one.files:3} files {one.threads:3} threads" for one in (early, late))
        print(f"{name:7}", *shown, "has grown" if has_grown else "flat", flush=True)
        status |= has_grown
    return status


if __name__ == "__main__":
    sys.exit(main())
