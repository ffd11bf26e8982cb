import pytest

from neche.evolution.evolve import evolve
from neche.evolution.health import kind_of, lost_score, warnings
from neche.evolution.recipes import load_recipe, override
from tests.evolution.builders import MUTATIONS

SETTINGS = load_recipe("tournament")
HEALTHY = {
    "generation": 100,
    "depth": 1,
    "moved_up_at": None,
    "constant": 0.05,
    "squares_seen": 11.0,
    "squares_seen_most": 12.0,
    "wired_distance": 0.4,
    "evaluation_distance": 0.17,
    "games": 500,
    "draws": 0.2,
    "rank_agreement_mean": 0.08,
    "best_score": 0.8,
    "best_retest": 0.55,
    "population_vs_blind": 0.75,
    "ancestors": {"0": 0.8, "50": 0.5},
}


def test_figures_of_a_run_that_climbs_give_no_warning():
    assert warnings(HEALTHY, SETTINGS) == []


@pytest.mark.parametrize(
    ("changes", "kind", "words"),
    [
        ({"constant": 0.6}, "blind collapse", "60% of the networks value all positions alike"),
        (
            {"depth": 4, "population_vs_blind": 0.2},
            "blind collapse",
            "at depth 4 members score 0.20 against a player that sees nothing",
        ),
        (
            {"depth": 2, "squares_seen": 1.5, "squares_seen_most": 4.0},
            "blind collapse",
            "members see 1.5 squares, 4.0 at their best",
        ),
        (
            {"wired_distance": 0.01, "evaluation_distance": 0.02},
            "premature convergence",
            "members differ in 1.0% of their wired genes' nucleotides and order 2.0% of positions",
        ),
        ({"rank_agreement_mean": 0.01}, "rank noise", "halves of recent games agree on the order by 0.01,"),
        ({"draws": 1.0}, "rank noise", "all games were drawn"),
        (
            {"ancestors": {"0": 0.1, "50": 0.6}},
            "forgetting",
            "the champion scores 0.10 against that of generation 0",
        ),
        (
            {"best_score": 1.0, "best_retest": 0.35},
            "lucky champion",
            "the best of the ranking scored 1.00 in about 10 games, then 0.35 in 60",
        ),
    ],
)
def test_trouble_is_put_into_words(changes, kind, words):
    (warning,) = warnings({**HEALTHY, **changes}, SETTINGS)
    assert kind_of(warning) == kind
    assert words in warning


def test_games_of_members_that_learn_are_no_reason_to_begin_at_depth_1():
    beaten = {**HEALTHY, "depth": 2, "population_vs_blind": 0.0, "best_retest": 0.7}
    memetic = load_recipe("memetic")
    # the first ones are random, and nothing was selected by their games
    assert warnings({**beaten, "generation": 0}, memetic) == []
    (warning,) = warnings(beaten, memetic)
    assert warning.endswith("members score 0.00 against a player that sees nothing")
    (of_tournament,) = warnings({**beaten, "generation": 0}, SETTINGS)
    assert of_tournament.endswith("so that selection favours the blind; begin at depth 1")


@pytest.mark.parametrize(
    "changes",
    [
        {"depth": 1, "squares_seen": 1.5, "squares_seen_most": 4.0},
        {"depth": 2, "wired_distance": 0.01, "evaluation_distance": 0.02},
        {"wired_distance": 0.01},
        {"evaluation_distance": 0.01},
        {"depth": 2, "moved_up_at": 30, "rank_agreement_mean": 0.01},
        {"generation": 20, "rank_agreement_mean": 0.01},
        {"best_score": 1.0, "best_retest": 0.475},
        {"games": 100, "best_score": 1.0, "best_retest": 0.35},
        {"ancestors": {"0": 0.3}},
        {"population_vs_blind": 0.4},
    ],
)
def test_what_happens_in_runs_that_climb_gives_no_warning(changes):
    assert warnings({**HEALTHY, **changes}, SETTINGS) == []


def test_several_signs_of_one_kind_are_one_warning():
    record = {**HEALTHY, "depth": 4, "constant": 0.9, "population_vs_blind": 0.3, "squares_seen": 0.2}
    (warning,) = warnings(record, SETTINGS)
    assert warning.count(";") == 3


def test_few_games_never_prove_a_loss():
    assert lost_score(2) < 0
    assert lost_score(20) == pytest.approx(0.2, abs=0.01)
    assert lost_score(10_000) == pytest.approx(0.49, abs=0.01)


def found_in_run(generations, *assignments):
    settings = load_recipe("tournament-quick")
    for assignment in ("ladder_games=6", "ladder=[]", *assignments):
        settings = override(settings, assignment)
    records = [generation.record for generation in evolve(settings, 1, generations=generations)]
    return {kind_of(warning) for record in records for warning in record["warnings"]}


def test_a_run_forced_into_the_valley_is_warned_of_its_blindness():
    valley = ("depth=4", "population=40", "games_per_member=4", "champion_games=0")
    assert "blind collapse" in found_in_run(4, *valley)


def test_a_run_that_copies_one_parent_is_warned_of_its_convergence():
    copying = [f"{mutation}=0" for mutation in MUTATIONS]
    small = ("population=20", "elites=1", "parent_share=0.01", "games_per_member=4")
    assert "premature convergence" in found_in_run(2, *small, *copying)


def test_a_run_that_climbs_is_not_warned():
    assert found_in_run(30) == set()
