"""Games with another program over DXP, in either role.

The initiator asks for a game, the follower accepts, then both send moves in turn. Instead of a move a program
may send the end of the game, which the other one confirms.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from neche.arena.game_in_progress import GameInProgress, begin
from neche.errors import InputError
from neche.players.engine import Analysis, Limits
from neche.protocols import dxp_messages
from neche.protocols.clock import Budget, Clock, Margin, budget
from neche.protocols.draughts_notation import find_move, read_position, square_move
from neche.protocols.engine import EngineSearch, ProtocolEngine
from neche.version import __version__

NAME = f"neche {__version__}"
UNKNOWN, LOST, DRAWN, WON = 0, 1, 2, 3
RESULTS = ("unknown", "lost", "drawn", "won")


class GameResult(NamedTuple):
    """A finished game. opponent: its name. side, result: of the engine, W or B and one of `RESULTS`."""

    opponent: str
    side: str
    result: str
    moves: tuple[str, ...]


@dataclass
class DxpGame:
    """A game in progress.

    side: the engine's, W or B. used: seconds the engine has used. reason: of the end that the engine sent,
    None before. is_new: whether the engine has not yet searched in this game.
    """

    request: dxp_messages.GameRequest
    opponent: str
    side: str
    in_progress: GameInProgress
    used: float = 0.0
    reason: int | None = None
    is_new: bool = True


class DxpSession:
    """The engine's side of a connection.

    send: sends a message; called from any thread. seconds_a_move: in games without a clock.
    """

    def __init__(
        self, engine: ProtocolEngine, send: Callable[[str], None], *, seconds_a_move: float = 1.0
    ) -> None:
        self._game, self._engine, self._write = engine.game, engine, send
        self._seconds_a_move, self._margin = seconds_a_move, Margin()
        # One thread receives messages, another searches; both may send.
        self._lock = threading.RLock()
        self._asked: dxp_messages.GameRequest | None = None
        self._play: DxpGame | None = None
        self.results: list[GameResult] = []
        self.refusals = 0
        self.is_over = False

    def ask_for_game(self, request: dxp_messages.GameRequest) -> None:
        """As the initiator, ask for a game."""
        with self._lock:
            self._asked = request
            self._send(request)

    @property
    def is_playing(self) -> bool:
        """Whether a game has been asked for or is in progress."""
        return self._asked is not None or self._play is not None

    def hear(self, text: str) -> None:
        """Handle a message; an invalid one is answered by a line of chat."""
        with self._lock:
            try:
                message = self._decoded(text)
                match message:
                    case dxp_messages.GameRequest():
                        self._follow(message)
                    case dxp_messages.GameAnswer():
                        self._lead(message)
                    case dxp_messages.PlayedMove():
                        self._take_move(message)
                    case dxp_messages.GameEnd():
                        self._end(message)
                    case dxp_messages.BackRequest():
                        self._go_back(message)
                    case dxp_messages.Chat() | dxp_messages.BackAnswer():
                        pass
            except InputError as fault:
                self.complain(str(fault))

    def _decoded(self, text: str) -> dxp_messages.Message:
        try:
            return dxp_messages.decode(text)
        except InputError:
            # A program that asked for a game or moved waits for an answer.
            play = self._play
            if text.startswith("R"):
                self._send(dxp_messages.GameAnswer(NAME, 2))
            elif text.startswith("M") and play and play.reason is None and not self._is_my_turn(play):
                self._send_end(play, UNKNOWN)
            raise

    def complain(self, message: str) -> None:
        """Report a fault to the other side by a line of chat."""
        self._send(dxp_messages.Chat(f"neche: {message}"))

    def close(self) -> None:
        """End the session; nothing is sent after this."""
        self._engine.close()

    def _send(self, message: dxp_messages.Message) -> None:
        self._write(dxp_messages.encode(message))

    def _follow(self, request: dxp_messages.GameRequest) -> None:
        """As the follower, accept a requested game."""
        if request.version != 1:
            self._send(dxp_messages.GameAnswer(NAME, 1))
            return
        try:
            in_progress = self._beginning(request)
        except InputError as fault:
            self._send(dxp_messages.GameAnswer(NAME, 2))
            raise InputError(f"not this game: {fault}") from fault
        self._engine.abandon_search()
        self._send(dxp_messages.GameAnswer(NAME, 0))
        self._play = DxpGame(request, request.name, request.follower, in_progress)
        self._go_on(self._play)

    def _beginning(self, request: dxp_messages.GameRequest) -> GameInProgress:
        position = self._game.start()
        if request.position is not None:
            position = read_position(request.position, self._game)
        if not self._game.legal_moves(position):
            raise InputError("there is no legal move")
        return begin(self._game, position)

    def _lead(self, answer: dxp_messages.GameAnswer) -> None:
        """As the initiator, begin the game if it was accepted."""
        request, self._asked = self._asked, None
        if request is None:
            raise InputError("no game was asked for")
        if answer.code != 0:
            self.refusals += 1
            return
        side = "B" if request.follower == "W" else "W"
        self._play = DxpGame(request, answer.name, side, self._beginning(request))
        self._go_on(self._play)

    def _take_move(self, message: dxp_messages.PlayedMove) -> None:
        play = self._play
        if play is None or play.reason is not None:
            raise InputError("there is no game")
        if self._is_my_turn(play):
            raise InputError("it is not your turn")
        try:
            text = dxp_messages.encode(message)
            move = find_move(message.move, text, play.in_progress.position, self._game)
        except InputError:
            # Two programs that disagree about the rules cannot go on.
            self._send_end(play, UNKNOWN)
            raise
        play.in_progress = play.in_progress.after(move)
        self._go_on(play)

    def _is_my_turn(self, play: DxpGame) -> bool:
        return self._game.side_to_move(play.in_progress.position).startswith(play.side)

    def _go_on(self, play: DxpGame) -> None:
        """If it is the engine's turn, end a finished game, else search."""
        if not self._is_my_turn(play):
            return
        moves = self._game.legal_moves(play.in_progress.position)
        made = len(play.in_progress.moves) // 2
        if not moves:
            self._send_end(play, LOST)
        elif play.in_progress.verdict() is not None:
            self._send_end(play, DRAWN)
        # After the agreed number of moves the result is open.
        elif play.request.moves and made >= play.request.moves:
            self._send_end(play, UNKNOWN)
        else:
            self._think(play, len(moves), made)

    def _think(self, play: DxpGame, num_moves: int, made: int) -> None:
        limit = self._budget(play, made)

        def finish(analysis: Analysis, seconds: float) -> None:
            self._margin.learn(limit, seconds)
            play.used += seconds
            position = play.in_progress.position
            move = next(move for move in self._game.legal_moves(position) if move.text == analysis.pv[0])
            play.in_progress = play.in_progress.after(move)
            self._send(dxp_messages.PlayedMove(round(seconds), square_move(move, position, self._game)))

        def fail(message: str) -> None:
            self.complain(message)
            self._send_end(play, LOST)

        EngineSearch(
            self._engine,
            play.in_progress.position,
            Limits(depth=1, nodes=1) if num_moves == 1 else Limits(),
            limit,
            past=play.in_progress.positions[:-1],
            is_new_game=play.is_new,
            makes_room=True,
            finish=finish,
            fail=fail,
            lock=self._lock,
        )
        play.is_new = False

    def _budget(self, play: DxpGame, made: int) -> Budget:
        own = self._engine.seconds_a_move
        if not play.request.minutes:
            seconds = own or self._seconds_a_move
            return Budget(seconds, seconds)
        left = 60.0 * play.request.minutes - play.used
        # The time has to last for the agreed moves; 0: unknown number.
        to_go = max(1, play.request.moves - made) if play.request.moves else 0
        return budget(Clock(left, 0.0, to_go), self._margin.seconds).within(own)

    def _send_end(self, play: DxpGame, reason: int) -> None:
        play.reason = reason
        self._send(dxp_messages.GameEnd(reason, False))

    def _end(self, message: dxp_messages.GameEnd) -> None:
        """Confirm the end of a game, or receive the confirmation."""
        play, self._play = self._play, None
        self.is_over = self.is_over or message.is_last
        if play is None:
            return
        self._engine.abandon_search()
        # If the other side ends the game, its reason is the result from its own view.
        reason = play.reason
        if reason is None:
            reason = {LOST: WON, WON: LOST}.get(message.reason, message.reason)
            self._send(dxp_messages.GameEnd(UNKNOWN, message.is_last))
        self.results.append(GameResult(play.opponent, play.side, RESULTS[reason], play.in_progress.moves))

    def _go_back(self, message: dxp_messages.BackRequest) -> None:
        """Take moves back on request of the other program, or of a person who plays through it."""
        play = self._play
        # Moves are numbered in pairs, White's then Black's; if Black began, the first pair lacks White's.
        began_black = play is not None and play.in_progress.fens[0].startswith("B")
        ply = 2 * (message.move - 1) + int(message.side == "B") - int(began_black)
        if play is None or play.reason is not None or not 0 <= ply <= len(play.in_progress.moves):
            self._send(dxp_messages.BackAnswer(1))
            return
        self._engine.abandon_search()
        while len(play.in_progress.moves) > ply:
            play.in_progress = play.in_progress.before()
        self._send(dxp_messages.BackAnswer(0))
        self._go_on(play)
