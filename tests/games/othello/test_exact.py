"""The solver of the last moves of Othello, against plain minimax and published positions."""

from functools import cache

import numpy as np
import pytest

from neche.games.catalogue import game
from neche.games.othello.exact import OthelloSolver, _order, num_empty
from neche.games.othello.moves import MAX_MOVES
from neche.games.othello.notation import score as points_of_black
from neche.games.othello.runs import placements
from neche.players.exact_endings import solve_position
from tests.oracles import othello_twin as twin

OTHELLO = game("othello")

# Number, board, side to move, score and best moves. Source: the test suite of the Fédération Française
# d'Othello (M. Tastet), as quoted by programs that solve it.
FFO = [
    (1, "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--", "X", 18, "g8"),
    (2, "-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX-", "X", 10, "a4"),
    (3, "----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX", "X", 2, "d1"),
    (4, "-XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO-", "X", 0, "a5 h8"),
    (5, "-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX--", "X", 32, "g8"),
    (6, "--OXXX--OOOXXX--OOOXOXO-OOXOOOX-OOXXXXXXXOOXXOX--OOOOX---XXXXXX-", "X", 14, "a1 h3"),
    (7, "--OXXO--XOXXXX--XOOOXXXXXOOXXXXXXOOOOXXX-XXXXXXX--XXOOO----XXOO-", "X", 8, "a6"),
    (8, "---X-X--X-XXXX--XXXXOXXXXXXOOOOOXXOXXXO-XOXXXXO-XOOXXX--XOOXXO--", "O", 8, "e1"),
    (9, "--XOXX--O-OOXXXX-OOOXXXX-XOXXXOXXXOXOOOXOXXOXOXX--OXOO----OOOO--", "O", -8, "a4 g7"),
    (10, "-XXXX-----OXXX--XOXOXOXXOXOXXOXXOXXOXOOOXXXOXOOX--OXXO---OOOOO--", "O", 10, "b2"),
    (11, "---O-XOX----XXOX---XXOOXO-XXOXOXXXXOOXOX-XOOXXXXXOOOXX-XOOOOOOO-", "O", 30, "b3"),
    (12, "--O--O--X-OOOOX-XXOOOXOOXXOXOXOOXXOXXOOOXXXXOOOO--OXXX---XXXXX--", "O", -8, "b7"),
    (16, "-XXXXXX-X-XXXOO-XOXXXOOXXOOXXXOX-OOOXXXX--OOXXXX---OOO----XOX-O-", "X", 24, "f8"),
    (18, "-XXX------OOOX--XOOOOOXXOXOXOOXXOXXOOOOOXXXOXOOX--OXXO---OOOOO--", "X", -2, "g2"),
    (40, "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------", "X", 38, "a2"),
]
LONG = [
    (41, "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O-", "X", 0, "h4"),
    (42, "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO--", "X", 6, "g2"),
    (43, "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX-", "O", -12, "c7 g3"),
    (44, "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX--", "O", -14, "b8 d2"),
]


# 35 moves for Black, found by search: no game reaches it.
WIDE = "---------OXOOOO--OX-OXX--OO--XO--X--OX---OX-XXO--OOXOO---------O X"


@cache
def score(fen):
    """Return the score for the side to move, from all possible games."""
    position = twin.parse(fen)
    following = twin.moves(position)
    if following:
        return max(-score(twin.fen(move.after)) for move in following)
    own = sum(disc == position.turn for disc in position.board.values())
    foe, empty = len(position.board) - own, 64 - len(position.board)
    return own - foe + empty * ((own > foe) - (own < foe))


def last_positions(most, count):
    """Yield positions of random games, with 1 to `most` empty squares in turn."""
    for seed in range(count):
        line = list(twin.random_game(seed))
        wanted = 1 + seed % most
        yield next(one for one in line if 64 - len(one.board) <= wanted)


@pytest.mark.parametrize("most", [7])
def test_scores_are_those_of_plain_minimax(most):
    solver = OthelloSolver(most)
    passes = 0
    for place in last_positions(most, 60):
        position, exact = OTHELLO.parse_fen(twin.fen(place)), score(twin.fen(place))
        assert solver.score(position) == exact
        passes += [move.text for move in twin.moves(place)] == [twin.PASS]
        if twin.moves(place):
            found = solve_position(OTHELLO, position, every_value=True)
            assert found.values == {move.text: -score(twin.fen(move.after)) for move in twin.moves(place)}
            assert found.value == exact
    assert passes > 0


def test_a_score_in_a_window_is_exact_inside_and_a_bound_outside():
    for place in last_positions(7, 30):
        position, exact = OTHELLO.parse_fen(twin.fen(place)), score(twin.fen(place))
        for low, high in (
            (-64, 0),
            (0, 64),
            (-1, 0),
            (0, 1),
            (exact - 1, exact),
            (exact, exact + 1),
            (-9, 12),
        ):
            found = OthelloSolver(8).score(position, low, high)
            if found <= low:
                assert exact <= found
            elif found >= high:
                assert exact >= found
            else:
                assert found == exact


@pytest.mark.parametrize(
    ("number", "board", "side", "points", "best"),
    [*FFO, *(pytest.param(*one, marks=pytest.mark.slow) for one in LONG)],
)
def test_published_positions_have_their_score(number, board, side, points, best):
    position = OTHELLO.parse_fen(f"{board} {side}")
    solver = OthelloSolver(num_empty(position))
    assert solver.score(position) == points
    if number < 40:
        found = solve_position(OTHELLO, position)
        assert (found.value, sorted(found.best_moves)) == (points, best.split())
        # the line leads to this score
        for text in found.pv:
            position = next(move.after for move in OTHELLO.legal_moves(position) if move.text == text)
        assert not OTHELLO.legal_moves(position)
        assert points_of_black(position) * (1 if side == "X" else -1) == points


def test_the_stop_flag_ends_the_search():
    solver = OthelloSolver(20)
    solver.flags[solver.stop] = 1
    solver.score(OTHELLO.start())
    assert solver.nodes < 100


def test_a_ply_has_room_for_more_moves_than_games_reach():
    """The last of 35 moves was written over by the first of the next ply."""
    position = OTHELLO.parse_fen(WIDE)
    solver = OthelloSolver(0)
    own, foe = np.uint64(position.own), np.uint64(position.foe)
    squares, of_foe = np.uint64(placements(own, foe)), np.uint64(placements(foe, own))
    count = int(_order(solver._work, own, foe, squares, np.int64(-1), np.int64(0)))
    _order(solver._work, foe, own, of_foe, np.int64(-1), np.int64(MAX_MOVES))
    assert count == len(OTHELLO.legal_moves(position)) == 35
    assert np.bitwise_or.reduce(solver._work.squares[:count]) == squares
