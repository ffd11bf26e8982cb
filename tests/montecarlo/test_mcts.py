"""UCT has exactly the statistics of its definitions, for all positions and kinds of leaves."""

import math

import pytest

from neche.compiled.streams import stream
from neche.games.catalogue import GAMES, game
from neche.montecarlo.counting import PlayoutCounts
from neche.montecarlo.playouts_cpu import count_playouts
from neche.players.uct import Uct
from tests.montecarlo.tree_builders import CHECKERS, KEY
from tests.oracles.uct_twin import Twin

POSITIONS = {
    "start": "B:W21-32:B1-12",
    "middle": "W:W32,31,30,28,27,26,22,20,18:B1,2,3,4,6,7,11,12,19",
    "captures": "W:W18,22,23,26,30:B7,10,14,15,16,24",
    "kings": "B:WK18,K22,K23:BK5,K12,14",
    "men only": "W:W27,19,18,11,7,6,5:B28,26,25,20,17,10,9,4,3,2",
    "few moves": "B:W21,K6:B5,K13",
}


def slow_search(position, playouts, *, rules=CHECKERS, c=1.0, leaf=1, key=KEY, most_nodes=math.inf):
    """Search with the twin; the random games are those of the package, from the same streams."""

    def value(here, number):
        counts: PlayoutCounts = count_playouts(rules, [here], [leaf], [key], first=[number * leaf])
        return float(counts.wins[0] + 0.5 * counts.draws[0]) / leaf

    twin = Twin(
        lambda here: [move.after for move in rules.legal_moves(here)], value, c, most_nodes=most_nodes
    )
    return twin, twin.search(position, playouts, key)


def same_statistics(found, twin, node):
    assert [move.visits for move in found.moves] == [edge.count for edge in node.edges]
    values = [edge.evaluation if edge.count else 0.5 for edge in node.edges]
    assert [move.value for move in found.moves] == pytest.approx(values, abs=1e-12)
    assert found.figures["visits"] == node.count
    assert found.figures["root_value"] == pytest.approx(node.evaluation, abs=1e-12)
    assert found.figures["nodes"] == len(twin.graph)
    assert found.figures["tree_depth"] == max(twin.depths)
    assert found.figures["mean_depth"] == pytest.approx(sum(twin.depths) / len(twin.depths))


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize(
    ("playouts", "c", "leaf"), [(600, 1.0, 1), (300, 0.3, 1), (200, 2.0, 3), (200, 0.0, 1)]
)
def test_visits_and_values_equal_those_of_the_slow_twin(name, playouts, c, leaf):
    position = CHECKERS.parse_fen(POSITIONS[name])
    player = Uct(playouts=playouts, exploration=c, leaf=leaf, is_solving=False)
    found = player.new_game(CHECKERS).analyse(position, key=KEY)
    same_statistics(found, *slow_search(position, playouts, c=c, leaf=leaf))


@pytest.mark.parametrize("name", ["start", "kings", "men only"])
@pytest.mark.parametrize("options", [{}, {"batch": 1}], ids=["one by one", "batch of one"])
def test_a_full_tree_forgets_the_positions_that_the_slow_twin_forgets(name, options):
    position = CHECKERS.parse_fen(POSITIONS[name])
    player = Uct(playouts=4000, is_solving=False, capacity=1024, **options)
    found = player.new_game(CHECKERS).analyse(position, key=KEY)
    assert found.figures["restarts"] > 2
    same_statistics(found, *slow_search(position, 4000, c=0.5, most_nodes=1024))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("options", [{}, {"batch": 1}], ids=["one by one", "batch of one"])
def test_statistics_of_every_game_equal_those_of_the_slow_twin(name, options):
    """Positions along a whole game, so that finished games and passes occur."""
    rules = game(name)
    position, draw = rules.start(), stream(1, 0, "uct of every game")
    ply = 0
    while moves := rules.legal_moves(position):
        if ply % 6 == 0:
            player = Uct(playouts=150, is_solving=False, **options)
            found = player.new_game(rules).analyse(position, key=KEY + ply)
            same_statistics(found, *slow_search(position, 150, rules=rules, c=0.5, key=KEY + ply))
        position = moves[int(draw.integers(len(moves)))].after
        ply += 1
    assert ply > 20
