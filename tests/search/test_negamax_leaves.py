"""Leaves: captures are followed to their end before the evaluation; a side without a move has lost."""

from pathlib import Path

import numpy as np
import pytest

from neche.games.catalogue import FILES, add_file, game
from neche.network.decode import blind_network, material_network
from neche.network.packing import pack_networks
from neche.players.alpha_beta import search_position
from neche.players.engine import WIN_VALUE
from neche.search.evaluator import network_evaluator
from neche.search.negamax import MAX_PLY, NODES, new_workspace, search_moves
from tests.games.toys.loading import STONES

CHECKERS = game("checkers")


def search(fen, depth, network=None):
    return search_position(CHECKERS, CHECKERS.parse_fen(fen), network or material_network(), depth=depth)


def test_an_exchange_is_followed_to_its_end():
    # 15-18 offers a man that White must capture; Black recaptures, and nothing is lost
    found = search("B:W22,31:B15,11,8,3", 1)
    assert found.values["15-18"] <= found.value


def test_a_side_must_capture_even_when_it_loses_by_it():
    # after 18-15 Black must capture and loses two men
    assert search("W:W18,26,22:B10,6,1", 1).value >= 0


@pytest.mark.parametrize("depth", [1, 2, 3, 6])
def test_a_win_found_beyond_the_depth_counts_its_plies_from_the_root(depth):
    assert search("W:W18:B14", depth).value == WIN_VALUE - 1


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_a_leaf_whose_side_has_pieces_but_no_move_is_lost(depth):
    found = search("W:W10,9,6:B1", depth)
    assert (found.value, found.best_moves) == (WIN_VALUE - 1, ("9-5",))


def test_the_loser_of_all_pieces_sees_a_loss():
    assert search("B:W18,32:B11,8", 1).values["11-15"] == -(WIN_VALUE - 2)


def test_a_constant_evaluator_still_sees_wins_and_losses():
    assert search("W:W14,15:B5,1", 7, blind_network()).best_moves == ("15-10",)
    assert search("W:W14,15:B5,1", 7, blind_network()).value == WIN_VALUE - 5


def test_everything_is_equal_to_a_constant_evaluator_where_nothing_is_decided():
    found = search(CHECKERS.format_fen(CHECKERS.start()), 4, blind_network())
    assert found.value == 0
    assert len(found.best_moves) == 7


def test_captures_without_end_are_followed_as_far_as_there_is_room(tmp_path, monkeypatch):
    """Two hundred captures in a row were written beyond the buffers."""
    monkeypatch.setenv(FILES, "")
    text = Path(STONES).read_text(encoding="utf-8").replace('"stones"', '"chain"').replace("21", "200")
    captures = "is_quiet=lambda position: position.left == 0, generate_captures=generate,"
    file = tmp_path / "chain.py"
    file.write_text(text.replace("max_moves=3,", f"max_moves=3, {captures}").replace(", 3)", ", 1)"))
    rules = game(add_file(str(file)))
    judge = network_evaluator(pack_networks([blind_network()], rules.sensors), 0, 0)
    work = new_workspace(rules, table_bits=4)
    room = np.zeros(2 * len(work.moves), work.moves.dtype)
    work = work._replace(moves=room[: len(work.moves)])
    assert search_moves(judge, work, rules.start(), np.int64(1), np.int64(2), True) == 1
    assert int(work.counters[NODES]) == MAX_PLY - 1
    assert not room[len(work.moves) :].any()
    assert work.root[0] == 0
