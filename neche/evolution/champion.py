"""The champion: found by a play-off among the best, since one generation's few games crown the lucky.

Symbols: K candidates, P members, M comparisons of each candidate.
"""

from collections.abc import Sequence

import numpy as np

from neche.arena.playing import Field, play_games
from neche.compiled.streams import stream
from neche.evolution.ladder import climb_ladder
from neche.evolution.population import FloatArray, Generation, Member
from neche.evolution.refinement import centre_rank, refined_for
from neche.evolution.schedule import OpeningRange, Purpose, points_of_a, schedule_pairs
from neche.evolution.settings import Settings
from neche.evolution.vision import networks_of
from neche.games.draws import DrawRule
from neche.network.decode import Network


def draw_rule(settings: Settings) -> DrawRule:
    """Return when a training game is a draw."""
    return DrawRule(quiet_plies=settings.games.draw_plies, man_moves_reset=False, repetition=0)


def play_off(
    settings: Settings,
    ranked: Sequence[Network],
    depth: int,
    purpose: Purpose,
    *,
    num_candidates: int,
    num_games: int,
) -> int:
    """Return the rank of the champion among the networks `ranked` [P], best first.

    The best in the retest wins, the better rank among equals; without candidates or games it is rank 1.
    """
    scores = retest(settings, ranked, depth, purpose, num_candidates=num_candidates, num_games=num_games)
    return int(np.argmax(scores)) if len(scores) else 0


def retest(
    settings: Settings,
    ranked: Sequence[Network],
    depth: int,
    purpose: Purpose,
    *,
    num_candidates: int,
    num_games: int,
) -> FloatArray:
    """Return mean points a game [K] of the first `num_candidates` networks of `ranked` [P], in new games.

    Each plays `num_games` against random members, all candidates against the same ones on the same openings,
    so that they differ by strength and not by luck of the draw. Empty when there is nothing to choose.
    """
    num_members, num_pairs = len(ranked), num_games // 2
    num_candidates = min(num_candidates, num_members)
    if num_candidates < 2 or num_pairs == 0:
        return np.zeros(0)
    rng = stream(purpose.seed, purpose.generation, f"{purpose.name}: opponents")
    candidates = np.repeat(np.arange(num_candidates), num_pairs)
    opponents = np.tile(rng.integers(num_members, size=num_pairs), num_candidates)
    # Nobody plays itself: the next member stands in.
    opponents = np.where(opponents == candidates, (opponents + 1) % num_members, opponents)
    openings = OpeningRange(*settings.games.opening_plies)
    pairings = schedule_pairs(candidates, opponents, openings, purpose, num_openings=num_pairs)
    results = play_games(Field.of(ranked, depth, game=settings.games.game), pairings, draw_rule(settings))
    points: FloatArray = points_of_a(results).reshape(num_candidates, num_pairs).sum(axis=1)
    return points / (2 * num_pairs)


def num_finalists(settings: Settings, generation: Generation) -> int:
    """Return how many members play off for the crown of a run that ends now; 1 when nobody does."""
    is_refining = (
        refined_for(settings, generation.number, generation.depth, generation.moved_up_at) is not None
    )
    if is_refining or settings.champion.final_games < 2:
        return 1
    return max(1, min(settings.champion.final_candidates, len(generation.members)))


def crown(settings: Settings, seed: int, generation: Generation) -> tuple[Member, dict[str, float]]:
    """Return the champion to end a run with, and its ladder scores.

    It is found by the final play-off; in the refinement it is the centre.

    Follows from the generation alone: it may be called after any generation, any number of times, and changes
    nothing in the evolution.
    """
    ranked = networks_of(settings.members, generation.members)
    since = refined_for(settings, generation.number, generation.depth, generation.moved_up_at)
    if since is None:
        rank = play_off(
            settings,
            ranked,
            generation.depth,
            Purpose(seed, generation.number, "final play-off"),
            num_candidates=settings.champion.final_candidates,
            num_games=settings.champion.final_games,
        )
    else:
        rank = centre_rank(generation.members, generation.number)
    ladder = climb_ladder(settings, seed, generation.number, ranked[rank], generation.depth)
    return generation.members[rank], ladder
