import numpy as np

from neche.evolution.ancestry import HALL_SIZE, enter_hall, meet_ancestors
from neche.evolution.population import Ancestor, Member
from neche.network.decode import decode, material_genome
from tests.evolution.builders import tiny_settings

BLIND = Member("g0-0000", (), np.zeros(32 * 16, np.uint8))
COUNTING = Member("g9-0000", (), material_genome())


def numbers_after(last, every):
    hall: tuple[Ancestor, ...] = ()
    for number in range(last + 1):
        hall = enter_hall(hall, BLIND, number, every)
    return [ancestor.generation for ancestor in hall]


def test_only_generations_with_a_ladder_enter_the_hall():
    assert numbers_after(14, 5) == [0, 5, 10]


def test_the_hall_spans_the_run_in_even_steps_whatever_its_length():
    assert numbers_after(25, 5) == [0, 5, 10, 15, 20, 25]
    assert numbers_after(30, 5) == [0, 10, 20, 30]
    assert numbers_after(60, 5) == [0, 20, 40, 60]
    for last in range(0, 400, 7):
        numbers = numbers_after(last, 3)
        assert len(numbers) <= HALL_SIZE
        assert numbers[0] == 0
        assert len(set(np.diff(numbers).tolist())) <= 1
        assert last - numbers[-1] <= last / 2


def test_a_champion_is_scored_against_each_ancestor():
    settings = tiny_settings("ladder_games=40", "perspective=own")
    hall = (Ancestor(0, BLIND), Ancestor(50, COUNTING))
    scores = meet_ancestors(settings, 1, 75, decode(material_genome()), hall, 2)
    assert list(scores) == ["0", "50"]
    assert scores["0"] > 0.8
    assert 0.2 < scores["50"] < 0.8


def test_without_ancestors_or_ladder_games_nothing_is_played():
    champion = decode(material_genome())
    assert meet_ancestors(tiny_settings(), 1, 0, champion, (), 1) == {}
    hall = (Ancestor(0, BLIND),)
    assert meet_ancestors(tiny_settings("ladder_games=0"), 1, 0, champion, hall, 1) == {}
