"""Every game keeps the contract that search and playouts rely on, compiled as they use it."""

from itertools import pairwise

import numpy as np
import pytest

from neche.compiled.jit import jit
from neche.games import contract
from neche.games.catalogue import game
from tests.games.random_games import as_integers, finished, games, positions
from tests.games.toys.loading import EVERY_GAME


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


@jit
def is_progress(before, after, man_moves_count):
    return contract.is_progress(before, after, man_moves_count)


@jit
def count_leaves(position, depth, moves, base, finished):
    count = contract.generate(position, moves, base)
    if count == 0 or depth == 1:
        return count if count > 0 else finished
    words, total = contract.move_words(position), 0
    below = base + contract.max_moves(position) * words
    for number in range(count):
        after = contract.successor(position, moves, base + number * words)
        total += count_leaves(after, depth - 1, moves, below, finished)
    return total


def is_quiet(position):
    return facts(position)[0]


def can_move_quietly(position):
    return facts(position)[1]


def buffer(name):
    return game(name).move_buffer()


@pytest.mark.parametrize("name", EVERY_GAME)
def test_generated_moves_are_the_legal_ones(name):
    moves = buffer(name)
    for position in positions(name):
        count = generate_all(position, moves)
        after = [as_integers(play(position, moves, number)) for number in range(count)]
        assert after == [as_integers(move.after) for move in game(name).legal_moves(position)]


@pytest.mark.parametrize("name", EVERY_GAME)
def test_captures_are_legal_moves_and_there_are_none_in_a_quiet_position(name):
    moves = buffer(name)
    for position in positions(name):
        count = generate_captures(position, moves)
        after = {as_integers(play(position, moves, number)) for number in range(count)}
        assert after <= {as_integers(move.after) for move in game(name).legal_moves(position)}
        assert is_quiet(position) == (count == 0)


@pytest.mark.parametrize("name", EVERY_GAME)
def test_a_quiet_position_without_a_quiet_move_is_a_finished_game(name):
    for position in positions(name):
        if is_quiet(position):
            assert can_move_quietly(position) == bool(game(name).legal_moves(position))


@pytest.mark.parametrize("name", EVERY_GAME)
def test_compiled_code_and_the_catalogue_give_the_same_outcome(name):
    for position in finished(name):
        assert outcome(position) == game(name).outcome(position)
        assert outcome(position) in (-1, 0, 1)


@pytest.mark.parametrize("name", EVERY_GAME)
def test_a_finished_game_has_no_captures_and_cannot_go_on(name):
    moves = buffer(name)
    for position in finished(name):
        assert generate_all(position, moves) == generate_captures(position, moves) == 0
        assert is_quiet(position)
        assert not can_move_quietly(position)


@pytest.mark.parametrize("name", EVERY_GAME)
def test_no_position_from_before_progress_occurs_again(name):
    num_resets = 0
    for line in games(name):
        before_progress, since = set(), [as_integers(line[0])]
        for before, after in pairwise(line):
            resets = is_progress(before, after, True)
            assert resets or not is_progress(before, after, False)
            if resets:
                before_progress.update(since)
                since, num_resets = [], num_resets + 1
            since.append(as_integers(after))
            assert since[-1] not in before_progress
    assert num_resets


@pytest.mark.parametrize("name", EVERY_GAME)
def test_the_sides_take_turns_and_are_named(name):
    rules = game(name)
    for position in positions(name):
        side = facts(position)[2]
        assert rules.side_to_move(position) == rules.sides[side]
        for move in rules.legal_moves(position):
            assert facts(move.after)[2] == 1 - side


@pytest.mark.parametrize("name", EVERY_GAME)
def test_the_catalogue_and_compiled_code_agree_on_the_size_of_the_buffer(name):
    assert facts(game(name).start())[3:] == (game(name).max_moves, game(name).move_words)


@pytest.mark.parametrize("name", EVERY_GAME)
def test_different_positions_have_different_words(name):
    all_words: dict[tuple[int, ...], tuple[int, ...]] = {}
    for position in positions(name):
        key = as_integers(words(position))
        assert all_words.setdefault(key, as_integers(position)) == as_integers(position)
        assert len(key) in (2, 3)
        assert key[-1] < 2**33
    assert len(all_words) == len({as_integers(position) for position in positions(name)})


@pytest.mark.parametrize("name", EVERY_GAME)
def test_perft_is_the_number_of_leaves_that_moves_lead_to(name):
    rules = game(name)
    # a finished game is no leaf or, by the convention of Othello, one leaf at every depth
    (counted,) = {rules.perft(end, depth) for end in finished(name) for depth in (1, 2, 5)}
    assert counted in (0, 1)
    moves = np.concatenate([rules.move_buffer()] * 4)
    for position in [*positions(name)[::40], *(line[-3] for line in games(name))]:
        assert rules.perft(position, 0) == 1
        for depth in (1, 2, 3):
            assert rules.perft(position, depth) == count_leaves(position, depth, moves, 0, counted)


@pytest.mark.parametrize("name", EVERY_GAME)
def test_move_texts_are_unique_and_fen_is_exact(name):
    rules = game(name)
    for position in positions(name):
        texts = [move.text for move in rules.legal_moves(position)]
        assert len(set(texts)) == len(texts)
        assert as_integers(rules.parse_fen(rules.format_fen(position))) == as_integers(position)


def test_a_value_that_is_not_a_position_is_refused():
    with pytest.raises(TypeError, match="int is not a position of a registered game"):
        contract.generate(5, None, 0)
