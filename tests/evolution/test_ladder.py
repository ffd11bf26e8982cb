import numpy as np
import pytest

from neche.arena.playing import play_games
from neche.errors import InputError
from neche.evolution import ladder
from neche.evolution.ladder import climb_ladder, ladder_players
from neche.network.decode import material_network
from neche.players.spec import parse_player
from tests.evolution.builders import tiny_settings


def test_a_ladder_player_at_fault_is_refused_before_anything_is_played():
    with pytest.raises(InputError, match="did you mean material"):
        ladder_players(tiny_settings('ladder=["materiel:depth=4"]'))


def test_a_player_that_thinks_by_the_clock_is_refused_on_a_ladder():
    with pytest.raises(InputError, match="needs a fixed depth, not a time"):
        ladder_players(tiny_settings('ladder=["material:time=10"]'))


def test_material_beats_the_blind_and_the_random_player_and_is_level_with_itself():
    settings = tiny_settings('ladder=["blind:depth=2", "random", "material:depth=2"]', "ladder_games=20")
    scores = climb_ladder(settings, 1, 0, material_network(), 2)
    assert scores["blind:depth=2"] > 0.8
    assert scores["random"] > 0.8
    assert 0.2 < scores["material:depth=2"] < 0.8


def test_ladder_games_open_at_random_even_when_training_games_do_not():
    settings = tiny_settings('ladder=["material:depth=1"]', "opening_plies=[0, 0]", "ladder_games=20")
    scores = climb_ladder(settings, 1, 0, material_network(), 1)
    assert 0 < scores["material:depth=1"] < 1


def test_no_ladder_games_give_no_scores():
    assert climb_ladder(tiny_settings("ladder_games=0"), 1, 0, material_network(), 1) == {}


def test_a_thinker_by_the_clock_is_refused_too():
    with pytest.raises(InputError, match="needs a fixed number of playouts, not a time"):
        ladder_players(tiny_settings('ladder=["uct:time=10"]'))


def test_games_against_playouts_are_few_and_the_same_again(monkeypatch):
    counts = []

    def counting(field, pairings, rule):
        counts.append(np.bincount(pairings.first // 2).tolist())
        return play_games(field, pairings, rule)

    monkeypatch.setattr(ladder, "play_games", counting)
    settings = tiny_settings(
        'ladder=["material:depth=1", "uct:playouts=30", "random"]',
        "ladder_games=20",
        "ladder_thinker_games=6",
    )
    scores = climb_ladder(settings, 1, 0, material_network(), 1)
    assert list(scores) == ["material:depth=1", parse_player("uct:playouts=30").name, "random"]
    assert counts == [[20, 6, 20]]
    assert climb_ladder(settings, 1, 0, material_network(), 1) == scores
    without = tiny_settings('ladder=["uct:playouts=30"]', "ladder_thinker_games=0")
    assert climb_ladder(without, 1, 0, material_network(), 1) == {}


def test_other_players_on_the_ladder_change_no_score():
    alone = tiny_settings('ladder=["material:depth=1"]', "ladder_games=20")
    among = tiny_settings('ladder=["random", "material:depth=1", "uct:playouts=9"]', "ladder_games=20")
    (name,) = climb_ladder(alone, 1, 0, material_network(), 1)
    assert (
        climb_ladder(among, 1, 0, material_network(), 1)[name]
        == climb_ladder(alone, 1, 0, material_network(), 1)[name]
    )
