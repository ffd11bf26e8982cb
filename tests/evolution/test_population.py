import numpy as np

from neche.evolution.population import first_members
from neche.evolution.settings import MemberSettings
from neche.network.decode import is_viable


def test_the_first_members_are_random_and_depend_on_the_seed_alone():
    settings = MemberSettings(population=8, genes=10)
    once, again, other = (first_members(settings, seed) for seed in (1, 1, 2))
    assert [member.id for member in once] == [f"g0-{index:04d}" for index in range(8)]
    assert all(member.parents == () and member.genome.shape == (160,) for member in once)
    assert all(np.array_equal(a.genome, b.genome) for a, b in zip(once, again, strict=True))
    assert not any(np.array_equal(a.genome, b.genome) for a, b in zip(once, other, strict=True))


def test_a_larger_population_begins_with_the_same_members():
    few, many = (first_members(MemberSettings(population=count, genes=10), 1) for count in (3, 6))
    assert all(np.array_equal(a.genome, b.genome) for a, b in zip(few, many[:3], strict=True))


def test_the_first_members_are_viable_however_short_their_dna():
    assert all(
        is_viable(member.genome) for member in first_members(MemberSettings(population=20, genes=1), 1)
    )
