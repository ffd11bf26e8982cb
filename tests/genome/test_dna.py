from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.errors import InputError
from neche.genome import dna
from neche.genome.dna import (
    GENE_FORMAT,
    WEIGHT_SCALE,
    WEIGHT_ZERO,
    GeneFormat,
    Genes,
    read_genes,
    write_genes,
)
from tests.genome.strategies import genomes
from tests.oracles import genome_twin


def test_letters_are_the_digits_0_to_3_in_alphabetical_order():
    assert dna.encode("ACGT").tolist() == [0, 1, 2, 3]
    assert dna.encode("ACGT").dtype == np.uint8


def test_lower_case_is_accepted():
    assert dna.encode("acgT").tolist() == [0, 1, 2, 3]


@given(st.text(alphabet=dna.NUCLEOTIDES))
def test_decoding_returns_the_text(text):
    assert dna.decode(dna.encode(text)) == text


@pytest.mark.parametrize("letter", ["U", "é", "→", " ", "\n", "0"])
def test_a_wrong_letter_is_named_with_its_position(letter):
    with pytest.raises(InputError, match=r"at position 3 is not one of A, C, G, T") as caught:
        dna.encode("AC" + letter + "GX")
    assert repr(letter) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_random_genome_uses_every_nucleotide_about_equally():
    digits = dna.random_genome(200, np.random.default_rng(7))
    assert digits.size == 3200
    assert np.bincount(digits, minlength=4) == pytest.approx([800] * 4, abs=100)


def test_the_same_generator_state_draws_the_same_genome():
    first, second = (dna.random_genome(5, np.random.default_rng(3)) for _ in range(2))
    assert first.tolist() == second.tolist()


@pytest.mark.parametrize(
    ("text", "source", "sink", "weight"),
    [("CGATGGTAGTCGGATC", 24, 58, 30.8877), ("AAATTTGAAGCTACAA", 0, 63, 1.0)],
)
def test_the_two_documented_genes_read_as_documented(text, source, sink, weight):
    genes = read_genes(dna.encode(text))
    assert (genes.source.tolist(), genes.sink.tolist()) == ([source], [sink])
    assert (genes.raw[0] - WEIGHT_ZERO) / WEIGHT_SCALE == weight


def test_a_gene_has_16_nucleotides_64_ids_and_20_bits_of_weight():
    assert (GENE_FORMAT.length, GENE_FORMAT.num_ids, GENE_FORMAT.num_raw) == (16, 64, 2**20)
    assert WEIGHT_ZERO == 2**19


@given(genomes())
def test_genes_read_as_the_slow_twin_reads_them(digits):
    genes = read_genes(digits)
    weights = [int(weight * 10_000) + 2**19 for _, _, weight in genome_twin.genes(dna.decode(digits))]
    pairs = [(source, sink) for source, sink, _ in genome_twin.genes(dna.decode(digits))]
    assert list(zip(genes.source.tolist(), genes.sink.tolist(), strict=True)) == pairs
    assert genes.raw.tolist() == weights


@given(genomes(min_genes=0))
def test_writing_what_was_read_gives_the_same_strand(digits):
    assert write_genes(read_genes(digits)).tolist() == digits.tolist()


def test_a_population_is_read_like_its_genomes():
    population = np.random.default_rng(1).integers(4, size=(3, 5, 32), dtype=np.uint8)
    genes = read_genes(population)
    assert genes.raw.shape == (3, 5, 2)
    assert genes.raw[2, 4].tolist() == read_genes(population[2, 4]).raw.tolist()


def test_another_gene_format_round_trips():
    wide = GeneFormat(id_digits=4, weight_digits=8)
    digits = dna.random_genome(6, np.random.default_rng(2))
    assert read_genes(digits, wide).source.max() > 63
    assert write_genes(read_genes(digits, wide), wide).tolist() == digits.tolist()


@pytest.mark.parametrize("id_digits", [3, 4, 5])
def test_genes_of_every_length_are_the_numbers_that_their_letters_spell(id_digits):
    gene_format = GeneFormat(id_digits)
    digits = dna.random_genome(50, np.random.default_rng(3), gene_length=gene_format.length)
    text, borders = dna.decode(digits), (0, id_digits, 2 * id_digits, gene_format.length)
    slow = [
        [genome_twin.number(text[begin + left : begin + right]) for left, right in pairwise(borders)]
        for begin in range(0, len(text), gene_format.length)
    ]
    assert np.stack(read_genes(digits, gene_format), axis=1).tolist() == slow
    assert write_genes(read_genes(digits, gene_format), gene_format).tolist() == digits.tolist()


def test_a_strand_that_is_not_whole_genes_is_refused():
    with pytest.raises(InputError, match="17 nucleotides are not whole genes of 16"):
        read_genes(np.zeros(17, np.uint8))


@pytest.mark.parametrize(
    ("genes", "part"), [((64, 0, 0), "source"), ((0, -1, 0), "sink"), ((0, 0, 2**20), "raw")]
)
def test_a_number_that_does_not_fit_its_letters_is_refused(genes, part):
    with pytest.raises(InputError, match=part):
        write_genes(Genes(*(np.array([number]) for number in genes)))
