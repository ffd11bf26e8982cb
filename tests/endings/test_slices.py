import pytest

from neche.endings.slices import (
    BoardSize,
    Slice,
    _all_slices,
    board_of,
    first_positions,
    pair_of,
    slices_of,
    stages,
)
from neche.errors import InputError
from neche.games.catalogue import game

# Positions of 1 to 10 pieces in checkers. Source: the Chinook project's endgame databases; OEIS A055213.
PUBLISHED = (
    *(120, 6_972, 261_224, 7_092_774, 148_688_232, 2_503_611_964),
    *(34_779_531_480, 406_309_208_481, 4_048_627_642_976, 34_778_882_769_216),
)


def test_checkers_has_as_many_positions_as_were_published():
    board = board_of(game("checkers"))
    counts = [sum(map(board.num_positions, _all_slices(pieces))) for pieces in range(1, 11)]
    assert tuple(counts) == PUBLISHED


@pytest.mark.parametrize(
    ("name", "size"), [("checkers", (32, 4)), ("brazilian", (32, 4)), ("international", (50, 5))]
)
def test_boards_are_those_of_the_games(name, size):
    assert board_of(game(name)) == BoardSize(*size)


@pytest.mark.parametrize(
    ("of", "positions"), [((0, 2, 0, 1), 14_880), ((0, 2, 0, 2), 215_760), ((0, 3, 0, 2), 2_013_760)]
)
def test_kings_alone_have_as_many_positions_as_were_published(of, positions):
    # Source: M. VandeWettering, Checker endgames with only kings, 2007.
    assert board_of(game("checkers")).num_positions(Slice(*of)) == positions


def test_othello_has_no_such_endings():
    with pytest.raises(InputError, match="endings of othello cannot be solved"):
        board_of(game("othello"))


def test_every_slice_is_in_one_stage_after_those_it_leads_to():
    seen: set[Slice] = set()
    for stage in stages(5):
        found = {one for of in stage for one in pair_of(of)}
        assert not found & seen
        for of in found:
            # a capture removes an enemy piece, a promotion changes a man; either side may have moved
            for own_men, own_kings, foe_men, foe_kings in (of, of.mirrored):
                after = [
                    (own_men, own_kings, foe_men - 1, foe_kings),
                    (own_men, own_kings, foe_men, foe_kings - 1),
                    (own_men - 1, own_kings + 1, foe_men, foe_kings),
                ]
                for one in (Slice(*next_one) for next_one in after if min(next_one) >= 0):
                    if one.own_men + one.own_kings and one.foe_men + one.foe_kings:
                        assert {one, one.mirrored} <= seen
        seen |= found
    assert sorted(seen) == sorted(slices_of(5))
    assert len(seen) == 85


def test_slices_follow_each_other_and_each_begins_at_a_whole_byte():
    board = board_of(game("checkers"))
    first, end = first_positions(board, 4)
    ends = 0
    for of in sorted(slices_of(4), key=lambda of: first[of]):
        assert first[of] % 4 == 0
        assert ends <= first[of] < ends + 4
        ends = first[of] + board.num_positions(of)
    assert ends <= end < ends + 4
