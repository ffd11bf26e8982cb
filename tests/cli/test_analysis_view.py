"""Watching a search: a changing board on a terminal, lines elsewhere, the same result."""

import io
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from rich.console import Console

from neche.cli.analysis_view import draw_view, viewing, write_line
from neche.games.catalogue import GAMES, game
from neche.network.convolution import save_convolution
from neche.players.engine import Analysis, MoveAnalysis
from tests.games.toys.loading import STONES, load
from tests.network.convolutions import random_convolution

OTHELLO = game("othello")
UCT = ("--game", "othello", "--player", "uct:playouts=300")


def found(name="othello"):
    moves = game(name).legal_moves(game(name).start())
    entries = tuple(MoveAnalysis(move.text, 0.5 + 0.01 * at, 10 - at) for at, move in enumerate(moves))
    return Analysis(
        entries, (moves[0].text,), (moves[0].text,), 0.5, is_score=True, playouts=40, figures={"descents": 40}
    )


def shown(renderable, width=80):
    console = Console(width=width, color_system=None, file=io.StringIO(), record=True)
    console.print(renderable)
    return console.export_text()


def test_a_line_has_the_moves_in_the_games_order_with_values_and_visits():
    line = write_line(found())
    assert " ".join(line.split()) == "40 playouts d3 0.500 (10) c4 0.510 (9) f5 0.520 (8) e6 0.530 (7)"


def test_values_stand_in_the_squares_where_a_disc_is_put():
    text = shown(draw_view(OTHELLO, OTHELLO.start(), found()))
    rows = text.splitlines()
    assert any(row.startswith("                    .500 ") for row in rows)  # column d
    assert "40 playouts, expected score 0.500, line d3" in rows[0]
    won = replace(found(), moves=tuple(MoveAnalysis(square, 1.0, 5) for square in ("d3", "e3")))
    assert "1.00 1.00" in shown(draw_view(OTHELLO, OTHELLO.start(), won))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("is_wide", [True, False])
def test_every_game_is_shown_with_its_list(name, is_wide):
    rules = game(name)
    text = shown(draw_view(rules, rules.start(), found(name), is_wide=is_wide), width=100)
    assert all(move.text in text for move in rules.legal_moves(rules.start()))
    assert max(map(len, map(str.rstrip, text.splitlines()))) <= (90 if is_wide else 70)


def test_a_terminal_keeps_the_last_view():
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=100, height=40)
    with viewing(OTHELLO, OTHELLO.start(), console) as show:
        show(found())
        show(found())
    assert "best value" in file.getvalue()


def test_where_it_is_no_terminal_there_is_a_line_for_each_view(terminal):
    text = terminal.text("analyse", *UCT, "--live")
    lines = [line for line in text.splitlines() if " playouts  d3 " in line]
    counts = [int(line.split()[0].replace(",", "")) for line in lines]
    assert counts[0] == 8
    assert counts[-1] == 300
    assert counts == sorted(set(counts))
    assert "expected score" in text


def test_who_is_watched_finds_the_same(terminal, tmp_path):
    plain = terminal.json("analyse", *UCT, "--seed", 5)
    watched = terminal.json("analyse", *UCT, "--seed", 5, "--live", "--animation", tmp_path / "a.svg")
    assert " playouts  d3 " in terminal.notes
    assert [plain[key] for key in ("moves", "move", "pv")] == [
        watched[key] for key in ("moves", "move", "pv")
    ]
    text = (tmp_path / "a.svg").read_text()
    ET.fromstring(text)
    assert "300 playouts" in text
    single = terminal.text("analyse", "--game", "othello", "--player", "uct:playouts=1")
    assert "\n1 playout, " in single


@pytest.mark.parametrize(
    ("words", "label"),
    [
        (UCT, "most visits"),
        (("--player", "material:depth=2"), "+0.0000"),
        (("B:W18:B14", "--player", "material:depth=2"), "wins in 1 ply"),
        (("--player", "mcrd:playouts=140"), "0."),
    ],
)
def test_what_any_player_found_can_be_drawn(words, label, terminal, tmp_path):
    terminal.text("analyse", *words, "--svg", tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    ET.fromstring(text)
    assert label in text


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--svg", "board.png"), r"--output board.png: its name must end in .svg"),
        (("--animation", "nowhere/a.svg"), "there is no directory nowhere"),
        (("--live", "--player", "mcrd:playouts=70"), "only a uct player can be watched"),
        (("--live", "--player", "material:depth=2"), "only a uct player can be watched"),
    ],
)
def test_what_cannot_be_watched_or_drawn_is_reported(words, fault, terminal):
    assert fault in terminal.fault("analyse", *words)


def test_a_game_that_does_not_say_what_its_board_looks_like_is_analysed_without_pictures(terminal):
    words = ("analyse", "--game", "stones", "--player", "uct:playouts=50")
    assert load(STONES).geometry is None
    assert "First to move" in terminal.text(*words)
    fault = "stones does not say what its board looks like"
    assert fault in terminal.fault(*words, "--svg", "board.svg")
    assert fault in terminal.fault(*words, "--live")


def test_a_picture_of_a_network_of_squares_has_values_and_no_visits(terminal, tmp_path):
    save_convolution(random_convolution(1), tmp_path / "n.npz")
    terminal.text("analyse", "--player", f"cnn:file={tmp_path / 'n.npz'}", "--svg", tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    assert "best value" in text
    assert "most visits" not in text


def test_one_playout_is_a_picture_without_values(terminal, tmp_path):
    words = ("--game", "othello", "--player", "uct:playouts=1")
    terminal.text("analyse", *words, "--svg", tmp_path / "a.svg", "--animation", tmp_path / "b.svg")
    for name in ("a.svg", "b.svg"):
        text = (tmp_path / name).read_text()
        assert ">1 playout<" in text
        assert ">0.500<" not in text
    assert "value by playouts" not in text
