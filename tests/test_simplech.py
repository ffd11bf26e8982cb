"""The Simple Checkers players, with a stand-in file that moves the last man it finds."""

import os
import shutil

import pytest

import neche
from tools.studies import simplech

needs_compiler = pytest.mark.skipif(
    not shutil.which(os.environ.get("CXX") or "c++"), reason="there is no C++ compiler"
)
# Squares by its own numbers, as its author draws them: 5 to 8 are 4 to 1, 37 to 40 are 32 to 29.
_ENGINE = """
#include <windows.h>
#include "cb_interface.h"
#define WHITE CB_WHITE
#define BLACK CB_BLACK
#define MAN CB_MAN
#define KING CB_KING
#define OCCUPIED 0
#define FREE 16
#define MAXMOVES 28
struct move2 { int from, to; };
int *play;
int generatecapturelist(int b[46], struct move2 moves[MAXMOVES], int color) { return 0; }
int generatemovelist(int b[46], struct move2 moves[MAXMOVES], int color) {
    int n = 0, way = color == BLACK ? 1 : -1;
    for (int i = 5; i <= 40; i++)
        for (int step = 4; step <= 5; step++)
            if (b[i] & color && !(b[i] & FREE) && b[i + way * step] & FREE) moves[n++] = {i, i + way * step};
    return n;
}
int firstalphabeta(int b[46], int depth, int alpha, int beta, int color, struct move2 *best) {
    struct move2 moves[MAXMOVES];
    *best = moves[generatemovelist(b, moves, color) - 1];
    return *play;
}
void domove(int b[46], struct move2 &move) { b[move.to] = b[move.from]; b[move.from] = FREE; }
"""


@pytest.fixture
def engine(tmp_path, monkeypatch):
    path = tmp_path / "simplech.c"
    path.write_text(_ENGINE)
    monkeypatch.setenv("NECHE_SIMPLECH", str(path))
    simplech._library.cache_clear()
    yield path
    simplech._library.cache_clear()


@needs_compiler
@pytest.mark.usefixtures("engine")
def test_its_squares_are_those_of_the_board():
    board = neche.Board()
    assert simplech.simplech_4(board) == "9-13"
    assert simplech.simplech_6(board.play("9-13")) == "21-17"
    assert simplech.simplech_8(neche.Board(fen="W:WK32,K4,28:B1")) == "32-27"


def test_squares_tell_sides_and_kings():
    board = neche.Board(fen="W:WK32,5,28:BK1,2")
    assert simplech.squares_of(board) == "Bb..w" + 22 * "." + "w...W"


@needs_compiler
def test_a_move_that_is_not_legal_is_told(engine):
    # the men on 11 and 18 meet, and the stand-in does not capture
    board = neche.Board(fen="B:W15,30:B11,1")
    with pytest.raises(neche.InputError, match="no legal move in B:W15,30:B1,11"):
        simplech.simplech_4(board)


@needs_compiler
def test_a_file_that_does_not_compile_is_told(engine):
    engine.write_text("this is not C++\n")
    with pytest.raises(neche.InputError, match=r"simplech\.c: .*error"):
        simplech.simplech_4(neche.Board())


@pytest.mark.parametrize("name", [None, "nowhere.c"])
def test_a_file_that_is_not_there_is_told(engine, monkeypatch, name):
    monkeypatch.delenv("NECHE_SIMPLECH")
    if name:
        monkeypatch.setenv("NECHE_SIMPLECH", name)
    with pytest.raises(neche.InputError, match=r"name the file simplech\.c"):
        simplech.simplech_4(neche.Board())


def test_a_compiler_that_is_not_there_is_told(engine, monkeypatch):
    monkeypatch.setenv("CXX", str(engine.parent / "nothing"))
    with pytest.raises(neche.InputError, match=r"nothing: no C\+\+ compiler"):
        simplech.simplech_4(neche.Board())
