"""Shipped champions in every command that takes a player: their names determine the game."""

import io

import pytest

from neche.errors import InputError
from neche.players import source
from neche.web import ServerConfiguration
from tools.fuzz.pages import Visitor
from tools.studies.ship import ship as put_into_package

FEW = ("--games", 2, "--jobs", 1)


@pytest.mark.parametrize(("name", "game"), [("wide-1", "checkers"), ("disc-1", "othello")])
def test_a_shipped_champion_plays_and_is_exported_without_its_game_being_said(
    terminal, ship, monkeypatch, name, game
):
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert terminal.json("play", "--player", f"{name}:depth=1")["player"].startswith(f"network:file={name}")
    assert terminal.json("analyse", "--player", f"{name}:depth=1")["game"] == game
    values = terminal.json("match", f"{name}:depth=1", "random", *FEW)
    assert values["wins"] + values["draws"] + values["losses"] == 2
    values = terminal.json("ladder", name, "--depth", 1, "--rungs", "random", *FEW)
    assert values["rungs"][0]["player"] == "random"
    fasta = terminal.text("export", name, "--format", "fasta")
    assert fasta.startswith(f">{name} perspective=mover topology=128-")
    assert terminal.json("export", name, "--format", "json")["bytes"] > 1000
    assert ("king" in terminal.text("export", name, "--format", "dot")) == (game == "checkers")


def test_champions_of_two_games_do_not_meet(terminal, ship):
    assert "champions of several games" in terminal.fault("match", "wide-1", "disc-1", *FEW)
    words = terminal.fault("match", "wide-1", "disc-1", "--game", "othello", *FEW)
    assert "does not see the board of othello" in words


def test_a_champion_of_another_game_is_named_as_it_was_asked_for(terminal):
    fault = terminal.fault("analyse", "--game", "othello", "--player", "champion")
    told = "champion is a champion of checkers: it does not see the board of othello\n"
    assert fault == f"neche: error: {told}"


def test_a_game_that_is_said_holds(terminal):
    assert (
        terminal.json("analyse", "--player", "champion:depth=1", "--game", "brazilian")["game"] == "brazilian"
    )


def test_the_browser_offers_the_champions_of_a_game_by_name(ship):
    with_ship = Visitor(ServerConfiguration())
    offered = {
        game: {
            offer["word"]: offer["label"] for offer in with_ship.get(f"/api/games/{game}").json()["players"]
        }
        for game in ("checkers", "othello", "brazilian")
    }
    with_ship.close()
    assert offered["checkers"]["wide-1"] == "Champion wide-1"
    assert offered["othello"]["disc-1"] == "Champion disc-1"
    assert offered["brazilian"]["wide-1"] == "Champion wide-1, evolved for checkers"
    assert "wide-1" not in offered["othello"]
    assert "disc-1" not in offered["checkers"]


def test_the_league_is_a_round_robin_of_all_that_are_shipped(terminal, ship):
    put_into_package(str(source.SHIPPED / "disc-1.fasta"), "disc-2")
    words = ("round-robin", "shipped:depth=1", "random", "--game", "othello", *FEW)
    names = {line["player"] for line in terminal.json(*words)["table"]}
    assert names == {"network:file=disc-1,depth=1", "network:file=disc-2,depth=1", "random"}
    deeper = terminal.json("round-robin", "shipped", "random", "--depth", 2, *FEW)["table"]
    assert {line["player"] for line in deeper} == {"network:file=wide-1,depth=2", "random"}
    assert "no champion of brazilian" in terminal.fault("round-robin", "shipped", "--game", "brazilian", *FEW)


def test_a_ladder_ends_with_a_place_on_one_scale(terminal):
    words = ("ladder", "material:depth=2", "--rungs", "champion-1:depth=2", "champion-1:depth=4", *FEW)
    scale = terminal.json(*words)["scale"]
    assert (scale["player"], scale["anchor"]) == ("material:depth=2", "network:file=champion-1,depth=4")
    assert scale["elo"] < 0 < scale["elo_error"]
    assert "on one scale, where network:file=champion-1,depth=4 is 0" in terminal.text(*words)
    assert terminal.json(*words, "--openings", 4)["scale"] is None


def test_an_evolution_measures_itself_against_a_shipped_champion(terminal, tmp_path):
    run = tmp_path / "run"
    values = terminal.evolve(run, "--set", 'ladder=["champion-1:depth=2"]', "--jobs", 1)
    assert list(values["ladder"]) == ["network:file=champion-1,depth=2"]
    assert terminal.json("analyse", "--player", f"{run}:depth=1")["player"].endswith("depth=1")


def test_a_champion_is_put_into_the_package_once_under_its_game(ship, tmp_path):
    wide = source.SHIPPED / "wide-1.fasta"
    path = put_into_package(str(wide), "wide-2")
    assert source.shipped_champions("checkers") == ["wide-1", "wide-2"]
    assert "game=checkers" in path.read_text().splitlines()[0]
    assert put_into_package(str(source.SHIPPED / "disc-1.fasta"), "disc-2").exists()
    assert source.shipped_game("disc-2") == "othello"
    for name, fault in (("wide-2", "shipped already"), ("champion", "shipped already"), ("Wide", "small")):
        with pytest.raises(InputError, match=fault):
            put_into_package(str(wide), name)
    with pytest.raises(InputError, match="50 squares"):
        put_into_package(str(wide), "wide-3", game_name="international")


def test_champions_offered_under_two_names_are_told_apart():
    visitor = Visitor(ServerConfiguration())
    labels = {offer["word"]: offer["label"] for offer in visitor.get("/api/games/checkers").json()["players"]}
    visitor.close()
    assert labels["champion"] == "The champion shipped with neche"
    assert labels["champion-1"] == "Champion champion-1"


def test_champions_of_the_game_on_the_board_are_offered_first():
    visitor = Visitor(ServerConfiguration())
    for name in ("checkers", "brazilian"):
        labels = [offer["label"] for offer in visitor.get(f"/api/games/{name}").json()["players"]]
        is_own = ["evolved for" not in label for label in labels if "hampion" in label]
        assert is_own == sorted(is_own, reverse=True)
        assert {*is_own} == {True, False}
    visitor.close()
