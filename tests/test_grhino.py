"""The GRhino players, with a stand-in program that accepts the commands and plays a legal move."""

import os
import sys

import pytest

import neche
from tools.studies import grhino

pytestmark = pytest.mark.skipif(os.name != "posix", reason="its stand-in is a script as POSIX runs them")

# X is black, O white, rows from the top, as GRhino 0.16.1 shows its own board after grhino-setup_board.
_PROGRAM = """#!{python}
import sys
import neche

for line in sys.stdin:
    command, *words = line.split()
    if command == "grhino-setup_board":
        squares, side = words
        board = neche.Board("othello", f"{{squares.replace('.', '-')}} {{'X' if side == 'b' else 'O'}}")
        print("=\\n", flush=True)
    elif command == "reg_genmove" and words == [side]:
        print("=", board.moves[-1].upper() + "\\n", flush=True)
    else:
        print("? syntax error\\n", flush=True)
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    path = tmp_path / "gtp-rhino"
    path.write_text(_PROGRAM.format(python=sys.executable))
    path.chmod(0o755)
    monkeypatch.setenv("NECHE_GRHINO", str(path))
    monkeypatch.setattr(grhino, "_engines", {})
    yield path
    for engine in grhino._engines.values():
        engine.communicate()


def test_it_is_asked_for_the_position_on_the_board(program):
    board = neche.Board("othello").play("d3", "c3", "c4")
    assert grhino.grhino_depth_2(board) == board.moves[-1]
    assert grhino.grhino_level_3(board.play("e3")) == board.play("e3").moves[-1]
    assert len(grhino._engines) == 2


@pytest.mark.usefixtures("program")
def test_it_plays_whole_games_passes_included():
    report = neche.match("random", grhino.grhino_depth_1, games=6, seed=1, game="othello")
    assert report.wins + report.draws + report.losses == 6


def test_a_program_that_has_ended_or_refuses_is_told(program):
    board = neche.Board("othello")
    program.write_text("#!/bin/sh\n")
    with pytest.raises(neche.InputError, match="it has ended"):
        grhino.grhino_depth_1(board)
    program.write_text("#!/bin/sh\nread line\necho '? syntax error'\necho\n")
    with pytest.raises(neche.InputError, match=r"grhino-setup_board .*: \? syntax error"):
        grhino.grhino_depth_4(board)


def test_a_program_that_is_not_there_is_told(monkeypatch):
    monkeypatch.delenv("NECHE_GRHINO", raising=False)
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(neche.InputError, match="not installed"):
        grhino.grhino_depth_6(neche.Board("othello"))
