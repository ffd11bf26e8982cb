"""Reproduction: selection of parents, crossover and mutation make the members of the next generation.

Symbols: P members in rank order, best first, C children, L nucleotides in a genome.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from neche.compiled.streams import stream
from neche.evolution.curriculum import annealed, strategy_age
from neche.evolution.evolution_strategy import strategy_members
from neche.evolution.population import FloatArray, Generation, IntArray, Member, born
from neche.evolution.settings import MutationSettings, Settings
from neche.genome import operators
from neche.genome.dna import Digits
from neche.genome.strand_operators import creep_strands, cross_neurons, duplicate_neurons, renew_strands
from neche.genome.strands import StrandFormat, Weights, read_weights, write_weights
from neche.network.decode import viable_members
from neche.network.topology import ORIGINAL, Topology, parse_topology


class Breeding(NamedTuple):
    """Replacements for steps of breeding; None: the usual step.

    parents: (C, rng) → ranks [C, 2]. children: (mothers [C, L], fathers [C, L], rng) → children [C, L].
    """

    parents: Callable[[int, np.random.Generator], IntArray] | None = None
    children: Callable[[Digits, Digits, np.random.Generator], Digits] | None = None


_USUAL = Breeding()

BreedingOf: TypeAlias = Callable[[Generation, MutationSettings, Topology], Breeding]
"""(ranked generation, current mutation rates, topology) → how its children are made."""


def next_members(
    settings: Settings, seed: int, generation: Generation, breeding_of: BreedingOf | None = None
) -> tuple[Member, ...]:
    """Return the members of the next generation, not yet ranked.

    These are elites, unchanged, then children; in the evolution strategy, the centre and its variations.
    """
    number = generation.number + 1
    age = strategy_age(settings, number, generation.stage)
    if age is not None:
        return strategy_members(settings, seed, generation, age)
    # Elites keep id, parents and genome; only children get new ids.
    elites = generation.members[: settings.selection.elites]
    since_move_up = None if generation.moved_up_at is None else number - generation.moved_up_at
    rates = annealed(settings.mutation, settings.curriculum, generation.depth, since_move_up)
    topology = parse_topology(settings.members.topology)
    parents, children = breed(
        [member.genome for member in generation.members],
        parent_weights(settings, generation),
        rates,
        num_children=settings.members.population - len(elites),
        parents_per_child=settings.selection.parents_per_child,
        attempts=lambda attempt: stream(seed, number, "children", attempt),
        topology=topology,
        breeding=_USUAL if breeding_of is None else breeding_of(generation, rates, topology),
    )
    ids = [member.id for member in generation.members]
    couples = [(ids[mother], ids[father]) for mother, father in parents.tolist()]
    return (*elites, *born(number, couples, children))


def parent_cut(settings: Settings) -> int:
    """Return how many of the best members `truncation` may draw as parents; at least one."""
    return max(1, round(settings.selection.parent_share * settings.members.population))


def parent_weights(settings: Settings, generation: Generation) -> FloatArray:
    """Return weights [P] proportional to the probability that a member is drawn as a parent.

    truncation: 1 for the best share, 0 below it. rank-sum: rank sum + ½; a ranking without rounds counts as
    one round, in which the worst member has rank 0 and the best P − 1.
    Source: the original program ("ranks are offset and normalized to form a non-uniform distribution").
    """
    num_members = len(generation.members)
    if settings.selection.selection == "rank-sum":
        # If a plug-in has ranked the members without games, strengths are not sums of ranks.
        if settings.ranking.ranking == "original" and generation.games.any():
            return generation.strengths + 0.5
        return np.arange(num_members - 1, -1, -1, dtype=np.float64) + 0.5
    return (np.arange(num_members) < parent_cut(settings)).astype(np.float64)


def draw_parents(weights: FloatArray, count: int, rng: np.random.Generator) -> IntArray:
    """Draw mothers and fathers, possibly the same, of `count` children by weights [P]: ranks [count, 2]."""
    cumulative = np.cumsum(weights)
    ranks: IntArray = np.searchsorted(cumulative, rng.random((count, 2)) * cumulative[-1], side="right")
    return ranks


def breed(
    strands: Sequence[Digits] | Digits,
    weights: FloatArray,
    rates: MutationSettings,
    *,
    num_children: int,
    parents_per_child: int = 2,
    attempts: Callable[[int], np.random.Generator],
    topology: Topology = ORIGINAL,
    breeding: Breeding = _USUAL,
) -> tuple[IntArray, Digits]:
    """Return parents [C, 2], indices into strands [P, L], and their viable children [C, L].

    All are mutated at once, ten times faster than one by one. Children that are not viable are replaced by
    others, from other parents, until all are viable; attempt k draws from the generator attempts(k). A child
    of one parent has it as both mother and father.
    """
    parents = np.empty((num_children, 2), dtype=np.int64)
    children = np.empty((num_children, len(strands[0])), dtype=np.uint8)
    waiting, attempt = np.arange(num_children), 0
    while waiting.size:
        rng = attempts(attempt)
        draw = breeding.parents
        couples = draw_parents(weights, waiting.size, rng) if draw is None else draw(waiting.size, rng)
        if parents_per_child == 1:
            # Two parents are drawn in either case, so that the number of parents affects no other draw.
            couples[:, 1] = couples[:, 0]
        # Genes are crossed straight from couples; strands and plug-ins take mothers and fathers as arrays.
        if breeding.children is None and not topology.is_dense:
            # The crossed genomes are not bound to a name, so that the first mutation frees them.
            form = topology.gene_format
            bred = mutate_genomes(
                operators.cross_couples(strands, couples, rng, gene_format=form), rates, rng, topology
            )
        else:
            mothers, fathers = (np.stack([strands[rank] for rank in side]) for side in couples.T.tolist())
            if breeding.children is not None:
                bred = breeding.children(mothers, fathers, rng)
            else:
                bred = mutate_genomes(cross_genomes(mothers, fathers, rng, topology), rates, rng, topology)
        viable = viable_members(bred, topology)
        parents[waiting] = couples
        if attempt == 0:
            children = bred
        else:
            children[waiting] = bred
        # Only children that are not viable are bred again; each attempt has its own stream.
        waiting, attempt = waiting[~viable], attempt + 1
    return parents, children


def mutate_strands(
    offspring: Weights, rates: MutationSettings, rng: np.random.Generator, strand_format: StrandFormat
) -> Weights:
    """Return the weights [C, W] after the mutations of neurons and of weights that `rates` allow.

    Strands do not name synapses, so no synapse can be moved or get another source or sink.
    """
    num_children = len(offspring)
    if rates.duplication_mean > 0:
        copies = rng.poisson(rates.duplication_mean, size=num_children)
        creep = {"creep_mean": rates.creep_mean, "creep_sd": rates.creep_sd}
        offspring = duplicate_neurons(offspring, copies, rng, **creep, strand_format=strand_format)
    if rates.creep_mean > 0:
        creeping = rng.poisson(rates.creep_mean, size=num_children)
        offspring = creep_strands(offspring, creeping, rates.creep_sd, rng)
    return renew_strands(offspring, rates.renewal_rate, rng) if rates.renewal_rate > 0 else offspring


def cross_genomes(
    mothers: Digits, fathers: Digits, rng: np.random.Generator, topology: Topology = ORIGINAL
) -> Digits:
    """Return the children [C, L] of the usual crossover: by genes, or on strands by whole neurons."""
    if not topology.is_dense:
        return operators.cross(mothers, fathers, rng, gene_format=topology.gene_format)
    maternal, paternal = (read_weights(parents, topology.strand_format) for parents in (mothers, fathers))
    return write_weights(cross_neurons(maternal, paternal, rng, strand_format=topology.strand_format))


def mutate_genomes(
    offspring: Digits, rates: MutationSettings, rng: np.random.Generator, topology: Topology = ORIGINAL
) -> Digits:
    """Return the genomes [C, L] after every mutation that `rates` allow, of genes or of strands."""
    if topology.is_dense:
        weights = read_weights(offspring, topology.strand_format)
        bred = write_weights(mutate_strands(weights, rates, rng, topology.strand_format))
        return operators.point_mutation(bred, rates.point_rate, rng) if rates.point_rate > 0 else bred
    num_children, gene_format = len(offspring), topology.gene_format
    if rates.duplication_mean > 0:
        # Duplication comes first, so that creep and point mutation can already change a copy.
        copies = rng.poisson(rates.duplication_mean, size=num_children)
        source_rate, sink_rate = rates.duplication_source_rate, rates.duplication_sink_rate
        offspring = operators.duplicate_genes(
            offspring, copies, source_rate, sink_rate, rng, gene_format=gene_format
        )
    if rates.creep_mean > 0:
        creeping = rng.poisson(rates.creep_mean, size=num_children)
        offspring = operators.creep_weights(offspring, creeping, rates.creep_sd, rng, gene_format=gene_format)
    if rates.point_rate > 0:
        offspring = operators.point_mutation(offspring, rates.point_rate, rng)
    if rates.renewal_rate > 0:
        offspring = operators.renew_genes(offspring, rates.renewal_rate, rng, gene_format=gene_format)
    moved = offspring.copy()
    for child in np.flatnonzero(rng.random(num_children) < rates.translocation_rate).tolist():
        moved[child] = operators.translocate(offspring[child], rng, gene_format=gene_format)
    return moved
