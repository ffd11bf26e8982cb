"""Reproduction: the members of the next generation, from one that has played.

Symbols: P parents to choose from, C children, L nucleotides in a genome.
"""

from collections.abc import Callable

import numpy as np

from neche.compiled.streams import stream
from neche.evolution.curriculum import annealed
from neche.evolution.parameters import Mutation
from neche.evolution.population import FloatArray, Generation, IntArray, Member, member_id, topology_of
from neche.evolution.refinement import refined_for, refined_members
from neche.evolution.selection import draw_parents, parent_weights
from neche.evolution.settings import Settings
from neche.genome.dna import GENE_FORMAT, Digits, GeneFormat
from neche.genome.operators import (
    creep_weights,
    cross,
    duplicate_genes,
    point_mutation,
    renew_genes,
    translocate,
)
from neche.network.decode import viable_members
from neche.network.topology import ORIGINAL, Topology


def next_members(settings: Settings, seed: int, generation: Generation) -> tuple[Member, ...]:
    """Return the members of the next generation, not ranked yet.

    Elites, unchanged, then children; in the refinement the centre and its variations.
    """
    number = generation.number + 1
    since = refined_for(settings, number, generation.depth, generation.moved_up_at)
    if since is not None:
        return refined_members(settings, seed, generation, since)
    elites = generation.members[: settings.selection.elites]
    since_move_up = None if generation.moved_up_at is None else number - generation.moved_up_at
    rates = annealed(settings.mutation, settings.curriculum, generation.depth, since_move_up)
    strands = np.stack([member.genome for member in generation.members])
    parents, children = conceive(
        strands,
        parent_weights(settings, generation),
        rates,
        num_children=settings.members.population - len(elites),
        parents_per_child=settings.selection.parents_per_child,
        attempts=lambda attempt: stream(seed, number, "children", attempt),
        topology=topology_of(settings.members),
    )
    ids = [member.id for member in generation.members]
    born = [
        Member(member_id(number, index), (ids[mother], ids[father]), child)
        for index, ((mother, father), child) in enumerate(zip(parents.tolist(), children, strict=True))
    ]
    return (*elites, *born)


def conceive(
    strands: Digits,
    weights: FloatArray,
    rates: Mutation,
    *,
    num_children: int,
    parents_per_child: int = 2,
    attempts: Callable[[int], np.random.Generator],
    topology: Topology = ORIGINAL,
) -> tuple[IntArray, Digits]:
    """Return parents [C, 2], indices into strands [P, L], and their viable children [C, L].

    The whole brood is crossed and mutated at once. In place of children that are not viable others are
    conceived, by other parents, until all are; attempt k draws from the generator attempts(k). A child of
    one parent has it as mother and father.
    """
    parents = np.empty((num_children, 2), dtype=np.int64)
    children = np.empty((num_children, strands.shape[1]), dtype=np.uint8)
    waiting, attempt = np.arange(num_children), 0
    while waiting.size:
        rng = attempts(attempt)
        couples = draw_parents(weights, waiting.size, rng)
        if parents_per_child == 1:
            couples[:, 1] = couples[:, 0]
        mothers, fathers = strands[couples[:, 0]], strands[couples[:, 1]]
        crossed = cross(mothers, fathers, rng, gene_format=topology.gene_format)
        brood = mutate(crossed, rates, rng, gene_format=topology.gene_format)
        viable = viable_members(brood, topology)
        parents[waiting[viable]], children[waiting[viable]] = couples[viable], brood[viable]
        waiting, attempt = waiting[~viable], attempt + 1
    return parents, children


def mutate(
    brood: Digits, rates: Mutation, rng: np.random.Generator, *, gene_format: GeneFormat = GENE_FORMAT
) -> Digits:
    """Return the genomes [C, L] after every mutation that `rates` allow."""
    num_children = len(brood)
    if rates.duplication_mean > 0:
        copies = rng.poisson(rates.duplication_mean, size=num_children)
        source_rate, sink_rate = rates.duplication_source_rate, rates.duplication_sink_rate
        brood = duplicate_genes(brood, copies, source_rate, sink_rate, rng, gene_format=gene_format)
    if rates.creep_mean > 0:
        creeping = rng.poisson(rates.creep_mean, size=num_children)
        brood = creep_weights(brood, creeping, rates.creep_sd, rng, gene_format=gene_format)
    if rates.point_rate > 0:
        brood = point_mutation(brood, rates.point_rate, rng)
    if rates.renewal_rate > 0:
        brood = renew_genes(brood, rates.renewal_rate, rng, gene_format=gene_format)
    broken = rng.random(num_children) < rates.translocation_rate
    moved = [
        translocate(strand, rng, gene_format=gene_format) if breaks else strand
        for strand, breaks in zip(brood, broken, strict=True)
    ]
    return np.stack(moved)
