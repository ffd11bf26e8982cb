"""A Hub session: commands come in, answers go out, at most one search runs.

Source: F. Letouzey, `protocol.txt` of Scan (version 2 of the protocol).
"""

import time
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

from neche.errors import InputError
from neche.parsing import check_text
from neche.players.engine import Analysis, Limits
from neche.protocols.clock import Budget, Clock, Margin
from neche.protocols.draughts_notation import write_line, write_position
from neche.protocols.engine import EngineSearch, ProtocolEngine, protocol_score, stricter
from neche.protocols.hub_commands import HubGame, HubLevel, read_command, read_level, write_command
from neche.protocols.hub_options import HubOptions
from neche.protocols.lines import quoted
from neche.version import __version__

_PROGRESS_SECONDS = 0.1
_LINE_SHOWN, _URGENT = 16, 0.2
_SEARCH_MODES = ("think", "ponder", "analyze")


class _TimedMove(NamedTuple):
    """A move under a clock: the clock, the budget, and the positions possible after one reply to it."""

    clock: Clock
    budget: Budget
    replied: tuple[Any, ...] = ()


class HubSession:
    """The engine's side of a session.

    write: writes one line immediately; called from any thread.
    """

    def __init__(self, options: HubOptions, write: Callable[[str], None]) -> None:
        self._options, self._write = options, write
        self._engine: ProtocolEngine | None = None
        self._line: HubGame | None = None
        self._level = HubLevel()
        self._margin = Margin(0.0)
        self._search: EngineSearch | None = None
        self._is_answered = True
        # The running budget, and that of a pondered move, which starts at ponder-hit.
        self._limit: Budget | None = None
        self._pending: Budget | None = None
        self._timed: _TimedMove | None = None
        self._lost_seconds = 0.0

    def hear(self, line: str) -> bool:
        """Execute a line; return whether the session goes on. An invalid line is answered by an error."""
        begin = time.perf_counter()
        try:
            command, arguments = read_command(check_text(line, "line"))
            if command == "quit":
                return False
            obey = self._COMMANDS.get(command)
            if obey is not None:
                obey(self, arguments)
            elif command:
                raise InputError(f"unknown command {quoted(command)}")
        except InputError as fault:
            self.complain(str(fault))
        if line.startswith(("pos", "level")):
            # The clock was running while the position was read.
            self._lost_seconds += time.perf_counter() - begin
        return True

    def complain(self, message: str) -> None:
        """Send an error."""
        self._write(write_command("error", message=message))

    def close(self) -> None:
        """End the session; nothing is written after this."""
        if self._search is not None:
            self._search.stop()
            self._search.wait()

    def _introduce(self, arguments: dict[str, str]) -> None:
        author = "The neche contributors"
        self._write(write_command("id", name="neche", version=__version__, author=author))
        for line in self._options.declare():
            self._write(line)
        self._write("wait")

    def _set_parameter(self, arguments: dict[str, str]) -> None:
        self._be_idle()
        if "name" not in arguments or "value" not in arguments:
            raise InputError("set-param: name and value are needed")
        self._engine, before = None, self._options.game_name
        self._options.set(arguments["name"], arguments["value"])
        if self._options.game_name != before:
            self._line = None

    def _initialise(self, arguments: dict[str, str]) -> None:
        self._be_idle()
        # This is the only command during which the interface does not mind delays.
        self._ready().warm_up()
        self._margin.watch()
        self._line = None
        self._write("ready")

    def _ready(self) -> ProtocolEngine:
        """Return the engine, created again if a parameter was set."""
        if self._engine is None:
            self._engine = self._options.new_engine()
            self._margin = Margin(self._options.number("margin") / 1000)
        return self._engine

    def _forget(self, arguments: dict[str, str]) -> None:
        self._be_idle()
        self._line = None
        if self._engine is not None:
            self._engine.new_game()

    def _set_position(self, arguments: dict[str, str]) -> None:
        if not {"pos", "start"} & set(arguments):
            raise InputError("pos: pos=… is needed, or start")
        # A position may arrive while a search runs, but the engine must not be created again then.
        engine = self._ready() if self._is_answered else self._engine
        assert engine is not None
        game, earlier, self._line = engine.game, self._line, None
        # `start` is not in the protocol, but Scan accepts it.
        text = arguments["pos"] if "pos" in arguments else write_position(game.start(), game)
        self._line = HubGame.read(text, arguments.get("moves", ""), game, earlier)

    def _set_level(self, arguments: dict[str, str]) -> None:
        self._level = HubLevel()
        self._level = read_level(arguments)

    def _go(self, arguments: dict[str, str]) -> None:
        # Counts the time spent on reading position and level, as if `go` had come before.
        begin = time.perf_counter() - self._lost_seconds
        self._lost_seconds = 0.0
        # As in Scan, to think is the default.
        modes = [mode for mode in _SEARCH_MODES if mode in arguments] or ["think"]
        if len(modes) > 1:
            raise InputError("go: only one of think, ponder and analyze can be meant")
        self._be_idle()
        engine = self._ready()
        if self._line is None:
            raise InputError("go: there is no position")
        game, position = engine.game, self._line.positions[-1]
        if not (moves := game.legal_moves(position)):
            raise InputError(f"go: the game is over, {game.side_to_move(position)} has no legal move")
        self._compare_clocks()
        is_move, is_only = modes == ["think"], len(moves) == 1
        budget = self._level.budget(self._margin.seconds, engine.seconds_a_move)
        if budget is not None and self._level.clock is not None and is_move:
            self._timed = _TimedMove(self._level.clock, budget)
        parameters = Limits(*(self._options.number(name) or None for name in ("depth", "playouts")))
        limits = Limits(1, nodes=1) if is_move and is_only else stricter(self._level.limits, parameters)
        # An only move takes no time: if pondered, it is played at the hit.
        pending = budget and budget.within(0.0 if is_only else None)
        self._limit, self._pending = (None, pending) if modes == ["ponder"] else (budget, None)
        self._begin_search(position, limits, begin)

    def _compare_clocks(self) -> None:
        """Learn from the last move's time on the interface's clock, which includes the interface's delays."""
        before, self._timed = self._timed, None
        clock, line = self._level.clock, self._line
        # Interfaces omit moves before irreversible ones, and start other games and clocks unannounced.
        if before is None or clock is None or line is None or line.positions[-1] not in before.replied:
            return
        # The interface's clock before and after the move, increment included.
        self._margin.learn(before.budget, before.clock.left + clock.increment - clock.left)

    def _begin_search(self, position: Any, limits: Limits, begin: float) -> None:
        engine = self._ready()
        game = engine.game
        assert self._line is not None
        self._is_answered = False

        def finish(analysis: Analysis, seconds: float) -> None:
            limit = self._limit
            # Each move of a variation takes time to write.
            is_urgent = limit is not None and limit.hard < _URGENT
            line = write_line(analysis.pv, position, game, 2 if is_urgent else _LINE_SHOWN)
            self._inform(analysis, line)
            self._is_answered = True
            self._write(write_command("done", move=line[0], ponder=line[1] if len(line) > 1 else None))
            if limit is not None:
                self._margin.learn(limit, seconds)
            if self._timed is not None:
                after = next(move.after for move in game.legal_moves(position) if move.text == analysis.pv[0])
                replied = tuple(move.after for move in game.legal_moves(after))
                self._timed = self._timed._replace(replied=replied)

        def fail(message: str) -> None:
            self.complain(message)
            if not self._is_answered:
                self._is_answered = True
                # Without a move the interface would wait for ever.
                move = game.legal_moves(position)[0].text
                self._write(write_command("done", move=write_line((move,), position, game, 1)[0]))

        self._search = EngineSearch(
            engine,
            position,
            limits,
            self._limit,
            begin=begin,
            past=self._line.positions[:-1],
            makes_room=True,
            progress=lambda found: self._inform(found, write_line(found.pv, position, game, _LINE_SHOWN)),
            every=_PROGRESS_SECONDS,
            finish=finish,
            fail=fail,
        )

    def _inform(self, analysis: Analysis, line: list[str]) -> None:
        depth = max(1, analysis.depth)
        info = write_command(
            "info",
            depth=depth,
            mean_depth=f"{analysis.figures.get('mean_depth', depth):.1f}",
            score=f"{protocol_score(analysis.value, analysis):.2f}",
            nodes=analysis.nodes,
            time=f"{analysis.seconds:.3f}",
            nps=f"{analysis.nodes / max(analysis.seconds, 1e-6) / 1e6:.3f}",
            pv=" ".join(line),
        )
        self._write(info)

    def _be_idle(self) -> None:
        """Wait for a search that is stopping; raise InputError if one is running."""
        if self._search is None:
            return
        if not self._is_answered and not self._search.is_stopping:
            raise InputError("a search is running: stop comes first")
        self._search.wait()

    def _hit(self, arguments: dict[str, str]) -> None:
        if self._search is not None and not self._is_answered and self._pending is not None:
            self._search.start_clock(self._pending, time.perf_counter())
            # Set only now: a move that was pondered in vain has no running time to learn from.
            self._limit, self._pending = self._pending, None

    def _stop(self, arguments: dict[str, str]) -> None:
        if self._search is not None:
            self._search.stop()

    _COMMANDS: ClassVar[dict[str, Callable[["HubSession", dict[str, str]], None]]] = {
        "hub": _introduce,
        "set-param": _set_parameter,
        "init": _initialise,
        "new-game": _forget,
        "pos": _set_position,
        "level": _set_level,
        "go": _go,
        "ponder-hit": _hit,
        "stop": _stop,
        "ping": lambda session, arguments: session._write("pong"),
    }
