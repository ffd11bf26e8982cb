from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from neche.errors import InputError
from neche.genome import dna, operators
from neche.genome.dna import (
    WEIGHT_ZERO,
    GeneFormat,
    Genes,
    as_genes,
    random_genome,
    read_genes,
    write_genes,
)
from neche.genome.operators import cross
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


def test_many_children_are_crossed_at_once_and_each_independently():
    mothers, fathers = np.zeros((6, 160), np.uint8), np.full((6, 160), 3, np.uint8)
    children = cross(mothers, fathers, np.random.default_rng(1))
    assert children.shape == (6, 160)
    assert set(children.reshape(60, 16).sum(axis=1).tolist()) == {0, 48}
    assert len({child.tobytes() for child in children}) == 6


MUTATIONS = {
    "point": lambda digits, rng: operators.point_mutation(digits, 0.1, rng),
    "translocation": operators.translocate,
    "duplication": lambda digits, rng: operators.duplicate_genes(digits, 3, 0.9, 0.05, rng),
    "creep": lambda digits, rng: operators.creep_weights(digits, 4, 2.0, rng),
    "renewal": lambda digits, rng: operators.renew_genes(digits, 0.1, rng),
}


def gene_texts(digits):
    return [dna.decode(gene) for gene in as_genes(digits)]


@pytest.mark.parametrize("mutate", MUTATIONS.values(), ids=MUTATIONS.keys())
@given(digits=genomes(min_genes=0), rng=generators())
def test_length_and_alphabet_are_kept_and_the_parent_is_untouched(mutate, digits, rng):
    before = digits.tolist()
    child = mutate(digits, rng)
    assert digits.tolist() == before
    assert child.shape == digits.shape
    assert child.dtype == np.uint8
    assert not np.shares_memory(child, digits)
    assert set(child.tolist()) <= {0, 1, 2, 3}


@pytest.mark.parametrize("mutate", MUTATIONS.values(), ids=MUTATIONS.keys())
def test_the_same_generator_state_gives_the_same_child(mutate):
    digits = dna.random_genome(20, np.random.default_rng(5))
    first, second = (mutate(digits, np.random.default_rng(6)) for _ in range(2))
    assert first.tolist() == second.tolist()


def test_point_mutation_redraws_at_its_rate_and_a_quarter_redraws_itself():
    digits = np.zeros(100_000, np.uint8)
    child = operators.point_mutation(digits, 0.1, np.random.default_rng(8))
    assert np.count_nonzero(child) == pytest.approx(7_500, abs=400)


def test_point_mutation_of_many_genomes_is_the_same_as_in_one_draw():
    """The operator draws in pieces, and the last one is shorter."""
    digits, twin = (
        np.random.default_rng(1).integers(4, size=600_001, dtype=np.uint8),
        np.random.default_rng(2),
    )
    hit = np.flatnonzero(twin.random(digits.size, dtype=np.float32) < 0.01)
    expected = digits.copy()
    expected[hit] = twin.integers(4, size=hit.size, dtype=np.uint8)
    assert np.array_equal(operators.point_mutation(digits, 0.01, np.random.default_rng(2)), expected)


@given(genomes(), generators())
def test_point_rate_zero_changes_nothing(digits, rng):
    assert operators.point_mutation(digits, 0.0, rng).tolist() == digits.tolist()


@given(genomes(min_genes=2), generators())
def test_translocation_permutes_whole_genes_and_changes_the_strand(digits, rng):
    before, after = gene_texts(digits), gene_texts(operators.translocate(digits, rng))
    assert Counter(after) == Counter(before)
    assert after != before or len(set(before)) == 1


@given(st.integers(2, 9), generators())
def test_translocation_moves_one_run(num_genes, rng):
    digits = np.repeat(np.arange(num_genes) % 4, 16).astype(np.uint8)
    digits[0::16] = np.arange(num_genes) // 4
    before, after = gene_texts(digits), gene_texts(operators.translocate(digits, rng))
    # Moving one run exchanges two neighbouring runs, which breaks at most three of the borders between genes.
    borders = set(zip([None, *before], [*before, None], strict=True))
    assert len(borders - set(zip([None, *after], [*after, None], strict=True))) in (2, 3)


def test_every_order_of_three_genes_but_the_reverse_is_one_translocation_away():
    digits = dna.encode("A" * 16 + "C" * 16 + "G" * 16)
    rng = np.random.default_rng(9)
    seen = {"".join(text[0] for text in gene_texts(operators.translocate(digits, rng))) for _ in range(200)}
    assert seen == {"CAG", "AGC", "CGA", "GAC"}


def test_the_documented_translocation_can_happen():
    digits = dna.encode("".join(letter * 16 for letter in "ACGT"))
    rng = np.random.default_rng(10)
    seen = {"".join(text[0] for text in gene_texts(operators.translocate(digits, rng))) for _ in range(400)}
    assert "CGAT" in seen


def test_a_genome_of_equal_genes_is_returned_as_it_is():
    digits = np.full(64, 2, np.uint8)
    assert operators.translocate(digits, np.random.default_rng(1)).tolist() == digits.tolist()


@given(genomes(min_genes=2), generators())
def test_a_plain_duplication_copies_one_gene_over_one_other(digits, rng):
    before = gene_texts(digits)
    after = gene_texts(operators.duplicate_genes(digits, 1, 0.0, 0.0, rng))
    changed = [index for index, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    assert len(changed) <= 1
    assert all(after[index] in before for index in changed)


def test_a_duplicate_with_new_source_keeps_sink_and_weight():
    digits = dna.encode("AAATTTGAAGCTACAA" + "C" * 16)
    for seed in range(20):
        genes = read_genes(operators.duplicate_genes(digits, 1, 1.0, 0.0, np.random.default_rng(seed)))
        assert genes.sink[0] == genes.sink[1]
        assert genes.raw[0] == genes.raw[1]


def test_new_sources_and_sinks_come_at_their_rates():
    digits = np.zeros(32_000, np.uint8)
    genes = read_genes(operators.duplicate_genes(digits, 1_000, 0.5, 0.1, np.random.default_rng(2)))
    # A place may be hit twice, and a copy may itself be copied, so the rates are only approximate.
    assert np.count_nonzero(genes.source) > 3 * np.count_nonzero(genes.sink) > 0


def test_a_single_gene_is_never_duplicated():
    digits = dna.encode("ACGT" * 4)
    assert (
        operators.duplicate_genes(digits, 3, 1.0, 1.0, np.random.default_rng(1)).tolist() == digits.tolist()
    )


@given(genomes(), st.integers(0, 20), generators())
def test_creep_touches_weights_only_and_no_more_than_asked(digits, count, rng):
    before, after = read_genes(digits), read_genes(operators.creep_weights(digits, count, 1.0, rng))
    assert after.source.tolist() == before.source.tolist()
    assert after.sink.tolist() == before.sink.tolist()
    assert np.count_nonzero(after.raw != before.raw) <= count


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=1, max_size=4), st.integers(0, 5)
)
def test_genes_with_equal_draws_creep_in_their_order_on_every_processor(draws, count):
    """The order of ties in a plain argsort depends on the vector instructions of the processor."""
    drawn: Any = SimpleNamespace(
        random=lambda shape, dtype: np.array(draws, dtype) / dtype(4),
        normal=lambda mean, deviation, size: np.arange(1, size + 1),
    )
    weights = np.full((len(draws), 5), WEIGHT_ZERO)
    genomes = write_genes(Genes(weights * 0, weights * 0, weights))
    steps = read_genes(operators.creep_weights(genomes, count, 1.0, drawn)).raw - weights
    expected = np.zeros_like(steps)
    chosen = [sorted(range(5), key=lambda gene: (row[gene], gene))[:count] for row in draws]
    for step, (row, gene) in enumerate(
        ((row, gene) for row, genes in enumerate(chosen) for gene in genes), 1
    ):
        expected[row, gene] = step
    assert np.array_equal(steps, expected)


def test_creep_steps_have_the_given_deviation_in_weight_units():
    digits = dna.encode("AAATTTGAAAAAAAAA" * 4_000)
    child = operators.creep_weights(digits, 4_000, 2.0, np.random.default_rng(3))
    steps = (read_genes(child).raw - 2**19) / 10_000
    assert steps.mean() == pytest.approx(0.0, abs=0.15)
    assert steps.std() == pytest.approx(2.0, abs=0.1)


def test_creep_stays_within_twenty_bits():
    digits = dna.encode("AAATTTTTTTTTTTTT" * 50 + "AAATTTAAAAAAAAAA" * 50)
    raw = read_genes(operators.creep_weights(digits, 100, 1_000.0, np.random.default_rng(4))).raw
    assert raw.min() == 0
    assert raw.max() == 2**20 - 1


def test_renewal_redraws_whole_genes_at_its_rate():
    digits = np.zeros(16_000, np.uint8)
    genes = as_genes(operators.renew_genes(digits, 0.2, np.random.default_rng(5)))
    assert np.count_nonzero(genes.any(axis=1)) == pytest.approx(200, abs=40)
    assert np.count_nonzero(genes) == pytest.approx(200 * 16 * 0.75, abs=500)


BROOD_MUTATIONS = {name: mutate for name, mutate in MUTATIONS.items() if name != "translocation"}


@pytest.mark.parametrize("mutate", BROOD_MUTATIONS.values(), ids=BROOD_MUTATIONS.keys())
@given(rng=generators())
def test_a_brood_keeps_its_shape_and_each_genome_is_mutated_independently(mutate, rng):
    brood = np.tile(dna.random_genome(40, np.random.default_rng(5)), (30, 1))
    before = brood.tolist()
    children = mutate(brood, rng)
    assert brood.tolist() == before
    assert children.shape == brood.shape
    assert children.dtype == np.uint8
    assert len({child.tobytes() for child in children}) > 5


@pytest.mark.parametrize(
    "mutate",
    [
        lambda brood, counts, rng: operators.duplicate_genes(brood, counts, 1.0, 0.0, rng),
        lambda brood, counts, rng: operators.creep_weights(brood, counts, 2.0, rng),
    ],
    ids=["duplication", "creep"],
)
@given(rng=generators())
def test_every_genome_of_a_brood_has_a_count_of_its_own(mutate, rng):
    brood = np.tile(dna.random_genome(40, np.random.default_rng(5)), (4, 1))
    changed = (
        (as_genes(mutate(brood, np.array([0, 1, 0, 6]), rng)) != as_genes(brood)).any(axis=2).sum(axis=1)
    )
    assert changed[0] == changed[2] == 0
    assert changed[1] <= 1
    assert 1 <= changed[3] <= 6


@pytest.mark.parametrize("id_digits", [3, 4, 5])
def test_weights_shift_by_rounded_steps_and_stay_within_their_digits(id_digits):
    gene_format, rng = GeneFormat(id_digits), np.random.default_rng(8)
    genome = random_genome(30, rng, gene_length=gene_format.length)
    steps, genes = rng.normal(0.0, 40.0, (7, 30)), read_genes(genome, gene_format)
    for child, row in zip(
        operators.shift_weights(genome, steps, gene_format=gene_format), steps, strict=True
    ):
        slow = [
            min(max(round(raw + step * 10_000), 0), 2**20 - 1)
            for raw, step in zip(genes.raw.tolist(), row.tolist(), strict=True)
        ]
        assert child.tolist() == write_genes(genes._replace(raw=np.array(slow)), gene_format).tolist()


@pytest.mark.parametrize("at_once", [1, 100, 1000])
def test_creep_is_the_same_however_many_genomes_are_drawn_for_at_once(at_once, monkeypatch):
    genomes = random_genome(50 * 31, np.random.default_rng(1)).reshape(31, -1)
    counts = np.random.default_rng(2).poisson(4, size=31)
    expected = operators.creep_weights(genomes, counts, 2.0, np.random.default_rng(3))
    monkeypatch.setattr(operators, "_DRAWS_AT_ONCE", at_once)
    assert np.array_equal(operators.creep_weights(genomes, counts, 2.0, np.random.default_rng(3)), expected)
