"""Diagnostics: figures that describe the members and games of a generation and cost next to nothing.

They tell what networks use, how much members differ (in DNA, and in the value of positions), how evenly they
value men, and whether the same members would come out on top if the games were played again.

Symbols: P members, L nucleotides, G genes or games, M probes (positions from random play, see `probes.py`).
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from neche.arena.probes import evaluate_probes, value_men
from neche.compiled.streams import stream
from neche.evolution.population import (
    FOREIGN,
    RECORD_DECIMALS,
    Context,
    FloatArray,
    Generation,
    IntArray,
    Member,
    networks_of,
)
from neche.evolution.ranking import PlayedGames
from neche.games.catalogue import game
from neche.games.sensors import SensorLayout
from neche.network.decode import Network, columns_of, wired_genes
from neche.network.packing import PackedNetworks, pack_networks
from neche.network.topology import ORIGINAL, Topology, parse_topology

MEMORY = 20
"""Generations averaged: halves of the games of one, of 100 members, agree by 0.02 ± 0.10 by chance alone."""

MOST_SPREAD = 10.0
"""Coefficient of variation at which the values of a man by square count as having no common size."""

MOST_COMPARED = 256
"""Most members whose order is compared: the number of pairs grows with the square."""

_DISTANCE_PAIRS = 64
_WIRED_MEMBERS = 10
_CHILDREN = 24
_VALUING_MEN = 8
_ALIKE = 1e-12
"""Evaluations of deep networks are exact only to float64 precision."""


def describe_generation(
    context: Context, members: Mapping[str, float], games: PlayedGames, before: Generation | None
) -> dict[str, Any]:
    """Return the figures that every generation has, except those of its champion.

    members: what they use and how they differ, see below. before: the generation they come from.
    """
    settings = context.settings
    is_paired = settings.ranking.ranking != "original"
    agreement = split_half_reliability(games, settings.members.population, paired=is_paired)
    found = {**describe_games(games), **members, "rank_agreement": agreement}
    found = {key: round(value, RECORD_DECIMALS) for key, value in found.items()}
    layout = game(settings.games.game).sensors
    squares = len(layout.squares) if layout else 0
    past = {} if before is None else before.record
    return {**found, **running_figures(found, past, context.number, squares)}


def describe_games(games: PlayedGames) -> dict[str, Any]:
    """Return the number of games and nodes, the share of draws, and the mean length in plies."""
    # Members ordered by a plug-in may have played no games.
    count = max(1, len(games.outcome))
    return {
        "games": len(games.outcome),
        "nodes": int(games.nodes.sum()),
        "draws": float(np.count_nonzero(games.outcome == 0) / count),
        "plies": float(games.plies.sum() / count),
    }


def describe_networks(networks: Sequence[Network], layout: SensorLayout | None) -> dict[str, Any]:
    """Return, as means over the population, what the networks use.

    layout: of the board that dense networks see. live_synapses: on a path from an input to the output;
    squares_seen: squares whose sensors feed such a path; hidden_neurons: hidden neurons on such a path.
    """
    columns = columns_of(networks)
    sensors, hidden, _, output = columns.borders[0].tolist()
    live = np.flatnonzero(columns.live)
    owner = np.searchsorted(columns.ends, live, side="right") - 1
    # A neuron counts once, however many live synapses leave it.
    used = np.zeros((len(networks), output + 1), dtype=np.bool_)
    used[owner, columns.source[live]] = True
    squares = used[:, :sensors]
    if layout and networks[0].topology.is_dense:
        # Here a square has several sensors, and a sensor by pattern sees several squares.
        squares = np.zeros((len(networks), len(layout.squares)), dtype=np.bool_)
        for sensor, (_, seen) in enumerate(layout.sights(sensors)):
            squares[:, seen] |= used[:, sensor, None]
    return {
        "live_synapses": float(len(owner) / len(networks)),
        "squares_seen": float(squares.sum(axis=1).mean()),
        "hidden_neurons": float(used[:, hidden:output].sum(axis=1).mean()),
    }


def describe_men(context: Context, packed: PackedNetworks, champion: int) -> dict[str, float]:
    """Return how unevenly a sample of members, and the champion, value men on different squares."""
    settings, seed, number = context
    chosen = stream(seed, number, "valuing men").permutation(settings.members.population)[:_VALUING_MEN]
    worth = value_men(packed, [champion, *chosen.tolist()], seed, name=settings.games.game)
    spreads = man_spreads(worth)
    return {
        "man_spread": round(float(spreads[1:].mean()), RECORD_DECIMALS),
        "champion_man_spread": round(float(spreads[0]), RECORD_DECIMALS),
    }


def man_spreads(men: FloatArray) -> FloatArray:
    """Return how unevenly each network [P] values men: the coefficient of variation over squares.

    men: [P, S] worth of a man by square, nan where unknown. The result falls as a champion matures, as even
    values play better. It is MOST_SPREAD if a network sees little, or if the worth of men is 0 on average or
    unknown.
    """
    spreads = np.full(len(men), MOST_SPREAD)
    is_known = ~np.isnan(men).all(axis=1)
    mean, deviation = abs(np.nanmean(men[is_known], axis=1)), np.nanstd(men[is_known], axis=1)
    # A mean near 0 would make the quotient arbitrarily large; it counts as MOST_SPREAD.
    quotient = deviation / np.where(mean > 0, mean, 1.0)
    spreads[is_known] = np.where(deviation < MOST_SPREAD * mean, quotient, MOST_SPREAD)
    return spreads


def running_figures(
    found: Mapping[str, Any], past: Mapping[str, Any], number: int, squares: int
) -> dict[str, float]:
    """Return figures that look back, from those of generation `number` and the record of the one before.

    squares: on the board. squares_seen_most: most so far. rank_agreement_mean: mean so far; after MEMORY
    generations a moving average, in which each generation counts a little less than the next.
    """
    agreement = found["rank_agreement"]
    mean = past.get("rank_agreement_mean", agreement)
    # Older histories count every sensor of a square, so a resumed run may begin with more than the board has.
    most = min(past.get("squares_seen_most", 0.0), float(squares))
    return {
        "squares_seen_most": max(found["squares_seen"], most),
        "rank_agreement_mean": round(mean + (agreement - mean) / min(number + 1, MEMORY), RECORD_DECIMALS),
    }


def describe_diversity(
    context: Context, members: Sequence[Member], packed: PackedNetworks, before: Generation | None
) -> dict[str, float]:
    """Return how the members of a generation differ from each other and from their parents.

    It needs no games. packed: the networks of the members, by index. before: the generation they come from.

    constant: share of members that give all probes the same value. distance, wired_distance: share of
    differing nucleotides, in whole genomes and in wired genes. evaluation_distance: see below.
    changed_children: share of children, among the first 24, that value some probe differently from their
    first parent; absent without children.
    """
    settings, seed, number = context
    # The same probes in every generation of a run, so that figures can be compared over time.
    values = evaluate_probes(packed, seed, name=settings.games.game)
    parents = () if before is None else before.members
    known = {parent.id for parent in parents}
    children = [index for index, member in enumerate(members) if known and member.id not in known]
    # An immigrant's parent, on its home island, is not available for comparison.
    children = [index for index in children if not members[index].parents[0].startswith(FOREIGN)][:_CHILDREN]
    found = {
        "constant": float(np.mean((values == values[:, :1]).all(axis=1))),
        "distance": mean_distance(members, stream(seed, number, "distance")),
        "wired_distance": wired_distance(
            members, stream(seed, number, "wired distance"), parse_topology(settings.members.topology)
        ),
        "evaluation_distance": evaluation_distance(values, stream(seed, number, "evaluation distance")),
    }
    if children:
        born = values[children]
        theirs = _first_parents_values(context, [members[index] for index in children], parents)
        found["changed_children"] = float(np.mean((abs(born - theirs) > _ALIKE * abs(born)).any(axis=1)))
    return found


def mean_distance(members: Sequence[Member], rng: np.random.Generator) -> float:
    """Return the share of nucleotides in which two members differ, over sampled pairs; random DNA: 0.75."""
    first, second = (
        np.stack([members[index].genome for index in side]) for side in _sampled_pairs(len(members), rng)
    )
    # Counting true values is several times faster than taking their mean.
    return float(np.count_nonzero(first != second) / first.size)


def wired_distance(
    members: Sequence[Member], rng: np.random.Generator, topology: Topology = ORIGINAL
) -> float:
    """Return the share of nucleotides in which two members differ, in genes that are wired in either.

    Silent genes drift, so the distance of whole genomes can hide that all members are wired alike. Mean over
    all pairs of sampled members; a pair without wired genes does not differ.
    """
    chosen = rng.permutation(len(members))[:_WIRED_MEMBERS]
    strands = np.stack([members[index].genome for index in chosen])
    wired = wired_genes(strands, topology)
    genes = strands.reshape(*wired.shape, -1)
    first, second = np.array(list(combinations(range(len(chosen)), 2))).T
    in_either = wired[first] | wired[second]
    differing = np.count_nonzero((genes[first] != genes[second]) & in_either[..., None], axis=(1, 2))
    num_wired = np.maximum(np.count_nonzero(in_either, axis=1), 1)
    return float(np.mean(differing / (num_wired * genes.shape[2])))


def evaluation_distance(values: FloatArray, rng: np.random.Generator) -> float:
    """Return the share of pairs of probes that two members order differently, over sampled pairs of members.

    values: [P, M] evaluations. 0: all prefer the same positions; two unrelated orders: ½; a tie is an order
    of its own. A search uses nothing of evaluations but their order.
    """
    # Signs alone: scale and offset of evaluations differ between networks and mean nothing to a search.
    one, other = (
        values[side][:, :, None] > values[side][:, None, :] for side in _sampled_pairs(len(values), rng)
    )
    # Every pair of probes occurs twice; where one order is a tie, only one of the two places differs.
    differs = (one != other) | (one != other).transpose(0, 2, 1)
    return float(np.count_nonzero(differs) / (_DISTANCE_PAIRS * values.shape[1] * (values.shape[1] - 1)))


def _sampled_pairs(num_members: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    first = rng.integers(num_members, size=_DISTANCE_PAIRS)
    return first, (first + rng.integers(1, num_members, size=_DISTANCE_PAIRS)) % num_members


def _first_parents_values(
    context: Context, children: Sequence[Member], parents: Sequence[Member]
) -> FloatArray:
    """Return how the first parent of each child values the probes: [children, M].

    Variations in an evolution strategy are children of the centre, a member of their own generation.
    """
    settings = context.settings
    known = {member.id: member for member in (*parents, *children)}
    ids = sorted({child.parents[0] for child in children})
    networks = networks_of(settings.members, [known[id] for id in ids])
    packed = pack_networks(networks, game(settings.games.game).sensors)
    values = evaluate_probes(packed, context.seed, name=settings.games.game)
    row = {id: index for index, id in enumerate(ids)}
    return np.asarray(values[[row[child.parents[0]] for child in children]])


def split_half_reliability(games: PlayedGames, num_members: int, *, paired: bool) -> float:
    """Return Kendall's tau between the orders by the odd and by the even comparisons of each member.

    1: one half of the games predicts the other; 0: they have nothing in common, the ranking is chance.
    Also known as the split-half reliability of a test (Spearman 1910; Brown 1910), here of ranks.
    paired: a comparison is a pair of games on one opening, else a single game. It may be odd for one
    of its two members and even for the other. Members without comparisons in both halves are left out.
    """
    step = 2 if paired else 1
    # The second game of a pair has the sides swapped, so its outcome is for the other player.
    balance = games.outcome[0::2] - games.outcome[1::2] if paired else games.outcome
    sides = np.stack([games.first[::step], games.second[::step]], axis=1).ravel()
    balances = np.stack([balance, -balance], axis=1).ravel()
    # Number each member's comparisons 0, 1, 2 … in the order played; even ones are one half, odd the other.
    order = np.argsort(sides, kind="stable")
    counts = np.bincount(sides, minlength=num_members)
    turn = np.empty_like(order)
    turn[order] = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    half = turn % 2 * num_members + sides
    played = np.bincount(half, minlength=2 * num_members).reshape(2, -1)
    points = np.bincount(half, balances, 2 * num_members).reshape(2, -1)
    # The first ones represent all, as the cost grows with the number of pairs.
    in_both = np.flatnonzero((played > 0).all(axis=0))[:MOST_COMPARED]
    odd, even = points[:, in_both] / played[:, in_both]
    return kendall_tau(odd, even)


def kendall_tau(x: FloatArray, y: FloatArray) -> float:
    """Return Kendall's tau-b of two measurements [P] of the same members; 0 if either is the same for all.

    Source: Kendall, Rank Correlation Methods (1948), with the correction for ties.
    """
    x_above, y_above = (values[:, None] > values for values in (x, y))
    # Twice, as every pair occurs twice in these matrices, once above and once below.
    size = 4 * np.count_nonzero(x_above) * np.count_nonzero(y_above)
    surplus = np.count_nonzero(x_above & y_above) - np.count_nonzero(x_above & y_above.T)
    return float(2 * surplus / np.sqrt(size)) if size else 0.0
