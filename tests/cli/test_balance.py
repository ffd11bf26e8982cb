"""The bar that shows which side is better."""

import math

import pytest

import neche
from neche.cli.analysis_view import balance_bar
from neche.games.catalogue import GAMES, game
from neche.montecarlo.simulation import natural_scale
from neche.network.decode import material_network
from neche.players.spec import parse_player


def score_of(fen, spec, name="checkers"):
    board, player = neche.Board(name, fen), parse_player(spec, name)
    engine = player.new_game(board.game)
    return engine.expected_score(engine.analyse(board.position))


def test_a_lead_is_worth_what_it_is_worth_at_the_leaves_of_a_tree():
    man = 1 / (1 + math.exp(-1 / natural_scale(material_network(), game("checkers"))))
    assert 0.6 < man < 0.8
    assert score_of("W:W27,28,32:B1,5", "material:depth=1") == pytest.approx(man)
    assert score_of("W:W27,28:B1,5,3", "material:depth=1") == pytest.approx(1 - man)


def test_a_win_in_sight_is_certain_and_the_blind_see_none():
    assert score_of("W:W18:B14", "material:depth=3") == 1.0
    assert score_of(None, "blind:depth=2") == 0.5
    assert score_of(None, "random") is None


@pytest.mark.parametrize("name", ["checkers", "brazilian", "international"])
def test_a_count_of_men_is_even_at_the_beginning(name):
    assert score_of(None, "material:depth=1", name) == 0.5


@pytest.mark.parametrize("name", GAMES)
def test_every_game_begins_about_even_for_playouts(name):
    assert 0.2 < score_of(None, "uct:playouts=50", name) < 0.8


@pytest.mark.parametrize("score", [0.0, 0.33, 0.5, 1.0])
def test_the_bar_is_as_long_for_every_score(score):
    assert len(balance_bar("Black", "White", score)) == len(balance_bar("Black", "White", 0.5))


def test_a_game_on_the_terminal_shows_it(terminal, monkeypatch):
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.StringIO("11-15\nquit\n"))
    text = terminal.text("play", "--player", "material:depth=2", "--seed", 1)
    assert text.count("▁ Black  0.") == 1
