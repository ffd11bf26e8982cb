"""No side is favoured: with the sides exchanged, a position is worth the same to whoever is to move."""

from math import sqrt

import pytest

from neche.games.catalogue import game
from neche.montecarlo.playouts_cpu import count_playouts
from neche.network.decode import blind_network
from neche.players.alpha_beta import search_position
from tests.games.mirrors import MIRRORS
from tests.games.random_games import as_integers, games, positions
from tests.games.toys.loading import EVERY_GAME


@pytest.mark.parametrize("name", EVERY_GAME)
def test_exchanged_sides_have_the_same_moves_and_outcomes(name):
    rules, mirror = game(name), MIRRORS[name]
    for position in positions(name)[::11]:
        other = mirror(position)
        assert as_integers(mirror(other)) == as_integers(position)
        assert rules.side_to_move(other) != rules.side_to_move(position)
        moves, others = rules.legal_moves(position), rules.legal_moves(other)
        # captures that differ in their way alone may be told apart by other words
        after = {as_integers(mirror(move.after)) for move in moves}
        assert after == {as_integers(move.after) for move in others}
        assert len(moves) == len(others)
        assert rules.perft(position, 3) == rules.perft(other, 3)
        if not moves:
            assert rules.outcome(position) == rules.outcome(other)


@pytest.mark.parametrize("name", EVERY_GAME)
def test_exchanged_sides_have_the_same_value_in_a_search(name):
    for line in games(name)[:3]:
        values = [
            search_position(game(name), position, blind_network(), depth=4).value
            for position in (line[-4], MIRRORS[name](line[-4]))
        ]
        assert values[0] == values[1]


@pytest.mark.parametrize("name", EVERY_GAME)
def test_exchanged_sides_have_the_same_chances_in_playouts(name):
    count = 4000
    position = games(name)[0][len(games(name)[0]) // 2]
    pair = [position, MIRRORS[name](position)]
    counts = count_playouts(game(name), pair, [count, count], [1, 2])
    for column in (counts.wins, counts.draws, counts.losses):
        chance = column.sum() / (2 * count)
        assert abs(column[0] - column[1]) <= 4.5 * sqrt(2 * count * chance * (1 - chance))
