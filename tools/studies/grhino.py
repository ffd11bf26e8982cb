"""GRhino, an Othello program with learned patterns, as players that plug in: champions against another's.

Usage: neche match othello-4:depth=4 grhino_depth_4 --game othello --plugin tools/studies/grhino.py
       neche match othello-4:time=50 grhino_level_3 --game othello --plugin tools/studies/grhino.py

`gtp-rhino` (GRhino 0.16.1, GPL, in the package grhino of Debian) is told each position and asked for a move,
by GTP (https://www.lysator.liu.se/~gunnar/gtp/), without its book and without chance. `grhino_depth_N`
searches N plies, and no further at the end of a game; `grhino_level_N` as far as its authors chose for level
N, with endings played out. NECHE_GRHINO names another program that understands the same commands.
"""

import os
import shutil
import subprocess
import threading
from contextlib import suppress
from itertools import takewhile

import neche

_COLOURS = {"X": "b", "O": "w"}
_OPTIONS = "-b 0 -r 0"
_FOLDER_OF_GAMES = "/usr/games"
_engines: dict[tuple[int, ...], subprocess.Popen[str]] = {}


@neche.plugin.player
def grhino_depth_1(board: neche.Board) -> str:
    """Search one ply."""
    return _choose(board, "-m 1 -w 1 -e 1")


@neche.plugin.player
def grhino_depth_2(board: neche.Board) -> str:
    """Search two plies."""
    return _choose(board, "-m 2 -w 2 -e 2")


@neche.plugin.player
def grhino_depth_4(board: neche.Board) -> str:
    """Search four plies."""
    return _choose(board, "-m 4 -w 4 -e 4")


@neche.plugin.player
def grhino_depth_6(board: neche.Board) -> str:
    """Search six plies."""
    return _choose(board, "-m 6 -w 6 -e 6")


@neche.plugin.player
def grhino_level_3(board: neche.Board) -> str:
    """Play as GRhino does unless it is told how."""
    return _choose(board, "-l 3")


@neche.plugin.player
def grhino_level_4(board: neche.Board) -> str:
    """Play one level below the highest."""
    return _choose(board, "-l 4")


def _choose(board: neche.Board, options: str) -> str:
    """Return the move of GRhino at a position."""
    squares, side = board.fen.split()
    engine = _engine(options)
    _ask(engine, f"grhino-setup_board {squares.replace('-', '.')} {_COLOURS[side]}")
    return _ask(engine, f"reg_genmove {_COLOURS[side]}").lower()


def _engine(options: str) -> subprocess.Popen[str]:
    """Return a running engine that no other thread or process talks to; it ends with this process."""
    owner = (os.getpid(), threading.get_ident(), hash(options))
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
    """Send a command of GTP; returns what the engine answers.

    Raises:
        InputError: it answers with a fault, or has ended.
    """
    assert engine.stdin is not None
    assert engine.stdout is not None
    # Of an engine that has ended there is no answer either.
    with suppress(BrokenPipeError):
        engine.stdin.write(f"{command}\n")
        engine.stdin.flush()
    # An answer ends with an empty line.
    lines = list(takewhile(str.strip, engine.stdout))
    answer = "".join(lines).strip()
    if not answer.startswith("="):
        raise neche.InputError(f"gtp-rhino: {command}: {answer or 'it has ended'}")
    return answer[1:].strip()
