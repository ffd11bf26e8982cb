"""What a generation's networks and games look like, in numbers that cost next to nothing.

Symbols: P members.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from neche.evolution.population import FloatArray
from neche.evolution.scorebook import Games
from neche.network.decode import Network

FIGURES = 4
"""Decimals of every measured number in the record, so that files do not show the last bits of a sum."""

MEMORY = 20
"""Generations: halves of the games of one, 100 members, agree by 0 ± 0.07 when they are chance alone."""

MOST_SPREAD = 10.0
"""Coefficient of variation from which on values by square count as having no common size."""


def describe_games(games: Games) -> dict[str, Any]:
    """Return number of games and nodes, share of draws, mean length in plies."""
    return {
        "games": len(games.outcome),
        "nodes": int(games.nodes.sum()),
        "draws": _mean(games.outcome == 0),
        "plies": _mean(games.plies),
    }


def describe_networks(networks: Sequence[Network]) -> dict[str, Any]:
    """Return, as means over the population, what the networks use.

    live_synapses: on a path from an input to the output; squares_seen: sensors that feed such a path;
    hidden_neurons: hidden neurons on such a path.
    """
    neurons = networks[0].topology
    used = np.zeros((len(networks), neurons.num_neurons), dtype=np.bool_)
    for row, network in zip(used, networks, strict=True):
        row[network.source[network.live]] = True
    return {
        "live_synapses": _mean([np.count_nonzero(network.live) for network in networks]),
        "squares_seen": _mean(used[:, : neurons.sensors].sum(axis=1)),
        "hidden_neurons": _mean(used[:, neurons.first_layer1 : neurons.output].sum(axis=1)),
    }


def man_spreads(men: FloatArray) -> FloatArray:
    """Return by how much each network [P] values men unevenly: the coefficient of variation over squares.

    men: [P, 32] worth of a man by square, nan where it is not known. It falls as a champion matures, for even
    values play better. A network that sees little, or to which men are worth 0 on average, has MOST_SPREAD.
    """
    mean, deviation = abs(np.nanmean(men, axis=1)), np.nanstd(men, axis=1)
    return np.where(deviation < MOST_SPREAD * mean, deviation / np.where(mean > 0, mean, 1.0), MOST_SPREAD)


def remembered(found: Mapping[str, Any], past: Mapping[str, Any], number: int) -> dict[str, float]:
    """Return figures that look back, from those of generation `number` and the record of the one before.

    squares_seen_most: most so far. rank_agreement_mean: mean so far; after MEMORY generations it forgets, as
    each of them counts a little less than the next.
    """
    agreement = found["rank_agreement"]
    mean = past.get("rank_agreement_mean", agreement)
    return {
        "squares_seen_most": max(found["squares_seen"], past.get("squares_seen_most", 0.0)),
        "rank_agreement_mean": round(mean + (agreement - mean) / min(number + 1, MEMORY), FIGURES),
    }


def _mean(values: Any) -> float:
    return round(float(np.mean(values)), FIGURES)
