"""Simple Checkers, the open engine that comes with CheckerBoard, as players that plug in.

Usage: NECHE_SIMPLECH=simplech.c neche match champion:depth=6 simplech_6 --plugin tools/studies/simplech.py

Simple Checkers 1.14 (Martin Fierz 2002) is one C++ file: plain alpha-beta with quiescence over captures, and
a hand-made evaluation of a dozen terms. NECHE_SIMPLECH names that file, unchanged: `simplech.c` in `source/`
of https://github.com/eygilbert/CheckerBoard; a compiler (`c++`, or the one that CXX names) compiles it to a
library when the first player is used. `simplech_N` searches N plies from every position and plays the first
of equally good moves, so games differ only by their openings. Threads can use it in parallel, the default; a
compiled library cannot be sent to other processes (`--backend loky`).
"""

import ctypes
import functools
import os
import subprocess
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import neche

_SQUARES = 32
_LOCK = threading.Lock()
# Definitions that the file uses from Windows and from CheckerBoard.
_WINDOWS = """
#define WINAPI
#define TRUE 1
#ifndef CLK_TCK
#define CLK_TCK CLOCKS_PER_SEC
#endif
typedef int BOOL;
typedef void *HANDLE, *LPVOID;
typedef unsigned long DWORD;
enum { DLL_PROCESS_DETACH, DLL_PROCESS_ATTACH, DLL_THREAD_ATTACH, DLL_THREAD_DETACH };
"""
_INTERFACE = """
enum { CB_WHITE = 1, CB_BLACK = 2, CB_MAN = 4, CB_KING = 8 };
enum { CB_DRAW, CB_WIN, CB_LOSS, CB_UNKNOWN };
#define CB_CHANGECOLOR(color) ((color) ^ 3)
struct CBmove;
"""
# Squares are in rows of four, each counted from its other end, with a gap before every second row.
_CHOOSE = r"""
#include "simplech.c"
static int place(int square) {
    int row = square / 4;
    return 5 + 4 * row + (row + 1) / 2 + 3 - square % 4;
}
extern "C" int choose(char *squares, int color, int depth) {
    static int goes_on = 0;
    int board[46], number;
    struct move2 best, moves[MAXMOVES];
    play = &goes_on;
    for (int at = 0; at < 46; at++) board[at] = OCCUPIED;
    for (int square = 0; square < 32; square++) {
        char piece = squares[square];
        int side = piece == 'b' || piece == 'B' ? BLACK : WHITE, kind = piece < 'a' ? KING : MAN;
        board[place(square)] = piece == '.' ? FREE : side | kind;
    }
    number = generatecapturelist(board, moves, color);
    if (number == 0) number = generatemovelist(board, moves, color);
    if (number == 0) return 0;
    best = moves[0];
    if (number > 1) firstalphabeta(board, depth, -10000, 10000, color, &best);
    domove(board, best);
    for (int square = 0; square < 32; square++) {
        int piece = board[place(square)];
        squares[square] = piece == FREE ? '.' : (piece & BLACK ? "bB" : "wW")[piece & KING ? 1 : 0];
    }
    return number;
}
"""


def _player(depth: int) -> Callable[[neche.Board], str]:
    """Return a plug-in player that searches `depth` plies."""

    def choose(board: neche.Board) -> str:
        return _choose(board, depth)

    choose.__name__ = f"simplech_{depth}"
    return neche.plugin.player(choose)


def _choose(board: neche.Board, depth: int) -> str:
    """Return the move of Simple Checkers at a position."""
    room = ctypes.create_string_buffer(squares_of(board).encode())
    # One thread compiles while others wait; searches run in parallel.
    with _LOCK:
        library = _library()
    library.choose(room, 2 if board.turn == "Black" else 1, depth)
    after = room.value.decode()
    for move in board.moves:
        if squares_of(board.play(move)) == after:
            return move
    raise neche.InputError(f"Simple Checkers plays no legal move in {board.fen}")


def squares_of(board: neche.Board) -> str:
    """Return what stands on squares 1 to 32: `b` and `w` men, `B` and `W` kings, `.` nothing."""
    squares = ["."] * _SQUARES
    for side in board.fen.split(":")[1:]:
        for piece in filter(None, side[1:].split(",")):
            man = side[0].lower()
            squares[int(piece.lstrip("K")) - 1] = man.upper() if piece[0] == "K" else man
    return "".join(squares)


@functools.cache
def _library() -> ctypes.CDLL:
    """Compile the file once per process.

    Raises:
        InputError: there is no file or no compiler, or compilation fails.
    """
    name = os.environ.get("NECHE_SIMPLECH")
    if not name or not Path(name).is_file():
        raise neche.InputError(f"NECHE_SIMPLECH={name or ''}: name the file simplech.c of Simple Checkers")
    with tempfile.TemporaryDirectory() as room:
        folder = Path(room)
        texts = {"windows.h": _WINDOWS, "cb_interface.h": _INTERFACE, "choose.cpp": _CHOOSE}
        for file, text in {**texts, "simplech.c": Path(name).read_text("latin-1")}.items():
            (folder / file).write_text(text, "latin-1")
        words = [os.environ.get("CXX") or "c++", "-O2", "-w", "-fpermissive", "-shared", "-fPIC", "-I."]
        try:
            done = subprocess.run(
                [*words, "choose.cpp", "-o", "simplech.so"],
                cwd=folder,
                capture_output=True,
                text=True,
                check=False,
            )
        except OSError as error:
            raise neche.InputError(f"{words[0]}: no C++ compiler ({error.strerror})") from None
        if done.returncode:
            fault = next((line for line in done.stderr.splitlines() if "error" in line), "it failed")
            raise neche.InputError(f"{words[0]} {name}: {fault}")
        return ctypes.CDLL(str(folder / "simplech.so"))


simplech_4 = _player(4)
simplech_6 = _player(6)
simplech_8 = _player(8)
