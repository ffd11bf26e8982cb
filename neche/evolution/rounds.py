"""Rounds in which everybody plays once: random partners, or Swiss (neighbours by points).

Symbols: P members. With an odd number one member a round sits out.
"""

import numpy as np

from neche.evolution.population import IntArray
from neche.evolution.quicksort import Compare


def play_random_rounds(num_members: int, rounds: int, compare: Compare, rng: np.random.Generator) -> None:
    """Pair at random, round after round; all rounds are one batch, since none looks at another's results."""
    pairs = np.concatenate([rng.permutation(num_members)[: num_members // 2 * 2] for _ in range(rounds)])
    compare(pairs[0::2], pairs[1::2])


def play_swiss_rounds(num_members: int, rounds: int, compare: Compare, rng: np.random.Generator) -> None:
    """Pair neighbours by points, nobody twice with the same partner if that can be helped."""
    points = np.zeros(num_members)
    met: list[set[int]] = [set() for _ in range(num_members)]
    for _ in range(rounds):
        shuffled = rng.permutation(num_members)
        table = shuffled[np.argsort(-points[shuffled], kind="stable")]
        first, second = _pair_neighbours(table.tolist(), met)
        balances = compare(first, second)
        points[first] += balances
        points[second] -= balances


def _pair_neighbours(table: list[int], met: list[set[int]]) -> tuple[IntArray, IntArray]:
    """Pair each member, from the top of the table, with the next below that it has not met, and note it."""
    pairs = []
    while len(table) > 1:
        member = table.pop(0)
        place = next((place for place, other in enumerate(table) if other not in met[member]), 0)
        partner = table.pop(place)
        met[member].add(partner)
        met[partner].add(member)
        pairs.append((member, partner))
    first, second = np.array(pairs, dtype=np.int64).T
    return first, second
