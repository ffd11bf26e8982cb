import numpy as np
import pytest

from neche.compiled.streams import stream
from neche.evolution.ranking import Standing, planned_games, rank_members
from neche.evolution.schedule import OpeningRange, Purpose
from neche.evolution.scorebook import Scorebook, count_games, mean_points
from tests.evolution.builders import tiny_settings
from tests.evolution.fake_games import fake_play

SCHEMES = ["descent", "random", "swiss", "quicksort", "original"]
TRUTH = stream(7, 0, "truth").permutation(40).astype(np.float64)


def rank(
    scheme: str, *, strengths: np.ndarray = TRUTH, noise: bool = False, seed: int = 1
) -> tuple[Standing, Scorebook]:
    settings = tiny_settings("population=40", "games_per_member=10", f"ranking={scheme}")
    scorebook = Scorebook(fake_play(strengths, noise=noise), OpeningRange(3, 4), Purpose(seed, 0, "ranking"))
    return rank_members(settings, scorebook, stream(seed, 0, "ranking")), scorebook


def test_the_original_ranking_without_noise_finds_the_true_order():
    standing, _ = rank("original")
    assert standing.order.tolist() == np.argsort(-TRUTH).tolist()


@pytest.mark.parametrize("scheme", ["descent", "random", "swiss", "quicksort"])
def test_the_chosen_quarter_is_far_better_than_the_rest(scheme):
    standing, _ = rank(scheme)
    assert TRUTH[standing.order[:10]].mean() > 30
    assert TRUTH[standing.order[-10:]].mean() < 12


@pytest.mark.parametrize("scheme", SCHEMES)
def test_noise_blurs_the_order_but_does_not_turn_it(scheme):
    standing, _ = rank(scheme, noise=True)
    assert TRUTH[standing.order[:10]].mean() > TRUTH[standing.order[-10:]].mean() + 8


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_same_keys_give_the_same_standing(scheme):
    once, again = rank(scheme, noise=True)[0], rank(scheme, noise=True)[0]
    for column, other in zip(once, again, strict=True):
        assert column.tolist() == other.tolist()


@pytest.mark.parametrize("scheme", ["descent", "random", "swiss"])
def test_the_budget_of_games_is_spent_exactly(scheme):
    settings = tiny_settings("population=40", "games_per_member=10", f"ranking={scheme}")
    standing, scorebook = rank(scheme)
    assert len(scorebook.games().outcome) == planned_games(settings) == 200
    assert standing.games.mean() == 10


@pytest.mark.parametrize("scheme", ["quicksort", "original"])
def test_the_estimate_of_a_full_quicksort_has_the_right_size(scheme):
    settings = tiny_settings("population=40", f"ranking={scheme}")
    _, scorebook = rank(scheme)
    assert 0.4 < len(scorebook.games().outcome) / planned_games(settings) < 2.5


def test_scores_are_points_a_game():
    standing, scorebook = rank("descent", noise=True)
    games = scorebook.games()
    for member in (0, 17):
        points = sum((1 + outcome) / 2 for outcome in games.outcome[games.first == member])
        points += sum((1 - outcome) / 2 for outcome in games.outcome[games.second == member])
        count = np.count_nonzero(games.first == member) + np.count_nonzero(games.second == member)
        assert standing.games[member] == count
        assert standing.scores[member] == pytest.approx(points / count, abs=1e-6)


def test_the_original_member_of_a_partition_moves_first_against_the_pivot_once():
    _, scorebook = rank("original")
    games = scorebook.games()
    first_level = games.second[:39]
    assert len(set(first_level.tolist())) == 1
    assert len(set(games.first[:39].tolist())) == 39


def test_the_original_sums_ranks_with_the_best_largest():
    standing, _ = rank("original")
    assert standing.strengths.tolist() == (3 * TRUTH).tolist()


def test_strengths_do_not_depend_on_the_order_of_the_results():
    standing, scorebook = rank("descent", noise=True)
    games = scorebook.games()
    shuffle = stream(1, 0, "shuffle").permutation(len(games.first))
    turned = type(games)(*(column[shuffle] for column in games))
    assert mean_points(turned, 40).tolist() == mean_points(games, 40).tolist()
    assert count_games(turned, 40).tolist() == count_games(games, 40).tolist()
    assert mean_points(turned, 40).round(6).tolist() == standing.scores.tolist()


def test_members_on_a_level_are_ordered_by_index():
    standing, _ = rank("random", strengths=np.zeros(40))
    assert standing.order.tolist() == list(range(40))
    assert set(standing.scores.tolist()) == {0.5}
