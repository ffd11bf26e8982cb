"""Let two Hub engines play bullet games on a real clock, and check that neither ever runs out of time.

Usage: python tools/checks/bullet_games.py [--games 200] [--seconds 1] [--increment 0.02]
            [--game international]
       [--player SPEC] [--margin MS] [--seed 1]

Both run as processes, driven over pipes as by an interface. A clock runs from the request for a search until
its answer has been read, and must not run out before the increment is added. Exit status 1 if one did.
"""

import argparse
import gc
import random
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from neche.arena.game_in_progress import begin
from neche.games.catalogue import game
from neche.games.game import Game
from neche.protocols.draughts_notation import read_move, write_move, write_position
from neche.protocols.hub_options import DEFAULT_MARGIN_MS, VARIANTS

ROOT = Path(__file__).resolve().parents[2]
_OPENING_PLIES = 4


class TimeControl(NamedTuple):
    """A time control: initial seconds, and seconds added before each move."""

    seconds: float
    increment: float


class HubClient:
    """A minimal interface."""

    def __init__(self, game_name: str, parameters: dict[str, str]) -> None:
        words = [sys.executable, "-m", "neche", "hub", "--game", game_name]
        self._process = subprocess.Popen(
            words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        for name, value in parameters.items():
            self.say(f"set-param name={name} value={value}")
        self.say("init")
        self.wait_for("ready")

    def say(self, *lines: str) -> None:
        """Send lines at once."""
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def wait_for(self, command: str) -> str:
        """Return the first answer that is this command; an error ends the program."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("error"):
                raise SystemExit(line)
            if line.split()[0] == command:
                return line
        raise SystemExit("the engine has ended")

    def __enter__(self) -> "HubClient":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._process:
            self.say("quit")


class Outcome(NamedTuple):
    """A game. least: smallest time left on a clock after a move. longest: longest time for one move."""

    verdict: str
    plies: int
    least: float
    longest: float


def play(clients: tuple[HubClient, HubClient], rules: Game, control: TimeControl, seed: int) -> Outcome:
    """Play one game from a random opening."""
    draw = random.Random(seed)
    in_progress = begin(rules, rules.start())
    start, hub_moves = write_position(rules.start(), rules), list[str]()
    clocks = [control.seconds, control.seconds]
    least, longest = control.seconds, 0.0
    for client in clients:
        client.say("new-game")
    while (verdict := in_progress.verdict()) is None:
        place = len(in_progress.moves) % 2
        if len(in_progress.moves) < _OPENING_PLIES:
            move = draw.choice(rules.legal_moves(in_progress.position))
        else:
            asked = [
                f'pos pos={start} moves="{" ".join(hub_moves)}"',
                f"level time={clocks[place]:.4f} inc={control.increment}",
                "go think",
            ]
            asked_at = time.perf_counter()
            clients[place].say(*asked)
            answer = clients[place].wait_for("done")
            spent = time.perf_counter() - asked_at
            clocks[place] -= spent
            least, longest = min(least, clocks[place]), max(longest, spent)
            if clocks[place] < 0:
                return Outcome("lost on time", len(in_progress.moves), least, longest)
            clocks[place] += control.increment
            move = read_move(answer.split()[1].removeprefix("move="), in_progress.position, rules)
        hub_moves.append(write_move(move, in_progress.position, rules))
        in_progress = in_progress.after(move)
    return Outcome(verdict, len(in_progress.moves), least, longest)


def main() -> int:
    """Play the games and print figures of the clocks."""
    parser = argparse.ArgumentParser(description="Let two Hub engines play bullet games on a real clock.")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--increment", type=float, default=0.02)
    parser.add_argument("--game", default="international", choices=tuple(VARIANTS.values()))
    parser.add_argument("--player", default="default")
    parser.add_argument("--margin", type=int, default=DEFAULT_MARGIN_MS, help="milliseconds")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rules = game(options.game)
    parameters = {"player": options.player, "margin": str(options.margin)}
    outcomes = []
    # The arbiter's own work must not count on the engines' clocks.
    gc.freeze()
    began = time.perf_counter()
    with HubClient(options.game, parameters) as first, HubClient(options.game, parameters) as second:
        for number in range(options.games):
            clients = (first, second) if number % 2 == 0 else (second, first)
            control = TimeControl(options.seconds, options.increment)
            outcomes.append(play(clients, rules, control, options.seed * 10_000 + number))
            if (number + 1) % 20 == 0:
                print(f"{number + 1} games, {time.perf_counter() - began:.0f} s", flush=True)
    lost = sum(outcome.verdict == "lost on time" for outcome in outcomes)
    plies = sum(outcome.plies for outcome in outcomes)
    print(f"{len(outcomes)} games of {options.seconds:g} s + {options.increment:g} s a move, {plies} plies")
    print(f"lost on time: {lost}")
    print(f"least time left: {min(outcome.least for outcome in outcomes):.3f} s")
    print(f"longest move: {max(outcome.longest for outcome in outcomes):.3f} s")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
