"""Events of a running evolution, to which displays listen; the evolution knows none of them."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from neche.evolution.population import Generation


class GenerationStarted(NamedTuple):
    """A generation begins its games; `planned_games` is exact or an estimate, depending on its ranking."""

    number: int
    depth: int
    planned_games: int


class GamesPlayed(NamedTuple):
    """Games of the ranking so far; `total` as planned, never less than `done`."""

    done: int
    total: int


class SamplesMade(NamedTuple):
    """Self-play games of a champion so far, from which generation `number` learns, and positions kept."""

    number: int
    games: int
    total: int
    positions: int


class MembersLearned(NamedTuple):
    """Members of generation `number` that have learned from samples so far."""

    number: int
    done: int
    total: int


class EmigrantsAwaited(NamedTuple):
    """The next generation waits for `island`, whose generation `number` is not finished; sent repeatedly."""

    number: int
    island: int


class MovedUp(NamedTuple):
    """From this generation on the population searches deeper; it scored `score` against the blind player."""

    number: int
    depth: int
    score: float


class ChampionMeasured(NamedTuple):
    """A champion was measured: mean points per game (0..1) against each benchmark."""

    number: int
    champion_id: str
    scores: dict[str, float]


class GenerationRanked(NamedTuple):
    """A generation is complete and about to be yielded, or it was imported and has only now played."""

    generation: Generation


Event: TypeAlias = (
    EmigrantsAwaited
    | SamplesMade
    | MembersLearned
    | GenerationStarted
    | GamesPlayed
    | MovedUp
    | ChampionMeasured
    | GenerationRanked
)
Notify: TypeAlias = Callable[[Event], None]
