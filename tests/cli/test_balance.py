"""The bar that says who stands better."""

import pytest

import neche
from neche.cli.balance import balance_bar, expected_score
from neche.games.catalogue import GAMES, game


def opinion_of(fen, spec, name="checkers"):
    who = neche.player(spec, game=name)
    return expected_score(neche.choose(neche.Board(name, fen), who), who, game(name))


def test_a_man_ahead_is_worth_what_the_logistic_curve_says():
    assert opinion_of("W:W27,28,32:B1,5", "material:depth=1") == pytest.approx(0.7311, abs=1e-4)
    assert opinion_of("W:W27,28:B1,5,3", "material:depth=1") == pytest.approx(0.2689, abs=1e-4)


def test_a_win_in_sight_is_certain_and_the_blind_see_none():
    assert opinion_of("W:W18:B14", "material:depth=3") == 1.0
    assert opinion_of(None, "blind:depth=2") == 0.5
    assert opinion_of(None, "random") is None


@pytest.mark.parametrize("name", ["checkers", "brazilian", "international"])
def test_a_count_of_men_is_even_at_the_beginning(name):
    assert opinion_of(None, "material:depth=1", name) == 0.5


@pytest.mark.parametrize("name", GAMES)
def test_every_game_begins_about_even_for_playouts(name):
    assert 0.2 < opinion_of(None, "uct:playouts=50", name) < 0.8


@pytest.mark.parametrize("score", [0.0, 0.33, 0.5, 1.0])
def test_the_bar_is_as_long_for_every_score(score):
    assert len(balance_bar("Black", "White", score)) == len(balance_bar("Black", "White", 0.5))


def test_a_game_on_the_terminal_shows_it(terminal, monkeypatch):
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.StringIO("11-15\nquit\n"))
    text = terminal.text("play", "--player", "material:depth=2", "--seed", 1)
    assert text.count("▁ Black  0.") == 1
