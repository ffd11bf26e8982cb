"""Whole games with the Hub client of pydraughts, which refuses every move that its own rules do not allow."""

import pytest
from draughts import Board
from draughts.engine import HubEngine, Limit

from tests.protocols.pydraughts_client import (
    AmericanHubEngine,
    BrazilianHubEngine,
    engine_script,
    play_to_the_end,
)


@pytest.mark.parametrize(
    ("variant", "hub_name", "client", "player"),
    [
        ("standard", "normal", HubEngine, "uct:playouts=60"),
        ("english", "english", AmericanHubEngine, "material:depth=3"),
        ("brazilian", "brazilian", BrazilianHubEngine, "material:depth=3"),
    ],
)
def test_a_game_is_played_to_its_end(tmp_path, variant, hub_name, client, player):
    engine = client([str(engine_script(tmp_path)), "hub"])
    try:
        assert engine.variants == {"normal", "brazilian", "english"}
        engine.configure({"variant": hub_name, "player": player})
        engine.init()
        engine.ping()
        board = play_to_the_end(engine, variant, Limit(depth=3))
        assert board.is_over() or len(board.move_stack) == 400
        assert {"depth", "nodes", "time", "score", "pv"} <= set(engine.info)
    finally:
        engine.quit()
        engine.kill_process()


def test_the_client_can_ponder_and_play_by_a_clock(tmp_path):
    engine = HubEngine([str(engine_script(tmp_path)), "hub"])
    try:
        engine.configure({"player": "uct", "memory": "64"})
        engine.init()
        board = Board("standard")
        result = engine.play(board, Limit(time=2, inc=0.1), False)
        assert result.move
        board.push(result.move)
        assert result.ponder is None or result.ponder.hub_move in {
            move.hub_move for move in board.legal_moves()
        }
    finally:
        engine.quit()
        engine.kill_process()
