"""The web application: every address, and its answer."""

import os
import threading
from collections.abc import Callable
from importlib import resources
from typing import Any, get_type_hints

from jinja2 import Environment, PackageLoader
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from neche.arena.game_in_progress import resumed_game
from neche.errors import InputError, fault_of_others, one_line
from neche.games.catalogue import GAMES, game
from neche.games.game import Game, geometry_of
from neche.games.geometry import Piece
from neche.parsing import whole_number
from neche.records.record import first_side, record_of
from neche.report.board import CELL, FRAME, BoardView, draw_ground, draw_piece
from neche.report.svg import document
from neche.web import ServerConfiguration, messages
from neche.web.activations import activations_of
from neche.web.files import find_games, save_text, take, title, usual_record
from neche.web.game_clock import GameClock
from neche.web.guard import PICTURE_POLICY, Guard
from neche.web.opponents import anchor_of, offers, opponent_of
from neche.web.sessions import ForgottenError, GameSession, SessionStore, StaleError, shown_state
from neche.web.watching import RunsWatch, RunWatch

SESSION_HEADER = "x-neche-session"
PAGES = {"/": "board.html", "/watch": "watch.html"}
_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
# At least two: an analysis may still be compiling for a browser that has left.
_FEWEST_ANALYSES = 2
_MOST = 10**9 - 1
"""Largest number accepted in a query; a larger one is ignored."""
_STATUS_OF = {ForgottenError: 410, StaleError: 409}

Reply = Response | dict[str, Any] | None
"""The answer of an address: JSON, or another response; None for the state of the session."""


class Pages:
    """The answers. Each is called in a pool thread; those to posts get their message, parsed and checked."""

    def __init__(self, configuration: ServerConfiguration) -> None:
        self.configuration = configuration
        places = (configuration.run, *configuration.more_runs) if configuration.run else ()
        self.watch = RunsWatch(places) if places else None
        self.sessions = SessionStore(max(_FEWEST_ANALYSES, os.cpu_count() or 1), configuration.seed)
        self.games = tuple(dict.fromkeys((*GAMES, configuration.default_game)))
        self.assets = _read_assets()
        self._compiling = threading.Lock()

    def hello(self, request: Request) -> Reply:
        """List the games to choose from, and the run being watched."""
        return {
            "games": [{"name": name, "title": name.capitalize()} for name in self.games],
            "game": self.configuration.default_game,
            "run": None if self.watch is None else one_line(self.watch.first.run.name),
            "mayPonder": not self.configuration.is_shared,
        }

    def rules(self, request: Request) -> Reply:
        """Describe a game: its board, its sides, its players; or name a `player` if it may play here."""
        rules = self._game(request.path_params["name"])
        if text := request.query_params.get("player"):
            return {"player": opponent_of(self.configuration, text, rules).label}
        geometry = geometry_of(rules)
        return {
            "name": rules.name,
            "sides": rules.sides,
            "first": rules.sides.index(first_side(rules)),
            "columns": len(geometry.columns),
            "rows": len(geometry.rows),
            "frame": FRAME,
            "cell": CELL,
            "squares": [
                [name, place.column, place.row, geometry.coordinates[name]]
                for name, place in geometry.places.items()
            ],
            "start": {name: [*map(int, piece)] for name, piece in geometry.pieces(rules.start()).items()},
            "turned": [geometry.is_turned_for(0), geometry.is_turned_for(1)],
            "hasKings": geometry.is_checkered,
            "light": int(geometry.is_dark[0]),
            "format": "PDN" if rules.pdn else "GGF" if rules.ggf else "",
            "players": offers(self.configuration, rules),
            "anchor": anchor_of(rules),
        }

    def prepare(self, request: Request) -> Reply:
        """Compile the rules of a game, which takes a while the first time."""
        return {"name": self._compiled(request.path_params["name"]).name}

    def board(self, request: Request) -> Reply:
        """Draw an empty board: straight or turned, plain or with square numbers."""
        rules, way = self._game(request.path_params["name"]), request.path_params["way"]
        view = BoardView(geometry_of(rules), way.startswith("turned"), not way.endswith("-plain"))
        size = view.extent
        return _picture(document(*size, draw_ground(view), title=rules.name, description="", size=size[0]))

    def piece(self, request: Request) -> Reply:
        """Draw one piece."""
        rules = self._game(request.path_params["name"])
        words = request.path_params["piece"]
        if words not in ("0m", "1m", "0k", "1k"):
            raise HTTPException(404)
        side, is_king = int(words[0]), words[1] == "k"
        drawn = [draw_piece(CELL / 2, CELL / 2, geometry_of(rules), Piece(side, is_king))]
        title = rules.sides[side] + (" king" if is_king else "")
        return _picture(document(CELL, CELL, drawn, title=title, description="", size=CELL))

    def asset(self, request: Request) -> Reply:
        """Send a page, or a script, style or picture of the pages."""
        found = self.assets.get(PAGES.get(request.url.path, request.path_params.get("file", "")))
        if found is None:
            raise HTTPException(404)
        return found

    def state(self, request: Request) -> Reply:
        """Show the position after `ply` moves, by default the last."""
        return shown_state(self.session(request), whole_number(request.query_params.get("ply", ""), _MOST))

    def runs(self, request: Request) -> Reply:
        """List the runs being watched, each with its state."""
        return {"runs": self._watched().overview()}

    def run(self, request: Request) -> Reply:
        """Show the state of a run, and its figures of the generations after a given one."""
        after = whole_number(request.query_params.get("after", ""), _MOST)
        return self._run_of(request).news(-1 if after is None else after)

    def champion(self, request: Request) -> Reply:
        """Show the network of a run's champion."""
        return self._run_of(request).champion()

    def new(self, request: Request, message: messages.NewGame) -> Reply:
        """Begin a game, in this session or a new one."""
        rules = self._compiled(message.game)
        in_progress = resumed_game(record_of(rules.name, message.moves, fen=message.fen.strip()))
        name = request.headers.get(SESSION_HEADER, "")
        try:
            session = self.sessions.find(name)
        except ForgottenError:
            name, session = self.sessions.begin(rules)
        clock = None if message.clock is None else GameClock(message.clock, plies=len(message.moves))
        before = usual_record(rules)
        if (source := message.source) is not None:
            _, before = take(find_games(source.text, rules), source.number or 0)
        session.take_over(in_progress, before, clock, message.scores)
        return {"session": name, **shown_state(session)}

    def move(self, request: Request, message: messages.PlayMove) -> None:
        """Play a move."""
        self.session(request).play(message.move, message.ply)

    def back(self, request: Request, message: messages.GoBack) -> None:
        """Take moves back."""
        self.session(request).go_back(message.ply)

    def think(self, request: Request, message: messages.Analyse) -> None:
        """Let a player analyse the position."""
        session = self.session(request)
        if message.ponders and self.configuration.is_shared:
            raise InputError("players ponder only on a server that one person uses")
        has_clock = session.clock is not None
        opponent = opponent_of(self.configuration, message.player, session.game, has_clock=has_clock)
        session.analyse(opponent, message.ply, is_move=message.is_move, ponders=message.ponders)

    def halt(self, request: Request, message: messages.Halt) -> None:
        """End an analysis."""
        self.session(request).halt(is_dropped=message.is_dropped, holds_clock=message.is_dropped)

    def load(self, request: Request, message: messages.Load) -> Reply:
        """Continue a game or position sent as text; list the games if there are several without a choice."""
        session = self.session(request)
        found = find_games(message.text, session.game)
        # A file with faults is listed too, so that the faults are seen.
        if message.number is None and (len(found.games) > 1 or found.fault):
            return {"games": [title(record) for record in found.games], "fault": one_line(found.fault)}
        session.take_over(*take(found, message.number or 0))
        return {"source": found.source, **shown_state(session)}

    def save(self, request: Request, message: messages.Save) -> Reply:
        """Write the game as text."""
        session = self.session(request)
        in_progress, _ = session.snapshot()
        name, text = save_text(in_progress, message.names, session.before, session.verdict() or "")
        return {"name": name, "text": text}

    def light(self, request: Request, message: messages.Light) -> Reply:
        """Show the activations of a player's network on a position of the game, for the side to move."""
        in_progress, _ = self.session(request).snapshot()
        position = in_progress.positions[min(message.ply, len(in_progress.moves))]
        opponent = opponent_of(self.configuration, message.player, in_progress.game)
        network = opponent.player.evaluating_network
        if network is None:
            raise InputError("this player evaluates without a network")
        return {"player": opponent.label, **activations_of(network, in_progress.game, position)}

    def session(self, request: Request) -> GameSession:
        """Return the session that a request names in its header."""
        return self.sessions.find(request.headers.get(SESSION_HEADER, ""))

    def _run_of(self, request: Request) -> RunWatch:
        return self._watched().find(request.query_params.get("name", ""))

    def _watched(self) -> RunsWatch:
        if self.watch is None:
            raise InputError("no run is watched: start neche serve with --run DIR")
        return self.watch

    def _game(self, name: str) -> Game:
        # A run watched besides the first may be of another game, which is not offered for play here.
        if name not in self.games and (self.watch is None or name not in self.watch.games):
            raise InputError(f"no game {name[:40]!r} here (known: {', '.join(self.games)})")
        return game(name)

    def _compiled(self, name: str) -> Game:
        rules = self._game(name)
        # Two threads must not compile the same rules.
        with self._compiling:
            rules.legal_moves(rules.start())
        return rules


def make_app(configuration: ServerConfiguration) -> tuple[Guard, Pages]:
    """Return the guarded application and its answers; InputError if a run to be watched does not exist."""
    pages = Pages(configuration)
    gets = pages.hello, pages.state, pages.runs, pages.run, pages.champion
    posts: list[Callable[..., Reply]] = [pages.new, pages.move, pages.back, pages.think, pages.halt]
    posts += [pages.load, pages.save, pages.light]
    routes = [
        *(_get(path, pages.asset) for path in (*PAGES, "/assets/{file}")),
        *(_get(f"/api/{answer.__name__}", answer) for answer in gets),
        _get("/api/games/{name}", pages.rules),
        _get("/api/prepare/{name}", pages.prepare),
        _get("/board/{name}/{way}.svg", pages.board),
        _get("/piece/{name}/{piece}.svg", pages.piece),
        *(_post(pages, answer) for answer in posts),
    ]
    faults: dict[Any, Any] = dict.fromkeys((InputError, HTTPException), _refused)
    return Guard(Starlette(routes=routes, exception_handlers=faults), configuration.names), pages


def _get(path: str, answer: Callable[[Request], Reply]) -> Route:
    # Starlette calls functions that are not async in a thread.
    return Route(path, lambda request: _response(lambda: answer(request)), methods=["GET"])


def _post(pages: Pages, answer: Callable[..., Reply]) -> Route:
    kind: type[messages.Message] = get_type_hints(answer)["message"]

    def replied(request: Request, body: bytes) -> Reply:
        reply = answer(request, messages.read_message(body, kind))
        return shown_state(pages.session(request)) if reply is None else reply

    async def endpoint(request: Request) -> Response:
        body = await request.body()
        return await run_in_threadpool(_response, lambda: replied(request, body))

    return Route(f"/api/{answer.__name__}", endpoint, methods=["POST"])


def _response(answer: Callable[[], Reply]) -> Response:
    try:
        reply = answer()
    except Exception as error:
        # A fault in a user's own game file is reported like a fault of the request.
        if isinstance(error, InputError) or (fault := fault_of_others(error)) is None:
            raise
        raise InputError(fault) from error
    return reply if isinstance(reply, Response) else JSONResponse(reply)


def _refused(request: Request, fault: Exception) -> Response:
    """Answer a failed request with a status and one line."""
    if isinstance(fault, InputError):
        status, message = _STATUS_OF.get(type(fault), 422), one_line(str(fault))
    elif isinstance(fault, HTTPException) and fault.status_code == 405:
        status, message = 405, "this address does not support this method"
    else:
        status, message = 404, "there is nothing here"
    return JSONResponse({"error": message}, status_code=status)


def _picture(svg: str) -> Response:
    headers = {"content-security-policy": PICTURE_POLICY, "cache-control": "max-age=3600"}
    return Response(svg, media_type="image/svg+xml", headers=headers)


def _read_assets() -> dict[str, Response]:
    """Return the pages, rendered from their templates, and the scripts, styles and pictures, by name."""
    template = Environment(loader=PackageLoader("neche.web"), autoescape=True).get_template
    found: dict[str, Response] = {name: HTMLResponse(template(name).render()) for name in PAGES.values()}
    for entry in (resources.files("neche.web") / "assets").iterdir():
        if media_type := _MEDIA_TYPES.get(entry.name[entry.name.rfind(".") :]):
            found[entry.name] = Response(entry.read_bytes(), media_type=media_type)
    return found
