import numpy as np
import pytest

from neche.evolution.champion import crown, play_off
from neche.evolution.schedule import Purpose
from neche.network.decode import decode_population
from tests.evolution.builders import ranked_generation, tiny_settings
from tests.evolution.fake_games import fake_play

PURPOSE = Purpose(1, 0, "play-off")
SETTINGS = tiny_settings()
NETWORKS = decode_population([member.genome for member in ranked_generation(SETTINGS).members])


@pytest.fixture
def scheduled(monkeypatch):
    """Let contestant 3 be the strongest of the first five; collect what is played."""
    played = []

    def play(field, pairings, rule):
        played.append(pairings)
        return fake_play([6, 7, 8, 10, 9, 11, 0, 1, 2, 3, 4, 5])(pairings)

    monkeypatch.setattr("neche.evolution.champion.play_games", play)
    return played


def test_the_best_of_the_candidates_is_champion(scheduled):
    assert play_off(SETTINGS, NETWORKS, 1, PURPOSE, num_candidates=5, num_games=100) == 3


def test_all_candidates_play_the_same_openings_against_others_than_themselves(scheduled):
    play_off(SETTINGS, NETWORKS, 1, PURPOSE, num_candidates=5, num_games=20)
    pairings = scheduled[0]
    assert len(pairings.first) == 5 * 20
    assert not (pairings.first == pairings.second).any()
    by_candidate = pairings.opening_key.reshape(5, 20)
    assert (by_candidate == by_candidate[0]).all()


def test_without_candidates_or_games_the_first_of_the_ranks_is_champion(scheduled):
    assert play_off(SETTINGS, NETWORKS, 1, PURPOSE, num_candidates=1, num_games=20) == 0
    assert play_off(SETTINGS, NETWORKS, 1, PURPOSE, num_candidates=5, num_games=0) == 0
    assert scheduled == []


def test_the_better_rank_wins_among_equals(monkeypatch):
    monkeypatch.setattr(
        "neche.evolution.champion.play_games", lambda field, pairings, rule: fake_play(np.zeros(12))(pairings)
    )
    assert play_off(SETTINGS, NETWORKS, 1, PURPOSE, num_candidates=5, num_games=20) == 0


def test_crowning_follows_from_the_generation_alone():
    generation = ranked_generation(SETTINGS)
    champion, ladder = crown(SETTINGS, 1, generation)
    assert champion in generation.members
    assert set(ladder) == {"blind:depth=4", "material:depth=4"}
    assert all(0 <= score <= 1 for score in ladder.values())
    again, same_ladder = crown(SETTINGS, 1, generation)
    assert (again, same_ladder) == (champion, ladder)
