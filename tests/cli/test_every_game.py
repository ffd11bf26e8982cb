"""Every command that plays plays every game."""

import io

import pytest

from neche.games.catalogue import GAMES, game


def first_move(name):
    rules = game(name)
    return rules.legal_moves(rules.start())[0].text


@pytest.mark.parametrize("name", GAMES)
def test_perft_and_playouts_count(name, terminal):
    rules = game(name)
    assert terminal.json("perft", "--game", name, "--depth", 3)["nodes"] == rules.perft(rules.start(), 3)
    values = terminal.json("playouts", "--game", name, "--count", 200, "--jobs", 1)
    assert values["first_wins"] + values["draws"] + values["second_wins"] == 200
    assert values["game"] == name


@pytest.mark.parametrize("player", ["uct:playouts=40", "mcrd:playouts=40", "blind:depth=2"])
@pytest.mark.parametrize("name", GAMES)
def test_a_position_is_analysed(name, player, terminal):
    fen = game(name).format_fen(game(name).legal_moves(game(name).start())[0].after)
    values = terminal.json("analyse", fen, "--game", name, "--player", player)
    legal = [move.text for move in game(name).legal_moves(game(name).parse_fen(fen))]
    assert values["move"] in legal
    assert sorted(move["move"] for move in values["moves"]) == sorted(legal)
    assert values["pv"][0] in legal


@pytest.mark.parametrize("name", GAMES)
def test_players_of_every_kind_meet(name, terminal):
    players = ("random", "blind:depth=1", "mcrd:playouts=20", "uct:playouts=10")
    values = terminal.json("round-robin", *players, "--game", name, "--games", 2, "--seed", 1, "--jobs", 1)
    assert [line["player"].partition(":")[0] for line in values["table"]] != []
    assert sum(line["wins"] for line in values["table"]) == sum(line["losses"] for line in values["table"])
    assert {line["wins"] + line["draws"] + line["losses"] for line in values["table"]} == {6}


@pytest.mark.parametrize("name", GAMES)
def test_a_ladder_is_climbed(name, terminal):
    words = ("ladder", "uct:playouts=10", "--rungs", "random", "blind:depth=1", "--games", 2)
    rungs = terminal.json(*words, "--game", name)["rungs"]
    assert [rung["wins"] + rung["draws"] + rung["losses"] for rung in rungs] == [2, 2]


@pytest.mark.parametrize("name", GAMES)
def test_a_person_plays_with_hints_moves_and_undo(name, terminal, monkeypatch):
    move = first_move(name)
    lines = ["hint", "moves", move, "undo", "board", move, "nonsense", "resign"]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    text = terminal.text("play", "--game", name, "--player", "uct:playouts=20", "--seed", 1)
    first = game(name).side_to_move(game(name).start())
    second = next(side for side in game(name).sides if side != first)
    assert f"You are {first}, against uct" in text
    assert "would play" in text
    assert text.count(f"{second} plays") == 2
    assert "no square 'nonsense'" in text
    assert f"{first} resigns." in text


@pytest.mark.parametrize("name", GAMES)
def test_a_person_may_take_the_other_side_against_any_player_that_sees_the_board(name, terminal, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    rules = game(name)
    side = next(side for side in rules.sides if side != rules.side_to_move(rules.start()))
    words = ("play", "--game", name, "--side", side.lower(), "--player", "random", "--seed", 1)
    values = terminal.json(*words)
    assert len(values["moves"]) == 1
    assert values["side"] == side.lower()


@pytest.mark.parametrize("name", GAMES)
def test_a_dataset_is_made(name, terminal, tmp_path):
    values = terminal.json("dataset", tmp_path, "--game", name, "--games", 2, "--shard-games", 2)
    assert values["game"] == name
    assert values["positions"] > 20
