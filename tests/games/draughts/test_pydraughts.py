"""pydraughts, an independent program, lists the same legal moves."""

import itertools

import pytest
from draughts.core.game import Game

from neche.games.catalogue import game
from tools.checks.compare_rules import TWINS, positions

POSITIONS_PER_GAME = 2100


def moves_of_pydraughts(name, position):
    """List (from, to, captured squares). pydraughts numbers its string of squares as we do, not its FEN."""
    twin = TWINS[name]
    squares = "".join(position.board.get(place, "e") for place in twin.place.values())
    moves, captures = Game(name, position.turn + squares).legal_moves()
    return {
        (move[0][0], move[-1][1], frozenset(taken) - {None})
        for move, taken in zip(moves, captures, strict=True)
    }


def moves_of_neche(name, position):
    rules, twin = game(name), TWINS[name]
    foes = {place for place, letter in position.board.items() if letter.upper() != position.turn}
    moves = set()
    for move in rules.legal_moves(rules.parse_fen(twin.fen(position))):
        squares = [int(square) for square in move.text.replace("-", "x").split("x")]
        after = twin.parse(rules.format_fen(move.after))
        left = {place for place, letter in after.board.items() if letter.upper() != position.turn}
        taken = frozenset(twin.number[place] for place in foes - left)
        moves.add((squares[0], squares[-1], taken))
    return moves


@pytest.mark.parametrize("name", ["brazilian", "international"])
def test_pydraughts_lists_the_same_moves_on_random_positions(name):
    for position in itertools.islice(positions(100, TWINS[name]), POSITIONS_PER_GAME):
        assert moves_of_neche(name, position) == moves_of_pydraughts(name, position)
