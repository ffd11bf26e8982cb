"""The experiment of N games of Othello at once: what it counts, keeps, tabulates and draws."""

import xml.etree.ElementTree as ET

import pytest

from neche.compiled.streams import stream_key
from neche.errors import InputError
from neche.games.catalogue import game
from neche.montecarlo.playouts_cpu import count_playouts
from tools.studies import othello_experiment
from tools.studies.measurement import read_cells

PAGE = othello_experiment.ROOT / "docs" / "studies" / "othello-experiment.md"


def options(tmp_path, *words):
    files = ("--data", str(tmp_path / "data.jsonl"), "--figure", str(tmp_path / "figure.svg"))
    return othello_experiment.parsed([*files, *words])


def cell(label, games, seconds):
    return {"label": label, "games": games, "seconds": seconds}


def test_the_games_are_those_of_the_stream_and_kept_as_lines(tmp_path):
    given = options(tmp_path, "--most", "1000", "--tries", "2", "--seed", "3")
    found = othello_experiment.measure_all(given)
    assert read_cells(tmp_path / "data.jsonl") == found
    assert [(entry["games"], entry["tries"]) for entry in found] == [(32, 2), (1000, 2)]
    othello = game("othello")
    key = stream_key(3, 0, "othello experiment")
    counts = count_playouts(othello, [othello.start()], [1000], [key])
    last = found[-1]
    assert [last[name] for name in ("first_wins", "draws", "second_wins")] == [
        int(row[0]) for row in (counts.wins, counts.draws, counts.losses)
    ]


def test_any_position_can_be_played_from(tmp_path):
    fen = f"{'X' * 62}O- O"  # the last move is White's to pass, then Black's to make
    given = options(tmp_path, "--tries", "1", "--fen", fen)
    found = othello_experiment.measure("cpu", 32, given)
    assert found["fen"] == fen
    assert (found["first_wins"], found["second_wins"]) == (0, 32)


def test_a_device_that_is_not_there_is_reported(tmp_path):
    with pytest.raises(InputError, match="unknown device 'gpu'"):
        othello_experiment.measure("gpu", 32, options(tmp_path))


def test_the_last_measurement_of_a_number_counts_and_gaps_stay_gaps():
    cells = [cell("a", 32, 1.0), cell("b", 1000, 0.5), cell("a", 32, 0.004), cell("a", 1000, 0.01)]
    assert othello_experiment.table(cells) == [
        "| games at once | 32 | 1,000 | games/s at most |",
        "|---|---|---|---|",
        "| a | 4 ms | 10 ms | 0.10 M |",
        "| b | – | 500 ms | 0.00 M |",
    ]


def test_equal_data_give_equal_figures_that_name_everything(tmp_path):
    cells = [cell("CPU, 1 core", 32, 1e-4), cell("CPU, 1 core", 1000, 1e-3), cell("a GPU", 32, 1e-3)]
    for name in ("a.svg", "b.svg"):
        othello_experiment.draw(cells, tmp_path / name)
    text = (tmp_path / "a.svg").read_text()
    assert text == (tmp_path / "b.svg").read_text()
    ET.fromstring(text)
    for word in ("neche: CPU, 1 core", "neche: a GPU", "OpenSpiel", "Edax", "g2flip", "says the notebook"):
        assert word in text


def test_the_page_shows_what_the_data_say():
    cells = read_cells(othello_experiment.DATA)
    text = PAGE.read_text(encoding="utf-8")
    assert "\n".join(othello_experiment.table(cells)) in text
    assert othello_experiment.results(cells) in text
