"""The chess clock of a game: whose time runs, flags, increments, moves taken back; players that use it."""

import time

import pytest
from hypothesis import given, strategies as st

from neche.web import ServerConfiguration
from neche.web.game_clock import GameClock
from neche.web.messages import SideTime
from tests.web.games import settled
from tools.fuzz.pages import Visitor

MINUTE = {"seconds": 60, "increment": 2}


class Watch:
    """A clock that the test advances."""

    seconds = 100.0

    def __call__(self):
        return self.seconds


def test_time_runs_from_the_first_move_on_and_increments_are_added():
    watch = Watch()
    clock = GameClock((SideTime(60, 2), SideTime(30, 1)), watch)
    watch.seconds += 50
    assert clock.left() == [60, 30]
    clock.press(1)
    watch.seconds += 10
    assert (clock.left(), clock.flagged) == ([60, 20], None)
    clock.press(0)
    watch.seconds += 4
    assert clock.left() == [56, 21]
    assert clock.of(0).left == 56
    assert clock.shown() == {"left": [56, 21], "increments": [2, 1], "running": 0}


def test_a_flag_falls_and_stays_down():
    watch = Watch()
    clock = GameClock((SideTime(5), SideTime(5)), watch)
    clock.press(1)
    watch.seconds += 5
    assert (clock.left(), clock.flagged) == ([5, 0], 1)
    watch.seconds += 100
    assert (clock.left(), clock.flagged) == ([5, 0], 1)


def test_a_game_that_goes_on_has_the_time_that_was_left(visitor):
    left = [{"seconds": 50, "increment": 10}, {"seconds": 40, "increment": 10}]
    state = visitor.post("new", game="checkers", moves=["11-15", "22-18", "15x22"], clock=left).json()
    assert (state["last"], state["turn"], state["clock"]["running"]) == (3, 0, 0)
    assert state["clock"]["left"] == pytest.approx([50, 40], abs=1)
    assert visitor.post("back", ply=0).json()["clock"]["running"] is None
    error = visitor.post("new", game="checkers", moves=["11-15", "11-15"]).json()["error"]
    assert "11-15" in error


def test_time_stands_while_it_is_held():
    watch = Watch()
    clock = GameClock((SideTime(5), SideTime(5)), watch)
    clock.press(0)
    watch.seconds += 1
    clock.hold()
    watch.seconds += 100
    assert clock.left() == [4, 5]
    clock.run(0)
    watch.seconds += 1
    assert clock.left() == [3, 5]


def test_time_stands_while_a_game_is_paused(visitor):
    visitor.post("new", game="checkers", clock=[MINUTE, MINUTE])
    assert visitor.post("move", move="11-15", ply=0).json()["clock"]["running"] == 0
    assert visitor.post("halt", is_dropped=True).json()["clock"]["running"] is None


@given(st.lists(st.floats(0, 20), min_size=1, max_size=12), st.data())
def test_moves_taken_back_give_their_time_back(spent, data):
    watch = Watch()
    clock, left = GameClock((SideTime(200, 1), SideTime(200, 1)), watch), [[200.0, 200.0]]
    for number, seconds in enumerate(spent):
        watch.seconds += seconds
        clock.press((number + 1) % 2)
        left.append(clock.left())
        assert all(0 <= now <= 200 + len(left) for now in left[-1])
    ply = data.draw(st.integers(0, len(spent)))
    clock.go_back(ply, ply % 2)
    assert clock.left() == left[ply]


def test_the_time_of_the_person_runs_out_and_the_game_is_over(visitor):
    clock = [{"seconds": 60}, {"seconds": 0.1}]
    state = visitor.post("new", game="checkers", clock=clock).json()
    assert state["clock"] == {"left": [60, 0.1], "increments": [0, 0], "running": None}
    visitor.post("move", move="11-15", ply=0)
    state = visitor.post("move", move="22-18", ply=1).json()
    assert (state["clock"]["running"], state["verdict"]) == (1, None)
    time.sleep(0.15)
    state = visitor.get("/api/state").json()
    assert state["verdict"] == "White wins: Black's time is up."
    assert state["legal"] == []
    assert visitor.post("move", move="15x22", ply=2).json()["error"] == "the game is over"
    assert visitor.post("think", player="random", ply=2, is_move=True).status == 422
    assert '[Result "0-1"]' in visitor.post("save", names=["a", "b"]).json()["text"]
    state = visitor.post("back", ply=1).json()
    assert (state["verdict"], state["clock"]["running"]) == (None, 0)


@pytest.mark.parametrize("player", ["champion", "uct:playouts=100000", "material:depth=2", "random"])
def test_a_player_moves_within_its_time(visitor, player):
    visitor.post("new", game="checkers", clock=[{"seconds": 2, "increment": 0.1}] * 2)
    visitor.post("move", move="11-15", ply=0)
    for ply in (1, 3, 5):
        visitor.post("think", player=player, ply=ply, is_move=True)
        state = settled(visitor)
        assert (state["verdict"], state["last"]) == (None, ply + 1)
        assert state["clock"]["running"] == 1
        assert state["clock"]["left"][0] > 0.5
        # a depth that was asked for holds besides
        assert player != "material:depth=2" or state["thinking"]["depth"] <= 2
        visitor.post("move", move=state["legal"][0]["text"], ply=ply + 1)


def test_no_ending_is_solved_before_the_time_of_a_player_runs():
    # with 28 empty squares that takes hours
    fen = "-----------X--XX---XXXX--X-XXXXX-XXXXXXO-XXOXXX--XXOOXX---OOOO-- X"
    visitor = Visitor(ServerConfiguration(player="uct:playouts=50,exact=30"))
    for _ in range(2):  # the second time nothing is compiled any more
        state = visitor.post("new", game="othello", fen=fen, clock=[{"seconds": 3}] * 2).json()
        visitor.post("move", move=state["legal"][0]["text"], ply=0)
        visitor.post("think", player="given", ply=1, is_move=True)
        state = settled(visitor)
    visitor.close()
    spent = 3 - state["clock"]["left"][1 - state["turn"]]
    assert state["last"] == 2
    assert state["thinking"]["seconds"] < spent + 10


def test_a_player_that_solves_in_vain_still_has_time_to_think():
    fen = "-----------X--XX---XXXX--X-XXXXX-XXXXXXO-XXOXXX--XXOOXX---OOOO-- X"
    visitor = Visitor(ServerConfiguration(player="uct:exact=30"))
    state = visitor.post("new", game="othello", fen=fen, clock=[{"seconds": 30}] * 2).json()
    visitor.post("move", move=state["legal"][0]["text"], ply=0)
    visitor.post("think", player="given", ply=1, is_move=True)
    state = settled(visitor)
    visitor.close()
    assert state["last"] == 2
    # more than the playouts after which a tree first tells what it knows
    assert state["thinking"]["playouts"] > 1000


@pytest.mark.parametrize("player", ["material", "uct"])
def test_the_only_move_takes_next_to_no_time(visitor, player):
    visitor.post("new", game="checkers", clock=[{"seconds": 60}] * 2)
    for ply, move in enumerate(("11-15", "22-18")):
        visitor.post("move", move=move, ply=ply)
    # Black has to capture
    assert len(visitor.get("/api/state").json()["legal"]) == 1
    visitor.post("think", player=player, ply=2, is_move=True)
    state = settled(visitor)
    assert state["moves"][2:] == ["15x22"]
    # and is still worth a word; its share of a minute were more than a second
    assert state["thinking"]["words"]
    assert state["clock"]["left"][1] > 59.5


def test_a_game_lost_on_time_is_over_when_it_is_sent_again(visitor):
    clock = [{"seconds": 50, "increment": 1}, {"seconds": 0, "increment": 1}]
    state = visitor.post("new", game="checkers", moves=["11-15", "22-18"], clock=clock).json()
    assert (state["verdict"], state["legal"]) == ("White wins: Black's time is up.", [])
    assert visitor.post("move", move="15x22", ply=2).json()["error"] == "the game is over"


def test_a_clock_out_of_bounds_is_refused(visitor):
    for clock in ([MINUTE], [MINUTE, {"seconds": 0}], [MINUTE, {"seconds": 1e9}], [MINUTE, {"increment": 1}]):
        reply = visitor.post("new", game="checkers", clock=clock)
        assert reply.status == 422
        assert "cannot be understood" in reply.json()["error"]


def test_a_player_thinks_on_until_the_answer(visitor):
    visitor.post("new", game="checkers", clock=[MINUTE] * 2)
    session = visitor.pages.sessions.find(visitor.session)
    visitor.post("move", move="11-15", ply=0)
    visitor.post("think", player="uct:playouts=1000000", ply=1, is_move=True, ponders=True)
    visitor.post("halt")
    state = settled(visitor)
    while not visitor.get("/api/state").json()["isPondering"]:
        time.sleep(0.01)
    pondering = session.pondering
    # It plays nothing, and its own time stands.
    assert (state["last"], state["clock"]["running"]) == (2, 1)
    state = visitor.post("move", move=state["legal"][0]["text"], ply=2).json()
    pondering.wait()
    assert pondering.shown()["playouts"] < 1_000_000
    assert pondering.shown()["status"] == "dropped"
    assert state["last"] == 3
    assert not visitor.get("/api/state").json()["isPondering"]
    # The next one waits for its end, and those after for each other.
    visitor.post("think", player="uct:playouts=1000000", ply=3, is_move=True)
    assert session.pondering is None
    second = session.analysis
    visitor.post("think", player="uct:playouts=500", ply=3, is_move=True)
    assert settled(visitor)["last"] == 4
    assert second.shown()["status"] == "dropped"


def test_nobody_ponders_unasked_or_on_a_board_of_many(visitor):
    visitor.post("new", game="checkers")
    session = visitor.pages.sessions.find(visitor.session)
    visitor.post("think", player="material:depth=2", ply=0, is_move=True)
    settled(visitor)
    assert session.pondering is None
    assert visitor.get("/api/hello").json()["mayPonder"]
    shared = Visitor(ServerConfiguration(is_shared=True))
    try:
        assert not shared.get("/api/hello").json()["mayPonder"]
        shared.post("new", game="checkers")
        reply = shared.post("think", player="material:depth=2", ply=0, is_move=True, ponders=True)
        assert (reply.status, "one person" in reply.json()["error"]) == (422, True)
    finally:
        shared.close()


def test_a_board_is_drawn_without_numbers_too(visitor):
    numbered, plain = (
        visitor.get(f"/board/checkers/{way}.svg").body for way in ("straight", "straight-plain")
    )
    assert b">32<" in numbered
    assert b">32<" not in plain
    assert b">A<" in plain or b">a<" in plain
