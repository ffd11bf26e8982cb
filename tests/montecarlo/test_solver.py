"""The proofs of the solver are true, and it proves what a plain search of some plies finds."""

import random
from functools import cache

import pytest

from neche.montecarlo.tree import plies_to_end
from neche.network.decode import blind_network
from neche.players.alpha_beta import search_position
from neche.players.engine import WIN_VALUE
from neche.players.uct import Uct
from tests.montecarlo.tree_builders import CHECKERS, KEY, new_workspace, num_nodes, position_of, run
from tests.oracles import checkers_twin as twin, minimax, three_kings

BLIND = blind_network()


@cache
def endgames(num_positions):
    """Return positions of two to six pieces, men and kings, in which the side to move has a move."""
    found = []
    for seed in range(10_000):
        rng = random.Random(seed)
        places = rng.sample(range(1, 33), rng.randint(2, 6))
        num_white = rng.randint(1, len(places) - 1)
        board = {}
        for index, number in enumerate(places):
            side = "W" if index < num_white else "B"
            row = twin.square(number)[1]
            is_king = row == (7 if side == "W" else 0) or rng.random() < 0.6
            board[twin.square(number)] = side if is_king else side.lower()
        position = twin.Position(board, rng.choice("WB"))
        if twin.moves(position):
            found.append(position)
        if len(found) == num_positions:
            return found
    raise AssertionError


def own(position):
    """Return the package's position for one of the twin."""
    return CHECKERS.parse_fen(twin.fen(position))


def exact(position, depth):
    """Return the result by alpha-beta without evaluation, 1, 0 or −1, and the plies to the end."""
    if not CHECKERS.legal_moves(position):
        return -1, 0
    value = search_position(CHECKERS, position, BLIND, depth=depth).value
    if abs(value) < WIN_VALUE / 2:
        return 0, depth
    return (1 if value > 0 else -1), round(WIN_VALUE - abs(value))


def slow_result(pieces, turn, plies):
    """Return the result of a position by its whole tree of some plies: 1, −1, or 0 if it is undecided."""
    choice = minimax.moves(pieces, turn)
    if not choice or plies == 0:
        return 0 if choice else -1
    return max(-slow_result(after, minimax.other(turn), plies - 1) for _, _, after in choice)


def think(position, **options):
    return Uct(**{"playouts": 4000, **options}).new_game(CHECKERS).analyse(position, key=KEY)


def test_endgames_decided_within_three_plies_of_the_whole_tree_are_proven():
    counts = {1: 0, 0: 0, -1: 0}
    for position in endgames(80):
        result = slow_result(frozenset(position.board.items()), position.turn, 3)
        counts[result] += 1
        if result != 0:
            assert think(own(position)).figures["root_value"] == (result + 1) / 2
    assert counts[1] >= 10
    assert counts[-1] >= 1


def test_endgames_decided_within_seven_plies_are_proven_and_no_other_result_is():
    counts = {1: 0, 0: 0, -1: 0}
    for position in map(own, endgames(200)):
        result, plies = exact(position, 7)
        counts[result] += 1
        analysis = think(position)
        if result != 0:
            assert analysis.figures["root_value"] == (result + 1) / 2
            assert analysis.figures["proven_plies"] >= plies
        elif "proven_plies" in analysis.figures:
            assert analysis.figures["proven_plies"] > 7
    assert counts[1] >= 30
    assert counts[-1] >= 10
    assert counts[0] >= 30


def test_the_values_of_moves_have_the_sign_of_their_exact_results():
    checked = 0
    for position in map(own, endgames(200)):
        analysis = think(position, is_solving=False)
        for move, found in zip(CHECKERS.legal_moves(position), analysis.moves, strict=True):
            result = -exact(move.after, 5)[0]
            if result != 0:
                checked += 1
                assert (found.value > 0.5) == (result > 0), (CHECKERS.format_fen(position), found)
    assert checked > 100


def test_no_losing_move_is_played_if_there_is_another():
    checked = 0
    for position in map(own, endgames(200)):
        results = {move.text: -exact(move.after, 3)[0] for move in CHECKERS.legal_moves(position)}
        if -1 in results.values() and max(results.values()) >= 0:
            checked += 1
            assert all(results[text] >= 0 for text in think(position).best_moves)
    assert checked > 10


def test_every_proof_in_a_tree_is_true():
    checked = 0
    for position in map(own, endgames(12)):
        tree = run(new_workspace(), position, 2000)
        for node in tree.nodes[: num_nodes(tree)]:
            plies = plies_to_end(int(node.proof))
            if node.proof != 0 and plies <= 7:
                result, least = exact(position_of(node), max(1, plies))
                assert result == (1 if node.proof > 0 else -1)
                assert least <= plies
                assert node.value == (result + 1) / 2
                checked += 1
    assert checked > 200


@pytest.mark.slow
def test_proofs_of_two_kings_against_one_agree_with_the_solved_endgame():
    """Wins take up to 33 plies there, and positions can repeat."""
    solved = three_kings.solved()
    rng = random.Random(1)
    two_to_one = [kings for kings in three_kings.all_kings() if len(kings[0]) == 2 and len(kings[1]) == 1]
    num_proven, longest = 0, 0
    for kings in rng.sample(two_to_one, 40):
        position = own(three_kings.position_of(kings))
        if not CHECKERS.legal_moves(position):
            continue
        tree = run(new_workspace(exploration=0.5), position, 20_000)
        for node in tree.nodes[: num_nodes(tree)]:
            if node.proof != 0:
                known = solved[three_kings.kings_of(twin.parse(CHECKERS.format_fen(position_of(node))))]
                assert (node.proof > 0) == (known > 0)
                assert abs(node.proof) >= abs(known)
                num_proven, longest = num_proven + 1, max(longest, abs(known))
    assert num_proven > 10_000
    assert longest > 15
