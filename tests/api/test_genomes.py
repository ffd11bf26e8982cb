"""Single genomes: drawn, mutated, crossed, decoded, and the values of their networks."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import neche
from neche.evolution.settings import MutationSettings

STRANDS = "128-4-1"


@given(st.integers(0, 2**32), st.integers(1, 40))
@settings(max_examples=30, deadline=None)
def test_equal_seeds_draw_equal_genomes_and_operators_keep_their_length(seed, genes):
    mother, father = neche.random_genome(genes, seed), neche.random_genome(genes, seed + 1)
    assert (mother == neche.random_genome(genes, np.random.default_rng(seed))).all()
    child = neche.cross(mother, father, seed)
    assert child.shape == mother.shape == (16 * genes,)
    parts = child.reshape(-1, 16)
    is_either = (parts == mother.reshape(-1, 16)).all(1) | (parts == father.reshape(-1, 16)).all(1)
    assert is_either.all()
    mutant = neche.mutate(child, seed)
    assert mutant.shape == child.shape
    assert (mutant == neche.mutate(child, seed)).all()


@pytest.mark.parametrize("topology", ["32-12-12-7-1", STRANDS])
def test_without_any_rate_a_mutant_is_its_parent(topology):
    genome = neche.random_genome(30, 1, topology=topology)
    none = {key: 0.0 for key in MutationSettings.__struct_fields__ if key.endswith(("_rate", "_mean"))}
    assert (neche.mutate(genome, 2, topology=topology, **none) == genome).all()
    assert (neche.mutate(genome, 2, topology=topology, point_rate=0.5) != genome).mean() > 0.2


def test_letters_and_digits_decode_alike():
    letters = "AAATTTGAAGCTACAA"
    assert (
        neche.decode(letters).digest == neche.decode([0, 0, 0, 3, 3, 3, 2, 0, 0, 2, 1, 3, 0, 1, 0, 0]).digest
    )
    assert neche.decode(letters, perspective="own").digest == neche.read_network(letters).digest
    strands = neche.random_genome(rng=1, topology=STRANDS)
    assert neche.decode(strands, topology=STRANDS).perspective == "mover"


@pytest.mark.parametrize(("name", "champion"), [("checkers", "champion-1"), ("checkers", "memetic-1")])
def test_what_a_network_says_is_what_the_search_ends_with(name, champion):
    """To depth 1 a quiet move is worth the negated evaluation of the position after it."""
    network, board = neche.read_network(champion), neche.Board(name)
    compared = 0
    for text in ("11-15", "23-19", "8-11", "22-17", "9-13"):
        for move, value in neche.analyse(board, neche.player(network, depth=1)).values.items():
            after = board.play(move)
            if "x" not in after.moves[0]:
                assert -neche.evaluate(network, after) == pytest.approx(value, abs=2e-3)
                compared += 1
        board.push(text)
    assert compared > 20


@pytest.mark.parametrize(
    "champion", ["champion-1", "memetic-7", "brazilian-4", "international-1", "international-4", "othello-4"]
)
def test_many_positions_have_the_values_that_each_has_alone(champion):
    network, boards, rng = neche.read_network(champion), [], np.random.default_rng(7)
    for _ in range(8):
        boards.append(neche.Board("checkers" if champion in ("champion-1", "memetic-7") else champion[:-2]))
        for _ in range(rng.integers(1, 40)):
            if moves := boards[-1].moves:
                boards[-1].push(moves[rng.integers(len(moves))])
    assert len({board.turn for board in boards}) == 2
    values = neche.evaluate_all(network, (board for board in boards))
    assert values.shape == (8,)
    assert values.tolist() == pytest.approx([neche.evaluate(network, board) for board in boards])
    assert neche.evaluate_all(network, []).shape == (0,)


def test_a_rate_may_be_a_number_of_numpy():
    genome, rate = neche.random_genome(20), np.float32(0.5)
    mutant = neche.mutate(genome, point_rate=rate)  # type: ignore[arg-type]
    assert (mutant == neche.mutate(genome, point_rate=0.5)).all()


def test_faults_are_one_line():
    genome: Any = neche.random_genome(2)
    counts: Any = [32, 7, 16, 8, 1]
    few: Any = "a"
    five: Any = 5
    alone: Any = neche.Board()
    for call, fault in (
        (lambda: neche.random_genome(0), "genes = 0"),
        (lambda: neche.random_genome(2, -1), "rng = -1"),
        (lambda: neche.mutate(genome, point_rat=1), "unknown rate 'point_rat' .did you mean point_rate"),
        (lambda: neche.mutate(genome, point_rate=2), "point_rate = 2: must be a number from 0"),
        (lambda: neche.cross(genome, genome[:16]), "parents of 32 and 16 nucleotides"),
        (lambda: neche.decode(genome[:10]), "10 nucleotides are not whole genes of 16"),
        (lambda: neche.decode(genome + 4), "a genome is needed"),
        (lambda: neche.decode(None), "a genome is needed"),
        (lambda: neche.decode([[0], [1, 2]]), "a genome is needed"),
        (lambda: neche.decode(np.ma.masked_equal(genome, 1)), "a genome is needed"),
        (lambda: neche.to_graph(neche.decode(genome), most=few), "most = 'a': a whole number of at least 0"),
        (
            lambda: neche.to_graph(neche.decode(genome), layout=five),
            "the layout of a board is needed, not int",
        ),
        (lambda: neche.decode("AAB"), "'B' at position 3"),
        (lambda: neche.decode(genome, topology="9"), "topology"),
        (lambda: neche.decode(genome, topology=counts), "a topology in words is needed, not list"),
        (lambda: neche.evaluate(genome, neche.Board()), "a Network is needed"),
        (lambda: neche.evaluate(neche.decode(genome), neche.Board("othello")), "does not see the board"),
        (lambda: neche.evaluate_all(genome, []), "a Network is needed"),
        (lambda: neche.evaluate_all(neche.decode(genome), alone), "a list of Boards is needed"),
        (lambda: neche.evaluate_all(neche.decode(genome), [neche.Board(), five]), "a Board is needed"),
        (
            lambda: neche.evaluate_all(neche.decode(genome), map(neche.Board, ("checkers", "othello"))),
            "boards of one game are needed, not of checkers and othello",
        ),
    ):
        with pytest.raises(neche.InputError, match=fault):
            call()
