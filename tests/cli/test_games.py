"""Commands play every game, and name in one line a player that cannot."""

import io

import pytest

from tests.oracles.othello import PUBLISHED_FROM_START


def test_perft_counts_othello(terminal):
    values = terminal.json("perft", "--game", "othello", "--depth", "6")
    assert values["nodes"] == PUBLISHED_FROM_START[5]
    assert values["fen"].endswith(" X")


def test_playouts_of_othello_are_all_counted(terminal):
    values = terminal.json("playouts", "--game", "othello", "--count", "3000", "--jobs", "1")
    assert values["first_wins"] + values["draws"] + values["second_wins"] == 3000
    assert 60 < values["mean_plies"] < 61


def test_a_forced_pass_is_analysed_as_a_move(terminal):
    fen = "-OOOOOOX" + "-" * 56 + " O"
    values = terminal.json("analyse", fen, "--game", "othello", "--player", "mcrd:playouts=50")
    assert values["move"] == "pass"
    assert values["value"] == 0.0


@pytest.mark.parametrize(
    "words",
    [
        ("analyse", "--player", "champion"),
        ("play", "--player", "champion"),
        ("match", "champion", "random", "--games", "2"),
    ],
)
def test_a_network_cannot_play_on_a_board_it_does_not_see(terminal, words):
    assert "does not see the board of othello" in terminal.fault(*words, "--game", "othello")


DRAWN = ("--game", "brazilian", "--seed", "1", "--games", "6")


@pytest.mark.parametrize(
    "words",
    [
        ("match", "random", "blind:depth=1"),
        ("round-robin", "random", "blind:depth=1"),
        ("ladder", "random", "--rungs", "random"),
    ],
)
def test_games_are_drawn_by_the_rule_that_is_named(terminal, words):
    official, named = terminal.json(*words, *DRAWN), terminal.json(*words, *DRAWN, "--draws", "official")
    assert named == official
    assert official["draw_rule"]["endings"] == [10, 0, 10, 10]
    short = terminal.json(*words, *DRAWN, "--draws", "plies=13")
    assert short["draw_rule"] == {
        "quiet_plies": 0,
        "man_moves_reset": True,
        "repetition": 0,
        "max_plies": 13,
        "endings": [0, 0, 0, 0],
    }
    lines = short.get("table") or short.get("rungs") or [short]
    assert [line["draws"] for line in lines] == [6] * len(lines)
    assert "did you mean lab?" in terminal.fault(*words, *DRAWN, "--draws", "lob")


def test_a_game_against_a_person_is_drawn_by_the_rule_that_is_named(terminal, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("21-17\n"))
    words = ("play", "--player", "random", "--game", "brazilian", "--draws", "plies=2", "--seed", "1")
    assert "Draw: the game has lasted 2 plies." in terminal.text(*words)
