"""Every command plays a game from a file that somebody else wrote."""

import io
import sys

import joblib
import pytest

from neche.games.catalogue import FILES
from tests.games.toys.loading import STONES, TICTACTOE


@pytest.fixture(autouse=True)
def no_other_games(monkeypatch):
    monkeypatch.setenv(FILES, "")


def test_perft_and_playouts_count(terminal):
    assert terminal.json("perft", "--game", TICTACTOE, "--depth", 9)["nodes"] == 127872
    values = terminal.json("playouts", "--game", TICTACTOE, "--count", 1000, "--jobs", 1)
    assert values["first_wins"] + values["draws"] + values["second_wins"] == 1000
    assert 5 < values["mean_plies"] < 9


def test_a_position_is_analysed(terminal):
    values = terminal.json("analyse", "6,0", "--game", STONES, "--player", "blind:depth=6")
    assert values["move"] == "2"


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_workers_of_every_kind_play_it(backend, terminal):
    words = ("match", "blind:depth=9", "random", "--game", TICTACTOE, "--games", 8, "--openings", 0)
    values = terminal.json(*words, "--backend", backend, "--jobs", 2, "--seed", 3)
    assert values["losses"] == 0
    assert values["wins"] > 4


def test_workers_that_are_older_than_a_game_learn_of_it(terminal):
    """Processes of loky live on between calls, with the environment that they began with."""
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert joblib.Parallel()(joblib.delayed(abs)(number) for number in (-1, -2)) == [1, 2]
    words = ("match", "blind:depth=9", "random", "--game", TICTACTOE, "--games", 8, "--openings", 0)
    assert terminal.json(*words, "--backend", "loky", "--jobs", 2, "--seed", 3)["wins"] > 4


def test_a_person_plays_it_with_hints_and_undo(terminal, monkeypatch):
    lines = ["hint", "B2", "undo", "a1", "x", "quit"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    words = ("--game", TICTACTOE, "--player", "blind:depth=9", "--seed", 1)
    text = terminal.text("play", *words)
    assert "You are X" in text
    assert "blind:depth=9 would play" in text
    assert "O plays b2" in text
    assert "x is not a legal move; legal: " in text
    assert "3 . . .\n2 . O .\n1 X . .\n  a b c" in text


def test_the_side_is_one_of_the_game(terminal, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("hint\nquit\n"))
    text = terminal.text("play", "--game", TICTACTOE, "--player", "random", "--side", "o", "--seed", 1)
    assert "You are O, against random." in text
    assert "uct:playouts=2000" in text
    assert "sides of tictactoe are X and O" in terminal.fault(
        "play", "--game", TICTACTOE, "--player", "random", "--side", "white"
    )


def test_its_networks_evolve_and_play(terminal, tmp_path, monkeypatch):
    monkeypatch.setenv(FILES, TICTACTOE)
    # Tic-tac-toe has no `material`, so of such a ladder only `blind` plays it.
    words = ("game=tictactoe", 'ladder=["blind:depth=4","material:depth=4"]', "opening_plies=[0,2]")
    settings = [word for setting in words for word in ("--set", setting)]
    values = terminal.evolve(tmp_path / "run", *settings)
    assert values["generation"] == 3
    match = ("match", f"{tmp_path / 'run'}:depth=1", "positional:depth=1", "--games", 4, "--openings", 1)
    result = terminal.json(*match, "--game", "tictactoe")
    assert result["wins"] + result["draws"] + result["losses"] == 4
    # It does not say what its board looks like, so that there are no pictures of it.
    page, figures = tmp_path / "page.html", tmp_path / "figures"
    terminal.json("report", tmp_path / "run", "--output", page, "--figures", figures, "--png")
    assert "the page has no boards" in terminal.notes
    text = page.read_text("utf-8")
    assert "How it went" in text
    assert "Against blind:depth=4: " in text
    assert 'class="board"' not in text
    assert {"ladder.svg", "ladder.png"} <= {path.name for path in figures.iterdir()}
    terminal.json("gallery", tmp_path / "run", "--output", page)
    assert "the page has no boards" in terminal.notes
    assert "DNA of run" in page.read_text("utf-8")


def test_what_it_does_not_have_is_said_in_one_line(terminal):
    assert "no network sees the board of stones" in terminal.fault(
        "match", "champion-1", "random", "--game", STONES
    )
    assert "is a champion of checkers: it does not see the board of stones" in terminal.fault(
        "match", "champion", "random", "--game", STONES
    )
    assert "absent.py: no such Python file" in terminal.fault("perft", "--game", "absent.py")
    for fen in ("x,0,0", "٣,0,0"):
        assert "expected whole numbers own,foe,turn" in terminal.fault(
            "perft", "--game", TICTACTOE, "--fen", fen
        )
