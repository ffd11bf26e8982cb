"""Members of a population, and a generation that has played.

Symbols: P members, L nucleotides in a genome.
"""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple, Self

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from neche.compiled.streams import stream
from neche.evolution.curriculum import Stage
from neche.evolution.settings import MemberSettings, Settings
from neche.genome.dna import Digits, random_genome
from neche.network.decode import Network, decode_population, is_viable
from neche.network.topology import parse_topology
from neche.prediction.neurons import random_neurons, write_neurons

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

FIRST_WEIGHTS = 0.16
"""Standard deviation of random weights on strands, weight units, where no setting gives it."""
FOREIGN = "island-"
"""Prefix of the id of a parent on another island, `island-1.g10-0003`; see `islands.py`."""
RECORD_DECIMALS = 4
"""Decimals of every measured number in the record, which hide the last bits of a sum from files."""


class Member(Struct, frozen=True, eq=False, gc=False):
    """One individual.

    id: `g12-0034` – generation of birth and index among those born then; an elite keeps its id.
    parents: ids, mother first; empty in generation 0. For an immigrant: its own id on its home island.
    genome: [L] uint8 – nucleotides 0..3.
    """

    id: str
    parents: tuple[str, ...]
    genome: Digits

    def __repr__(self) -> str:
        """Write id and parents, and no genome: thousands of nucleotides would hide them."""
        return f"Member({self.id!r}, parents={self.parents!r}, {len(self.genome)} nucleotides)"


class PastChampion(NamedTuple):
    """An entry of the hall of fame: the number of a generation, and the member that led it."""

    generation: int
    member: Member


@dataclass(frozen=True, eq=False)
class Generation:
    """A generation after its games: with settings and seed, it determines the next one.

    number: 0 is the first.
    members: [P] in rank order, best first; the arrays below are in the same order. All are read-only,
        see `protected`.
    scores: [P] mean points per game (win 1, draw ½).
    strengths: [P] key of the ranking: Bradley–Terry strength (natural logarithm units, mean 0), or
        the sum of ranks of the ranking `original` (worst 0 a round).
    games: [P] games played by each member for the ranking.
    depth: plies searched in these games.
    moved_up_at: generation that first played at the current depth, None while that is the first depth.
    record: diagnostics for the history, plain JSON values; never a wall time, so that equal seeds give equal
    files.
    hall_of_fame: champions of some earlier generations, and of this one, against which later champions are
        measured; they have no offspring.
    inherited: [P] the members from before learning, where offspring inherit these (Baldwin); else empty.
    labellers: champions of this and the generations just before it, oldest first, from whose games the next
        generation learns; empty where none does.
    memory: what plug-ins keep for the next generation, plain JSON values.
    """

    number: int
    members: tuple[Member, ...]
    scores: FloatArray
    strengths: FloatArray
    games: IntArray
    depth: int
    moved_up_at: int | None
    record: dict[str, Any]
    hall_of_fame: tuple[PastChampion, ...] = ()
    inherited: tuple[Member, ...] = ()
    labellers: tuple[Member, ...] = ()
    memory: dict[str, Any] = field(default_factory=dict)

    def protected(self) -> Self:
        """Return it for inspection, with arrays and genomes made read-only, and record and memory copied.

        Otherwise a listener that sorts scores, knocks out a gene or changes the record would change the run,
        and no checksum could tell.
        """
        champions = (past.member for past in self.hall_of_fame)
        for member in (*self.members, *self.inherited, *self.labellers, *champions):
            member.genome.flags.writeable = False
        self.scores.flags.writeable = self.strengths.flags.writeable = self.games.flags.writeable = False
        return replace(self, record=deepcopy(self.record), memory=deepcopy(self.memory))

    def __repr__(self) -> str:
        """Write its number and best member, and no genomes, which would hide them."""
        best = f"best {self.members[0].id}, {self.scores[0]:.2f} points a game"
        return f"<Generation {self.number}: {len(self.members)} members, {best}>"

    @property
    def is_ranked(self) -> bool:
        """Whether its members are in rank order: an import has not played yet."""
        return bool(self.games.any()) or "best_score" in self.record

    @property
    def stage(self) -> Stage:
        """The population's stage of the curriculum."""
        return Stage(self.depth, self.moved_up_at)


class Context(NamedTuple):
    """What every step of one generation needs: the settings, the seed, and the generation's number."""

    settings: Settings
    seed: int
    number: int


def member_id(generation: int, index: int) -> str:
    """Return the id of the `index`-th member born in a generation.

    >>> member_id(12, 34)
    'g12-0034'
    """
    return f"g{generation}-{index:04d}"


@cache
def _id_endings(count: int) -> list[str]:
    return [member_id(0, index).removeprefix("g0") for index in range(count)]


def born(
    generation: int, parents: Sequence[tuple[str, ...]], genomes: Iterable[Digits]
) -> tuple[Member, ...]:
    """Return members born in a generation, each with an id; parents: ids, of each member."""
    # Endings are cached: formatting a thousand takes longer than everything else here.
    ids = [f"g{generation}{ending}" for ending in _id_endings(len(parents))]
    return tuple(map(Member, ids, parents, genomes))


def networks_of(settings: MemberSettings, members: Sequence[Member]) -> Sequence[Network]:
    """Decode the genomes of members, in their order."""
    genomes, topology = [member.genome for member in members], parse_topology(settings.topology)
    return decode_population(genomes, perspective=settings.perspective, topology=topology)


def first_members(
    settings: MemberSettings, seed: int, *, first_weights: float | None = None
) -> tuple[Member, ...]:
    """Draw the members of generation 0: random DNA without prior knowledge, each redrawn until it is viable.

    first_weights: standard deviation of the weights of members that will learn by prediction, weight units:
    their genomes encode as many whole neurons as fit, as strands always do.
    """
    topology, genes = parse_topology(settings.topology), settings.genes

    def genome(index: int) -> Digits:
        rng = stream(seed, 0, "first genome", index)
        if first_weights is None and not topology.is_dense:
            while True:
                strand = random_genome(genes, rng, gene_length=topology.gene_format.length)
                if is_viable(strand, topology):
                    return strand
        neurons = random_neurons(topology, genes, first_weights or FIRST_WEIGHTS, rng)
        outs = neurons.shape[1] - 1 - topology.sensors
        neurons[1 + settings.first_neurons :, :outs] = 0.0
        return write_neurons(neurons, topology, genes)

    return tuple(Member(member_id(0, index), (), genome(index)) for index in range(settings.population))
