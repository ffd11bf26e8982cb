"""Send the engines of all protocols input that no interface would send; check that they answer and survive.

Usage: python tools/fuzz/protocols.py [--cases 10000] [--seed 1] [--protocol hub|dxp|nboard]

A case is a valid line with letters changed, left out, doubled or inserted, or random bytes, sometimes very
many. Every few cases the engine gets a valid request. The first case that raises, gets no answer, or gets one
that is not a line of the protocol ends the tool with exit status 1 and is shown.
"""

import argparse
import io
import random
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence

from neche.errors import InputError, one_line
from neche.games.catalogue import game
from neche.protocols.dxp_messages import LONGEST, decode
from neche.protocols.dxp_session import DxpSession
from neche.protocols.engine import ProtocolEngine
from neche.protocols.hub_commands import read_command
from neche.protocols.hub_options import HubOptions
from neche.protocols.hub_session import HubSession
from neche.protocols.lines import LONGEST_LINE, read_lines, split_messages
from neche.protocols.nboard import NBoardSession

_CASES_BETWEEN_CHECKS = 20
_PATIENCE = 60.0
_HUB_START = "W" + 20 * "b" + 10 * "e" + 20 * "w"
_GGF = "(;GM[Othello]TI[05:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]"
_GOOD = {
    "hub": (
        "hub",
        "set-param name=variant value=normal",
        "set-param name=variant value=english",
        "set-param name=depth value=9",
        "set-param name=margin value=50",
        "init",
        "new-game",
        f"pos pos={_HUB_START}",
        f'pos pos={_HUB_START} moves="32-28 19-23 28x19x23 14x23x19"',
        "pos pos=BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee",
        "pos start moves=32-28",
        "level infinite",
        "level depth=3",
        "level moves=9 time=291.587 inc=0.1",
        "go think",
        "go ponder",
        "ponder-hit",
        "stop",
        "ping",
    ),
    "dxp": (
        "R01Somebody                        W005075A",
        f"R01Somebody                        Z000000BW{_HUB_START[1:].replace('b', 'z')}",
        "ASomebody                        0",
        "M0012322800",
        "M001228190123",
        "E00",
        "B001W",
        "K0",
        "CWhat do you think about move 35?",
    ),
    "nboard": (
        "nboard 2",
        "set depth 4",
        f"set game {_GGF};)",
        f"set game {_GGF}B[F5//1.5]W[F6/1/2]B[D3];)",
        "set contempt 0",
        "move F5//1.0",
        "move PA",
        "F6",
        "hint 2",
        "go",
        "ping 3",
        "learn",
        "analyze",
    ),
}
_NBOARD_ANSWERS = ("set myname", "pong", "status", "nodestats", "search", "===", "learned", "analysis")
_HUB_ANSWERS = ("id", "param", "wait", "ready", "info", "done", "pong", "error")


class Talker(ABC):
    """One engine under test. check: sends a valid request and waits for the answer."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._lock = threading.Condition()

    def write(self, line: str) -> None:
        """Receive an answer."""
        with self._lock:
            self.heard.append(line)
            self._lock.notify_all()

    def wait_for(self, beginning: str) -> None:
        """Wait for an answer that begins like this, and check all that came before."""
        with self._lock:
            is_there = self._lock.wait_for(
                lambda: any(line.startswith(beginning) for line in self.heard), _PATIENCE
            )
            lines, self.heard = self.heard, []
        assert is_there, f"no answer {beginning!r}, but {lines}"
        for line in lines:
            self.inspect(line)

    @abstractmethod
    def inspect(self, line: str) -> None:
        """Assert that an answer is a line of the protocol."""

    @abstractmethod
    def tell(self, data: bytes) -> None:
        """Tell the engine these bytes."""

    @abstractmethod
    def check(self) -> None:
        """Ask something sensible."""


def _tell_each(session: HubSession | DxpSession | NBoardSession, texts: Iterable[str | None]) -> None:
    """Send a session lines or messages; None is one that is too long."""
    for text in texts:
        if text is None:
            session.complain("too long")
        else:
            session.hear(text)


class HubTalker(Talker):
    """Hub."""

    def __init__(self) -> None:
        super().__init__()
        self._session = HubSession(HubOptions(player="random"), self.write)

    def tell(self, data: bytes) -> None:
        """Tell the engine these bytes."""
        _tell_each(self._session, read_lines(io.BytesIO(data)))

    def check(self) -> None:
        """Ask something sensible."""
        for line in (
            "stop",
            "set-param name=variant value=normal",
            "set-param name=player value=random",
            *(
                f"set-param name={name} value=20"
                for name in ("depth", "playouts", "margin", "memory", "seed")
            ),
        ):
            self._session.hear(line)
        for line, answer in (("init", "ready"), ("ping", "pong")):
            self._session.hear(line)
            self.wait_for(answer)
        for line in (f"pos pos={_HUB_START}", "level depth=1", "go think"):
            self._session.hear(line)
        self.wait_for("done move=")

    def inspect(self, line: str) -> None:
        """Assert that an answer is a line of the protocol."""
        command, _ = read_command(line)
        assert command in _HUB_ANSWERS, line
        assert line == one_line(line), line


class DxpTalker(Talker):
    """DXP, as the follower."""

    def __init__(self) -> None:
        super().__init__()
        rules = game("international")
        self._session = DxpSession(ProtocolEngine(rules, "random"), self.write)

    def tell(self, data: bytes) -> None:
        """Tell the engine these bytes."""
        _tell_each(self._session, split_messages([data + b"\0"], LONGEST))

    def check(self) -> None:
        """Ask something sensible."""
        self.tell(_GOOD["dxp"][0].encode())
        self.wait_for("M")

    def inspect(self, line: str) -> None:
        """Assert that an answer is a line of the protocol."""
        assert len(line) <= LONGEST, line
        decode(line)


class NBoardTalker(Talker):
    """NBoard."""

    def __init__(self) -> None:
        super().__init__()
        rules = game("othello")
        self._session = NBoardSession(ProtocolEngine(rules, "random"), self.write)

    def tell(self, data: bytes) -> None:
        """Tell the engine these bytes."""
        _tell_each(self._session, read_lines(io.BytesIO(data)))

    def check(self) -> None:
        """Ask something sensible."""
        for line in ("ping 1", f"set game {_GGF};)", "go"):
            self._session.hear(line)
        self.wait_for("===")

    def inspect(self, line: str) -> None:
        """Assert that an answer is a line of the protocol."""
        assert line.startswith(_NBOARD_ANSWERS), line
        assert line.strip() == one_line(line), line


TALKERS: dict[str, Callable[[], Talker]] = {"hub": HubTalker, "dxp": DxpTalker, "nboard": NBoardTalker}


def garbage(draw: random.Random, good: Sequence[str]) -> bytes:
    """Return one case."""
    if draw.random() < 0.1:
        return draw.randbytes(draw.choice((1, 10, 200)))
    if draw.random() < 0.01:
        return draw.choice(good).encode() * draw.choice((100, 1 + 2 * LONGEST_LINE // 10))
    data = bytearray(draw.choice(good).encode())
    for _ in range(draw.randrange(5)):
        at = draw.randrange(len(data) + 1)
        match draw.randrange(5):
            case 0:
                del data[at : at + draw.randrange(1, 6)]
            case 1:
                data[at:at] = draw.randbytes(draw.randrange(1, 4))
            case 2:
                data[at:at] = draw.choice((b" ", b"=", b'"', b"-", b"x", b"9" * 30, b"\xc2\xb2", b"e9"))
            case 3:
                data[at:at] = data[draw.randrange(len(data) + 1) :]
            case 4:
                data[at : at + 1] = bytes([draw.randrange(32, 127)])
    return bytes(data)


def fuzz(protocol: str, cases: int, seed: int) -> int:
    """Send an engine the cases; return how many answers there were.

    Raises:
        AssertionError: one is not answered as it should be; the message shows it.
    """
    draw = random.Random(f"{protocol} {seed}")
    talker = TALKERS[protocol]()
    latest: list[bytes] = []
    answers = 0
    for number in range(cases):
        latest.append(garbage(draw, _GOOD[protocol]))
        try:
            talker.tell(latest[-1])
            if (number + 1) % _CASES_BETWEEN_CHECKS == 0 or number + 1 == cases:
                answers += len(talker.heard)
                talker.check()
                latest.clear()
        except (Exception, InputError) as fault:
            shown = "\n".join(repr(case[:300]) for case in latest)
            raise AssertionError(
                f"{protocol}, seed {seed}, case {number}: {fault!r} after\n{shown}"
            ) from fault
    return answers


def main() -> int:
    """Fuzz and print; return 1 at the first fault."""
    parser = argparse.ArgumentParser(description="Send the engines of all protocols invalid input.")
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--protocol", choices=tuple(TALKERS))
    options = parser.parse_args()
    for protocol in [options.protocol] if options.protocol else TALKERS:
        began = time.perf_counter()
        try:
            answers = fuzz(protocol, options.cases, options.seed)
        except AssertionError as fault:
            print(fault)
            return 1
        spent = time.perf_counter() - began
        print(f"{protocol}: {options.cases} cases, {answers} answers, alive, {spent:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
