"""The pages answer: games, moves, analyses."""

import gc
import time
import weakref
from dataclasses import replace
from urllib.parse import urlencode

import numpy as np
import pytest

from neche import errors
from neche.games.catalogue import GAMES, game
from neche.games.game import geometry_of
from neche.network.decode import decode
from neche.network.sensors import activations
from neche.network.topology import dense_topology
from neche.players.spec import parse_player
from neche.web import ServerConfiguration, app
from neche.web.activations import activations_of, telling_position
from tests.genome.drawn import random_strands
from tests.web.games import settled
from tools.fuzz.pages import Visitor


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_described_drawn_and_begun(visitor, name):
    rules = visitor.get(f"/api/games/{name}").json()
    assert len(rules["squares"]) == len(geometry_of(game(name)).places)
    assert rules["sides"][rules["light"]] == "White"
    words = [offer["word"] for offer in rules["players"]]
    assert {"material", "uct", "random"} <= set(words)
    assert visitor.get(f"/board/{name}/straight.svg").body.startswith(b"<svg")
    assert visitor.get(f"/piece/{name}/1m.svg").headers["content-type"] == "image/svg+xml"
    state = visitor.post("new", game=name).json()
    assert state["fen"] == game(name).format_fen(game(name).start())
    assert [move["text"] for move in state["legal"]] == [
        move.text for move in game(name).legal_moves(game(name).start())
    ]


def test_a_fault_of_somebody_elses_game_is_answered_in_one_line(visitor, monkeypatch):
    def legal_moves(position):
        raise ValueError("odd")

    monkeypatch.setattr(errors, "CODE_OF_OTHERS", [__file__])
    monkeypatch.setattr(app, "game", lambda name: replace(game(name), legal_moves=legal_moves))
    reply = visitor.post("new", game="checkers")
    assert reply.status == 422
    assert reply.json()["error"].startswith(f"{__file__}, line ")
    assert reply.json()["error"].endswith(": ValueError: odd")


def test_a_fault_of_the_pages_own_code_is_not_taken_for_a_missing_address(visitor, monkeypatch):
    def fail(rules):
        raise KeyError("a fault of ours")

    monkeypatch.setattr(app, "anchor_of", fail)
    with pytest.raises(KeyError, match="a fault of ours"):
        visitor.get("/api/games/othello")
    assert visitor.get("/nowhere").status == 404


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_to_its_end_against_random_moves(visitor, name):
    rules = game(name)
    state = visitor.post("new", game=name).json()
    position = rules.start()
    while not state["verdict"]:
        if state["ply"] % 2 == 0:
            reply = visitor.post("move", move=state["legal"][0]["text"], ply=state["ply"])
            assert reply.status == 200
        else:
            visitor.post("think", player="random", ply=state["ply"], is_move=True)
        state = settled(visitor)
        position = next(move.after for move in rules.legal_moves(position) if move.text == state["moves"][-1])
        assert state["fen"] == rules.format_fen(position)
    assert state["legal"] == []
    assert visitor.post("move", move="11-15", ply=state["ply"]).status == 422
    assert visitor.post("think", player="random", ply=state["ply"]).json()["error"] == "the game is over"


def test_a_searching_player_says_what_the_search_says(visitor):
    rules = game("checkers")
    state = visitor.post("new", game="checkers").json()
    visitor.post("think", player="champion:depth=3", ply=0)
    thinking = settled(visitor)["thinking"]
    engine = parse_player("champion:depth=3").new_game(rules)
    found = engine.analyse(rules.start(), every_value=True)
    assert thinking["status"] == "done"
    assert thinking["value"] == found.value
    assert thinking["pv"] == list(found.pv)
    assert thinking["chance"] == pytest.approx(engine.expected_score(found), abs=1e-4)
    assert len(thinking["moves"]) == len(state["legal"])
    assert visitor.get("/api/state").json()["moves"] == []


def test_uct_says_visits_and_values_of_all_moves_and_plays_one_of_the_best(visitor):
    visitor.post("new", game="othello")
    visitor.post("think", player="uct:playouts=400", ply=0, is_move=True)
    state = settled(visitor)
    thinking = state["thinking"]
    assert sum(entry["visits"] for entry in thinking["moves"]) >= 396
    assert state["moves"][0] in [entry["move"] for entry in thinking["moves"]]


def test_an_analysis_is_stopped_with_what_it_found(visitor):
    visitor.post("new", game="checkers")
    visitor.post("think", player="material:depth=40", ply=0, is_move=True)
    time.sleep(0.3)
    visitor.post("halt")
    state = settled(visitor)
    assert state["thinking"]["status"] == "done"
    assert len(state["moves"]) == 1


def test_a_player_that_solves_the_last_moves_is_stopped_too():
    # with 28 empty squares that takes hours
    fen = "-----------X--XX---XXXX--X-XXXXX-XXXXXXO-XXOXXX--XXOOXX---OOOO-- X"
    visitor = Visitor(ServerConfiguration(player="uct:playouts=50,exact=30"))
    visitor.post("new", game="othello", fen=fen)
    visitor.post("think", player="given", ply=0, is_move=True)
    visitor.post("halt")
    analysis = visitor.pages.sessions.find(visitor.session).analysis
    assert analysis is not None
    analysis.wait(60)
    assert visitor.get("/api/state").json()["thinking"]["status"] == "done"
    visitor.close()


def test_a_new_analysis_ends_the_one_before_and_only_the_new_one_plays(visitor):
    visitor.post("new", game="checkers")
    session = visitor.pages.sessions.find(visitor.session)
    visitor.post("think", player="material:depth=40", ply=0, is_move=True)
    first = session.analysis
    visitor.post("think", player="random", ply=0, is_move=True)
    state = settled(visitor)
    first.wait(10)
    assert first.shown()["status"] == "dropped"
    assert len(state["moves"]) == 1
    assert state["thinking"]["player"] == "random"


def test_taking_back_and_going_on_drops_the_analysis(visitor):
    visitor.post("new", game="checkers")
    visitor.post("move", move="11-15", ply=0)
    visitor.post("think", player="material:depth=40", ply=1, is_move=True)
    state = visitor.post("back", ply=0).json()
    assert (state["moves"], state["thinking"]) == ([], None)
    time.sleep(0.1)
    assert settled(visitor)["moves"] == []


def test_an_earlier_position_is_shown_without_moves(visitor):
    visitor.post("new", game="checkers")
    visitor.post("move", move="11-15", ply=0)
    visitor.post("move", move="22-18", ply=1)
    state = visitor.get("/api/state?ply=1").json()
    assert (state["ply"], state["last"], state["legal"]) == (1, 2, [])
    assert state["lastSquares"] == ["11", "15"]


def test_a_move_for_another_position_is_a_conflict(visitor):
    visitor.post("new", game="checkers")
    assert visitor.post("move", move="11-15", ply=1).status == 409
    assert visitor.post("move", move="11-16x", ply=0).status == 422


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("uct:playouts=10", 200, "uct:playouts=10"),
        ("uct:playout=10", 422, "did you mean playouts?"),
        ("materail", 422, "did you mean material?"),
        ("network:file=/etc/passwd", 422, "a player is a word with options"),
    ],
)
def test_a_player_is_checked_before_a_game_begins(visitor, text, status, words):
    reply = visitor.get(f"/api/games/checkers?{urlencode({'player': text})}")
    assert (reply.status, words in str(reply.json())) == (status, True)


def test_the_network_of_a_player_is_shown_at_work(visitor):
    visitor.post("new", game="checkers")
    lit = visitor.post("light", player="champion-1:depth=1", ply=0).json()
    assert lit["view"] == "Black"
    assert len(lit["links"]) == lit["synapses"]
    assert {neuron["kind"] for neuron in lit["neurons"]} == {"sensor", "bias", "layer1", "layer2", "output"}
    assert visitor.post("light", player="uct:playouts=10", ply=0).status == 422


def test_a_network_is_shown_on_a_position_that_it_does_not_call_even():
    rules = game("checkers")
    network = parse_player("champion-1:depth=1").evaluating_network
    assert network is not None
    position, moves = telling_position(network, rules)
    assert activations_of(network, rules, rules.start())["value"] == 0
    assert activations_of(network, rules, position)["value"] != 0
    again = rules.start()
    for text in moves:
        again = next(move.after for move in rules.legal_moves(again) if move.text == text)
    assert rules.format_fen(again) == rules.format_fen(position)


def test_of_a_dense_network_the_sensors_that_see_a_piece_are_shown():
    rules = game("checkers")
    topology = dense_topology(128, 4)
    genome = random_strands(topology.strand_format, np.random.default_rng(1), sd=0.3)
    network = decode(genome, perspective="mover", topology=topology)
    lit = activations_of(network, rules, rules.start())
    sensors = [neuron for neuron in lit["neurons"] if neuron["kind"] == "sensor"]
    assert len(sensors) == 24
    assert {neuron["piece"] for neuron in sensors} == {"own man", "enemy man"}
    assert {neuron["value"] for neuron in sensors} == {1.0}
    assert lit["synapses"] == network.live.sum()
    drawn = {neuron["id"] for neuron in lit["neurons"]}
    assert all(source in drawn and sink in drawn for source, sink, *_ in lit["links"])


@pytest.mark.parametrize(("second", "hidden"), [(0, 24), (30, 48)])
def test_of_a_wide_network_the_neurons_that_pass_on_most_are_shown(second, hidden):
    rules = game("checkers")
    topology = dense_topology(128, 90, second)
    genome = random_strands(topology.strand_format, np.random.default_rng(1), sd=0.3)
    network = decode(genome, perspective="mover", topology=topology)
    lit = activations_of(network, rules, rules.start())
    carried = activations(network, rules, rules.start(), 0).carried
    # those of the second layer that hear something are fed by the first
    fed = {
        *network.sink[network.live & (carried != 0)].tolist(),
        *network.source[network.live & (carried != 0)].tolist(),
    }
    drawn = {neuron["id"] for neuron in lit["neurons"] if neuron["kind"].startswith("layer")}
    assert hidden - 24 < len(drawn) <= hidden
    for begin, end in ((129, 219), (219, 219 + second)):
        passed_on = {at: np.abs(carried[network.source == at]).sum() for at in range(begin, end)}
        loudest = sorted(passed_on, key=lambda at: -passed_on[at])[:24]
        assert drawn & passed_on.keys() == {at for at in loudest if passed_on[at] > 0}
    assert len(drawn) + lit["leftOut"] == len({at for at in fed if 129 <= at < 219 + second})
    assert len(lit["links"]) <= 400
    ends = {neuron["id"] for neuron in lit["neurons"]}
    assert all(source in ends and sink in ends for source, sink, *_ in lit["links"])


def test_the_oldest_session_makes_room(visitor):
    visitor.post("new", game="checkers")
    first = visitor.session
    for _ in range(40):
        visitor.session = ""
        visitor.post("new", game="checkers")
    assert len(visitor.pages.sessions) == 16
    visitor.session = first
    assert visitor.get("/api/state").status == 410


def test_a_game_that_is_forgotten_leaves_no_engine_behind(visitor):
    visitor.post("new", game="checkers")
    visitor.post("think", player="material:depth=2", ply=0, is_move=True, ponders=True)
    settled(visitor)
    session = visitor.pages.sessions.find(visitor.session)
    engine = weakref.ref(session._engine[1])
    visitor.post("halt", is_dropped=True)
    session.pondering.wait()
    del session
    # Circles would wait for the collector, which counts objects and not the megabytes of a table.
    gc.disable()
    try:
        for _ in range(16):
            visitor.session = ""
            visitor.post("new", game="checkers")
        assert engine() is None
    finally:
        gc.enable()


def test_pages_need_nothing_from_elsewhere(visitor):
    for name, asset in visitor.pages.assets.items():
        text = asset.body.decode()
        assert "https://" not in text, name
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", ""), name
        reply = visitor.get(f"/assets/{name}")
        assert (reply.status, reply.body) == (200, asset.body)
    for path in ("/", "/watch"):
        assert visitor.get(path).body.startswith(b"<!doctype html>")
