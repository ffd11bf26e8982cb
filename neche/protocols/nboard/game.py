"""The game that an interface of Othello speaks about: read from GGF, then move by move, with its clocks."""

import re
from typing import Any

from neche.errors import InputError
from neche.games.catalogue import Game
from neche.protocols.clock import Clock
from neche.protocols.squares import shown

PASS = "pass"
_PASSES = ("pass", "pa", "ps", "--")
_PROPERTY = re.compile(r"([A-Z]{1,3})\[([^\]]*)\]")
_SECONDS = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})|(\d{1,6})")
_THOUGHT = re.compile(r"\d{1,7}(\.\d*)?")
_MOVES_OF_A_SIDE = 30


class OthelloGame:
    """A position, and what each side has used of its time.

    seconds: that each side has for the game; None if there is no clock.
    """

    def __init__(self, game: Game, position: Any, seconds: float | None = None) -> None:
        self.game, self.position = game, position
        self.num_moves = 0
        self._seconds = seconds
        self._used = [0.0, 0.0]

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
        word = text.strip().lower()
        wanted = PASS if word in _PASSES else word
        legal = self.game.legal_moves(self.position)
        if wanted != PASS and [move.text for move in legal] == [PASS]:
            self._make(legal[0].after)
            legal = self.game.legal_moves(self.position)
        found = next((move for move in legal if move.text == wanted), None)
        if found is None:
            raise InputError(f"{shown(text)} is not legal in {self.game.format_fen(self.position)}")
        if _THOUGHT.fullmatch(seconds.strip()):
            self._used[int(self.position.turn)] += float(seconds)
        self._make(found.after)

    def _make(self, position: Any) -> None:
        self.position = position
        self.num_moves += 1


def read_game(text: str, game: Game) -> OthelloGame:
    """Read a game in GGF: its board, its time and its moves.

    Raises:
        InputError: it is no game of Othello, or a move is not legal.
    """
    if not text.startswith("(;") or not text.endswith(";)"):
        raise InputError(f"set game: {shown(text)} is not (;GM[Othello]…;)")
    properties = _PROPERTY.findall(text)
    given = dict(properties)
    if given.get("GM", game.name).lower() != game.name:
        raise InputError(f"set game: {shown(given['GM'])} is not {game.name}")
    position = game.start()
    if "BO" in given:
        size, _, board = given["BO"].partition(" ")
        if size != "8":
            raise InputError(f"set game: a board of {shown(size)} columns; 8 are needed")
        position = game.parse_fen(board)
    play = OthelloGame(game, position, _read_seconds(given.get("TI", "")))
    for name, value in properties:
        if name in ("B", "W"):
            move, *noted = value.split("/")
            play.play(move, noted[1] if len(noted) > 1 else "")
    return play


def _read_seconds(text: str) -> float | None:
    """Return the time of each side, None for a time that is not understood: 15:00, 1:00:00, 900."""
    found = _SECONDS.fullmatch(text.partition("/")[0].strip())
    if found is None:
        return None
    hours, minutes, seconds, alone = (int(part or 0) for part in found.groups())
    return float(alone or 3600 * hours + 60 * minutes + seconds) or None
