"""The games in progress in browsers: a bounded number, each with one analysis at a time."""

import secrets
import threading
from collections import Counter, OrderedDict
from typing import Any

from neche.arena.game_in_progress import GameInProgress, begin
from neche.compiled.streams import stream
from neche.errors import InputError
from neche.games.catalogue import Game, geometry_of
from neche.players.engine import Engine
from neche.web.analyses import RunningAnalysis
from neche.web.files import Tags
from neche.web.guard import peer
from neche.web.messages import MOST_PLIES
from neche.web.opponents import Opponent

MOST_SESSIONS = 16
MEMORY_MB = 96
"""Memory for what the player of one session remembers."""


class StaleError(InputError):
    """A request about a position that is no longer on the board."""


class ForgottenError(InputError):
    """A session that the server does not know: too old, or from an earlier start of the server."""


class GameSession:
    """One game in one browser tab. Every method may be called from any thread.

    analysis: the newest one, also when it has ended. tags: what is known of the game besides its moves.
    """

    def __init__(self, game: Game, room: threading.Semaphore, seed: int | None = None) -> None:
        # Reentrant, since methods that hold it call each other.
        self._lock = threading.RLock()
        self._room = room
        self._seed = secrets.randbits(32) if seed is None else seed
        self.peer = peer.get()
        self._count = 0
        self.game = game
        self.in_progress = begin(game, game.start())
        self.tags: Tags = ()
        self._scores: dict[int, float] = {}
        self._engine: tuple[str, Engine] | None = None
        self.analysis: RunningAnalysis | None = None

    def scores(self) -> list[float | None]:
        """Return the score that side 0 expected in each position by its last analysis; None without."""
        with self._lock:
            return [self._scores.get(ply) for ply in range(len(self.in_progress.positions))]

    def snapshot(self) -> tuple[Game, GameInProgress, dict[str, Any] | None]:
        """Return the game, its positions and what is shown of the analysis, None without, at one moment."""
        with self._lock:
            analysis = self.analysis
            shown = None if analysis is None or analysis.is_dropped else analysis.shown()
            return self.game, self.in_progress, shown

    def take_over(self, game: Game, in_progress: GameInProgress, tags: Tags) -> None:
        """Continue with another game."""
        with self._lock:
            self.halt(is_dropped=True)
            self._engine = None
            self.game, self.in_progress, self.tags = game, in_progress, tags
            # What was thought of another game.
            self.analysis = None
            self._scores = {}

    def play(self, text: str, ply: int) -> None:
        """Play a move of the person.

        Raises:
            InputError: it is not legal, or the game is over.
        """
        with self._lock:
            self._check_ply(ply)
            self.halt(is_dropped=True)
            self._play(text)

    def go_back(self, ply: int) -> None:
        """Take back all moves from number `ply` on.

        Raises:
            InputError: the game has fewer.
        """
        with self._lock:
            if ply > len(self.in_progress.moves):
                raise InputError(f"the game has {len(self.in_progress.moves)} moves, not {ply}")
            self.halt(is_dropped=True)
            while len(self.in_progress.moves) > ply:
                self._scores.pop(len(self.in_progress.moves), None)
                self.in_progress = self.in_progress.before()

    def analyse(self, opponent: Opponent, ply: int, *, is_move: bool) -> None:
        """Begin an analysis of the position after `ply` moves; one that still runs is dropped.

        is_move: its best move is played, which only the last position allows.

        Raises:
            InputError: the game is over there, or this is no longer its position.
        """
        with self._lock:
            last = len(self.in_progress.moves)
            if is_move or ply > last:
                self._check_ply(ply)
            if ply == last and self.in_progress.verdict(self.game):
                raise InputError("the game is over")
            # The engine serves one analysis at a time: the new one waits for the end of the old one.
            before = self.analysis
            self.halt(is_dropped=True)
            self._count += 1
            engine = self._engine_of(opponent)
            engine.follow(self.in_progress.positions[:ply])
            self.analysis = RunningAnalysis(
                opponent,
                engine,
                self.game,
                self.in_progress.positions[ply],
                ply=ply,
                draw=stream(self._seed, 0, "serve", self._count),
                is_move=is_move,
                room=self._room,
                finish=self._finish,
                after=before,
            )

    def halt(self, *, is_dropped: bool) -> None:
        """End the analysis that runs, if one does."""
        with self._lock:
            if self.analysis is not None:
                self.analysis.stop(is_dropped=is_dropped)

    def _check_ply(self, ply: int) -> None:
        if ply != len(self.in_progress.moves):
            raise StaleError(f"the game is at ply {len(self.in_progress.moves)}, not {ply}")

    def _play(self, text: str) -> None:
        if len(self.in_progress.moves) >= MOST_PLIES or self.in_progress.verdict(self.game):
            raise InputError("the game is over")
        legal = self.game.legal_moves(self.in_progress.position)
        move = next((move for move in legal if move.text == text), None)
        if move is None:
            raise InputError(f"{text} is not a legal move here")
        self.in_progress = self.in_progress.after(self.game, move)

    def _finish(self, analysis: RunningAnalysis, move: str) -> None:
        with self._lock:
            # Meanwhile the person may have taken moves back or asked again.
            if analysis is not self.analysis or analysis.is_dropped:
                return
            if analysis.first_score is not None:
                self._scores[analysis.ply] = analysis.first_score
            if analysis.is_move:
                self._play(move)

    def _engine_of(self, opponent: Opponent) -> Engine:
        """Return the engine of a player at this game, which is kept as long as the player is the same."""
        if self._engine is None or self._engine[0] != opponent.label:
            self._engine = opponent.label, opponent.player.new_game(self.game, memory_mb=MEMORY_MB)
        return self._engine[1]


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
        # 18 random bytes, not to be guessed: the name is all that a request shows for its session.
        name, session = secrets.token_urlsafe(18), GameSession(game, self._room, self._seed)
        with self._lock:
            self._sessions[name] = session
            while len(self._sessions) > MOST_SESSIONS:
                # Of who holds most of them the least recently used one, which comes first in the order: many
                # games from one place throw out no others.
                (busiest, _), *_ = Counter(one.peer for one in self._sessions.values()).most_common(1)
                oldest = next(key for key, one in self._sessions.items() if one.peer == busiest)
                self._sessions.pop(oldest).halt(is_dropped=True)
        return name, session

    def find(self, name: str) -> GameSession:
        """Return the session of that name.

        Raises:
            ForgottenError: there is none.
        """
        with self._lock:
            session = self._sessions.get(name)
            if session is None:
                raise ForgottenError("this game is not known to the server any more")
            self._sessions.move_to_end(name)
            return session

    def close(self) -> None:
        """End all analyses, and wait a moment for them."""
        with self._lock:
            # Collected under the lock, waited for outside: requests that still come are not held up.
            running = [session.analysis for session in self._sessions.values()]
        analyses = [analysis for analysis in running if analysis is not None]
        for analysis in analyses:
            analysis.stop(is_dropped=True)
        for analysis in analyses:
            analysis.wait(0.5)


def shown_state(session: GameSession, ply: int | None = None) -> dict[str, Any]:
    """Return all that a page shows of a session: the position after `ply` moves, by default the last."""
    game, in_progress, analysis = session.snapshot()
    last = len(in_progress.moves)
    at = last if ply is None else min(ply, last)
    position = in_progress.positions[at]
    geometry = geometry_of(game)
    verdict = in_progress.verdict(game)
    is_open = at == last and not verdict and last < MOST_PLIES
    legal = game.legal_moves(position) if is_open else []
    return {
        "game": game.name,
        "ply": at,
        "last": last,
        "fen": in_progress.fens[at],
        "startFen": in_progress.fens[0],
        "turn": int(position.turn),
        "firstTurn": int(in_progress.positions[0].turn),
        "pieces": {
            square: [piece.side, int(piece.is_king)] for square, piece in geometry.pieces(position).items()
        },
        "legal": [{"text": move.text, "squares": geometry.squares_of(move.text)} for move in legal],
        "moves": list(in_progress.moves),
        "scores": session.scores(),
        "lastSquares": geometry.squares_of(in_progress.moves[at - 1]) if at else [],
        "verdict": verdict,
        "thinking": analysis,
    }
