"""A board in the browser: play any player, see its evaluations, and watch a run in progress.

Start reading at `app.make_app`, which defines every address; `server.serve` runs it. A request passes the
guard, is read as one of the records in `messages`, and changes or shows a session:

    browser ─► guard ─► app ─► messages ─► sessions ─► players

| file | what is in it |
|---|---|
| `server.py` | the socket, and uvicorn around the application |
| `connections.py` | time limit for a request, and how many connections a peer may hold |
| `guard.py` | which requests are accepted: host, origin, size, time |
| `app.py` | addresses and their answers |
| `messages.py` | the bodies of requests, with their bounds |
| `game_clock.py` | the chess clock of a game |
| `sessions.py` | the games in progress, one per browser tab, and their analyses |
| `opponents.py` | which players a request may name |
| `files.py` | games and positions as text |
| `activations.py` | a network's activations on a position |
| `watching.py` | the state of runs |
| `assets/` | scripts and styles; nothing is loaded from elsewhere |

>>> ServerConfiguration(player="uct:playouts=500").default_game
'checkers'
"""

from dataclasses import dataclass
from pathlib import Path

from neche.games.catalogue import GAMES

LOOPBACK_NAMES = frozenset(("localhost", "localhost."))


@dataclass(frozen=True)
class ServerConfiguration:
    """What a server offers, as set on its command line.

    run: a run directory to watch, whose champion is an opponent. more_runs: others, and directories of runs,
    to watch as well. player: the specification of one more opponent, which may name files. default_game:
    shown first. names: host names of this server. seed: of all draws; None for a fresh one in each session.
    is_shared: whether people on other machines may use it.
    """

    run: Path | None = None
    more_runs: tuple[Path, ...] = ()
    player: str = ""
    default_game: str = GAMES[0]
    names: frozenset[str] = LOOPBACK_NAMES
    seed: int | None = None
    is_shared: bool = False
