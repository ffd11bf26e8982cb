"""The replay: which champions' games are learned from, and that they are played alike whenever they are."""

from dataclasses import replace

import numpy as np
import pytest

from neche.archive.beginning import unplayed_generation
from neche.errors import InputError
from neche.evolution.evolve import evolve, ranked
from neche.evolution.population import Generation
from neche.evolution.replay import Replay, next_labellers
from neche.evolution.settings import resolve
from tests.evolution.builders import screened_settings

SEED = 3
SETTINGS = resolve(screened_settings())


@pytest.fixture(scope="module")
def generations() -> list[Generation]:
    return list(evolve(SETTINGS, SEED, generations=5))


def rows(lesson):
    samples = lesson.samples
    return [
        (excited[:count].tobytes(), target)
        for excited, count, target in zip(samples.excited, samples.counts, samples.targets, strict=True)
    ]


def test_labellers_are_the_champions_of_the_last_generations(generations):
    champions = [generation.record["champion_id"] for generation in generations]
    labellers = [[member.id for member in generation.labellers] for generation in generations]
    assert labellers == [[], *(champions[max(1, number - 2) : number + 1] for number in range(1, 6))]


def test_no_more_labellers_are_kept_than_the_replay_has_room_for(generations):
    last, champion = generations[-1], generations[-1].members[0]
    assert len(last.labellers) == 3
    more = next_labellers(SETTINGS, last, champion)
    assert [member.id for member in more] == [member.id for member in (*last.labellers[1:], champion)]
    assert next_labellers(SETTINGS, None, champion) == (champion,)


def test_a_share_of_all_generations_is_kept_once_that_is_more(generations):
    growing = resolve(screened_settings("replay=2", "replay_share=0.5"))
    before, champion, kept = None, generations[-1].members[0], []
    for number in range(10):
        labellers = next_labellers(growing, before, champion)
        kept.append(len(labellers))
        before = replace(generations[-1], number=number, labellers=labellers)
    # generations 0 to 9, of which half are 0 to 4 generations
    assert kept == [1, 2, 2, 2, 2, 2, 3, 3, 4, 4]


def test_a_replay_that_begins_later_plays_the_same_games_again(generations):
    running = Replay(SETTINGS, SEED)
    for generation in generations:
        lesson, again = running.after(generation), Replay(SETTINGS, SEED).after(generation)
        assert rows(lesson) == rows(again)
        assert lesson.draws == again.draws


def test_every_generation_sees_the_same_games_turned_and_mirrored_anew():
    settings = resolve(screened_settings("game=othello", "symmetries=true"))
    plain = resolve(screened_settings("game=othello"))
    generations = list(evolve(settings, SEED, generations=2))
    running, unturned = Replay(settings, SEED), Replay(plain, SEED)
    # the games of random moves are the first block of both
    count = len(unturned.after(generations[0]).samples.targets)
    first, second = (rows(running.after(generation))[:count] for generation in generations[:2])
    assert [target for _, target in first] == [target for _, target in second]
    same = sum(one == other for one, other in zip(first, second, strict=True))
    assert same / count < 0.3  # one of eight by chance, and what is symmetric
    again = Replay(settings, SEED).after(generations[1])
    assert rows(again)[:count] == second
    assert {len(seen) for seen, _ in first} == {
        len(seen) for seen, _ in rows(unturned.after(generations[0]))[:count]
    }


def test_random_games_are_learned_from_until_two_champions_have_played(generations):
    replay = Replay(SETTINGS, SEED)
    random, with_one, with_two = (rows(replay.after(generations[number])) for number in range(3))
    assert with_one[: len(random)] == random
    assert with_one[len(random) :] == with_two[: len(with_one) - len(random)]
    # games of random moves are labelled by their results alone
    assert {float(target) for _, target in random} <= {-1.0, 0.0, 1.0}
    assert len({float(target) for _, target in with_two}) > 10


def test_a_block_that_is_still_in_use_is_not_played_again(generations, monkeypatch):
    replay = Replay(SETTINGS, SEED)
    replay.after(generations[4])
    made: list[int] = []

    def make(replay, number, *_):
        made.append(number)
        return next(iter(replay._blocks.values()))

    monkeypatch.setattr(Replay, "_make", make)
    replay.after(generations[5])
    assert made == [6]


@pytest.mark.parametrize("change", [("label_deeper_after",), ("target_clip_after", "target_clip=0.001")])
def test_targets_change_from_the_generation_on_that_the_settings_name(change, generations):
    key, *rest = change
    changed, never = (resolve(screened_settings(f"{key}={number}", *rest)) for number in (3, 100))
    second = generations[1]
    assert rows(Replay(changed, SEED).after(second)) == rows(Replay(never, SEED).after(second))
    third = generations[2]
    some, others = Replay(changed, SEED).after(third), Replay(never, SEED).after(third)
    assert [seen for seen, _ in rows(some)] == [seen for seen, _ in rows(others)]
    same = some.samples.targets == others.samples.targets
    first = len(
        Replay(SETTINGS, SEED).after(replace(second, labellers=(second.labellers[0],))).samples.targets
    )
    assert not same.all()
    assert np.count_nonzero(~same) < first


def test_the_best_of_members_from_elsewhere_plays_games_that_the_first_generation_learns_from(generations):
    begun = unplayed_generation(0, [member.genome for member in generations[5].members], SETTINGS)
    of_random = rows(Replay(SETTINGS, SEED).after(generations[0]))
    found = rows(Replay(SETTINGS, SEED).after(ranked(SETTINGS, SEED, begun)))
    assert found[: len(of_random)] == of_random
    assert len(found) > len(of_random)


def test_a_replay_of_one_generation_forgets_the_random_games_too():
    settings = resolve(screened_settings("replay=1"))
    replay = Replay(settings, SEED)
    random, first, *later = (rows(replay.after(each)) for each in evolve(settings, SEED, generations=3))
    assert first[: len(random)] == random
    assert [lesson[: len(random)] == random for lesson in later] == [False, False]


def test_games_that_leave_no_position_to_learn_from_end_the_evolution_in_words():
    # Of so few positions one in a million is kept; to draw from none would read memory that is not theirs.
    settings = screened_settings("kept_positions=0.000001", "first_games=2")
    with pytest.raises(InputError, match=r"generation 1 has no position to learn from.*kept_positions"):
        list(evolve(settings, SEED, generations=1))
