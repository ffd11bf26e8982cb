"""Positions and moves in Hub notation: each is written, read back and correct."""

import random

import pytest

from neche.errors import InputError
from neche.games.catalogue import game
from neche.protocols.draughts_notation import read_move, read_position, write_line, write_move, write_position

GAMES = ("international", "brazilian", "checkers")


@pytest.mark.parametrize("name", GAMES)
def test_positions_and_moves_of_random_games_are_read_back(name):
    rules, draw = game(name), random.Random(name)
    for _ in range(4):
        position = rules.start()
        for _ in range(60):
            assert read_position(write_position(position, rules), rules) == position
            moves = rules.legal_moves(position)
            if not moves:
                break
            texts = [write_move(move, position, rules) for move in moves]
            assert len(set(texts)) == len(texts)
            assert [read_move(text, position, rules) for text in texts] == moves
            position = draw.choice(moves).after


def test_a_capture_names_what_it_captures_and_not_where_it_lands():
    rules = game("international")
    position = rules.parse_fen("W:W28:B13,23")
    (move,) = rules.legal_moves(position)
    assert write_move(move, position, rules) == "28x8x13x23"


def test_captured_squares_may_come_in_any_order_or_not_at_all():
    rules = game("brazilian")
    position = rules.parse_fen("W:WK32:B27,18,10")
    for move in rules.legal_moves(position):
        start, end, *captured = write_move(move, position, rules).split("x")
        assert read_move("x".join((start, end, *reversed(captured))), position, rules) == move


def test_a_capture_that_could_be_several_is_refused():
    rules = game("checkers")
    # either way round leads to the same square
    position = rules.parse_fen("W:W23:B10,11,18,19")
    texts = [write_move(move, position, rules) for move in rules.legal_moves(position)]
    assert sorted(texts) == ["23x7x10x18", "23x7x11x19"]
    with pytest.raises(InputError, match="could be 23x1"):
        read_move("23x7", position, rules)
    assert read_move("23x7x18x10", position, rules) in rules.legal_moves(position)


def test_a_line_of_play_is_written_move_by_move():
    rules = game("international")
    assert write_line(("32-28", "19-23", "28x19"), rules.start(), rules, 10) == ["32-28", "19-23", "28x19x23"]
    assert write_line(("32-28", "19-23", "28x19"), rules.start(), rules, 2) == ["32-28", "19-23"]
