"""What a generation's networks and games look like, in numbers that cost next to nothing.

Symbols: P members, L nucleotides.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from neche.evolution.population import Member
from neche.evolution.scorebook import Games
from neche.network.decode import Network

FIGURES = 4
"""Decimals of every measured number in the record, so that files do not show the last bits of a sum."""

_BLIND_SHARE = 0.5
_DISTANCE_PAIRS = 64


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
    hidden_neurons: hidden neurons on such a path; constant: share of networks that see no square, so that
    every position is worth the same to them.
    """
    neurons = networks[0].topology
    used = np.zeros((len(networks), neurons.num_neurons), dtype=np.bool_)
    for row, network in zip(used, networks, strict=True):
        row[network.source[network.live]] = True
    squares_seen = used[:, : neurons.sensors].sum(axis=1)
    return {
        "live_synapses": _mean([np.count_nonzero(network.live) for network in networks]),
        "squares_seen": _mean(squares_seen),
        "hidden_neurons": _mean(used[:, neurons.first_layer1 : neurons.output].sum(axis=1)),
        "constant": _mean(squares_seen == 0),
    }


def mean_distance(members: Sequence[Member], rng: np.random.Generator) -> float:
    """Return the share of nucleotides in which two members differ, over sampled pairs; random DNA: 0.75."""
    first = rng.integers(len(members), size=_DISTANCE_PAIRS)
    second = (first + rng.integers(1, len(members), size=_DISTANCE_PAIRS)) % len(members)
    strands = np.stack([member.genome for member in members])
    return _mean(strands[first] != strands[second])


def warnings(record: dict[str, Any]) -> list[str]:
    """Return what a reader of the record should not overlook, in words."""
    found = []
    if record["constant"] >= _BLIND_SHARE:
        found.append(f"{record['constant']:.0%} of the networks see no square: the population is going blind")
    if record["draws"] == 1.0:
        found.append("all games were drawn: the ranking is chance")
    return found


def _mean(values: Any) -> float:
    return round(float(np.mean(values)), FIGURES)
