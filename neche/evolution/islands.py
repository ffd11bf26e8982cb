"""Islands: populations that evolve apart, and now and then take in the best of a neighbour.

They stand in a ring. At every exchange, a generation whose number is a multiple of `migrate_every`, the best
of each island are copied to the next one, and are members of its next generation: in place of those that
would be born last, which are not tested yet. They play, and learn where members learn, as all others do,
so their rank is what they are worth on this island; its worst have no offspring, wherever they come from.

An immigrant has a new id, and as its only parent who it was at home: `island-1.g10-0003`. Everything follows
from settings, seed and number of the island, whichever of them is computed first, or where.

Sources: the island model (Wright 1931); its synchronous ring in evolutionary computation (Tanese 1989).
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from neche.compiled.streams import stream_key
from neche.evolution.population import FOREIGN, Generation, Member, member_id
from neche.evolution.settings import IslandSettings, Settings

Immigrants: TypeAlias = Callable[[int], Sequence[Member]]
"""Number of an exchange → the emigrants of the neighbour, best first, as they are called at home."""


def island_seed(settings: Settings, seed: int) -> int:
    """Return the seed of the draws on an island; of a single population the seed itself."""
    islands = settings.islands
    # Of 63 bits, as seeds are everywhere.
    return seed if islands.islands == 1 else stream_key(seed, 0, "island", islands.island) >> 1


def with_island(settings: Settings, island: int) -> Settings:
    """Return the settings of another island of the same run."""
    return msgspec.structs.replace(settings, islands=msgspec.structs.replace(settings.islands, island=island))


def neighbour(islands: IslandSettings) -> int:
    """Return the number of the island whose emigrants come to this one."""
    return (islands.island - 1) % islands.islands


def is_exchange(islands: IslandSettings, number: int) -> bool:
    """Return whether members of generation `number` go on, where there are islands; random ones never do."""
    return number > 0 and number % islands.migrate_every == 0


def emigrants(generation: Generation, count: int) -> list[int]:
    """Return the ranks of those that go on: of the champion, then of the best others."""
    # It was found by more games than its rank, or is the centre, which is better than what varies it.
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
