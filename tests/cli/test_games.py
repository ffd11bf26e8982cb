"""Commands play every game, and say in one line which player cannot."""

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
        ("analyse", "--player", "material"),
        ("play", "--player", "material"),
        ("match", "material", "random", "--games", "2"),
    ],
)
def test_a_network_cannot_play_on_a_board_it_does_not_see(terminal, words):
    assert "no network sees the board of othello yet" in terminal.fault(*words, "--game", "othello")
