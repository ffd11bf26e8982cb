"""Reproduction: the members of the next generation, from one that has played."""

import numpy as np

from neche.compiled.streams import stream
from neche.evolution.curriculum import annealed
from neche.evolution.parameters import Mutation
from neche.evolution.population import Generation, Member, member_id
from neche.evolution.selection import draw_parents, parent_weights
from neche.evolution.settings import Settings
from neche.genome.crossover import cross
from neche.genome.dna import Digits
from neche.genome.mutation import creep_weights, duplicate_genes, point_mutation, renew_genes, translocate
from neche.network.viability import is_viable


def next_members(settings: Settings, seed: int, generation: Generation) -> tuple[Member, ...]:
    """Return the unranked members of the generation after `generation`: its elites, unchanged, then children.

    Each child has a stream of its own, so it is the same whoever makes it and in whatever order.
    """
    number = generation.number + 1
    elites = generation.members[: settings.selection.elites]
    cumulative = np.cumsum(parent_weights(settings, generation))
    moved_up_at = generation.moved_up_at
    since_move_up = None if moved_up_at is None else number - moved_up_at
    rates = annealed(settings.mutation, settings.curriculum, generation.depth, since_move_up)
    children = []
    for index in range(settings.members.population - len(elites)):
        rng = stream(seed, number, "child", index)
        mother, father = (generation.members[parent] for parent in draw_parents(cumulative, rng))
        genome = conceive(mother.genome, father.genome, rates, rng)
        children.append(Member(member_id(number, index), (mother.id, father.id), genome))
    return (*elites, *children)


def conceive(mother: Digits, father: Digits, rates: Mutation, rng: np.random.Generator) -> Digits:
    """Cross two genomes and mutate the result, again and again until it is viable."""
    while True:
        child = mutate(cross(mother, father, rng), rates, rng)
        if is_viable(child):
            return child


def mutate(genome: Digits, rates: Mutation, rng: np.random.Generator) -> Digits:
    """Return the genome after every mutation that `rates` allow."""
    if rates.duplication_mean > 0:
        copies = int(rng.poisson(rates.duplication_mean))
        genome = duplicate_genes(
            genome, copies, rates.duplication_source_rate, rates.duplication_sink_rate, rng
        )
    if rates.creep_mean > 0:
        genome = creep_weights(genome, int(rng.poisson(rates.creep_mean)), rates.creep_sd, rng)
    if rates.point_rate > 0:
        genome = point_mutation(genome, rates.point_rate, rng)
    if rates.renewal_rate > 0:
        genome = renew_genes(genome, rates.renewal_rate, rng)
    if rng.random() < rates.translocation_rate:
        genome = translocate(genome, rng)
    return genome
