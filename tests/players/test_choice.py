import pytest

from neche.compiled.streams import stream
from neche.errors import InputError
from neche.games.catalogue import game
from neche.network.decode import material_network
from neche.players.choice import choose_move
from neche.players.player import Player
from neche.players.spec import parse_player
from tests.arena.thinkers import Disguise, Fancy

CHECKERS = game("checkers")


def choices(text, fen, count=40):
    position = CHECKERS.parse_fen(fen)
    player = parse_player(text)
    return [choose_move(player, CHECKERS, position, stream(0, 0, "test", index)) for index in range(count)]


def test_the_random_player_plays_every_move():
    found = choices("random", "B:W21-32:B1-12")
    assert len({choice.move.text for choice in found}) == 7
    assert all(choice.value is None and choice.nodes == 0 for choice in found)


def test_the_blind_player_draws_among_moves_that_look_alike():
    assert len({choice.move.text for choice in choices("blind:depth=1", "B:W21-32:B1-12")}) == 7


def test_the_material_player_wins_a_man_where_it_can():
    found = choices("material:depth=3", "B:W18,32,31:B14,1", count=3)
    assert {choice.move.text for choice in found} == {"14x23"}
    assert all(choice.depth == 3 and choice.nodes > 0 for choice in found)


def test_equal_streams_choose_alike():
    one, two = (choices("blind:depth=2", "B:W21-32:B1-12", count=10) for _ in range(2))
    assert [choice.move.text for choice in one] == [choice.move.text for choice in two]


def test_thinking_time_is_kept_to():
    (choice,) = choices("material:time=20", "B:W21-32:B1-12", count=1)
    assert 1 <= choice.depth <= 60


@pytest.mark.parametrize("text", ["random", "material:depth=2"])
def test_a_finished_game_has_no_choice(text):
    with pytest.raises(InputError, match="the game is over: White has no legal move"):
        choices(text, "W:W:B7", count=1)


def test_a_thinker_plays_one_of_its_best_moves_and_tells_its_thoughts():
    player = Player("disguise", None, 0, thinker=Disguise(material_network(), 3))
    position = CHECKERS.parse_fen("B:W18,32,31:B14,1")
    choice = choose_move(player, CHECKERS, position, stream(0, 0, "test"))
    assert choice.move.text == "14x23"
    assert choice.thought is not None
    assert (choice.value, choice.nodes) == (None, choice.thought.playouts)


def test_a_seat_remembers_and_a_fresh_one_does_not():
    player = Player("fancy", None, 0, thinker=Fancy())
    seat = Fancy().sit(CHECKERS)
    kept, fresh = (
        [
            choose_move(player, CHECKERS, CHECKERS.start(), stream(0, 0, "test"), seat=given).move.text
            for _ in range(3)
        ]
        for given in (seat, None)
    )
    assert len(seat.keys) == 3
    assert len(set(fresh)) == 1
    assert kept[0] == fresh[0]
    assert len(set(kept)) > 1
