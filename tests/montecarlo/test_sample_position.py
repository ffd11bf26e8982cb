"""The sample position of the lab that the game brazilian comes from: UCT agrees with the lab's results."""

import statistics

import pytest

from neche.compiled.streams import stream_key
from neche.games.catalogue import game
from neche.players.spec import parse_player

BRAZILIAN = game("brazilian")
SAMPLE = "W:W12,23,27,29,30,31:B1,3,4,8,22"


def think(key):
    return (
        parse_player("uct:playouts=1000,c=1.4142")
        .new_game(BRAZILIAN)
        .analyse(BRAZILIAN.parse_fen(SAMPLE), key=key)
    )


@pytest.mark.parametrize("seed", range(1, 21))
def test_a_thousand_playouts_find_the_value_and_the_best_moves_of_the_lab(seed):
    """The seeds give the keys that `neche analyse --seed` uses."""
    analysis = think(stream_key(seed, 0, "analyse: thought"))
    assert 0.74 <= analysis.figures["root_value"] <= 0.82
    most_visited = max(analysis.moves, key=lambda move: move.visits)
    assert most_visited.text in ("30-25", "30-26")


def test_over_many_streams_the_mean_value_is_that_of_the_lab():
    """The lab found 0.781 in one search. The mean of 1000 such games has a deviation of 0.013."""
    values = [think(key).figures["root_value"] for key in range(200)]
    assert abs(statistics.mean(values) - 0.781) < 0.013
    assert statistics.pstdev(values) < 1.2 * 0.013
    assert sum(0.74 <= value <= 0.82 for value in values) >= 0.97 * len(values)
