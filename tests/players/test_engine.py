import pytest

from neche.compiled.streams import stream
from neche.errors import InputError
from neche.games.catalogue import game
from neche.network.decode import material_network
from neche.players.engine import Limits, choose_move
from neche.players.spec import parse_player
from tests.arena.players import Disguise, Fancy

CHECKERS = game("checkers")


def choices(text, fen, count=40):
    position = CHECKERS.parse_fen(fen)
    player = parse_player(text)
    return [choose_move(player, CHECKERS, position, stream(0, 0, "test", index)) for index in range(count)]


def test_the_random_player_plays_every_move():
    found = choices("random", "B:W21-32:B1-12")
    assert len({choice.move.text for choice in found}) == 7
    assert all(not choice.analysis.is_judged and choice.analysis.nodes == 0 for choice in found)


def test_the_blind_player_chooses_at_random_among_equal_moves():
    assert len({choice.move.text for choice in choices("blind:depth=1", "B:W21-32:B1-12")}) == 7


def test_the_material_player_wins_a_man_where_it_can():
    found = choices("material:depth=3", "B:W18,32,31:B14,1", count=3)
    assert {choice.move.text for choice in found} == {"14x23"}
    assert all(choice.analysis.depth == 3 and choice.analysis.nodes > 0 for choice in found)


def test_equal_streams_give_equal_choices():
    one, two = (choices("blind:depth=2", "B:W21-32:B1-12", count=10) for _ in range(2))
    assert [choice.move.text for choice in one] == [choice.move.text for choice in two]


def test_a_player_with_a_time_searches_at_least_one_ply():
    (choice,) = choices("material:time=20", "B:W21-32:B1-12", count=1)
    assert 1 <= choice.analysis.depth <= 60


@pytest.mark.parametrize("text", ["random", "material:depth=2"])
def test_a_finished_game_has_no_choice(text):
    with pytest.raises(InputError, match="the game is over: White has no legal move"):
        choices(text, "W:W:B7", count=1)


@pytest.mark.parametrize(
    ("limits", "fault"),
    [
        ({"time_ms": -7}, "time_ms = -7: a whole number from 1"),
        ({"nodes": -5}, "nodes = -5: a whole number from 1"),
        ({"nodes": 2**64}, "nodes = 18446744073709551616: a whole number from 1"),
        ({"depth": 5000}, "depth = 5000: a whole number from 1 to 60"),
        ({"depth": True}, "depth = True: a whole number from 1 to 60"),
        ({"depth": 4.0}, r"depth = 4\.0: a whole number from 1 to 60"),
    ],
)
@pytest.mark.parametrize("text", ["uct", "mcrd", "material:nodes=9"])
def test_limits_out_of_range_are_refused_by_every_player(text, limits, fault):
    with pytest.raises(InputError, match=fault):
        parse_player(text).new_game(CHECKERS).analyse(CHECKERS.start(), limits=Limits(**limits))


def test_an_engine_plays_one_of_its_best_moves_and_returns_its_analysis():
    position = CHECKERS.parse_fen("B:W18,32,31:B14,1")
    choice = choose_move(Disguise(material_network(), 3), CHECKERS, position, stream(0, 0, "test"))
    assert choice.move.text == "14x23"
    assert choice.analysis.best_moves == ("14x23",)
    assert choice.analysis.nodes == 3


def test_an_engine_remembers_and_a_fresh_one_does_not():
    player = Fancy()
    engine = player.new_game(CHECKERS)
    kept, fresh = (
        [
            choose_move(player, CHECKERS, CHECKERS.start(), stream(0, 0, "test"), engine=given).move.text
            for _ in range(3)
        ]
        for given in (engine, None)
    )
    assert len(engine.keys) == 3
    assert len(set(fresh)) == 1
    assert kept[0] == fresh[0]
    assert len(set(kept)) > 1
