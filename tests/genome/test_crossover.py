import numpy as np
import pytest
from hypothesis import given

from neche.errors import InputError
from neche.genome import dna
from neche.genome.crossover import cross
from neche.genome.gene import as_genes
from tests.genome.strategies import generators, genomes


@given(genomes(min_genes=6, max_genes=6), genomes(min_genes=6, max_genes=6), generators())
def test_each_gene_comes_whole_from_either_parent_at_its_place(mother, father, rng):
    child = cross(mother, father, rng)
    for gene, maternal, paternal in zip(*map(as_genes, (child, mother, father)), strict=True):
        assert gene.tolist() in (maternal.tolist(), paternal.tolist())


def test_both_parents_give_about_half_of_the_genes():
    mother, father = np.zeros(16_000, np.uint8), np.full(16_000, 3, np.uint8)
    child = cross(mother, father, np.random.default_rng(4))
    assert as_genes(child)[:, 0].sum() / 3 == pytest.approx(500, abs=60)


@given(genomes(), generators())
def test_a_parent_crossed_with_itself_gives_itself(parent, rng):
    assert cross(parent, parent, rng).tolist() == parent.tolist()


def test_the_parents_stay_as_they_are():
    mother, father = dna.encode("A" * 32), dna.encode("T" * 32)
    cross(mother, father, np.random.default_rng(1))[:] = 2
    assert dna.decode(mother) + dna.decode(father) == "A" * 32 + "T" * 32


def test_parents_of_different_length_are_refused():
    with pytest.raises(InputError, match="16 and 32 nucleotides"):
        cross(np.zeros(16, np.uint8), np.zeros(32, np.uint8), np.random.default_rng(1))


def test_many_children_are_crossed_at_once_each_for_itself():
    mothers, fathers = np.zeros((6, 160), np.uint8), np.full((6, 160), 3, np.uint8)
    children = cross(mothers, fathers, np.random.default_rng(1))
    assert children.shape == (6, 160)
    assert set(children.reshape(60, 16).sum(axis=1).tolist()) == {0, 48}
    assert len({child.tobytes() for child in children}) == 6
