"""Refinement: the late phase, in which a whole generation varies one genome and its mean goes on.

Each generation has a centre, the weighted mean of the better half of the generation before it; all other
members are the centre with every wired weight moved a little, in mirrored pairs. Taking the mean averages the
luck of single games away, which choosing the best cannot: differences of a hundredth of a point add up from
generation to generation. It begins with the champion of the population, given silent modules to grow into.
Source: the (µ/µ_w, λ) evolution strategy with mirrored sampling (Hansen and Ostermeier 2001; Brockhoff and
others 2010), without adaptation of the step: it shrinks on a schedule.

Symbols: P members, G genes.
"""

from collections.abc import Sequence

import msgspec
import numpy as np

from neche.compiled.streams import stream
from neche.evolution.curriculum import next_depth
from neche.evolution.growth import grow_links, grow_modules, normalise
from neche.evolution.parameters import Refinement
from neche.evolution.population import FloatArray, Generation, Member, member_id, topology_of
from neche.evolution.settings import Settings
from neche.genome.dna import WEIGHT_SCALE, WEIGHT_ZERO, Digits, read_genes
from neche.genome.operators import blend, shift_weights
from neche.network.decode import wired_genes
from neche.network.topology import ORIGINAL, Topology

FOUNDING_SIZE = 20.0
"""Root mean square of the founder's output weights: two fifths of the largest weight there is."""


def refined_for(settings: Settings, number: int, depth: int, moved_up_at: int | None) -> int | None:
    """Return for how many generations generation `number` has been refining; None before it begins."""
    after = settings.refinement.refine_after
    if after == 0 or next_depth(settings.curriculum, depth) is not None:
        return None
    since = number - (moved_up_at or 0) - after
    return since if since >= 0 else None


def settings_at(settings: Settings, number: int, depth: int, moved_up_at: int | None) -> Settings:
    """Return the settings to rank generation `number` by: a refinement pairs by a scheme of its own."""
    if refined_for(settings, number, depth, moved_up_at) is None:
        return settings
    ranking = msgspec.structs.replace(settings.ranking, ranking=settings.refinement.refine_ranking)
    return msgspec.structs.replace(settings, ranking=ranking)


def step_size(refinement: Refinement, since: int) -> float:
    """Return the standard deviation of the steps, as a share of the weights, `since` generations into it."""
    progress = min(1.0, since / refinement.refine_generations)
    return float(refinement.refine_sd * (refinement.refine_sd_end / refinement.refine_sd) ** progress)


def refined_members(settings: Settings, seed: int, generation: Generation, since: int) -> tuple[Member, ...]:
    """Return the members of the next generation: the centre first, then its variations."""
    number = generation.number + 1
    rng = stream(seed, number, "refinement")
    topology = topology_of(settings.members)
    if since == 0:
        centre, parents = _found(settings, generation, rng)
    else:
        shares = recombination_shares(len(generation.members), settings.refinement.refine_share)
        better = generation.members[: len(shares)]
        strands = np.stack([member.genome for member in better])
        centre = blend(strands, shares, gene_format=topology.gene_format)
        parents = tuple(member.id for member in better)
    size = step_size(settings.refinement, since)
    steps = mirrored_steps(centre, settings.members.population - 1, size, rng, topology=topology)
    first = Member(member_id(number, 0), parents, centre)
    variations = shift_weights(centre, steps, gene_format=topology.gene_format)
    others = [
        Member(member_id(number, index), (first.id,), genome) for index, genome in enumerate(variations, 1)
    ]
    return (first, *others)


def _found(
    settings: Settings, generation: Generation, rng: np.random.Generator
) -> tuple[Digits, tuple[str, ...]]:
    champion_id = generation.record["champion_id"]
    champion = next(member for member in generation.members if member.id == champion_id)
    topology = topology_of(settings.members)
    founder = normalise(champion.genome, FOUNDING_SIZE, topology=topology)
    grown = grow_modules(founder, settings.refinement.modules, rng, topology=topology)
    return grow_links(grown, settings.refinement.links, rng, topology=topology), (champion.id,)


def recombination_shares(num_members: int, share: float) -> FloatArray:
    """Return the weights of the best `share`, best first: they fall with the logarithm of the rank."""
    parents = max(1, int(share * num_members))
    shares: FloatArray = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
    return shares


def mirrored_steps(
    centre: Digits, count: int, size: float, rng: np.random.Generator, *, topology: Topology = ORIGINAL
) -> FloatArray:
    """Draw steps [count, G], weight units, for the wired genes: normal, each followed by its mirror image.

    The standard deviation of a step is `size` times a scale: for a synapse into the output the size that the
    founder's were scaled to, for one into a hidden neuron the root mean square of the weights that enter it.
    """
    genes = read_genes(centre, topology.gene_format)
    wired = wired_genes(centre, topology)
    weights = (genes.raw - WEIGHT_ZERO) / WEIGHT_SCALE
    scale = np.where(wired & (genes.sink == topology.output), FOUNDING_SIZE, 0.0)
    for neuron in np.unique(genes.sink[wired & (genes.sink != topology.output)]):
        entering = wired & (genes.sink == neuron)
        scale[entering] = np.sqrt(np.mean(weights[entering] ** 2))
    half = rng.standard_normal(((count + 1) // 2, len(weights))) * (size * scale)
    return np.stack([half, -half], axis=1).reshape(-1, len(weights))[:count]


def centre_rank(members: Sequence[Member], number: int) -> int:
    """Return the rank of the centre among the members of generation `number`."""
    return next(rank for rank, member in enumerate(members) if member.id == member_id(number, 0))
