"""Variety: how much the members of a population differ, in their DNA and in what they think of positions.

Symbols: P members, L nucleotides, G genes, M probes (positions from random play, see `probes.py`).
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from neche.arena.probes import evaluate_probes
from neche.compiled.streams import stream
from neche.evolution.population import FloatArray, Generation, Member, topology_of
from neche.evolution.settings import Settings
from neche.evolution.vision import networks_of
from neche.games.catalogue import game
from neche.network.decode import wired_genes
from neche.network.packing import PackedNetworks, pack_networks
from neche.network.topology import ORIGINAL, Topology

_DISTANCE_PAIRS = 64
_WIRED_MEMBERS = 10
_CHILDREN = 24
_ALIKE = 1e-12
"""Evaluations of deep networks are exact up to a float64 only."""


def describe_variety(
    settings: Settings,
    seed: int,
    number: int,
    members: Sequence[Member],
    packed: PackedNetworks,
    before: Generation | None,
) -> dict[str, float]:
    """Return how members of generation `number` differ from each other and from their parents.

    constant: share of members to whom all probes are worth the same. distance, wired_distance: share of
    differing nucleotides, in whole genomes and in wired genes. evaluation_distance: see below.
    changed_children: share of children, of the first 24, who do not think of every probe exactly what their
    first parent does; absent without children.
    """
    values = evaluate_probes(packed, seed, name=settings.games.game)
    parents = () if before is None else before.members
    known = {parent.id for parent in parents}
    children = [index for index, member in enumerate(members) if known and member.id not in known]
    children = children[:_CHILDREN]
    found = {
        "constant": float(np.mean((values == values[:, :1]).all(axis=1))),
        "distance": mean_distance(members, stream(seed, number, "distance")),
        "wired_distance": wired_distance(
            members, stream(seed, number, "wired distance"), topology_of(settings.members)
        ),
        "evaluation_distance": evaluation_distance(values, stream(seed, number, "evaluation distance")),
    }
    if children:
        born = values[children]
        theirs = _first_parents_values(settings, seed, [members[index] for index in children], parents)
        found["changed_children"] = float(np.mean((abs(born - theirs) > _ALIKE * abs(born)).any(axis=1)))
    return found


def mean_distance(members: Sequence[Member], rng: np.random.Generator) -> float:
    """Return the share of nucleotides in which two members differ, over sampled pairs; random DNA: 0.75."""
    first, second = _sampled_pairs(len(members), rng)
    strands = np.stack([member.genome for member in members])
    # Counting truths is several times faster than their mean.
    return float(np.count_nonzero(strands[first] != strands[second]) / (_DISTANCE_PAIRS * strands.shape[1]))


def wired_distance(
    members: Sequence[Member], rng: np.random.Generator, topology: Topology = ORIGINAL
) -> float:
    """Return the share of nucleotides in which two members differ, in genes that are wired in either.

    Silent genes drift, and so hide in the distance of whole genomes that all members are wired alike. Over
    all pairs of sampled members; a pair without wired genes does not differ.
    """
    chosen = rng.permutation(len(members))[:_WIRED_MEMBERS]
    strands = np.stack([members[index].genome for index in chosen])
    wired = wired_genes(strands, topology)
    genes = strands.reshape(*wired.shape, -1)
    first, second = np.array(list(combinations(range(len(chosen)), 2))).T
    pair, place = np.nonzero(wired[first] | wired[second])
    differing = (genes[first[pair], place] != genes[second[pair], place]).sum(axis=1)
    num_pairs, digits = len(first), genes.shape[2]
    num_wired = np.maximum(np.bincount(pair, minlength=num_pairs), 1)
    return float(np.mean(np.bincount(pair, differing, num_pairs) / (num_wired * digits)))


def evaluation_distance(values: FloatArray, rng: np.random.Generator) -> float:
    """Return the share of pairs of probes that two members order differently, over sampled pairs of members.

    values: [P, M] evaluations. 0: all prefer the same positions; two unrelated orders: ½; a tie is an order
    of its own. Preferences are all that a search makes of evaluations.
    """
    first, second = _sampled_pairs(len(values), rng)
    one, other = np.triu_indices(values.shape[1], 1)
    order = np.sign(values[:, one] - values[:, other]).astype(np.int8)
    return float(np.mean(order[first] != order[second]))


def _sampled_pairs(num_members: int, rng: np.random.Generator) -> tuple[Any, Any]:
    first = rng.integers(num_members, size=_DISTANCE_PAIRS)
    return first, (first + rng.integers(1, num_members, size=_DISTANCE_PAIRS)) % num_members


def _first_parents_values(
    settings: Settings, seed: int, children: Sequence[Member], parents: Sequence[Member]
) -> FloatArray:
    """Return what the first parent of each child thinks of the probes.

    Variations in a refinement are children of the centre, a member of their own generation.
    """
    known = {member.id: member for member in (*parents, *children)}
    ids = sorted({child.parents[0] for child in children})
    networks = networks_of(settings.members, [known[id] for id in ids])
    packed = pack_networks(networks, game(settings.games.game).sensors)
    values = evaluate_probes(packed, seed, name=settings.games.game)
    row = {id: index for index, id in enumerate(ids)}
    return np.asarray(values[[row[child.parents[0]] for child in children]])
