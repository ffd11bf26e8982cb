"""GRhino, an Othello program with learned patterns, as plug-in players to measure champions against.

Usage: neche match othello-4:depth=4 grhino_depth_4 --game othello --plugin tools/studies/grhino.py
       neche match othello-4:time=50 grhino_level_3 --game othello --plugin tools/studies/grhino.py

`gtp-rhino` (GRhino 0.16.1, GPL, in the package grhino of Debian) receives each position and returns a move,
by GTP (https://www.lysator.liu.se/~gunnar/gtp/), without its book and without randomness. `grhino_depth_N`
searches N plies, and no further at the end of a game; `grhino_level_N` as far as its authors chose for level
N, with endings played out. NECHE_GRHINO names another program that understands the same commands.
"""

import os
import shutil
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import takewhile

import neche

_COLOURS = {"X": "b", "O": "w"}
_OPTIONS = "-b 0 -r 0"
_FOLDER_OF_GAMES = "/usr/games"
_engines: dict[tuple[int, int, str], subprocess.Popen[str]] = {}


def _player(name: str, options: str) -> Callable[[neche.Board], str]:
    """Return a plug-in player of this name. options: of `gtp-rhino`."""

    def choose(board: neche.Board) -> str:
        return _choose(board, options)

    choose.__name__ = name
    return neche.plugin.player(choose)


def _choose(board: neche.Board, options: str) -> str:
    """Return the move of GRhino at a position."""
    squares, side = board.fen.split()
    engine = _engine(options)
    _ask(engine, f"grhino-setup_board {squares.replace('-', '.')} {_COLOURS[side]}")
    return _ask(engine, f"reg_genmove {_COLOURS[side]}").lower()


def _engine(options: str) -> subprocess.Popen[str]:
    """Return a running engine that only this thread and process uses; it ends with this process."""
    owner = (os.getpid(), threading.get_ident(), options)
    if owner not in _engines:
        program = os.environ.get("NECHE_GRHINO") or shutil.which(
            "gtp-rhino", path=os.pathsep.join([os.environ.get("PATH", ""), _FOLDER_OF_GAMES])
        )
        if not program:
            raise neche.InputError("gtp-rhino is not installed: on Debian, apt install grhino")
        words = [program, *_OPTIONS.split(), *options.split()]
        _engines[owner] = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
    return _engines[owner]


def _ask(engine: subprocess.Popen[str], command: str) -> str:
    """Send a GTP command; return the engine's answer.

    Raises:
        InputError: it answers with an error, or has ended.
    """
    assert engine.stdin is not None
    assert engine.stdout is not None
    # An engine that has ended gives no answer either.
    with suppress(BrokenPipeError):
        engine.stdin.write(f"{command}\n")
        engine.stdin.flush()
    # An answer ends with an empty line.
    lines = list(takewhile(str.strip, engine.stdout))
    answer = "".join(lines).strip()
    if not answer.startswith("="):
        raise neche.InputError(f"gtp-rhino: {command}: {answer or 'it has ended'}")
    return answer[1:].strip()


grhino_depth_1 = _player("grhino_depth_1", "-m 1 -w 1 -e 1")
grhino_depth_2 = _player("grhino_depth_2", "-m 2 -w 2 -e 2")
grhino_depth_4 = _player("grhino_depth_4", "-m 4 -w 4 -e 4")
grhino_depth_6 = _player("grhino_depth_6", "-m 6 -w 6 -e 6")
# Its default level, and the one below the highest.
grhino_level_3 = _player("grhino_level_3", "-l 3")
grhino_level_4 = _player("grhino_level_4", "-l 4")
