"""What an evolution tells while it runs: displays listen, and the evolution knows none of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from neche.evolution.population import Generation


@dataclass(frozen=True)
class GenerationStarted:
    """A generation begins its games; `planned_games` is exact or an estimate, as its ranking allows."""

    number: int
    depth: int
    planned_games: int


@dataclass(frozen=True)
class GamesPlayed:
    """Games of the ranking so far; `total` as planned, never less than `done`."""

    done: int
    total: int


@dataclass(frozen=True)
class MovedUp:
    """From this generation on the population searches deeper; `score` against the blind player earned it."""

    number: int
    depth: int
    score: float


@dataclass(frozen=True)
class ChampionMeasured:
    """A champion was measured: mean points a game (0..1) against each benchmark."""

    number: int
    champion_id: str
    scores: dict[str, float]


@dataclass(frozen=True, eq=False)
class GenerationRanked:
    """A generation is complete: about to be yielded, or an imported one that has only now played."""

    generation: Generation


Event: TypeAlias = GenerationStarted | GamesPlayed | MovedUp | ChampionMeasured | GenerationRanked
Notify: TypeAlias = Callable[[Event], None]
