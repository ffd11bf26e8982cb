"""Positions with very many captures: all are found if they fit the buffer, and none is wrong if not."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from neche.compiled.jit import jit
from neche.games.catalogue import game
from neche.games.contract import register
from neche.games.draughts import board
from neche.games.draughts.captures import MOVE_WORDS, generate_captures
from neche.games.draughts.game import register_draughts
from neche.games.draughts.international import NOTATION, International
from tests.games.draughts.positions import MOST_CAPTURES
from tools.checks.compare_rules import TWINS, difference

CAPTURES = {"brazilian": 40, "international": 407}
ROOM = 10


class Cramped(NamedTuple):
    """The board of 100 squares with a move buffer that is too small."""

    own: Any
    foe: Any
    kings: Any
    turn: Any


@jit
def _wide(position):
    return International(position.own, position.foe, position.kings, position.turn)


register_draughts(Cramped, NOTATION.traits, max_moves=ROOM)
register(
    Cramped,
    position_words=lambda position: (position.own, position.foe),
    step=lambda position, squares, direction: board.step(_wide(position), squares, direction),
    all_squares=lambda position: board.all_squares(_wide(position)),
    king_row=lambda position: board.king_row(_wide(position)),
)


@jit
def _captures(position, moves):
    return generate_captures(position, moves, 0)


@pytest.mark.parametrize(("name", "count"), CAPTURES.items())
def test_all_captures_of_the_positions_with_most_captures_are_found(name, count):
    rules, twin = game(name), TWINS[name]
    place = twin.parse(MOST_CAPTURES[name])
    assert len(twin.moves(place)) == count
    assert difference(rules, place) is None
    assert rules.perft(rules.parse_fen(MOST_CAPTURES[name]), 1) == count
    assert 2 * count < rules.max_moves


def test_too_many_captures_fill_the_buffer_with_legal_ones_and_write_nothing_beyond():
    rules, fens = game("international"), [MOST_CAPTURES["international"]]
    twin = TWINS["international"]
    fens += [twin.fen(twin.random_position(seed)) for seed in range(4000)]
    num_cramped = 0
    for fen in fens:
        position = rules.parse_fen(fen)
        here = {(move.after.foe, move.after.own, move.after.kings) for move in rules.legal_moves(position)}
        moves = np.full((ROOM + 5) * MOVE_WORDS, 7, np.uint64)
        count = _captures(Cramped(*position), moves)
        rows = moves.reshape(-1, MOVE_WORDS)
        if count == 0:
            continue
        assert count == min(ROOM, rules.perft(position, 1))
        assert {tuple(row[:3]) for row in rows[:count]} <= here
        assert (rows[ROOM:] == 7).all()
        num_cramped += len(here) > ROOM
    assert num_cramped > 20
