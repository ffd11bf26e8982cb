"""The curriculum: when the population searches deeper, and what else changes in the course of a run.

At depth 2 or more, a network that sees a few squares loses to one that sees none; at depth 1, every square
pays. So an evolution begins at depth 1 and moves up when its members beat the blind player at the next depth;
after the last move up, mutation rates shrink, and later an evolution strategy takes over. Nothing depends on
the requested total number of generations, so that a run can always be extended.
"""

from typing import NamedTuple

import msgspec

from neche.evolution.settings import CurriculumSettings, MutationSettings, Settings

ANNEALED = ("duplication_mean", "creep_sd", "point_rate", "renewal_rate")


class Stage(NamedTuple):
    """A population's stage of the curriculum: its depth, and the generation that moved up to it."""

    depth: int
    moved_up_at: int | None


def next_depth(settings: CurriculumSettings, depth: int) -> int | None:
    """Return the depth to move up to from `depth`; None if `depth` is the last."""
    return next((deeper for deeper in settings.next_depths if deeper > depth), None)


def is_test_due(settings: CurriculumSettings, number: int, depth: int) -> bool:
    """Return whether generation `number`, about to play at `depth`, takes a promotion test first."""
    return number > 0 and number % settings.move_up_every == 0 and next_depth(settings, depth) is not None


def annealed(
    settings: MutationSettings, curriculum: CurriculumSettings, depth: int, since_move_up: int | None
) -> MutationSettings:
    """Return the mutation rates for children born `since_move_up` generations after the last move up.

    Those of `ANNEALED` shrink exponentially to the share `anneal_to`, reached after `anneal_generations`;
    before the last depth is reached (or without a move up) they stay constant. Shrinking them earlier keeps a
    population from ever moving up.
    """
    if since_move_up is None or next_depth(curriculum, depth) is not None:
        return settings
    factor = settings.anneal_to ** min(1.0, since_move_up / settings.anneal_generations)
    return msgspec.structs.replace(settings, **{rate: getattr(settings, rate) * factor for rate in ANNEALED})


def strategy_age(settings: Settings, number: int, stage: Stage) -> int | None:
    """Return the age of the evolution strategy at generation `number`, in generations; None before it."""
    if settings.prediction.fitness != "tournament":
        return number - 1 if number > 0 else None
    after = settings.refinement.refine_after
    if after == 0 or next_depth(settings.curriculum, stage.depth) is not None:
        return None
    age = number - (stage.moved_up_at or 0) - after
    return age if age >= 0 else None
