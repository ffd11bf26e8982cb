"""The evolution: generation after generation, from random DNA or from where it was left."""

from collections.abc import Iterator
from dataclasses import replace

from neche.errors import InputError
from neche.evolution.events import GenerationRanked, Notify, ignore
from neche.evolution.generation import Level, Occasion, rank_generation
from neche.evolution.ladder import ladder_players
from neche.evolution.population import Generation, first_members
from neche.evolution.reproduction import next_members
from neche.evolution.settings import Settings, check_settings
from neche.evolution.vision import resolve


def evolve(
    settings: Settings,
    seed: int,
    *,
    generations: int | None = None,
    resume_from: Generation | None = None,
    notify: Notify = ignore,
) -> Iterator[Generation]:
    """Yield the generations after `resume_from` (or from number 0 on) up to number `generations`.

    Generation 0 is the random population, so a run from its beginning to number N yields N + 1 populations.
    A generation follows from settings, seed and the generation before it, and from nothing else: stopping
    anywhere and going on gives the same generations as a straight run, whatever total is asked for in
    between. When `resume_from` has not played (it was imported), its members are ranked first, under the
    same number; it is not yielded again.

    generations: number of the last one; None: as the settings say.
    Raises InputError for settings that contradict each other or a population that does not fit them.
    """
    check_settings(settings, "settings")
    settings = resolve(settings)
    ladder_players(settings)
    last = settings.run.generations if generations is None else generations
    if resume_from is not None and len(resume_from.members) != settings.members.population:
        raise InputError(
            f"generation {resume_from.number} has {len(resume_from.members)} members,"
            f" the settings say population = {settings.members.population}"
        )
    return _evolve(settings, seed, last, resume_from, notify)


def ranked(settings: Settings, seed: int, generation: Generation, notify: Notify = ignore) -> Generation:
    """Return a generation that has played: the given one, or, if it never did, its members in rank order."""
    if generation.games.any():
        return generation
    occasion = Occasion(settings, seed, generation.number, notify)
    level = Level(generation.depth, generation.moved_up_at)
    # What an import played is kept nowhere, its champion neither: nobody could be measured against it later.
    generation = replace(rank_generation(occasion, generation.members, level), hall=())
    notify(GenerationRanked(generation))
    return generation


def _evolve(
    settings: Settings, seed: int, last: int, generation: Generation | None, notify: Notify
) -> Iterator[Generation]:
    number = 0 if generation is None else generation.number + 1
    while number <= last:
        if generation is None:
            members, level = first_members(settings.members, seed), Level(settings.curriculum.depth, None)
        else:
            generation = ranked(settings, seed, generation, notify)
            members = next_members(settings, seed, generation)
            level = Level(generation.depth, generation.moved_up_at)
        generation = rank_generation(Occasion(settings, seed, number, notify), members, level, generation)
        notify(GenerationRanked(generation))
        yield generation
        number += 1
