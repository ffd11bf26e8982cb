"""Islands: populations that evolve separately and at intervals receive the best members of a neighbour.

They form a ring. At every exchange, a generation whose number is a multiple of `migrate_every`, the best of
each island are copied to the next one and join its next generation, in place of those that would be born
last, which are not tested yet. Immigrants play, and learn where members learn, like all others, so their rank
reflects their strength on this island; its worst have no offspring, wherever they come from.

An immigrant has a new id; its only parent is its id at home: `island-1.g10-0003`. Everything is determined by
settings, seed and number of the island, whatever the order or place of computation.

Sources: the island model (Wright 1931); its synchronous ring in evolutionary computation (Tanese 1989).
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from neche.compiled.streams import stream_key
from neche.evolution.population import FOREIGN, Generation, Member, member_id
from neche.evolution.settings import IslandSettings, Settings

Immigrants: TypeAlias = Callable[[int], Sequence[Member]]
"""Number of an exchange → the emigrants of the neighbour, best first, with their ids at home."""


def island_seed(settings: Settings, seed: int) -> int:
    """Return the seed of the draws on an island; for a single population, the seed itself."""
    islands = settings.islands
    # It has 63 bits, like all seeds.
    return seed if islands.islands == 1 else stream_key(seed, 0, "island", islands.island) >> 1


def with_island(settings: Settings, island: int) -> Settings:
    """Return the settings of another island of the same run."""
    return msgspec.structs.replace(settings, islands=msgspec.structs.replace(settings.islands, island=island))


def neighbour(islands: IslandSettings) -> int:
    """Return the number of the island whose emigrants come to this one."""
    return (islands.island - 1) % islands.islands


def is_exchange(islands: IslandSettings, number: int) -> bool:
    """Return whether generation `number` has an exchange, where there are islands; number 0 never has."""
    return number > 0 and number % islands.migrate_every == 0


def emigrants(generation: Generation, count: int) -> list[int]:
    """Return the ranks of the emigrants: of the champion, then of the best others."""
    # The champion was found by more games than its rank, or is the centre, better than its variations.
    champion = generation.record["champion_id"]
    ranks = range(len(generation.members))
    return sorted(ranks, key=lambda rank: generation.members[rank].id != champion)[:count]


def arrivals(settings: Settings, number: int, arriving: Sequence[Member]) -> tuple[Member, ...]:
    """Return the emigrants of the neighbour as the last members of generation `number`."""
    home, first = neighbour(settings.islands), settings.members.population - len(arriving)
    return tuple(
        Member(member_id(number, index), (f"{FOREIGN}{home}.{one.id}",), one.genome)
        for index, one in enumerate(arriving, first)
    )
