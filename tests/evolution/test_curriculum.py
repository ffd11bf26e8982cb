import pytest

from neche.evolution.curriculum import annealed, is_test_due, next_depth
from neche.evolution.settings import CurriculumSettings, MutationSettings

THREE_DEPTHS = CurriculumSettings(depth=1, next_depths=(2, 4))


def test_depths_follow_each_other_and_end():
    assert [next_depth(THREE_DEPTHS, depth) for depth in (1, 2, 4)] == [2, 4, None]


def test_promotion_tests_are_due_at_equal_intervals_but_not_in_the_first_generation():
    numbers = [number for number in range(25) if is_test_due(CurriculumSettings(move_up_every=10), number, 1)]
    assert numbers == [10, 20]
    every = CurriculumSettings(move_up_every=1)
    assert [number for number in range(4) if is_test_due(every, number, 1)] == [1, 2, 3]


def test_no_promotion_test_is_due_at_the_last_depth():
    assert not is_test_due(CurriculumSettings(), 10, 2)


def test_rates_shrink_exponentially_to_the_share_and_stay_there():
    mutation = MutationSettings(anneal_to=0.25, anneal_generations=100)
    factors = [
        annealed(mutation, CurriculumSettings(), 2, since).creep_sd / 2.0 for since in (0, 50, 100, 1000)
    ]
    assert factors == pytest.approx([1.0, 0.5, 0.25, 0.25])


def test_only_the_four_rates_shrink():
    mutation = MutationSettings(anneal_to=0.5, anneal_generations=1)
    shrunk = annealed(mutation, CurriculumSettings(), 2, 1)
    changed = {key for key in mutation.__struct_fields__ if getattr(mutation, key) != getattr(shrunk, key)}
    assert changed == {"duplication_mean", "creep_sd", "point_rate", "renewal_rate"}


def test_rates_do_not_shrink_before_the_last_depth():
    mutation = MutationSettings()
    assert annealed(mutation, CurriculumSettings(), 1, None) == mutation
    assert annealed(mutation, THREE_DEPTHS, 2, 500) == mutation
    assert annealed(mutation, THREE_DEPTHS, 4, 500) != mutation
