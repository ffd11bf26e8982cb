"""Games with the DXP client of pydraughts over the loopback, which plays the initiator's part."""

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest
from draughts import Board
from draughts.engine import DXPEngine
from draughts.engines.dxp_communication import dxp_classes

MOST_PLIES = 60


@pytest.fixture
def follower():
    """The program, waiting for one game at a port of the loopback that is free."""
    words = ["dxp", "--port", "0", "--games", "1", "--player", "uct:playouts=100", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "neche", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    # what is compiled, if anything, is told before
    waits = next(line for line in process.stderr if line.startswith("waiting"))
    yield process, int(waits.rpartition(":")[2])
    process.kill()
    process.communicate()


def test_a_game_is_played_and_both_sides_know_it_alike(follower, monkeypatch):
    """The client plays what comes first, the engine the other side."""
    process, port = follower
    # it waits for seven seconds after a connection is closed
    monkeypatch.setattr(dxp_classes, "time", SimpleNamespace(sleep=lambda seconds: None))
    client = DXPEngine(options={"engine-opened": True, "port": port}, initial_time=60)
    board = Board("standard")
    while not board.is_over() and len(board.move_stack) < MOST_PLIES:
        board.push(board.legal_moves()[0])
        if not board.is_over():
            move = client.play(board).move
            assert move is not None
            board.push(move)
    assert client.id["name"].startswith("neche")
    client.quit()
    output, _ = process.communicate(timeout=60)
    (game,) = json.loads(output)["games"]
    assert (game["opponent"], game["side"]) == ("DXP Client", "B")
    ends = [tuple(map(int, text.replace("x", "-").split("-"))) for text in game["moves"]]
    expected = [move.steps_move for move in board.move_stack]
    assert [(end[0], end[-1]) for end in ends] == [(steps[0], steps[-1]) for steps in expected][: len(ends)]
    assert len(board.move_stack) - len(ends) <= 1
