"""The games in progress in browsers: a bounded number, each with one analysis at a time."""

import secrets
import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence
from typing import Any

from neche.arena.game_in_progress import GameInProgress, begin
from neche.compiled.streams import stream
from neche.errors import InputError
from neche.games.game import Game, geometry_of
from neche.players.engine import Engine
from neche.protocols.clock import Budget, budget
from neche.records.record import GameRecord
from neche.web.analyses import RunningAnalysis
from neche.web.files import usual_record
from neche.web.game_clock import GameClock
from neche.web.guard import peer
from neche.web.messages import MOST_PLIES
from neche.web.opponents import Opponent

MOST_SESSIONS = 16
MEMORY_MB = 96
"""Memory limit of the player in one session."""
_MARGIN = 0.1
"""Seconds that a player reserves on its clock for work other than search; there is no network delay."""


class StaleError(InputError):
    """A request about a position that is no longer on the board."""


class ForgottenError(InputError):
    """A session unknown to the server: too old, or from before a restart."""


class GameSession:
    """One game in one browser tab. Every method may be called from any thread.

    analysis: the newest one, running or ended. pondering: on the person's time, after the player's own move.
    clock: None without a time limit. before: the record from which the game goes on.
    """

    def __init__(self, game: Game, room: threading.Semaphore, seed: int | None = None) -> None:
        # Reentrant, since methods that hold the lock call each other.
        self._lock = threading.RLock()
        self._room = room
        self._seed = secrets.randbits(32) if seed is None else seed
        self.peer = peer.get()
        self._count = 0
        self.in_progress = begin(game, game.start())
        self.before = usual_record(game)
        self._scores: dict[int, float] = {}
        self._engine: tuple[str, Engine] | None = None
        self.analysis: RunningAnalysis | None = None
        self.pondering: RunningAnalysis | None = None
        self.clock: GameClock | None = None

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.in_progress.game

    def scores(self) -> list[float | None]:
        """Return side 0's expected score in each position by its last analysis; None if not analysed."""
        with self._lock:
            return [self._scores.get(ply) for ply in range(len(self.in_progress.positions))]

    def snapshot(self) -> tuple[GameInProgress, dict[str, Any] | None]:
        """Return the game in progress and the shown analysis (None without one) as of the same moment."""
        with self._lock:
            analysis = self.analysis
            return self.in_progress, None if analysis is None or analysis.is_dropped else analysis.shown()

    def verdict(self) -> str | None:
        """Return how the game ended, in words; None while it is in progress."""
        with self._lock:
            words, sides = self.in_progress.verdict(), self.game.sides
            flagged = None if words or self.clock is None else self.clock.flagged
            return words if flagged is None else f"{sides[1 - flagged]} wins: {sides[flagged]}'s time is up."

    def take_over(
        self,
        in_progress: GameInProgress,
        before: GameRecord,
        clock: GameClock | None = None,
        scores: Sequence[float | None] = (),
    ) -> None:
        """Continue with another game. before: its record so far. scores: see `scores`."""
        with self._lock:
            self.halt(is_dropped=True)
            self._engine = None
            self.in_progress, self.before, self.clock = in_progress, before, clock
            # These belong to the previous game.
            self.analysis = self.pondering = None
            self._scores = {ply: score for ply, score in enumerate(scores) if score is not None}
            if clock is not None:
                clock.run(int(in_progress.position.turn))

    def play(self, text: str, ply: int) -> None:
        """Play the person's move; InputError if it is not legal, or the game is over."""
        with self._lock:
            self._check_ply(ply)
            self.halt(is_dropped=True)
            self._play(text)

    def go_back(self, ply: int) -> None:
        """Take back all moves from number `ply` on; InputError if the game has fewer."""
        with self._lock:
            if ply > len(self.in_progress.moves):
                raise InputError(f"the game has {len(self.in_progress.moves)} moves, not {ply}")
            self.halt(is_dropped=True)
            while len(self.in_progress.moves) > ply:
                self._scores.pop(len(self.in_progress.moves), None)
                self.in_progress = self.in_progress.before()
            if self.clock is not None:
                self.clock.go_back(ply, int(self.in_progress.position.turn))

    def analyse(self, opponent: Opponent, ply: int, *, is_move: bool, ponders: bool = False) -> None:
        """Begin an analysis of the position after `ply` moves; drop any that is still running.

        is_move: its best move is played, which only the last position allows. ponders: the player goes on
        thinking after it. InputError if the game is over there, or this is no longer its position.
        """
        with self._lock:
            last = len(self.in_progress.moves)
            if is_move or ply > last:
                self._check_ply(ply)
            if ply == last and self.verdict():
                raise InputError("the game is over")
            # The engine runs one analysis at a time: the new one waits for the old one to end.
            self.halt(is_dropped=True)
            before, self.pondering = self.pondering or self.analysis, None
            self._count += 1
            self._ponders = is_move and ponders and opponent.player.is_stoppable
            if is_move and self.clock is not None:
                self.clock.hold()
            self.analysis = self._begun(
                opponent, ply, "serve", before, is_move=is_move, finish=self._finish, allow=self._start_clock
            )

    def _begun(
        self, opponent: Opponent, ply: int, purpose: str, after: RunningAnalysis | None, **how: Any
    ) -> RunningAnalysis:
        draw, positions = stream(self._seed, 0, purpose, self._count), self.in_progress.positions[: ply + 1]
        # The engine for this game is kept as long as the player is the same.
        if self._engine is None or self._engine[0] != opponent.label:
            self._engine = opponent.label, opponent.player.new_game(self.game, memory_mb=MEMORY_MB)
        engine = self._engine[1]
        return RunningAnalysis(opponent, engine, self.game, positions, draw, self._room, after=after, **how)

    def _start_clock(self, analysis: RunningAnalysis) -> Budget | None:
        """Start the time of the player to move; return the time budget of its move."""
        with self._lock:
            if self.clock is None or not analysis.is_move or not self._is_wanted(analysis):
                return None
            position = self.in_progress.position
            self.clock.run(int(position.turn))
            return budget(self.clock.of(int(position.turn)), _MARGIN, len(self.game.legal_moves(position)))

    def _is_wanted(self, analysis: RunningAnalysis) -> bool:
        # Meanwhile the person may have taken moves back or requested another analysis.
        return analysis is self.analysis and not analysis.is_dropped

    def halt(self, *, is_dropped: bool, holds_clock: bool = False) -> None:
        """End the running analysis, if any. holds_clock: no time runs until the next one."""
        with self._lock:
            if self.analysis is not None:
                self.analysis.stop(is_dropped=is_dropped)
            if self.pondering is not None and is_dropped:
                self.pondering.stop(is_dropped=True)
            if self.clock is not None and holds_clock:
                self.clock.hold()

    def _check_ply(self, ply: int) -> None:
        if ply != len(self.in_progress.moves):
            raise StaleError(f"the game is at ply {len(self.in_progress.moves)}, not {ply}")

    def _play(self, text: str) -> None:
        if len(self.in_progress.moves) >= MOST_PLIES or self.verdict():
            raise InputError("the game is over")
        legal = self.game.legal_moves(self.in_progress.position)
        move = next((move for move in legal if move.text == text), None)
        if move is None:
            raise InputError(f"{text} is not a legal move here")
        self.in_progress = self.in_progress.after(move)
        if self.clock is not None:
            self.clock.press(int(self.in_progress.position.turn))
            if self.in_progress.verdict():
                self.clock.hold()

    def _finish(self, analysis: RunningAnalysis, move: str) -> None:
        with self._lock:
            if not self._is_wanted(analysis):
                return
            if analysis.first_score is not None:
                self._scores[analysis.ply] = analysis.first_score
            # If the flag has fallen meanwhile, no move is played; that is not an error.
            if analysis.is_move and not self.verdict():
                self._play(move)
                if self._ponders and not self.verdict():
                    # It fills the engine's memory until it is halted: by then it may know the answer.
                    self.pondering = self._begun(analysis.opponent, analysis.ply + 1, "ponder", analysis)


class SessionStore:
    """All sessions by their secret names; a new one replaces the least recently used one."""

    def __init__(self, workers: int, seed: int | None = None) -> None:
        self._seed = seed
        self._lock = threading.Lock()
        self._room = threading.Semaphore(workers)
        self._sessions: OrderedDict[str, GameSession] = OrderedDict()

    def __len__(self) -> int:
        return len(self._sessions)

    def begin(self, game: Game) -> tuple[str, GameSession]:
        """Return a new session and its name."""
        # 18 random bytes cannot be guessed: the name is all that identifies a request's session.
        name, session = secrets.token_urlsafe(18), GameSession(game, self._room, self._seed)
        with self._lock:
            self._sessions[name] = session
            while len(self._sessions) > MOST_SESSIONS:
                # Drop the least recently used session of the peer that holds the most: many games from one
                # place must not displace those of others.
                (busiest, _), *_ = Counter(one.peer for one in self._sessions.values()).most_common(1)
                oldest = next(key for key, one in self._sessions.items() if one.peer == busiest)
                self._sessions.pop(oldest).halt(is_dropped=True)
        return name, session

    def find(self, name: str) -> GameSession:
        """Return the session of that name; ForgottenError if there is none."""
        with self._lock:
            session = self._sessions.get(name)
            if session is None:
                raise ForgottenError("the server no longer knows this game")
            self._sessions.move_to_end(name)
            return session

    def close(self) -> None:
        """End all analyses, and wait briefly for them."""
        with self._lock:
            # Collected under the lock but awaited outside, so that late requests are not held up.
            running = [(session.analysis, session.pondering) for session in self._sessions.values()]
        analyses = [analysis for pair in running for analysis in pair if analysis is not None]
        for analysis in analyses:
            analysis.stop(is_dropped=True)
        for analysis in analyses:
            analysis.wait(0.5)


def shown_state(session: GameSession, ply: int | None = None) -> dict[str, Any]:
    """Return all that a page shows of a session: the position after `ply` moves, by default the last."""
    in_progress, analysis = session.snapshot()
    game, last = in_progress.game, len(in_progress.moves)
    at = last if ply is None else min(ply, last)
    position = in_progress.positions[at]
    geometry = geometry_of(game)
    verdict, clock, pondering = session.verdict(), session.clock, session.pondering
    is_open = at == last and not verdict and last < MOST_PLIES
    legal = game.legal_moves(position) if is_open else []
    return {
        "game": game.name,
        "ply": at,
        "last": last,
        "fen": game.format_fen(position),
        "startFen": game.format_fen(in_progress.positions[0]),
        "turn": int(position.turn),
        "firstTurn": int(in_progress.positions[0].turn),
        "pieces": {square: [*map(int, piece)] for square, piece in geometry.pieces(position).items()},
        "legal": [{"text": move.text, "squares": geometry.squares_of(move.text)} for move in legal],
        "moves": list(in_progress.moves),
        "scores": session.scores(),
        "lastSquares": geometry.squares_of(in_progress.moves[at - 1]) if at else [],
        "verdict": verdict,
        "thinking": analysis,
        "clock": None if clock is None else clock.shown(),
        "isPondering": pondering is not None and pondering.shown()["status"] == "thinking",
    }
