"""The curriculum: when the population searches deeper, and how mutation rates shrink after that.

At depth 2 or more a network that sees a few squares loses to one that sees none, at depth 1 every square
pays. So an evolution begins at depth 1 and moves up when its members beat the blind player at the next depth.
Nothing here depends on the total number of generations asked for, so that a run can always be prolonged.
"""

import msgspec

from neche.evolution.parameters import Curriculum, Mutation


def next_depth(settings: Curriculum, depth: int) -> int | None:
    """Return the depth to move up to from `depth`; None when it is the last."""
    return next((deeper for deeper in settings.next_depths if deeper > depth), None)


def is_examined(settings: Curriculum, number: int, depth: int) -> bool:
    """Tell whether generation `number`, about to play at `depth`, is tried against the blind player first."""
    return number > 0 and number % settings.move_up_every == 0 and next_depth(settings, depth) is not None


def annealed(settings: Mutation, curriculum: Curriculum, depth: int, since_move_up: int | None) -> Mutation:
    """Return the mutation rates for children born `since_move_up` generations after the last move up.

    duplication_mean, creep_sd, point_rate and renewal_rate shrink exponentially to the share `anneal_to`,
    reached after `anneal_generations`; before the last depth is reached (or without a move up) they stay.
    Shrinking them earlier keeps a population from ever moving up.
    """
    if since_move_up is None or next_depth(curriculum, depth) is not None:
        return settings
    factor = settings.anneal_to ** min(1.0, since_move_up / settings.anneal_generations)
    return msgspec.structs.replace(
        settings,
        duplication_mean=settings.duplication_mean * factor,
        creep_sd=settings.creep_sd * factor,
        point_rate=settings.point_rate * factor,
        renewal_rate=settings.renewal_rate * factor,
    )
