import numpy as np
import pytest

from neche.compiled.streams import stream
from neche.evolution.selection import draw_parents, parent_cut, parent_weights
from tests.evolution.builders import ranked_generation, tiny_settings


def test_truncation_draws_alike_from_the_best_share_only():
    settings = tiny_settings("parent_share=0.25")
    weights = parent_weights(settings, ranked_generation(settings))
    assert weights.tolist() == [1.0] * 3 + [0.0] * 9


def test_there_is_always_a_parent():
    assert parent_cut(tiny_settings("parent_share=0.001")) == 1


def test_original_parents_are_drawn_in_proportion_to_rank_sum_plus_one_half():
    settings = tiny_settings("population=3", "elites=0", recipe="original")
    generation = ranked_generation(settings, strengths=[6.0, 3.0, 0.0])
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
