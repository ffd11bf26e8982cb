"""Operators on single genomes: draw, mutate, cross, decode; and the value a network gives a position.

A genome is an array of digits 0..3 for A, C, G and T, uint8 [L]. Where something is drawn, `rng` is a NumPy
generator, or the seed of a new one.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from neche.api.board import Board
from neche.errors import InputError, check_type, check_whole, suggestion
from neche.evolution.reproduction import cross_genomes, mutate_genomes
from neche.evolution.settings import MutationSettings, convert, shown
from neche.genome.dna import NUCLEOTIDES, Digits, as_genes, encode, random_genome as _random_genome
from neche.network.decode import Network, check_perspective, decode as _decode
from neche.network.sensors import mover_value, mover_values
from neche.network.topology import ORIGINAL, Topology, parse_topology

Draws: TypeAlias = np.random.Generator | int
"""A NumPy generator, or the seed of a new one."""


def random_genome(genes: int = 200, rng: Draws = 0, *, topology: str = ORIGINAL.words) -> Digits:
    """Draw a genome whose letters are independent and equally likely.

    genes: their number; ignored for strands (topologies of three or four numbers), whose topology fixes it.

    >>> random_genome(2, rng=1).shape
    (32,)
    """
    check_whole(genes, "genes", 1)
    shape = _shape(topology)
    if shape.is_dense:
        return _random_genome(1, _generator(rng), gene_length=shape.strand_format.length)
    return _random_genome(genes, _generator(rng), gene_length=shape.gene_format.length)


def mutate(genome: Any, rng: Draws = 0, *, topology: str = ORIGINAL.words, **rates: float) -> Digits:
    """Return a mutant of a genome, by the operators and rates of the recipe `tournament`.

    rates: rates of the table `[mutation]` to change, such as point_rate=0.01.

    >>> genome = random_genome(20, rng=1)
    >>> int((mutate(genome, rng=2) != genome).sum()) > 0
    True

    Raises:
        InputError: a rate is unknown or out of range, or the genome does not fit the topology.
    """
    known = MutationSettings.__struct_fields__
    for key in rates:
        if key not in known:
            raise InputError(f"unknown rate {key!r}{suggestion(key, known)}")
    plain = {key: value.item() if isinstance(value, np.generic) else value for key, value in rates.items()}
    chosen = {key: convert(key, value, f"{key} = {shown(value)}") for key, value in plain.items()}
    settings = msgspec.structs.replace(MutationSettings(), **chosen)
    shape = _shape(topology)
    mutant: Digits = mutate_genomes(_digits(genome, shape)[None], settings, _generator(rng), shape)[0]
    return mutant


def cross(mother: Any, father: Any, rng: Draws = 0, *, topology: str = ORIGINAL.words) -> Digits:
    """Return a child of two genomes; each gene, or each neuron of strands, comes from one of them.

    Raises:
        InputError: their lengths differ, or they do not fit the topology.
    """
    shape = _shape(topology)
    parents = _digits(mother, shape), _digits(father, shape)
    if len(parents[0]) != len(parents[1]):
        raise InputError(f"parents of {len(parents[0])} and {len(parents[1])} nucleotides cannot be crossed")
    child: Digits = cross_genomes(parents[0][None], parents[1][None], _generator(rng), shape)[0]
    return child


def decode(genome: Any, *, perspective: str | None = None, topology: str = ORIGINAL.words) -> Network:
    """Return the network of a genome, given as digits or letters.

    perspective: None: antisymmetric, or mover for strands, as in the recipes.

    >>> decode("AAATTTGAAGCTACAA").sink.tolist()
    [63]

    Raises:
        InputError: it is not a genome, or perspective or topology do not fit it.
    """
    shape = _shape(topology)
    # As in the recipes, unlike `read_network`, which reads old files as `own`.
    usual = "mover" if shape.is_dense else "antisymmetric"
    chosen = check_perspective(perspective or usual)
    return _decode(_digits(genome, shape), perspective=chosen, topology=shape)


def evaluate(network: Network, board: Board) -> float:
    """Return a network's value of a position for the side to move, in weight units, without search.

    >>> evaluate(decode("AAATTTGAAGCTACAA"), Board("checkers"))
    0.0

    Raises:
        InputError: the network does not fit the board.
    """
    check_type(network, Network, "a Network")
    check_type(board, Board, "a Board")
    # Adding 0 turns −0.0 into 0.0.
    return mover_value(network, board.game, board.position) + 0.0


def evaluate_all(network: Network, boards: Iterable[Board]) -> NDArray[np.float64]:
    """Return a network's values of positions of one game: [N], each as from `evaluate`, in far less time.

    Raises:
        InputError: the boards are of several games, or the network does not fit them.
    """
    check_type(network, Network, "a Network")
    check_type(boards, Iterable, "a list of Boards")
    found = list(boards)
    for board in found:
        check_type(board, Board, "a Board")
    if len(games := dict.fromkeys(board.game.name for board in found)) > 1:
        raise InputError(f"boards of one game are needed, not of {' and '.join(games)}")
    positions = [board.position for board in found]
    return mover_values(network, found[0].game, positions) + 0.0 if found else np.zeros(0)


def _generator(rng: Draws) -> np.random.Generator:
    if isinstance(rng, np.random.Generator):
        return rng
    check_whole(rng, "rng", 0)
    return np.random.default_rng(rng)


def _shape(topology: str) -> Topology:
    # Checked here: for a list, the cache of `parse_topology` would raise an error that does not help.
    check_type(topology, str, "a topology in words")
    return parse_topology(topology)


def _digits(genome: Any, topology: Topology) -> Digits:
    """Return a genome as digits, checked."""
    given = encode(genome) if isinstance(genome, str) else genome
    try:
        digits: np.ndarray[Any, Any] = np.zeros(0) if np.ma.is_masked(given) else np.asarray(given)
    except ValueError:  # rows of several lengths
        digits = np.zeros(0)
    is_genome = digits.ndim == 1 and digits.size > 0 and digits.dtype.kind in "iu"
    if not is_genome or digits.min() < 0 or digits.max() >= len(NUCLEOTIDES):
        raise InputError("a genome is needed: letters, or whole numbers 0 … 3 in one row")
    if not topology.is_dense:
        as_genes(digits, topology.gene_format)  # raises if the genome is not a whole number of genes
    return digits.astype(np.uint8)
