"""The game that an interface of Othello speaks about: read from GGF, then move by move, with its clocks."""

import io
import re
from typing import Any

from neche.errors import InputError
from neche.games.catalogue import Game
from neche.protocols.clock import Clock
from neche.records.ggf import read_ggf
from neche.records.passing import Replay

PASS = "pass"
_SECONDS = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})|(\d{1,6})")
_THOUGHT = re.compile(r"\d{1,7}(\.\d*)?")
_MOVES_OF_A_SIDE = 30


class OthelloGame:
    """A game in progress, and what each side has used of its time.

    seconds: that each side has for the game; None if there is no clock.
    """

    def __init__(self, game: Game, position: Any, seconds: float | None = None) -> None:
        self._replay = Replay(game, position)
        self._seconds = seconds
        self._used = [0.0, 0.0]

    @property
    def position(self) -> Any:
        """The position now."""
        return self._replay.position

    @property
    def num_moves(self) -> int:
        """Moves so far, with passes."""
        return len(self._replay.plies)

    @property
    def clock(self) -> Clock | None:
        """The clock of the side to move."""
        if self._seconds is None:
            return None
        to_go = max(1, _MOVES_OF_A_SIDE - self.num_moves // 2)
        return Clock(self._seconds - self._used[int(self.position.turn)], 0.0, to_go)

    def play(self, text: str, seconds: str = "") -> None:
        """Make a move, and before it the pass that the rules demand and that was left out.

        seconds: that it took, as it was written; what is no number is none.

        Raises:
            InputError: it is not legal.
        """
        self._replay.play(text.strip())
        spent = seconds.strip()
        if _THOUGHT.fullmatch(spent):
            self._used[1 - int(self.position.turn)] += float(spent)


def read_game(text: str, game: Game) -> OthelloGame:
    """Read a game in GGF: its board, its time and its moves.

    Raises:
        InputError: it is no single game, of another kind, or a move is not legal.
    """
    records = list(read_ggf(io.BytesIO(text.encode()), "set game"))
    if len(records) != 1 or records[0].game != game.name:
        raise InputError(f"set game: one game of {game.name} is needed, between '(;' and ';)'")
    record = records[0]
    play = OthelloGame(game, record.start, _read_seconds(record.tag("TimeControl")))
    for ply in record.line.plies:
        play.play(ply.move, ply.seconds)
    return play


def _read_seconds(text: str) -> float | None:
    """Return the time of each side, None for a time that is not understood: 15:00, 1:00:00, 900."""
    found = _SECONDS.fullmatch(text.partition("/")[0].strip())
    if found is None:
        return None
    hours, minutes, seconds, alone = (int(part or 0) for part in found.groups())
    return float(alone or 3600 * hours + 60 * minutes + seconds) or None
