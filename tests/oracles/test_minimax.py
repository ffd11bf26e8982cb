"""The minimax oracle is itself right: on hand-made positions, and in integers against fractions."""

import random
from fractions import Fraction

import pytest

from tests.network import wiring
from tests.oracles import checkers_twin as twin, genome_twin, minimax

MATERIAL = wiring.material_dna()


def best(fen, depth, dna=MATERIAL):
    values = minimax.root_values(twin.parse(fen), dna, "own", depth)
    top = max(values.values())
    return top, sorted(text for (text, _), value in values.items() if value == top)


def sides(position):
    viewer = position.turn
    squares: dict[str, list[int]] = {"w": [], "W": [], "b": [], "B": []}
    for (column, row), letter in position.board.items():
        name = f"{'ABCDEFGH'[column]}{row + 1}"
        sensor = genome_twin.SQUARES.index(name)
        squares[letter].append(sensor if viewer == "W" else genome_twin.turned(sensor))
    return [squares[letter] for letter in ("wWbB" if viewer == "W" else "bBwW")]


@pytest.mark.parametrize("perspective", ["own", "antisymmetric"])
@pytest.mark.parametrize("kind", wiring.KINDS)
def test_the_evaluation_in_integers_equals_the_twin_in_fractions(kind, perspective):
    for seed in range(20):
        position = twin.random_position(seed)
        text = wiring.dna_of(kind, random.Random(seed))
        men, kings, foe_men, foe_kings = sides(position)
        exact = genome_twin.evaluate(text, men, kings, foe_men, foe_kings, perspective)
        judge = minimax.judge_for(text, perspective, position.turn)
        pieces = frozenset(position.board.items())
        assert Fraction(judge(pieces, position.turn), minimax.UNIT) == exact
        assert judge(pieces, minimax.other(position.turn)) == -judge(pieces, position.turn)


def test_taking_the_last_piece_wins_in_one_ply():
    assert best("W:W18:B14", 1) == (minimax.WIN - 1, ["18x9"])


def test_blocking_the_last_piece_wins_too():
    assert best("W:W10,9,6:B1", 1) == (minimax.WIN - 1, ["9-5"])


def test_a_quicker_win_is_worth_more_than_a_slower_one():
    assert best("W:W10,9,6:B1", 5) == (minimax.WIN - 1, ["9-5"])
    assert best("W:W14,15:B5,1", 7) == (minimax.WIN - 5, ["15-10"])


def test_captures_are_followed_beyond_the_depth():
    # after 11-15 White captures that man and the one behind it, and crowns
    assert best("B:W18,32:B11,8,1", 1, MATERIAL)[1] == ["1-5", "1-6", "11-16", "8-12"]


def test_positions_are_evaluated_for_the_root_player_whoever_is_to_move():
    corner = wiring.gene(0, 63, 10_000)
    assert best("W:W29,32:B5", 1, corner) == (minimax.UNIT, ["32-27", "32-28"])
    assert best("B:W29:B4,1", 1, corner) == (minimax.UNIT, ["1-5", "1-6"])
