"""A game in one small file is played, searched, played out and counted by code that needs only rules."""

from fractions import Fraction
from math import sqrt

import pytest

from neche.compiled.streams import stream
from neche.errors import InputError
from neche.montecarlo.playouts_cpu import count_playouts
from neche.network.decode import blind_network
from neche.players.alpha_beta import search_position
from neche.players.engine import choose_move
from neche.players.spec import parse_player
from tests.games.toys.loading import STONES, TICTACTOE, load

TOY, NIM = load(TICTACTOE), load(STONES)
# Numbers of games by length. Source: Henry Bottomley, How many Tic-Tac-Toe games are possible?, 2001.
ENDED = {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}
# chances of X, of a draw and of O when all moves are random, from the whole tree in exact fractions
CHANCES = Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420)


def after(*texts, rules=TOY):
    position = rules.start()
    for text in texts:
        position = next(move.after for move in rules.legal_moves(position) if move.text == text)
    return position


def chances(position):
    """Return the chances of the side to move, of a draw, and of the other side, from the whole tree."""
    moves = TOY.legal_moves(position)
    if not moves:
        return {-1: (0, 0, 1), 0: (0, 1, 0)}[TOY.outcome(position)]
    below = [chances(move.after) for move in moves]
    return tuple(Fraction(sum(column), len(moves)) for column in list(zip(*below, strict=True))[::-1])


def test_perft_of_tictactoe_follows_from_the_published_numbers_of_games():
    leaves = [TOY.perft(TOY.start(), depth) for depth in range(10)]
    assert leaves[:6] == [1, 9, 72, 504, 3024, 15120]
    for plies in (5, 6, 7, 8):
        assert leaves[plies] - leaves[plies + 1] // (9 - plies) == ENDED[plies]
    assert leaves[9] == ENDED[9]
    assert sum(ENDED.values()) == 255168


def test_perfect_play_of_tictactoe_is_a_draw_whatever_the_first_move():
    found = search_position(TOY, TOY.start(), blind_network(), depth=9, every_value=True)
    assert set(found.values.values()) == {0.0}
    # but the centre is the only answer to a corner
    answer = search_position(TOY, after("a1"), blind_network(), depth=8)
    assert answer.best_moves == ("b2",)


@pytest.mark.parametrize("stones", range(1, 22))
def test_stones_are_won_by_leaving_a_multiple_of_four(stones):
    position = NIM.parse_fen(f"{stones},0")
    found = search_position(NIM, position, blind_network(), depth=21)
    if stones % 4:
        assert found.value > 0
        assert found.best_moves == (str(stones % 4),)
    else:
        assert found.value < 0


def test_playouts_of_tictactoe_have_the_exact_chances():
    assert chances(after("b2", "a1")) == tuple(chances(after("b2", "c3")))
    games = 400_000
    counts = count_playouts(TOY, [TOY.start()], [games], [7])
    for count, chance in zip((counts.wins, counts.draws, counts.losses), CHANCES, strict=True):
        assert abs(count[0] - games * chance) < 4 * sqrt(games * chance * (1 - chance))


def test_playouts_from_a_later_position_have_the_exact_chances():
    position = after("b2", "a1", "c1")
    counts = count_playouts(TOY, [position], [100_000], [1])
    expected = [float(chance) for chance in chances(position)]
    assert [column[0] / 100_000 for column in (counts.wins, counts.draws, counts.losses)] == pytest.approx(
        expected, abs=0.007
    )


@pytest.mark.parametrize(
    "spec", ["mcrd:playouts=2000", "uct:playouts=500", "blind:depth=3", "positional:depth=3"]
)
def test_every_kind_of_player_completes_a_row_and_blocks_one(spec):
    player, draw = parse_player(spec, TOY.name), stream(1, 0, "toys")
    assert choose_move(player, TOY, after("a1", "b1", "a2", "b2"), draw).move.text == "a3"
    assert choose_move(player, TOY, after("b2", "a1", "b3"), draw).move.text == "b1"


def test_an_evaluator_of_the_game_adds_up_its_squares():
    player = parse_player("positional:depth=1", TOY.name)
    assert player.evaluating_network is not None
    found = search_position(TOY, after("b2"), player.evaluating_network, depth=1, every_value=True)
    corners, edges = ("a1", "c1", "a3", "c3"), ("b1", "a2", "c2", "b3")
    assert {found.values[text] for text in corners} == {-1.0}
    assert {found.values[text] for text in edges} == {-2.0}


def test_functions_that_a_game_leaves_out_have_defaults():
    position = NIM.start()
    assert NIM.format_fen(position) == "21,0"
    assert NIM.parse_fen("21,0") == position
    assert NIM.diagram(position) == "left 21  turn 0"
    assert [move.text for move in NIM.legal_moves(position)] == ["1", "2", "3"]
    assert NIM.outcome(NIM.parse_fen("0,1")) == -1


@pytest.mark.parametrize(
    ("fen", "fault"), [("21,2", "the turn is 2, not 0 or 1"), ("9" * 5000 + ",0", "a number is too large")]
)
def test_a_fen_of_no_position_is_refused(fen, fault):
    with pytest.raises(InputError, match=fault):
        NIM.parse_fen(fen)
