"""Single games: openings, choices, draw rules and ends, checked by the slow twin of the rules."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from neche.arena.playing import Contestants, GameBatch, play_batch, play_games, record_game
from neche.games.catalogue import game
from neche.games.draws import LAB_DRAWS, NEVER_DRAWN, TOURNAMENT_DRAWS, TRAINING_DRAWS, DrawRule
from neche.network.decode import blind_network, decode_population, material_network
from neche.players.alpha_beta import search_position
from tests.arena.games import CHECKERS, mixed_field, pairings_of, positions_of
from tests.arena.referee import quiet_plies, standing
from tests.oracles import checkers_twin as twin

ONE_PLY = DrawRule(1, False, 0)
RULES = {
    "training": TRAINING_DRAWS,
    "tournament": TOURNAMENT_DRAWS,
    "second occurrence": DrawRule(80, True, 2),
    "repetition alone": DrawRule(500, False, 3),
    "short": DrawRule(7, True, 0),
    "at once": DrawRule(0, False, 0, max_plies=1),
    "the lab's": LAB_DRAWS,
    "whichever comes first": DrawRule(30, True, 3, max_plies=60),
}


@pytest.mark.parametrize("name", RULES)
def test_games_are_legal_and_end_by_the_rules(name):
    rule = RULES[name]
    contestants = mixed_field()
    schedule = pairings_of([0, 1, 2, 3, 7, 0], [2, 4, 5, 6, 7, 7], 12, opening_plies=6)
    results = play_games(contestants, schedule, rule)
    for index in range(len(results.outcome)):
        line = positions_of(contestants, schedule, index, rule)
        assert len(line) == results.plies[index] + 1
        for before, after in pairwise(line):
            assert after in [move.after for move in twin.moves(before)]
        for length in range(7, len(line)):
            assert standing(line[:length], 6, rule) is None
        end = standing(line, 6, rule)
        assert end is not None
        assert end[1] == results.outcome[index]


def test_the_compared_games_end_in_every_possible_way():
    ends: Counter[tuple[str, int]] = Counter()
    for rule in (TRAINING_DRAWS, TOURNAMENT_DRAWS):
        contestants, schedule = mixed_field(), pairings_of([0, 1], [1, 2], 12, opening_plies=6)
        for index in range(24):
            end = standing(positions_of(contestants, schedule, index, rule), 6, rule)
            assert end is not None
            ends[end] += 1
    assert {("no move", 1), ("no move", -1), ("repetition", 0), ("quiet", 0)} <= set(ends)


def test_the_referee_counts_quiet_plies_as_the_rules_do():
    fens = ["W:WK32,30:BK1", "B:WK28,30:BK1", "W:WK28,30:BK6", "B:WK28,26:BK6", "W:WK28,26:BK1"]
    line = [twin.parse(fen) for fen in fens]
    assert quiet_plies(line, man_moves_reset=False) == 4
    assert quiet_plies(line, man_moves_reset=True) == 1


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("perspective", ["own", "antisymmetric"])
def test_every_move_of_a_searcher_is_one_of_the_best(perspective, depth):
    strands = np.random.default_rng(depth).integers(4, size=(3, 3200), dtype=np.uint8)
    networks = [material_network(perspective), *decode_population(strands, perspective=perspective)]
    contestants = Contestants.of(networks, depth)
    schedule = pairings_of([0, 1, 2], [3, 2, 0], 3)
    for index in range(6):
        position = CHECKERS.start()
        sides = (schedule.first[index], schedule.second[index])
        for ply, move in enumerate(record_game(contestants, schedule, index, TRAINING_DRAWS)):
            if ply >= 4:
                found = search_position(CHECKERS, position, networks[sides[ply % 2]], depth=depth)
                assert move.text in found.best_moves
            position = move.after


def first_moves(network, depth, *, num_games, plies=1):
    """Count the beginnings of games, of `plies` plies each."""
    contestants = Contestants.of([network], depth)
    schedule = pairings_of(0, 0, num_games // 2, opening_plies=0)
    rule = DrawRule(0, False, 0, max_plies=plies)
    return Counter(
        " ".join(move.text for move in record_game(contestants, schedule, index, rule))
        for index in range(num_games)
    )


def test_a_random_mover_is_uniform_over_the_legal_moves():
    assert stats.chisquare(list(first_moves(blind_network(), 0, num_games=2000).values())).pvalue > 1e-3
    pairs = first_moves(blind_network(), 0, num_games=3000, plies=2)
    assert len(pairs) == 49
    assert stats.chisquare(list(pairs.values())).pvalue > 1e-3


@pytest.mark.parametrize("depth", [1, 3])
def test_exactly_equal_moves_are_drawn_uniformly(depth):
    drawn = first_moves(material_network(), depth, num_games=2000)
    found = search_position(CHECKERS, CHECKERS.start(), material_network(), depth=depth)
    assert set(drawn) == set(found.best_moves)
    assert stats.chisquare(list(drawn.values())).pvalue > 1e-3


def openings(plies, num_pairs, *, seed=1):
    contestants = Contestants.of([blind_network(), material_network()], [0, 1])
    schedule = pairings_of(0, 1, num_pairs, opening_plies=plies, seed=seed)
    return [
        tuple(move.text for move in record_game(contestants, schedule, index, TRAINING_DRAWS)[:plies])
        for index in range(2 * num_pairs)
    ]


@pytest.mark.parametrize("plies", [1, 4, 12])
def test_both_games_of_a_pair_have_the_same_opening_and_pairs_differ(plies):
    begun = openings(plies, 40)
    assert begun[0::2] == begun[1::2]
    assert {len(opening) for opening in begun} == {plies}
    assert len(set(begun)) > {1: 5, 4: 30, 12: 39}[plies]


def test_openings_are_uniform_over_the_first_moves():
    drawn = Counter(opening[0] for opening in openings(1, 700)[::2])
    assert len(drawn) == 7
    assert stats.chisquare(list(drawn.values())).pvalue > 1e-3


def test_no_opening_ends_the_game():
    contestants = Contestants.of([blind_network()], 0)
    schedule = pairings_of(0, 0, 60, opening_plies=50)
    results = play_games(contestants, schedule, DrawRule(0, False, 0, max_plies=1))
    assert set(results.plies) == {50}
    for index in range(0, 120, 2):
        line = positions_of(contestants, schedule, index, DrawRule(0, False, 0, max_plies=1))
        assert twin.moves(line[-1])


def test_a_game_that_ends_within_its_opening_has_only_the_plies_played():
    contestants = Contestants.of([blind_network()], 0)
    schedule = pairings_of(0, 0, 3, opening_plies=5000)
    results = play_games(contestants, schedule, TRAINING_DRAWS)
    for index in range(6):
        line = positions_of(contestants, schedule, index, TRAINING_DRAWS)
        assert len(line) == results.plies[index] + 1 < 5000
        assert standing(line, 0, NEVER_DRAWN) == ("no move", results.outcome[index])


def test_a_game_does_not_depend_on_earlier_games():
    contestants = mixed_field(depth=5)
    schedule = pairings_of([0, 3, 1], [2, 4, 5], 6)
    before = play_batch(GameBatch(contestants, schedule, TRAINING_DRAWS))
    # so many games use up the owners by which searches share a table
    play_batch(
        GameBatch(Contestants.of([blind_network()], 0), pairings_of(0, 0, 17_000, opening_plies=0), ONE_PLY)
    )
    after = play_batch(GameBatch(contestants, schedule, TRAINING_DRAWS))
    for name, column in before._asdict().items():
        assert column.tolist() == getattr(after, name).tolist(), name


def test_nodes_do_not_depend_on_earlier_games():
    # When the place of entries depended on the number of the game, nodes at depth 4 differed by a few.
    contestants = Contestants.of([material_network(), blind_network()], 4)
    schedule = pairings_of(0, 1, 20)
    first, second = (
        play_batch(GameBatch(contestants, schedule, TRAINING_DRAWS)).nodes.tolist() for _ in range(2)
    )
    assert first == second


def test_a_recorded_game_begins_at_the_start_position_of_its_game():
    contestants = Contestants.of([blind_network()], 0)
    (move,) = record_game(contestants, pairings_of(0, 0, 1, opening_plies=0), 0, ONE_PLY)
    assert move.text in {legal.text for legal in game("checkers").legal_moves(CHECKERS.start())}
