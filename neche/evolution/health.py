"""Health: known failures of an evolution, recognised in the figures of its generations.

A warning begins with its kind and a colon; the kind stays the same from generation to generation. Warnings
are for people: nothing in the evolution depends on them.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from neche.evolution.champion import num_hall_games, num_tested_members
from neche.evolution.curriculum import Stage, next_depth, strategy_age
from neche.evolution.diagnostics import MEMORY
from neche.evolution.settings import Settings

CONSTANT_SHARE = 0.5
"""Networks that value all positions alike: 5 % of random genomes; half only if sight is being lost."""
FALLEN_SHARE = 0.5
"""Squares seen, as a share of the most so far. With depth 4 from the start they fell from 3.4 to 0.2 in 10
generations; runs that climb never lost half of them."""
SCORE_SD = 0.45
"""Standard deviation of the points of one game; few games of early networks are drawn."""
ERRORS = 3.0
"""Standard errors below ½ at which a score counts as a loss: by chance once in 700 scores."""
WIRED_DISTANCE = 0.08
"""Share of differing nucleotides in wired genes; at depth 1, runs that climb never had less than 0.3."""
EVALUATION_DISTANCE = 0.04
"""Share of pairs of positions ordered differently; at depth 1, runs that climb never had less than 0.14."""
AGREEMENT = 0.02
"""Kendall's tau between halves of the games. Populations that do not climb: 0.00 to 0.02; at depth 1 0.08 to
0.2, later 0.2 to 0.4. Source: the first study of the plateau, ten games a member."""
SETTLING = 2 * MEMORY
"""Generations that any run may need before its members can be distinguished."""


def warnings(record: Mapping[str, Any], settings: Settings) -> list[str]:
    """Return warnings that a reader of the record should not overlook, one text per kind at most."""
    texts: dict[str, list[str]] = {}
    of_champion = _champion_signs(record, settings) if "ancestors" in record else ()
    for kind, sign in (*_population_signs(record, settings), *of_champion):
        texts.setdefault(kind, []).append(sign)
    return [f"{kind}: {'; '.join(signs)}" for kind, signs in texts.items()]


def kind_of(warning: str) -> str:
    """Return the kind of a warning.

    >>> kind_of("rank noise: all games were drawn")
    'rank noise'
    """
    return warning.partition(":")[0]


def lost_score(num_games: int) -> float:
    """Return the score in `num_games` games below which a player counts as the weaker one."""
    return 0.5 - ERRORS * SCORE_SD / math.sqrt(max(1, num_games))


def most_luck(num_members: int, num_games: float, num_retested: int) -> float:
    """Return by how much the best of equal members may fall back when it plays again.

    The largest of P normal deviations is about √(2 ln P); the re-test has an error of its own. With 100
    members, 10 games and 60 in the re-test the result is 0.60; runs that climb had up to 0.53.
    """
    luck = SCORE_SD * math.sqrt(2 * math.log(num_members) / max(num_games, 1.0))
    return luck + ERRORS * SCORE_SD / math.sqrt(max(1, num_retested))


def _population_signs(record: Mapping[str, Any], settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield kind and description of each fault of a population, kind by kind."""
    number, stage = record["generation"], Stage(record["depth"], record["moved_up_at"])
    score, constant = record.get("population_vs_blind"), record["constant"]
    seen, most = record["squares_seen"], record["squares_seen_most"]
    if constant >= CONSTANT_SHARE:
        yield "blind collapse", f"{constant:.0%} of the networks value all positions alike"
    learns = settings.prediction.fitness != "tournament"
    # Where members learn to predict, generation 0 has not learned yet, and games alone select nobody.
    if score is not None and score < lost_score(2 * num_tested_members(settings)) and (number or not learns):
        advice = "" if learns else ", so that selection favours the blind; begin at depth 1"
        told = f"at depth {stage.depth} members score {score:.2f} against a player that sees nothing"
        yield "blind collapse", told + advice
    if stage.depth >= 2 and seen < FALLEN_SHARE * most:
        yield "blind collapse", f"members see {seen:.1f} squares, {most:.1f} at their best"
    wired, evaluations = record["wired_distance"], record["evaluation_distance"]
    is_early = next_depth(settings.curriculum, stage.depth) is not None
    is_alike = wired < WIRED_DISTANCE and evaluations < EVALUATION_DISTANCE
    # Blind networks are alike too, but they fail for another reason.
    if is_early and is_alike and constant < CONSTANT_SHARE:
        yield (
            "premature convergence",
            f"before the last depth, members differ in {wired:.1%} of their wired genes' nucleotides"
            f" and order {evaluations:.1%} of positions differently",
        )
    if record["draws"] == 1.0:
        yield "rank noise", "all games were drawn"
    mean = record["rank_agreement_mean"]
    # Variations of one genome hardly differ; their weighted mean averages out the luck.
    is_noise = record["games"] > 0 and mean <= AGREEMENT
    if number >= SETTLING and is_noise and strategy_age(settings, number, stage) is None:
        yield (
            "rank noise",
            f"halves of recent games agree on the order by {mean:.2f}, so the ranking is chance",
        )


def _champion_signs(record: Mapping[str, Any], settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield kind and description of each fault of a champion that was measured."""
    for generation, score in record["ancestors"].items():
        if score < lost_score(num_hall_games(settings)):
            yield "forgetting", f"the champion scores {score:.2f} against that of generation {generation}"
    best, again = record["best_score"], record.get("best_retest")
    num_members, num_retested = settings.members.population, settings.champion.champion_games
    num_games = 2 * record["games"] / num_members
    # The best of few games is always lucky, which a play-off corrects; more luck misleads even a play-off.
    if again is not None and best - again > most_luck(num_members, num_games, num_retested):
        yield (
            "lucky champion",
            f"the best of the ranking scored {best:.2f} in about {num_games:.0f} games,"
            f" then {again:.2f} in {num_retested} against random members",
        )
