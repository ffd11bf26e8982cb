"""Every game keeps the contract that search and playouts rely on, compiled as they use it."""

from functools import cache

import pytest

from neche.compiled.jit import jit
from neche.compiled.streams import stream
from neche.games import contract
from neche.games.catalogue import GAMES, game


@jit
def generate_all(position, moves):
    return contract.generate(position, moves, 0)


@jit
def generate_captures(position, moves):
    return contract.generate_captures(position, moves, 0)


@jit
def play(position, moves, number):
    return contract.successor(position, moves, number * contract.move_words(position))


@jit
def facts(position):
    return (
        contract.is_quiet(position),
        contract.can_move_quietly(position),
        contract.side_to_move(position),
        contract.max_moves(position),
        contract.move_words(position),
    )


@jit
def outcome(position):
    return contract.outcome(position)


@jit
def words(position):
    return contract.position_words(position)


def is_quiet(position):
    return facts(position)[0]


def can_move_quietly(position):
    return facts(position)[1]


@cache
def positions(name):
    """Collect the positions of some random games of at most 150 plies."""
    rules = game(name)
    reached = []
    for index in range(12):
        draw = stream(1, 0, "contract test", index)
        position = rules.start()
        for _ in range(150):
            reached.append(position)
            moves = rules.legal_moves(position)
            if not moves:
                break
            position = moves[draw.integers(len(moves))].after
    return reached


def buffer(name):
    return game(name).move_buffer()


def as_integers(position):
    return tuple(map(int, position))


@pytest.mark.parametrize("name", GAMES)
def test_generated_moves_are_the_legal_ones(name):
    moves = buffer(name)
    for position in positions(name):
        count = generate_all(position, moves)
        after = [as_integers(play(position, moves, number)) for number in range(count)]
        assert after == [as_integers(move.after) for move in game(name).legal_moves(position)]


@pytest.mark.parametrize("name", GAMES)
def test_captures_are_legal_moves_and_there_are_none_in_a_quiet_position(name):
    moves = buffer(name)
    for position in positions(name):
        count = generate_captures(position, moves)
        after = {as_integers(play(position, moves, number)) for number in range(count)}
        assert after <= {as_integers(move.after) for move in game(name).legal_moves(position)}
        assert is_quiet(position) == (count == 0)


@pytest.mark.parametrize("name", GAMES)
def test_a_quiet_position_without_a_quiet_move_is_the_end(name):
    for position in positions(name):
        if is_quiet(position):
            assert can_move_quietly(position) == bool(game(name).legal_moves(position))


@pytest.mark.parametrize("name", GAMES)
def test_a_finished_game_has_the_outcome_that_the_catalogue_says(name):
    rules = game(name)
    for position in positions(name):
        if not rules.legal_moves(position):
            assert outcome(position) == rules.outcome(position)
            assert outcome(position) in (-1, 0, 1)


@pytest.mark.parametrize("name", GAMES)
def test_the_sides_take_turns_and_are_named(name):
    rules = game(name)
    for position in positions(name):
        side = facts(position)[2]
        assert rules.side_to_move(position) == rules.sides[side]
        for move in rules.legal_moves(position):
            assert facts(move.after)[2] == 1 - side


@pytest.mark.parametrize("name", GAMES)
def test_the_catalogue_and_compiled_code_agree_on_the_size_of_the_buffer(name):
    assert facts(game(name).start())[3:] == (game(name).max_moves, game(name).move_words)


@pytest.mark.parametrize("name", GAMES)
def test_different_positions_have_different_words(name):
    all_words: dict[tuple[int, ...], tuple[int, ...]] = {}
    for position in positions(name):
        key = as_integers(words(position))
        assert all_words.setdefault(key, as_integers(position)) == as_integers(position)
        assert len(key) in (2, 3)
        assert key[-1] < 2**33
    assert len(all_words) == len({as_integers(position) for position in positions(name)})


@pytest.mark.parametrize("name", GAMES)
def test_perft_adds_up(name):
    rules = game(name)
    for position in positions(name)[::7]:
        children = [move.after for move in rules.legal_moves(position)]
        if not children:
            # a game that is over is no leaf, or, by the convention of Othello, one at every depth
            assert rules.perft(position, 1) == rules.perft(position, 3)
            assert rules.perft(position, 1) in (0, 1)
            continue
        assert rules.perft(position, 1) == len(children)
        assert rules.perft(position, 3) == sum(rules.perft(child, 2) for child in children)


@pytest.mark.parametrize("name", GAMES)
def test_move_texts_are_unique_and_fen_is_exact(name):
    rules = game(name)
    for position in positions(name):
        texts = [move.text for move in rules.legal_moves(position)]
        assert len(set(texts)) == len(texts)
        assert as_integers(rules.parse_fen(rules.format_fen(position))) == as_integers(position)


def test_a_value_that_is_no_position_is_refused():
    with pytest.raises(TypeError, match="int is no position of a registered game"):
        contract.generate(5, None, 0)
