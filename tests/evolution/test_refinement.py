import msgspec
import numpy as np
import pytest

from neche.compiled.streams import stream
from neche.evolution.evolve import evolve
from neche.evolution.refinement import (
    centre_rank,
    mirrored_steps,
    recombination_shares,
    refined_for,
    settings_at,
    step_size,
)
from neche.genome.dna import WEIGHT_ZERO, random_genome, read_genes
from neche.genome.operators import blend, shift_weights
from neche.network.decode import wired_genes
from tests.evolution.builders import tiny_settings

SETTINGS = tiny_settings("depth=2", "next_depths=[]", "refine_after=2", "modules=3")


def genome(index=0):
    return random_genome(200, stream(3, 0, "genome", index))


def test_refinement_begins_so_many_generations_after_the_move_to_the_last_depth():
    settings = tiny_settings("refine_after=5", "next_depths=[2]")
    assert refined_for(settings, 100, 1, None) is None
    assert refined_for(settings, 14, 2, 10) is None
    assert refined_for(settings, 15, 2, 10) == 0
    assert refined_for(settings, 40, 2, 10) == 25
    assert refined_for(tiny_settings("refine_after=0"), 1000, 2, 10) is None


def test_a_refinement_ranks_by_its_own_pairing_scheme():
    settings = tiny_settings("refine_after=5", "ranking=descent", "refine_ranking=swiss")
    assert settings_at(settings, 14, 2, 10).ranking.ranking == "descent"
    assert settings_at(settings, 15, 2, 10).ranking.ranking == "swiss"


def test_steps_shrink_from_the_first_size_to_the_last_and_stay_there():
    rules = msgspec.structs.replace(
        SETTINGS.refinement, refine_sd=0.2, refine_sd_end=0.05, refine_generations=100
    )
    assert step_size(rules, 0) == pytest.approx(0.2)
    assert step_size(rules, 50) == pytest.approx(0.1)
    assert step_size(rules, 100) == step_size(rules, 500) == pytest.approx(0.05)


def test_shares_belong_to_the_better_half_and_fall_with_rank():
    shares = recombination_shares(100, 0.5)
    assert len(shares) == 50
    assert (np.diff(shares) < 0).all()
    assert shares[-1] > 0


def test_so_small_a_share_leaves_the_best_alone():
    assert len(recombination_shares(100, 0.01)) == len(recombination_shares(12, 0.01)) == 1


def test_a_blend_is_the_weighted_mean_of_the_weights():
    centre = genome()
    strands = shift_weights(centre, np.array([[1.0] * 200, [-0.5] * 200]))
    inside = np.abs(read_genes(centre).raw - WEIGHT_ZERO) < 2**19 - 20_000
    mean = read_genes(blend(strands, np.array([1.0, 3.0])))
    expected = read_genes(centre).raw + round((1.0 - 1.5) / 4 * 10_000)
    assert (mean.raw[inside] == expected[inside]).all()
    assert (mean.source == read_genes(centre).source).all()
    assert (mean.sink == read_genes(centre).sink).all()


def test_shifted_weights_stay_within_their_digits():
    raw = read_genes(shift_weights(genome(), np.array([[1e6] * 200, [-1e6] * 200]))).raw
    assert (raw[0] == 2**20 - 1).all()
    assert (raw[1] == 0).all()


def test_steps_come_in_mirrored_pairs_and_move_wired_genes_only():
    centre = genome()
    steps = mirrored_steps(centre, 11, 0.1, stream(1, 1, "steps"))
    assert steps.shape == (11, 200)
    assert np.allclose(steps[0:10:2], -steps[1:10:2])
    assert (steps[:, ~wired_genes(centre)] == 0).all()
    assert (steps[:, wired_genes(centre)] != 0).all()


def test_a_generation_in_refinement_is_a_centre_and_its_variations():
    *_, founded, refined = evolve(SETTINGS, 4, generations=3)
    for generation in (founded, refined):
        centre = generation.members[centre_rank(generation.members, generation.number)]
        others = [member for member in generation.members if member is not centre]
        assert {member.parents for member in others} == {(centre.id,)}
        assert generation.record["champion_id"] == centre.id
    assert len(centre.parents) == 6
    assert set(centre.parents) <= {member.id for member in founded.members[:6]}


def test_the_centre_is_the_blend_of_the_better_half():
    *_, founded, refined = evolve(SETTINGS, 4, generations=3)
    shares = recombination_shares(12, 0.5)
    expected = blend(np.stack([member.genome for member in founded.members[:6]]), shares)
    assert (refined.members[centre_rank(refined.members, 3)].genome == expected).all()


def test_stopping_in_a_refinement_and_going_on_is_a_straight_run():
    straight = list(evolve(SETTINGS, 5, generations=5))
    first = list(evolve(SETTINGS, 5, generations=3))
    second = list(evolve(SETTINGS, 5, generations=5, resume_from=first[-1]))
    for one, other in zip(straight, [*first, *second], strict=True):
        assert [member.id for member in one.members] == [member.id for member in other.members]
        assert all((a.genome == b.genome).all() for a, b in zip(one.members, other.members, strict=True))
        assert one.record == other.record
