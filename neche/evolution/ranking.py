"""Ranking: pair the members of a generation, keep their games, order the members by the results.

    descent    quickselect: quicksort only into the partition that holds the parents' cut, repeated; strengths
    random     rounds of random partners; mean points
    swiss      rounds of neighbours by points; mean points
    quicksort  a full quicksort, ties to a random side; strengths
    original   several full quicksorts of one game a comparison; sum of ranks

Strengths are Bradley–Terry strengths fitted to all games. Independent comparisons form one batch, so
that they can be played at the same time.

Symbols: P members, C comparisons of a batch, G games.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from neche.arena.bradley_terry import fit_strengths
from neche.arena.playing import GameResults, Schedule
from neche.evolution.population import FloatArray, IntArray
from neche.evolution.reproduction import parent_cut
from neche.evolution.schedule import OpeningRange, StreamName, schedule_games, schedule_pairs
from neche.evolution.settings import Settings

RANKING_DECIMALS = 6
"""Decimals of scores and strengths, which are rounded before they order anything."""

COMPARISONS_A_SELECT = 3
"""Approximate comparisons per member in a whole quickselect; decides how many advance side by side."""

# Comparisons of one sort in units of n ln n, measured: 2 without ties, fewer when ties end a sorting early.
_LEVEL_TIES, _RANDOM_TIES = 0.65, 1.2

Play: TypeAlias = Callable[[Schedule], GameResults]
"""Plays games among the members of the generation."""

Compare: TypeAlias = Callable[[IntArray, IntArray], IntArray]
"""(a [C], b [C]) member indices → wins minus losses of a against b [C]; plays the games, all at once."""

Ties: TypeAlias = Literal["beside", "random"]
"""Where members tied with the pivot go: beside it, not sorted further, or to a random side."""


class Standings(NamedTuple):
    """The outcome of a ranking.

    order: [P] member indices, best first; scores, strengths, games: [P] by member index, as in `Generation`.
    """

    order: IntArray
    scores: FloatArray
    strengths: FloatArray
    games: IntArray


class PlayedGames(NamedTuple):
    """Games that were played, in the order of their schedule.

    first, second: [G] member indices, first moved first. outcome: [G] 1 if first won, 0 draw, −1 if it lost.
    plies, nodes: [G].
    """

    first: IntArray
    second: IntArray
    outcome: IntArray
    plies: IntArray
    nodes: IntArray


@dataclass
class Scorebook:
    """Plays the comparisons of one ranking and keeps the games; each game gets keys of its own."""

    play: Play
    openings: OpeningRange
    streams: StreamName
    num_scheduled: int = 0
    # None at first: a plug-in may rank without games.
    _batches: list[PlayedGames] = field(default_factory=lambda: [PlayedGames(*np.zeros((5, 0), np.int64))])

    def compare(self, a: IntArray, b: IntArray, *, once: bool = False) -> IntArray:
        """Let a [C] and b [C] play an opening twice, colours swapped; return wins minus losses of a [C].

        once: one game only, in which a moves first.
        """
        schedule: Callable[..., Schedule] = schedule_games if once else schedule_pairs
        pairings = schedule(a, b, self.openings, self.streams, start=self.num_scheduled)
        self.num_scheduled += len(a)
        results = self.play(pairings)
        columns = (pairings.first, pairings.second, results.outcome, results.plies, results.nodes)
        games = PlayedGames(*(np.asarray(column, dtype=np.int64) for column in columns))
        self._batches.append(games)
        return games.outcome if once else games.outcome[0::2] - games.outcome[1::2]

    def games(self) -> PlayedGames:
        """Return all games so far."""
        return PlayedGames._make(map(np.concatenate, zip(*self._batches, strict=True)))


def planned_games(settings: Settings) -> int:
    """Return how many games a ranking plays; for full quicksorts an estimate."""
    num_members, ranking = settings.members.population, settings.ranking
    full_sort = num_members * math.log(num_members)
    match ranking.ranking:
        case "original":
            return ranking.original_rounds * math.ceil(_LEVEL_TIES * full_sort)
        case "quicksort":
            return 2 * math.ceil(_RANDOM_TIES * full_sort)
        case "descent":
            # A game counts for both of its members, and a comparison is two games.
            return 2 * (num_members * ranking.games_per_member // 4)
    return 2 * (ranking.games_per_member // 2) * (num_members // 2)


def rank_members(settings: Settings, scorebook: Scorebook, rng: np.random.Generator) -> Standings:
    """Play the games of the ranking that the settings name, and order the members by the results."""
    num_members, rounds = settings.members.population, settings.ranking.games_per_member // 2
    rank_sums: IntArray | None = None
    match settings.ranking.ranking:
        case "descent":
            comparisons = planned_games(settings) // 2
            play_quickselects(num_members, parent_cut(settings), comparisons, scorebook.compare, rng)
        case "random":
            play_random_rounds(num_members, rounds, scorebook.compare, rng)
        case "swiss":
            play_swiss_rounds(num_members, rounds, scorebook.compare, rng)
        case "quicksort":
            sort_members(num_members, scorebook.compare, rng, ties="random")
        case "original":
            rounds = settings.ranking.original_rounds
            rank_sums = sum_ranks(num_members, rounds, partial(scorebook.compare, once=True), rng)
    games = scorebook.games()
    scores, num_games = mean_points(games, num_members)
    scores = scores.round(RANKING_DECIMALS)
    if rank_sums is None:
        points, prior_sd = 0.5 + 0.5 * games.outcome, settings.ranking.strength_spread
        strengths = fit_strengths(games.first, games.second, points, num_members, prior_sd=prior_sd)
        # Adding 0 turns a rounded −0.0, which would print differently, into 0.0.
        strengths = np.round(strengths, RANKING_DECIMALS) + 0.0
    else:
        strengths = rank_sums.astype(np.float64)
    by_points = settings.ranking.ranking in ("random", "swiss")
    key, tie_break = (scores, strengths) if by_points else (strengths, scores)
    # Best first; members tied in both keep the order of their indices: elites before children.
    return Standings(np.lexsort((-tie_break, -key)), scores, strengths, num_games)


def mean_points(games: PlayedGames, num_members: int) -> tuple[FloatArray, IntArray]:
    """Return points per game [P], ½ for a member that did not play, and games played [P]."""
    balance = np.bincount(games.first, games.outcome, num_members)
    balance -= np.bincount(games.second, games.outcome, num_members)
    count = np.bincount(games.first, minlength=num_members) + np.bincount(games.second, minlength=num_members)
    return 0.5 + 0.5 * balance / np.maximum(count, 1), count


class Partition(NamedTuple):
    """The members whose ranks are `start` and the following ones, in random order."""

    members: IntArray
    start: int


def play_quickselects(
    num_members: int, cut: int, num_comparisons: int, compare: Compare, rng: np.random.Generator
) -> None:
    """Spend `num_comparisons` on quickselects for the border between rank cut − 1 and rank cut.

    Only the order around the parents' cut matters, so after each level only the partition that holds the cut
    is split further, and the whole is repeated with fresh pivots until the comparisons are spent. For equal
    numbers of games this ranks as well as random partners and clearly better than a full quicksort. Ties go
    to a random side: a member tied with a pivot plays others instead of being placed beside it.

    If the comparisons suffice for several whole quickselects, that many advance in lockstep, one level each
    per batch: batches stay large for many workers, and pairings do not depend on the number of workers.

    Source: Hoare 1961, Algorithm 65: FIND.
    """
    cut = min(cut, num_members - 1)  # below the last rank there is no border to look for
    selects: list[Partition | None] = [None] * max(1, num_comparisons // (COMPARISONS_A_SELECT * num_members))
    left = num_comparisons
    while left > 0:
        # A quickselect that has found the border begins again with a fresh shuffle: every pivot is random.
        partitions = [found or Partition(rng.permutation(num_members), 0) for found in selects]
        challengers = np.concatenate([partition.members[1:] for partition in partitions])
        pivots = np.concatenate([np.repeat(part.members[:1], len(part.members) - 1) for part in partitions])
        # The last level is cut short, so that every generation plays exactly the planned number of games.
        challengers, pivots = challengers[:left], pivots[:left]
        left -= len(challengers)
        balances = compare(challengers, pivots)
        if left > 0:
            balances = np.where(balances == 0, np.where(rng.random(len(balances)) < 0.5, 1, -1), balances)
            ends = np.cumsum([len(partition.members) - 1 for partition in partitions])[:-1]
            pieces = zip(partitions, np.split(balances, ends), strict=True)
            selects = [_part_with_cut(partition, piece, cut) for partition, piece in pieces]


def _part_with_cut(partition: Partition, balances: IntArray, cut: int) -> Partition | None:
    """Return the side of the pivot that the cut runs through; None when it runs beside the pivot."""
    rest = partition.members[1:]
    better, worse = rest[balances > 0], rest[balances < 0]
    # Ties have already gone to a side, so every member is better or worse than the pivot.
    pivot_rank = partition.start + len(better)
    if cut < pivot_rank:
        return Partition(better, partition.start)
    if cut > pivot_rank + 1:
        return Partition(worse, pivot_rank + 1)
    return None


def sort_members(num_members: int, compare: Compare, rng: np.random.Generator, *, ties: Ties) -> IntArray:
    """Return the members [P], best first, after one quicksort: about P·log P comparisons."""
    return _sort([rng.permutation(num_members)], compare, rng, ties)


def _sort(partitions: list[IntArray], compare: Compare, rng: np.random.Generator, ties: Ties) -> IntArray:
    """Sort all shuffled partitions, level by level, and return them concatenated."""
    while any(len(partition) > 1 for partition in partitions):
        # A pivot is the first of its partition: random, since every split keeps the shuffled order.
        challengers = np.concatenate([partition[1:] for partition in partitions])
        pivots = np.concatenate([np.repeat(partition[:1], len(partition) - 1) for partition in partitions])
        balances = compare(challengers, pivots)
        if ties == "random":
            balances = np.where(balances == 0, np.where(rng.random(len(balances)) < 0.5, 1, -1), balances)
        # Where the results of one partition end and those of the next begin.
        ends = np.cumsum([len(partition) - 1 for partition in partitions])[:-1]
        parts = zip(partitions, np.split(balances, ends), strict=True)
        partitions = [piece for part in parts for piece in _split(*part) if len(piece)]
    return np.concatenate(partitions)


def _split(partition: IntArray, balances: IntArray) -> list[IntArray]:
    pivot, rest = partition[:1], partition[1:]
    level = np.concatenate((pivot, rest[balances == 0]))
    # Members beside the pivot are in place: as partitions of one they are not compared again.
    return [rest[balances > 0], *np.split(level, len(level)), rest[balances < 0]]


def sum_ranks(num_members: int, rounds: int, compare: Compare, rng: np.random.Generator) -> IntArray:
    """Return the sum of ranks [P] over several quicksorts, worst 0 and best P − 1 in each.

    The ranking of the original program, level by level: `compare` plays one game in which the member of the
    partition moves first, and a draw counts as equal.
    Source: the original program's description ("3 rounds … and sum up each network's ranks").
    """
    shuffles = [rng.permutation(num_members) for _ in range(rounds)]
    total = np.zeros(num_members, dtype=np.int64)
    # The rounds are independent, so one level of all rounds is one batch: more work to distribute.
    for order in _sort(shuffles, compare, rng, "beside").reshape(rounds, num_members):
        total[order] += np.arange(num_members - 1, -1, -1)
    return total


def play_random_rounds(num_members: int, rounds: int, compare: Compare, rng: np.random.Generator) -> None:
    """Pair at random, round after round; all rounds are one batch, since none uses another's results.

    If the number of members is odd, one sits out each round, as in Swiss rounds.
    """
    pairs = np.concatenate([rng.permutation(num_members)[: num_members // 2 * 2] for _ in range(rounds)])
    compare(pairs[0::2], pairs[1::2])


def play_swiss_rounds(num_members: int, rounds: int, compare: Compare, rng: np.random.Generator) -> None:
    """Pair neighbours by points, no two members twice if avoidable."""
    points = np.zeros(num_members)
    met: list[set[int]] = [set() for _ in range(num_members)]
    for _ in range(rounds):
        shuffled = rng.permutation(num_members)
        # Shuffled before a stable sort: members with equal points are paired at random, not by index.
        table = shuffled[np.argsort(-points[shuffled], kind="stable")]
        first, second = _pair_neighbours(table.tolist(), met)
        balances = compare(first, second)
        points[first] += balances
        points[second] -= balances


def _pair_neighbours(table: list[int], met: list[set[int]]) -> tuple[IntArray, IntArray]:
    """Pair each member, from the top of the table, with the next one below that it has not met; record it."""
    pairs = []
    while len(table) > 1:
        member = table.pop(0)
        # If it has met all others below, it meets the next one again.
        place = next((place for place, other in enumerate(table) if other not in met[member]), 0)
        partner = table.pop(place)
        met[member].add(partner)
        met[partner].add(member)
        pairs.append((member, partner))
    first, second = np.array(pairs, dtype=np.int64).T
    return first, second
