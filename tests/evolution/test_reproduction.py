from dataclasses import replace

import msgspec
import numpy as np
import pytest

from neche.compiled.streams import stream
from neche.evolution.reproduction import (
    breed,
    draw_parents,
    mutate_genomes,
    next_members,
    parent_cut,
    parent_weights,
)
from neche.genome.dna import encode, random_genome
from neche.genome.operators import cross_couples
from neche.network.decode import is_viable
from tests.evolution.builders import MUTATIONS, NO_MUTATION, ranked_generation, tiny_settings

SILENT_GENE, OUTPUT_GENE = encode("AAAAAAAAAAAAAAAA"), encode("AAATTTGAAGCTACAA")


def test_elites_come_first_unchanged_and_keep_their_ids():
    settings = tiny_settings("elites=3")
    parents = ranked_generation(settings)
    members = next_members(settings, 1, parents)
    assert members[:3] == parents.members[:3]
    assert len(members) == 12


def test_children_are_numbered_within_their_generation_of_birth():
    settings = tiny_settings("elites=2")
    members = next_members(settings, 1, ranked_generation(settings, number=11))
    assert [member.id for member in members[2:]] == [f"g12-{index:04d}" for index in range(10)]


def test_all_parents_belong_to_the_best_share():
    settings = tiny_settings("parent_share=0.25")
    parents = ranked_generation(settings)
    best = {member.id for member in parents.members[:3]}
    for member in next_members(settings, 1, parents)[2:]:
        assert len(member.parents) == 2
        assert set(member.parents) <= best


def test_the_same_seed_gives_the_same_children_and_another_seed_others():
    settings = tiny_settings()
    parents = ranked_generation(settings)
    once, again, other = (next_members(settings, seed, parents) for seed in (1, 1, 2))
    assert all(np.array_equal(a.genome, b.genome) for a, b in zip(once, again, strict=True))
    assert not all(np.array_equal(a.genome, b.genome) for a, b in zip(once, other, strict=True))


def attempts(attempt):
    return stream(1, 0, "test", attempt)


def test_without_mutation_each_gene_comes_from_either_parent():
    strands = np.stack([random_genome(200, stream(index, 0, "strand")) for index in range(2)])
    couples, children = breed(strands, np.ones(2), NO_MUTATION, num_children=20, attempts=attempts)
    for (mother, father), child in zip(couples, children, strict=True):
        genes, maternal, paternal = (
            strand.reshape(200, 16) for strand in (child, strands[mother], strands[father])
        )
        from_mother = (genes == maternal).all(axis=1)
        assert (from_mother | (genes == paternal).all(axis=1)).all()
        assert mother == father or 60 < from_mother.sum() < 140


def test_a_child_of_one_parent_is_that_parent_mutated():
    strands = np.stack([random_genome(200, stream(index, 0, "strand")) for index in range(3)])
    couples, children = breed(
        strands, np.ones(3), NO_MUTATION, num_children=20, parents_per_child=1, attempts=attempts
    )
    assert np.array_equal(couples[:, 0], couples[:, 1])
    assert np.array_equal(children, strands[couples[:, 0]])


@pytest.mark.parametrize("num_genes", [1, 7, 200])
def test_children_crossed_a_few_at_a_time_are_those_of_one_go(num_genes):
    # Of some 600 children, in pieces of 256: the random numbers are the same.
    strands = [random_genome(num_genes, stream(index, 0, "strand")) for index in range(9)]
    couples = stream(1, 0, "couples").integers(9, size=(611, 2))
    found = cross_couples(strands, couples, stream(1, 0, "cross"))
    of_mother = stream(1, 0, "cross").integers(2, size=(611, num_genes, 1), dtype=np.uint8)
    genes = np.stack(strands).reshape(9, num_genes, 16)
    expected = np.where(of_mother, genes[couples[:, 0]], genes[couples[:, 1]])
    assert np.array_equal(found, expected.reshape(611, -1))


def test_children_are_bred_again_until_they_are_viable():
    strands = np.stack(
        [np.concatenate((SILENT_GENE, OUTPUT_GENE)), np.concatenate((OUTPUT_GENE, SILENT_GENE))]
    )
    _, children = breed(strands, np.ones(2), NO_MUTATION, num_children=50, attempts=attempts)
    assert all(is_viable(child) for child in children)
    assert len({child.tobytes() for child in children}) == 3


def test_parents_that_cannot_have_a_viable_child_are_replaced():
    strands = np.stack([np.tile(SILENT_GENE, 2), np.tile(OUTPUT_GENE, 2)])
    couples, children = breed(strands, np.array([9.0, 1.0]), NO_MUTATION, num_children=50, attempts=attempts)
    assert all(is_viable(child) for child in children)
    assert (couples == 1).any(axis=1).all()


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_every_mutation_can_change_every_child(mutation):
    rng = stream(1, 0, "test")
    offspring = random_genome(150, rng).reshape(3, 800)
    rates = msgspec.structs.replace(NO_MUTATION, **{mutation: 20.0 if mutation.endswith("_mean") else 1.0})
    assert (mutate_genomes(offspring, rates, rng) != offspring).any(axis=1).all()
    assert np.array_equal(mutate_genomes(offspring, NO_MUTATION, rng), offspring)


def test_rates_shrink_after_the_move_up():
    settings = tiny_settings(
        "anneal_to=0.001", "anneal_generations=1", "creep_mean=0", "translocation_rate=0"
    )
    before = ranked_generation(settings, number=4)
    after = ranked_generation(settings, number=4, depth=2, moved_up_at=3)
    genes = {
        member.genome[start : start + 16].tobytes()
        for member in before.members
        for start in range(0, 3200, 16)
    }

    def new_genes(members):
        texts = [
            member.genome[start : start + 16].tobytes() for member in members for start in range(0, 3200, 16)
        ]
        return sum(text not in genes for text in texts)

    assert new_genes(next_members(settings, 1, after)) * 10 < new_genes(next_members(settings, 1, before))


def test_truncation_draws_alike_from_the_best_share_only():
    settings = tiny_settings("parent_share=0.25")
    weights = parent_weights(settings, ranked_generation(settings))
    assert weights.tolist() == [1.0] * 3 + [0.0] * 9


def test_there_is_always_a_parent():
    assert parent_cut(tiny_settings("parent_share=0.001")) == 1


def test_original_parents_are_drawn_in_proportion_to_rank_sum_plus_one_half():
    settings = tiny_settings("population=3", "elites=0", recipe="original")
    generation = ranked_generation(settings, strengths=[6.0, 3.0, 0.0])
    generation = replace(generation, games=np.full(3, 6))
    weights = parent_weights(settings, generation)
    assert weights.tolist() == [6.5, 3.5, 0.5]
    drawn = draw_parents(weights, 20_000, stream(1, 0, "parents"))
    shares = np.bincount(drawn.reshape(-1), minlength=3) / drawn.size
    assert shares == pytest.approx(weights / weights.sum(), abs=0.01)


def test_mother_and_father_are_drawn_independently_and_may_be_one():
    drawn = draw_parents(np.array([1.0, 1.0, 0.0]), 4000, stream(2, 0, "parents")).tolist()
    shares = [drawn.count(pair) / 4000 for pair in ([0, 0], [0, 1], [1, 0], [1, 1])]
    assert shares == pytest.approx([0.25] * 4, abs=0.03)


def test_rank_sum_selection_counts_any_other_ranking_as_one_round():
    settings = tiny_settings("selection=rank-sum", "population=4")
    assert parent_weights(settings, ranked_generation(settings)).tolist() == [3.5, 2.5, 1.5, 0.5]
