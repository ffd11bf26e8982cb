"""The pages and what they ask for: every address there is, and nothing else."""

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from neche.arena.sitting import begin
from neche.errors import InputError, one_line
from neche.games.catalogue import GAMES, Game, game, look_of
from neche.games.look import Piece
from neche.report.board import CELL, FRAME, board_svg, draw_piece
from neche.report.svg import document
from neche.web import messages
from neche.web.files import load_text, save_text
from neche.web.guard import PICTURE_POLICY, Guard
from neche.web.lighting import lit_network, network_of_player
from neche.web.messages import read_message
from neche.web.opponents import House, offers, opponent_of
from neche.web.sessions import ForgottenError, Session, Sessions, StaleError, shown_state
from neche.web.watching import Watch

SESSION_HEADER = "x-neche-session"
LOOPBACK_NAMES = frozenset(("localhost", "localhost."))
# A thought may be compiling for somebody who has left.
_FEWEST_THOUGHTS = 2
PAGES = {"/": "board.html", "/watch": "watch.html"}
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True)
class Settings:
    """What a server offers.

    house: what the command line named. default_game: shown first. seed: of all draws; None for a fresh one
    in each session.
    """

    house: House
    watch: Watch | None = None
    default_game: str = GAMES[0]
    names: frozenset[str] = LOOPBACK_NAMES
    seed: int | None = None


class _Picture(NamedTuple):
    svg: str


class _Asset(NamedTuple):
    content: bytes
    kind: str


class Pages:
    """The answers. Each is called in a thread, with the body of its request."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.sessions = Sessions(max(_FEWEST_THOUGHTS, os.cpu_count() or 1), settings.seed)
        self.games = tuple(dict.fromkeys((*GAMES, settings.default_game)))
        self.assets = _read_assets()
        self._compiling = threading.Lock()

    def hello(self, request: Request) -> Any:
        """Tell what there is to be chosen."""
        watch = self.settings.watch
        return {
            "games": [{"name": name, "title": name.capitalize()} for name in self.games],
            "game": self.settings.default_game,
            "run": None if watch is None else watch.run.name,
        }

    def rules(self, request: Request) -> Any:
        """Describe a game: its board, its sides, its players."""
        rules = self._game(request.path_params["name"])
        look = look_of(rules)
        return {
            "name": rules.name,
            "sides": rules.sides,
            "columns": len(look.columns),
            "rows": len(look.rows),
            "frame": FRAME,
            "cell": CELL,
            "squares": [
                [name, place.column, place.row, look.coordinates[name]] for name, place in look.places.items()
            ],
            "turned": [look.is_turned_for(0), look.is_turned_for(1)],
            "hasKings": look.is_checkered,
            "format": "PDN" if rules.pdn else "GGF" if rules.ggf else "",
            "players": offers(self.settings.house, rules),
        }

    def board(self, request: Request) -> Any:
        """Draw an empty board."""
        rules = self._game(request.path_params["name"])
        return _Picture(board_svg(rules, None, flipped=request.path_params["way"] == "turned"))

    def piece(self, request: Request) -> Any:
        """Draw one piece."""
        rules = self._game(request.path_params["name"])
        look, words = look_of(rules), request.path_params["piece"]
        if words not in ("0m", "1m", "0k", "1k"):
            raise LookupError
        side, is_king = int(words[0]), words[1] == "k"
        drawn = [draw_piece(CELL / 2, CELL / 2, look, Piece(side, is_king))]
        title = rules.sides[side] + (" king" if is_king else "")
        return _Picture(document(CELL, CELL, drawn, title=title, description="", size=CELL))

    def state(self, request: Request) -> Any:
        """Tell how the game stands, at its end or after `ply` moves."""
        asked = request.query_params.get("ply", "")
        is_number = asked.isascii() and asked.isdecimal() and len(asked) <= 6
        return shown_state(self._session(request), int(asked) if is_number else None)

    def new(self, request: Request, body: bytes) -> Any:
        """Begin a game, in this session or a new one."""
        asked = read_message(body, messages.NewGame)
        rules = self._game(asked.game)
        position = rules.parse_fen(asked.fen) if asked.fen.strip() else rules.start()
        name = request.headers.get(SESSION_HEADER, "")
        try:
            session = self.sessions.find(name)
        except ForgottenError:
            name, session = self.sessions.begin(rules)
        session.take_over(rules, begin(rules, position))
        return {"session": name, **shown_state(session)}

    def move(self, request: Request, body: bytes) -> Any:
        """Play a move."""
        asked, session = read_message(body, messages.PlayMove), self._session(request)
        session.play(asked.move, asked.ply)
        return shown_state(session)

    def back(self, request: Request, body: bytes) -> Any:
        """Take moves back."""
        asked, session = read_message(body, messages.GoBack), self._session(request)
        session.go_back(asked.ply)
        return shown_state(session)

    def think(self, request: Request, body: bytes) -> Any:
        """Let a player think about the position."""
        asked, session = read_message(body, messages.Ask), self._session(request)
        opponent = opponent_of(self.settings.house, asked.player, session.game)
        session.ask(opponent, asked.ply, is_move=asked.is_move)
        return shown_state(session)

    def halt(self, request: Request, body: bytes) -> Any:
        """End a thought."""
        asked, session = read_message(body, messages.Halt), self._session(request)
        session.halt(is_dropped=asked.is_dropped)
        return shown_state(session)

    def load(self, request: Request, body: bytes) -> Any:
        """Take over a game or a position."""
        asked, session = read_message(body, messages.Load), self._session(request)
        loaded = load_text(asked.text, session.game)
        session.take_over(loaded.game, loaded.sitting)
        return {"source": loaded.source, **shown_state(session)}

    def save(self, request: Request, body: bytes) -> Any:
        """Write the game."""
        asked, session = read_message(body, messages.Save), self._session(request)
        rules, sitting, _ = session.snapshot()
        name, text = save_text(rules, sitting, asked.names)
        return {"name": name, "text": text}

    def light(self, request: Request, body: bytes) -> Any:
        """Show a player's network at work on a position of the game, from the view of the side to move."""
        asked, session = read_message(body, messages.Light), self._session(request)
        rules, sitting, _ = session.snapshot()
        position = sitting.positions[min(asked.ply, len(sitting.moves))]
        opponent = opponent_of(self.settings.house, asked.player, rules)
        network = network_of_player(opponent.player)
        return {"player": opponent.label, **lit_network(network, rules, position, int(position.turn))}

    def run(self, request: Request) -> Any:
        """Tell how the run goes on."""
        asked = request.query_params.get("after", "")
        is_number = asked.isascii() and asked.isdecimal() and len(asked) <= 9
        return self._watch().news(int(asked) if is_number else -1)

    def champion(self, request: Request) -> Any:
        """Show the network of the run's champion."""
        return self._watch().champion()

    def _watch(self) -> Watch:
        if self.settings.watch is None:
            raise InputError("no run is watched: start neche serve with --run DIR")
        return self.settings.watch

    def _game(self, name: str) -> Game:
        if name not in self.games:
            raise InputError(f"no game {name[:40]!r} here (known: {', '.join(self.games)})")
        # Two threads must not compile the same rules.
        with self._compiling:
            rules = game(name)
            rules.legal_moves(rules.start())
        return rules

    def _session(self, request: Request) -> Session:
        return self.sessions.find(request.headers.get(SESSION_HEADER, ""))


def _read_assets() -> dict[str, _Asset]:
    folder = resources.files("neche.web") / "assets"
    found = {}
    for entry in folder.iterdir():
        kind = _TYPES.get(entry.name[entry.name.rfind(".") :])
        if kind is not None:
            found[entry.name] = _Asset(entry.read_bytes(), kind)
    return found


def _answered(call: Callable[[], Any]) -> Response:
    """Return what a page asked for, or what is wrong with it, in one line."""
    try:
        result = call()
    except ForgottenError as fault:
        return _fault(410, str(fault))
    except StaleError as fault:
        return _fault(409, str(fault))
    except InputError as fault:
        return _fault(422, str(fault))
    except LookupError:
        return _fault(404, "there is nothing here")
    if isinstance(result, _Picture):
        headers = {"content-security-policy": PICTURE_POLICY, "cache-control": "max-age=3600"}
        return Response(result.svg, media_type="image/svg+xml", headers=headers)
    return JSONResponse(result)


def _fault(status: int, message: str) -> Response:
    return JSONResponse({"error": one_line(message)}, status_code=status)


def make_app(settings: Settings) -> tuple[Guard, Pages]:
    """Return the application, guarded, and the pages behind it."""
    pages = Pages(settings)

    async def missing(request: Request, _: Exception) -> Response:
        return _fault(404, "there is nothing here")

    async def not_that_way(request: Request, _: Exception) -> Response:
        return _fault(405, "this address is not asked that way")

    handlers: dict[Any, Any] = {404: missing, 405: not_that_way}
    return Guard(Starlette(routes=_routes(pages), exception_handlers=handlers), settings.names), pages


def _routes(pages: Pages) -> list[Route]:
    answers = (
        pages.new,
        pages.move,
        pages.back,
        pages.think,
        pages.halt,
        pages.load,
        pages.save,
        pages.light,
    )
    return [
        *(_asset_route(path, pages.assets) for path in (*PAGES, "/assets/{file}")),
        _get("/api/hello", pages.hello),
        _get("/api/games/{name}", pages.rules),
        _get("/board/{name}/{way}.svg", pages.board),
        _get("/piece/{name}/{piece}.svg", pages.piece),
        _get("/api/state", pages.state),
        _get("/api/run", pages.run),
        _get("/api/champion", pages.champion),
        *(_post(f"/api/{answer.__name__}", answer) for answer in answers),
    ]


def _get(path: str, answer: Callable[[Request], Any]) -> Route:
    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(_answered, partial(answer, request))

    return Route(path, endpoint, methods=["GET"])


def _post(path: str, answer: Callable[[Request, bytes], Any]) -> Route:
    async def endpoint(request: Request) -> Response:
        body = await request.body()
        return await run_in_threadpool(_answered, partial(answer, request, body))

    return Route(path, endpoint, methods=["POST"])


def _asset_route(path: str, assets: dict[str, _Asset]) -> Route:
    async def endpoint(request: Request) -> Response:
        found = assets.get(PAGES.get(request.url.path, request.path_params.get("file", "")))
        if found is None:
            return _fault(404, "there is nothing here")
        return Response(found.content, media_type=found.kind)

    return Route(path, endpoint, methods=["GET"])
