"""The evolution strategy: the late phase, in which each generation varies one genome, and a mean is the next.

Each generation has a centre, the weighted mean of the better half of the generation before it; all other
members are the centre with every wired weight perturbed, in mirrored pairs. Unlike choosing the best, taking
the mean averages out the luck of single games: differences of a hundredth of a point add up over
generations. The first centre is the champion of the population, given silent modules to grow into:
complexification within a genome of fixed length. In settings and recipes this phase is called the refinement.

Sources: the (µ/µ_w, λ) evolution strategy with mirrored sampling (Hansen and Ostermeier 2001; Brockhoff and
others 2010), without adaptation of the step: it shrinks on a schedule. Complexification: Stanley and
Miikkulainen 2004, JAIR 21.

Symbols: P members, L nucleotides, G genes.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

import msgspec
import numpy as np
from numpy.typing import NDArray

from neche.compiled.streams import stream
from neche.evolution.population import (
    FIRST_WEIGHTS,
    FOREIGN,
    Context,
    FloatArray,
    Generation,
    Member,
    born,
    member_id,
)
from neche.evolution.settings import Settings, StrategySettings
from neche.genome.dna import WEIGHT_SCALE, WEIGHT_ZERO, Digits, Genes, read_genes, write_genes
from neche.genome.operators import blend, shift_weights
from neche.genome.strand_operators import blend_strands, shift_strands
from neche.genome.strands import STEPS_A_UNIT, StrandFormat, read_weights, write_weights
from neche.network.decode import wired_genes
from neche.network.topology import ORIGINAL, Topology, parse_topology

FOUNDING_SIZE = 20.0
"""Root mean square of the founder's output weights: two fifths of the largest possible weight."""
_GENES_A_MODULE = 3
_LARGEST_WEIGHT = 40.0


def ranking_settings(settings: Settings) -> Settings:
    """Return the settings for ranking a generation of this phase, which has its own pairing scheme."""
    ranking = msgspec.structs.replace(settings.ranking, ranking=settings.refinement.refine_ranking)
    return msgspec.structs.replace(settings, ranking=ranking)


def step_size(settings: StrategySettings, age: int) -> float:
    """Return the standard deviation of the steps, as a share of the weights, `age` generations into it."""
    # Geometric from the first size to the last, then constant: independent of the length of the run.
    progress = min(1.0, age / settings.refine_generations)
    return float(settings.refine_sd * (settings.refine_sd_end / settings.refine_sd) ** progress)


@lru_cache(maxsize=1)
def _standard_steps(seed: int, number: int, shape: tuple[int, int]) -> FloatArray:
    return stream(seed, number, "refinement").standard_normal(shape)


def draw_ahead(context: Context) -> None:
    """Draw and cache the steps with which the next generation varies a mean, for genomes of genes only."""
    members = context.settings.members
    if not parse_topology(members.topology).is_dense:
        _standard_steps(context.seed, context.number + 1, (members.population // 2, members.genes))


def strategy_members(settings: Settings, seed: int, generation: Generation, age: int) -> tuple[Member, ...]:
    """Return the members of the next generation: the centre first, then its variations."""
    number, topology = generation.number + 1, parse_topology(settings.members.topology)
    draw: Callable[..., FloatArray] = partial(_standard_steps, seed, number)
    if age == 0:
        rng = stream(seed, number, "refinement")
        (centre, parents), draw = _found(settings, generation, rng), rng.standard_normal
    else:
        # The mean of the better half, not the best one: the luck of single games averages out.
        better, shares = better_half(generation.members, settings.refinement.refine_share)
        centre = _mean(np.stack([member.genome for member in better]), shares, topology)
        parents = tuple(member.id for member in better)
    size = step_size(settings.refinement, age)
    count = settings.members.population - 1
    variations = _variations(centre, count, size, draw, topology)
    return born(number, [parents, *[(member_id(number, 0),)] * count], [centre, *variations])


def _mean(genomes: Digits, shares: FloatArray, topology: Topology) -> Digits:
    if topology.is_dense:
        return write_weights(blend_strands(read_weights(genomes, topology.strand_format), shares))
    return blend(genomes, shares, gene_format=topology.gene_format)


def _variations(
    centre: Digits, count: int, size: float, draw: Callable[..., FloatArray], topology: Topology
) -> Digits:
    if topology.is_dense:
        weights = read_weights(centre, topology.strand_format)
        scale = strand_scale(weights / STEPS_A_UNIT, topology.strand_format)
        return write_weights(shift_strands(weights, mirrored_steps(size * scale, count, draw)))
    steps = mirrored_steps(size * gene_scale(centre, topology), count, draw)
    return shift_weights(centre, steps, gene_format=topology.gene_format)


def _found(
    settings: Settings, generation: Generation, rng: np.random.Generator
) -> tuple[Digits, tuple[str, ...]]:
    champion_id = generation.record["champion_id"]
    champion = next(member for member in generation.members if member.id == champion_id)
    topology = parse_topology(settings.members.topology)
    if topology.is_dense:
        # Every synapse already exists and can be varied; silent neurons are the room to grow into.
        return champion.genome, (champion.id,)
    founder = normalise(champion.genome, FOUNDING_SIZE, topology=topology)
    grown = add_modules(founder, settings.refinement.modules, rng, topology=topology)
    return add_links(grown, settings.refinement.links, rng, topology=topology), (champion.id,)


def better_half(members: Sequence[Member], share: float) -> tuple[list[Member], FloatArray]:
    """Return the best `share` of members in rank order, and their weights in the mean.

    Weights fall with the logarithm of the rank. A mean of genomes that do not descend from one centre is
    meaningless, so immigrants are left out; if an immigrant leads, it alone is returned.
    """
    parents = max(1, int(share * len(members)))
    shares: FloatArray = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
    is_native = np.array([not (one.parents or ("",))[0].startswith(FOREIGN) for one in members[:parents]])
    chosen = np.flatnonzero(is_native if is_native[0] else np.arange(parents) == 0)
    return [members[rank] for rank in chosen.tolist()], shares[chosen]


def mirrored_steps(sd: FloatArray, count: int, draw: Callable[..., FloatArray]) -> FloatArray:
    """Draw steps [count, G], normal with the standard deviations [G], each followed by its mirror image."""
    # A step and its mirror image cancel out, so that only selection moves the centre.
    half = draw(((count + 1) // 2, len(sd))) * sd
    steps = np.empty((len(half), 2, len(sd)))
    steps[:, 0] = half
    np.negative(half, out=steps[:, 1])
    return steps.reshape(-1, len(sd))[:count]


def gene_scale(centre: Digits, topology: Topology = ORIGINAL) -> FloatArray:
    """Return the size to which steps of gene weights [G] are relative, weight units; 0 for silent genes.

    For a synapse into the output it is the size to which the founder's were scaled, for one into a hidden
    neuron the root mean square of the weights that enter that neuron.
    """
    genes = read_genes(centre, topology.gene_format)
    wired = wired_genes(centre, topology)
    weights = (genes.raw - WEIGHT_ZERO) / WEIGHT_SCALE
    scale = np.where(wired & (genes.sink == topology.output), FOUNDING_SIZE, 0.0)
    inside = np.flatnonzero(wired & (genes.sink != topology.output))
    by_sink = inside[np.argsort(genes.sink[inside], kind="stable")]
    for entering in np.split(by_sink, np.flatnonzero(np.diff(genes.sink[by_sink])) + 1):
        scale[entering] = _size(weights[entering])
    return scale


def strand_scale(weights: NDArray[np.floating], strand_format: StrandFormat) -> FloatArray:
    """Return the size to which steps of weights on strands [W] are relative, weight units.

    It is the root mean square of the weights beside a weight: those of the output's strand, those that enter
    the same hidden neuron, or those from all hidden neurons to the next layer; at least the size of random
    neurons' weights, so that no weight is stuck at 0.
    """
    scale, outs = np.empty(len(weights)), strand_format.outs
    output, *hidden = strand_format.strands
    outgoing = [place for strand in hidden for place in range(strand.start, strand.start + outs)]
    scale[output], scale[outgoing] = _size(weights[output]), _size(weights[outgoing])
    for strand in hidden:
        entering = slice(strand.start + outs, strand.stop)
        scale[entering] = _size(weights[entering])
    return np.maximum(scale, FIRST_WEIGHTS)


def centre_rank(members: Sequence[Member], number: int) -> int:
    """Return the rank of the centre among the members of generation `number`."""
    centre_id = member_id(number, 0)
    return next(rank for rank, member in enumerate(members) if member.id == centre_id)


def add_modules(
    digits: Digits, count: int, rng: np.random.Generator, *, topology: Topology = ORIGINAL
) -> Digits:
    """Return the genome [L] with up to `count` modules written over silent genes.

    A module is an unused hidden neuron with a synapse from one random sensor (weight 1 or −1), one from a
    random bias (weight 0; from another sensor if there is no bias) and one to the output (weight 0): the
    network plays as before, and selection decides what becomes of it. The draw of sensors uses no knowledge
    of the game. Free hidden neurons and silent genes limit the number of modules; no two share a sensor while
    there are sensors left.
    """
    genes = read_genes(digits, topology.gene_format)
    wired = wired_genes(digits, topology)
    hidden = np.arange(topology.first_layer1, topology.output)
    used = np.union1d(genes.source[wired], genes.sink[wired])
    free, silent = np.setdiff1d(hidden, used), np.flatnonzero(~wired)
    # Only silent genes are overwritten, and only unused neurons are taken.
    count = min(count, len(free), len(silent) // _GENES_A_MODULE)
    sensors = np.resize(rng.permutation(topology.sensors), count)
    if topology.bias:
        biases = rng.integers(topology.first_bias, topology.first_layer1, size=count)
    else:
        # Another sensor: of two genes for the same synapse, the later would replace the earlier.
        biases = (sensors + 1) % topology.sensors
    neurons = free[:count]
    slots = rng.permutation(silent)[: count * _GENES_A_MODULE].reshape(count, _GENES_A_MODULE)
    source, sink, raw = genes.source.copy(), genes.sink.copy(), genes.raw.copy()
    source[slots], sink[slots] = np.stack([sensors, biases, neurons], axis=1), neurons[:, None]
    sink[slots[:, 2]] = topology.output
    signs = rng.choice(np.array([-1.0, 1.0]), size=count)
    weights = np.stack([signs, np.zeros(count), np.zeros(count)], axis=1)
    raw[slots] = WEIGHT_ZERO + np.rint(weights * WEIGHT_SCALE).astype(np.int64)
    # Every other gene that the modules would activate stays silent: its sink becomes a sensor.
    woken = np.isin(sink, neurons) | np.isin(source, neurons)
    woken[slots] = False
    sink[woken] = 0
    return write_genes(Genes(source, sink, raw), topology.gene_format)


def add_links(
    digits: Digits, count: int, rng: np.random.Generator, *, topology: Topology = ORIGINAL
) -> Digits:
    """Return the genome [L] with a synapse of weight 0 from up to `count` random sensors to the output.

    They overwrite silent genes, and belong to sensors that have no such synapse yet.
    """
    genes = read_genes(digits, topology.gene_format)
    wired = wired_genes(digits, topology)
    linked = genes.source[wired & (genes.sink == topology.output)]
    sensors = rng.permutation(np.setdiff1d(np.arange(topology.sensors), linked))
    slots = rng.permutation(np.flatnonzero(~wired))[: min(count, len(sensors))]
    source, sink, raw = genes.source.copy(), genes.sink.copy(), genes.raw.copy()
    source[slots], sink[slots], raw[slots] = sensors[: len(slots)], topology.output, WEIGHT_ZERO
    return write_genes(Genes(source, sink, raw), topology.gene_format)


def normalise(digits: Digits, size: float, *, topology: Topology = ORIGINAL) -> Digits:
    """Return the genome with weights of comparable size everywhere; the network orders positions as before.

    The weights into each hidden neuron get a root mean square of 1, those into the output one of `size` units
    (less where the largest would not fit its digits). Scaling the weights into a ReLU and unscaling those out
    of it changes no value; scaling the output changes no order; rounding to the weights' grid changes little.
    """
    genes = read_genes(digits, topology.gene_format)
    wired = wired_genes(digits, topology)
    weights = (genes.raw - WEIGHT_ZERO) / WEIGHT_SCALE
    for neuron in range(topology.first_layer1, topology.output):
        entering, leaving = wired & (genes.sink == neuron), wired & (genes.source == neuron)
        # ReLU(s · x) = s · ReLU(x) for s > 0: incoming weights are divided, outgoing ones multiplied.
        present = _size(weights[entering])
        if present > 0.0:
            weights[entering] /= present
            weights[leaving] *= present
    into_output = wired & (genes.sink == topology.output)
    present = _size(weights[into_output])
    if present > 0.0:
        largest = np.abs(weights[into_output]).max()
        weights[into_output] *= min(size / present, _LARGEST_WEIGHT / largest)
    raw = np.clip(np.rint(weights * WEIGHT_SCALE) + WEIGHT_ZERO, 0, 2 * WEIGHT_ZERO - 1).astype(np.int64)
    return write_genes(genes._replace(raw=raw), topology.gene_format)


def _size(weights: NDArray[np.floating]) -> float:
    return float(np.sqrt(np.square(weights).sum() / weights.size)) if weights.size else 0.0
