"""NBoard, the protocol of Othello interfaces: the game they send, with its clocks, and the session."""

import io
import re
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from neche.errors import InputError
from neche.games.game import Game, geometry_of
from neche.parsing import check_text
from neche.players.engine import MAX_DEPTH, Analysis, Limits
from neche.protocols.clock import Budget, Clock, Margin, budget
from neche.protocols.engine import EngineSearch, ProtocolEngine, protocol_score
from neche.protocols.lines import quoted
from neche.records.ggf import read_ggf
from neche.records.reading import PASSES, RecordBuilder
from neche.records.record import replay

DEFAULT_DEPTH = 8
_DISCS_A_MAN, _MOST_DISCS = 4.0, 64.0
_DECIDED = 80.0
_PROGRESS_SECONDS = 0.2
_SOLVED = "100%W"
"""NBoard's depth of a search that has found the winner."""
_TIME_CONTROL = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})|(\d{1,6})")
_MOVE_SECONDS = re.compile(r"\d{1,7}(\.\d*)?")


class OthelloGame:
    """A game in progress and the clocks of its sides.

    clocks: of each side by its index, before the first move; None without a clock.
    """

    def __init__(self, game: Game, position: Any, clocks: Iterable[Clock | None]) -> None:
        self._record = RecordBuilder(game, position)
        self._clocks = list(clocks)

    @property
    def position(self) -> Any:
        """The current position."""
        return self._record.position

    @property
    def positions(self) -> list[Any]:
        """The positions of the game, from the first to the current one."""
        record = self._record.record()
        return [record.start, *(move.after for move in replay(record))]

    @property
    def clock(self) -> Clock | None:
        """The clock of the side to move."""
        clock = self._clocks[int(self.position.turn)]
        if clock is None:
            return None
        # Every move fills a square, so each side fills half of the empty ones, even after a set-up position.
        geometry = geometry_of(self._record.rules)
        num_empty = len(geometry.places) - len(geometry.pieces(self.position))
        return clock._replace(moves=max(1, (num_empty + 1) // 2))

    def play(self, text: str, seconds: str = "") -> None:
        """Play a move, and before it a forced pass that was omitted; InputError if the move is illegal.

        seconds: time for the move, as written; ignored if not a number.
        """
        self._record.play(text.strip())
        side = 1 - int(self.position.turn)
        clock = self._clocks[side]
        if clock is not None and _MOVE_SECONDS.fullmatch(seconds.strip()):
            self._clocks[side] = clock._replace(left=clock.left + clock.increment - float(seconds))


def read_game(text: str, game: Game) -> OthelloGame:
    """Read a game in GGF: board, time control and moves; InputError unless it is one legal game."""
    records = list(read_ggf(io.BytesIO(text.encode()), "set game"))
    if len(records) != 1 or records[0].game != game.name:
        raise InputError(f"set game: one game of {game.name} is needed, between '(;' and ';)'")
    record = records[0]
    # The format has one property for equal times, otherwise one for each side.
    both = record.tag("TimeControl")
    clocks = (_read_clock(record.tag(f"TimeControl{side}") or both) for side in game.sides)
    play = OthelloGame(game, record.start, clocks)
    for ply in record.line.plies:
        play.play(ply.move, ply.seconds)
    return play


def _read_clock(text: str) -> Clock | None:
    """Return a side's clock, such as 15:00, 1:00:00, 900 or 5:00/0:10 per move; None if not understood."""
    total, increment = map(_read_seconds, [*text.split("/"), ""][:2])
    # Without an initial time, the first move has the increment.
    return Clock(total or increment, increment) if total or increment else None


def _read_seconds(text: str) -> float:
    """Return a time in seconds, 0 if not understood."""
    found = _TIME_CONTROL.fullmatch(text.strip())
    if found is None:
        return 0.0
    hours, minutes, seconds, alone = (int(part or 0) for part in found.groups())
    return float(alone or 3600 * hours + 60 * minutes + seconds)


class NBoardSession:
    """The engine's side of a session.

    write: writes a line; called from any thread. After a ping, earlier requests are answered no more.
    """

    def __init__(self, engine: ProtocolEngine, write: Callable[[str], None]) -> None:
        self._game, self._engine, self._write = engine.game, engine, write
        self._margin = Margin()
        self._lock = threading.RLock()
        self._play = OthelloGame(self._game, self._game.start(), (None, None))
        self._depth = DEFAULT_DEPTH
        self._is_new_game = False

    def hear(self, line: str) -> bool:
        """Execute a line; return whether the session goes on. An invalid line is answered by a status."""
        command, _, rest = line.strip().partition(" ")
        if command == "quit":
            return False
        with self._lock:
            try:
                check_text(line, "line")
                obey = self._COMMANDS.get(command)
                if obey is not None:
                    obey(self, rest.strip())
                elif len(command) == 2:
                    # Version 1 sends moves without a command.
                    self._move(command)
                elif command:
                    raise InputError(f"unknown command {quoted(command)}")
            except InputError as fault:
                self.complain(str(fault))
        return True

    def complain(self, message: str) -> None:
        """Report a fault in the status."""
        self._write(f"status {InputError(message)}")

    def close(self) -> None:
        """End the session; nothing is written after this."""
        # Under the lock, since a finished search may start the next one of an analysis.
        with self._lock:
            self._engine.abandon_search()
        self._engine.close()

    def _set(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        self._engine.abandon_search()
        if name == "depth":
            self._depth = min(_number(value, "depth"), MAX_DEPTH)
            self._write(f"set myname neche{self._depth}")
        elif name == "game":
            self._play = read_game(value, self._game)
            self._is_new_game = len(self._play.positions) == 1
        elif name != "contempt":
            raise InputError(f"set: {quoted(name)} is not known")

    def _move(self, rest: str) -> None:
        self._engine.abandon_search()
        text, *noted = rest.split("/")
        self._play.play(text, noted[1] if len(noted) > 1 else "")

    def _ping(self, rest: str) -> None:
        self._engine.abandon_search()
        self._write(f"pong {_number(rest or '1', 'ping', least=0)}")

    def _hint(self, rest: str) -> None:
        count = _number(rest or "1", "hint")

        def finish(analysis: Analysis, seconds: float) -> None:
            best = analysis.pv[0]
            for move in sorted(analysis.ranked(), key=lambda move: move.text != best)[:count]:
                self._write_search(analysis, analysis.pv if move.text == best else (move.text,), move.value)
            self._write("status")

        self._think(finish, self._depth, every_value=count > 1)

    def _go(self, rest: str) -> None:
        def finish(analysis: Analysis, seconds: float) -> None:
            discs = _discs(analysis.value, analysis)
            self._write(f"=== {_written(analysis.pv[0])}/{discs:.2f}/{seconds:.2f}")

        is_forced = len(self._game.legal_moves(self._play.position)) == 1
        self._think(finish, 1 if is_forced else self._depth, self._play.clock)

    def _analyze(self, rest: str) -> None:
        self._engine.abandon_search()
        self._write("status neche is thinking")
        self._value_next(list(enumerate(self._play.positions)))

    def _value_next(self, numbered: list[tuple[int, Any]]) -> None:
        """Send the value of the last of these positions for the side to move, then those of the others."""
        if not numbered:
            self._write("status")
            return
        number, position = numbered.pop()

        def send(discs: float) -> None:
            self._write(f"analysis {number} {discs:.2f}")
            self._value_next(numbered)

        if self._game.legal_moves(position):
            self._search(position, self._depth, lambda found, seconds: send(_discs(found.value, found)))
        else:
            send(_MOST_DISCS * self._game.outcome(position))

    def _think(
        self,
        answer: Callable[[Analysis, float], None],
        depth: int,
        clock: Clock | None = None,
        *,
        every_value: bool = False,
    ) -> None:
        """Search the position in the background. answer: sends the result."""
        position = self._play.position
        if not (moves := self._game.legal_moves(position)):
            raise InputError("the game is over, neither side can move")
        self._engine.abandon_search()
        begin = time.perf_counter()
        limit = None if clock is None else budget(clock, self._margin.seconds, len(moves))

        def progress(analysis: Analysis) -> None:
            self._write_search(analysis, analysis.pv, analysis.value)

        def finish(analysis: Analysis, seconds: float) -> None:
            self._write(f"nodestats {analysis.nodes} {seconds:.2f}")
            answer(analysis, seconds)
            if limit is not None:
                self._margin.learn(limit, seconds)

        self._write("status neche is thinking")
        self._search(position, depth, finish, limit, progress=progress, begin=begin, every_value=every_value)

    def _search(
        self,
        position: Any,
        depth: int,
        finish: Callable[[Analysis, float], None],
        limit: Budget | None = None,
        **options: Any,
    ) -> None:
        """Search a position in the background. options: for `EngineSearch`."""
        own = self._engine.seconds_a_move
        EngineSearch(
            self._engine,
            position,
            Limits(depth=depth),
            limit if own is None else (limit or Budget(own, own)).within(own),
            is_new_game=self._is_new_game,
            every=_PROGRESS_SECONDS,
            finish=finish,
            fail=self.complain,
            lock=self._lock,
            **options,
        )
        self._is_new_game = False

    def _write_search(self, analysis: Analysis, line: tuple[str, ...], value: float) -> None:
        is_decided = analysis.proven is not None or abs(protocol_score(value, analysis)) > _DECIDED
        depth = _SOLVED if is_decided else max(1, analysis.depth)
        self._write(f"search {''.join(map(_written, line))} {_discs(value, analysis):.2f} 0 {depth}")

    _COMMANDS: ClassVar[dict[str, Callable[["NBoardSession", str], None]]] = {
        "nboard": lambda session, rest: session._write("set myname neche"),
        "set": _set,
        "move": _move,
        "hint": _hint,
        "go": _go,
        "ping": _ping,
        "analyze": _analyze,
        "learn": lambda session, rest: session._write("learned"),
    }


def _number(text: str, name: str, least: int = 1) -> int:
    word = text.strip()
    if not (word.isascii() and word.isdecimal() and len(word) <= 9) or int(word) < least:
        raise InputError(f"{name}: {quoted(word)} is not a number of at least {least}")
    return int(word)


def _written(move: str) -> str:
    return "PA" if move in PASSES else move.upper()


def _discs(value: float, analysis: Analysis) -> float:
    """Return a value in discs: the final score if solved, else four for a man, which is no forecast."""
    is_counted = analysis.proven is not None and not analysis.is_score
    discs = value if is_counted else _DISCS_A_MAN * protocol_score(value, analysis)
    return max(-_MOST_DISCS, min(_MOST_DISCS, discs))
