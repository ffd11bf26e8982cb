import pytest

from neche.evolution.curriculum import annealed, is_examined, next_depth
from neche.evolution.parameters import Curriculum, Mutation

THREE_DEPTHS = Curriculum(depth=1, next_depths=(2, 4))


def test_depths_follow_each_other_and_end():
    assert [next_depth(THREE_DEPTHS, depth) for depth in (1, 2, 4)] == [2, 4, None]


def test_examinations_fall_on_every_so_many_generations_but_not_on_the_first():
    numbers = [number for number in range(25) if is_examined(Curriculum(move_up_every=10), number, 1)]
    assert numbers == [10, 20]


def test_nobody_is_examined_at_the_last_depth():
    assert not is_examined(Curriculum(), 10, 2)


def test_rates_shrink_exponentially_to_the_share_and_stay_there():
    mutation = Mutation(anneal_to=0.25, anneal_generations=100)
    factors = [annealed(mutation, Curriculum(), 2, since).creep_sd / 2.0 for since in (0, 50, 100, 1000)]
    assert factors == pytest.approx([1.0, 0.5, 0.25, 0.25])


def test_only_the_four_rates_shrink():
    mutation = Mutation(anneal_to=0.5, anneal_generations=1)
    shrunk = annealed(mutation, Curriculum(), 2, 1)
    changed = {key for key in mutation.__struct_fields__ if getattr(mutation, key) != getattr(shrunk, key)}
    assert changed == {"duplication_mean", "creep_sd", "point_rate", "renewal_rate"}


def test_rates_do_not_shrink_before_the_last_depth():
    mutation = Mutation()
    assert annealed(mutation, Curriculum(), 1, None) == mutation
    assert annealed(mutation, THREE_DEPTHS, 2, 500) == mutation
    assert annealed(mutation, THREE_DEPTHS, 4, 500) != mutation
