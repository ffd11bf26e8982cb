"""The sample position of the lab that the game brazilian comes from: what its own search finds there."""

import pytest

from neche.games.catalogue import game
from neche.players.spec import parse_player

BRAZILIAN = game("brazilian")
SAMPLE = "W:W12,23,27,29,30,31:B1,3,4,8,22"


@pytest.mark.parametrize("seed", range(20))
def test_a_thousand_playouts_value_the_sample_position_and_visit_its_best_moves_as_the_lab_does(seed):
    thinker = parse_player("uct:playouts=1000,c=1.4142").thinker
    assert thinker is not None
    thought = thinker.sit(BRAZILIAN).think(BRAZILIAN.parse_fen(SAMPLE), seed)
    assert 0.74 <= thought.facts["root_value"] <= 0.82
    most_visited = max(thought.moves, key=lambda move: move.visits)
    assert most_visited.text in ("30-25", "30-26")
