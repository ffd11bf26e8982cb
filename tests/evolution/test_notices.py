"""Notices about settings before a run: a setting that is said to have no effect has none."""

import numpy as np
import pytest

from neche.evolution.champion import benchmark_players
from neche.evolution.evolve import evolve
from neche.evolution.notices import notices, rate_that_stays, unused_settings
from neche.evolution.plugins import Plugins
from neche.evolution.recipes import keys_of_file, load_recipe, override
from neche.evolution.settings import KEYS
from neche.games.catalogue import GAMES
from neche.players.plugged import Plugin

_SMALL = (
    "population=6",
    "genes=300",
    "games_per_member=4",
    "elites=1",
    "champion_candidates=0",
    "ladder_games=0",
    "draw_plies=10",
    "sample_games=30",
    "first_games=40",
    "batches=20",
    "batch=64",
    "refine_after=2",
    "next_depths=[]",
)
_STRANDS = ("topology=128-8-1", "perspective=mover")
_UNMUTATED = ("duplication_mean=0", "creep_mean=0")
_WAYS = {
    "tournament": ("fitness=tournament",),
    "strands": ("fitness=tournament", *_STRANDS),
    "no refinement": ("fitness=tournament", "refine_after=0"),
    "original": ("refine_after=0", "ranking=original", "selection=rank-sum", *_UNMUTATED),
    "quicksort": ("ranking=quicksort", "refine_ranking=quicksort", "selection=rank-sum"),
    "coevolution": ("fitness=screened",),
    "gradient": ("fitness=screened", "learning=gradient", *_STRANDS),
    "Baldwin": ("fitness=prediction", "learning=gradient", "inheritance=baldwin", *_STRANDS),
}
_OTHER_WORDS = {
    "selection": "rank-sum",
    "inheritance": "baldwin",
    "learning": "gradient",
    "refine_ranking": "swiss",
}
_WHOLE = {
    "modules": 3,
    "games_per_member": 8,
    "replay": 1,
    "parents_per_child": 1,
    "genes": 321,
    "batch": 100,
}


def settings_of(*assignments):
    settings = load_recipe("tournament")
    for assignment in assignments:
        settings = override(settings, assignment)
    return settings


def another(settings, key):
    """Return other settings, which differ in the value of a key."""
    value = getattr(getattr(settings, KEYS[key]), key)
    new: object
    if isinstance(value, bool):
        new = str(not value).lower()
    elif key in _OTHER_WORDS:
        new = _OTHER_WORDS[key]
    elif isinstance(value, int):
        new = _WHOLE.get(key, value + 1 if value < 1024 else 5)
    else:
        new = 0.37 if value > 0.5 else min(1.0, 0.9 - value)
    return override(settings, f"{key}={new}")


def bred(settings, **functions):
    plugins = Plugins.of(Plugin.of(kind, function) for kind, function in functions.items())
    generations = evolve(settings, 5, generations=4, plugins=plugins)
    return [[member.genome.tobytes() for member in one.members] for one in generations]


def test_a_player_of_another_game_on_a_ladder_of_ones_own_is_named():
    ladder = 'ladder=["blind:depth=1","mobility:depth=1"]'
    settings = override(load_recipe("tournament"), ladder)
    assert notices(settings, 300, [ladder]) == [
        "ladder: mobility:depth=1 does not play checkers and is left out"
    ]
    # of a recipe's nothing is said: it is for several games
    assert notices(settings, 300) == []


def test_the_ladder_of_a_shipped_recipe_in_a_file_is_nobodys_choice(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text(f"[ladder]\nladder = {list(load_recipe('wide').ladder.ladder)}\nladder_every = 7\n")
    assert keys_of_file(file) == ["ladder_every"]
    file.write_text('[ladder]\nladder = ["mobility:depth=1"]\n')
    assert keys_of_file(file) == ["ladder"]


@pytest.mark.parametrize("name", GAMES)
def test_a_run_of_prediction_meets_a_champion_of_its_game(name):
    for recipe in ("default", "wide", "long", "memetic", "memetic-long"):
        settings = override(load_recipe(recipe), f"game={name}")
        met = [player.name for player in benchmark_players(settings)]
        first = "champion-1" if name == "checkers" else f"{name}-1"
        assert met == ["material:depth=4", f"network:file={first},depth=4"]


@pytest.mark.parametrize("way", _WAYS)
def test_what_is_said_to_change_nothing_changes_nothing(way):
    settings = settings_of(*_SMALL, *_WAYS[way])
    changed = settings
    for key in unused_settings(settings):
        changed = another(changed, key)
        assert changed != settings, key
    assert len(unused_settings(settings)) > 8
    assert bred(changed) == bred(settings)


def one_letter(genome, rng):
    genome[rng.integers(len(genome))] = rng.integers(4)
    return genome


def two_rounds(count, play, rng):
    points = np.zeros(count)
    for step in (1, 2):
        points += play(np.arange(count), (np.arange(count) + step) % count)
    return np.argsort(-points, kind="stable")


@pytest.mark.parametrize(
    ("kind", "function", "vain"),
    [
        ("mutation", one_letter, {"point_rate", "creep_mean", "anneal_to"}),
        ("selection", lambda generation, count, rng: rng.integers(3, size=(count, 2)), {"selection"}),
        ("ranking", two_rounds, {"games_per_member", "strength_spread"}),
        ("fitness", lambda network, rng: network.live.sum(), {"games_per_member", "strength_spread"}),
    ],
)
def test_settings_of_a_step_that_a_plug_in_takes_change_nothing(kind, function, vain):
    settings = settings_of(*_SMALL, "refine_after=0")
    assert vain & unused_settings(settings).keys() <= {"anneal_to"}  # as no greater depth follows
    assert vain <= unused_settings(settings, [kind]).keys()
    changed = settings
    for key in unused_settings(settings, [kind]):
        changed = another(changed, key)
    assert bred(changed, **{kind: function}) == bred(settings, **{kind: function})


@pytest.mark.parametrize(
    ("way", "used"),
    [
        (
            "tournament",
            ("point_rate", "creep_mean", "elites", "selection", "parent_share", "modules", "genes"),
        ),
        ("original", ("point_rate", "original_rounds", "translocation_rate")),
        ("quicksort", ("point_rate", "strength_spread", "creep_sd")),
        ("strands", ("point_rate", "duplication_mean", "elites", "refine_sd")),
        (
            "coevolution",
            ("pairs", "orthogonal", "spread", "batches", "replay", "rate", "first_weights", "genes"),
        ),
        ("gradient", ("batches", "weight_decay", "refine_share", "result_share", "random_moves")),
        ("Baldwin", ("refine_sd", "batches")),
    ],
)
def test_of_what_changes_something_nothing_is_said(way, used):
    settings = settings_of(*_SMALL, *_WAYS[way])
    usual = bred(settings)
    for key in used:
        assert key not in unused_settings(settings)
        assert bred(another(settings, key)) != usual, key


@pytest.mark.parametrize(
    ("recipe", "key", "is_used"),
    [
        ("original", "games_per_member", False),
        ("original", "strength_spread", False),
        ("original", "parent_share", False),
        ("original", "creep_sd", False),
        ("original", "duplication_source_rate", False),
        ("original", "point_rate", True),
        ("tournament", "games_per_member", True),
        ("tournament", "strength_spread", True),
        ("tournament", "parent_share", True),
        ("tournament", "creep_sd", True),
        ("default", "games_per_member", True),
    ],
)
def test_what_a_scheme_does_not_read_is_said(recipe, key, is_used):
    assert (key not in unused_settings(load_recipe(recipe))) == is_used


def test_only_of_what_was_set_and_once_it_is_said():
    settings = load_recipe("quick")
    assert notices(settings, 0) == []
    said = notices(settings, 0, ["point_rate=0.1", "batches=50", "point_rate=0.2", "migrants = 3"])
    assert said == [
        "point_rate changes nothing where fitness = screened",
        "migrants changes nothing where islands = 1",
    ]


@pytest.mark.parametrize(
    ("recipe", "last", "stays"),
    [
        ("memetic", 71, True),
        ("memetic", 72, False),
        ("memetic-long", 100, True),
        ("memetic-long", 101, True),
        ("memetic-long", 102, False),
        ("long", 20, True),
        ("long", 60, False),
        ("memetic", 0, False),  # nothing is learned
        ("default", 1, False),  # its rate does not wait
        ("tournament", 5, False),  # it has none
    ],
)
def test_a_run_that_ends_before_its_rate_falls_is_told(recipe, last, stays):
    settings = load_recipe(recipe)
    said, held = rate_that_stays(settings, last), settings.prediction.rate_falls_after
    assert (said is not None) is stays
    assert said is None or (f"generation {last} is the last" in said and f"rate_falls_after = {held}" in said)


@pytest.mark.parametrize(("last", "falls_at_once"), [(1, False), (11, False), (12, True), (40, True)])
def test_a_rate_that_falls_to_its_end_from_one_generation_to_the_next_is_reported(last, falls_at_once):
    settings = load_recipe("memetic")
    for assignment in ("rate_falls_after=10", "rate_generations=10"):
        settings = override(settings, assignment)
    said = rate_that_stays(settings, last) or ""
    assert ("at once: rate_falls_after = 10 is not below rate_generations = 10" in said) is falls_at_once
    assert "at once" not in (rate_that_stays(override(settings, "rate_generations=20"), last) or "")


@pytest.mark.parametrize(("genes", "is_told"), [(5, True), (32, True), (33, False)])
def test_genomes_longer_than_set_are_told_of(genes, is_told):
    settings = settings_of(*_SMALL, "fitness=screened", f"genes={genes}")
    said = f"genes = {genes}: genomes have 33, as many as the output alone needs"
    assert (said in notices(settings, 0)) == is_told
    first = next(evolve(settings, 5, generations=0))
    assert {member.genome.size for member in first.members} == {33 * 16}
    assert notices(override(settings, "fitness=tournament"), 0) == []
