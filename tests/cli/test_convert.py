"""`neche convert`: formats, standard input and output, faults, and files that are left alone."""

import io
import sys

import pytest

from tests.records.test_ggf import SERVER_GAME
from tests.records.test_wthor import DATABASE

PDN = '[White "a"]\n1. 11-15 23-19! {good} (24-20) 2. 8-11 *\n'


@pytest.fixture
def files(tmp_path):
    (tmp_path / "games.pdn").write_text(PDN)
    (tmp_path / "bad.pdn").write_text(PDN + "\n1. 11-99 *\n" + PDN)
    (tmp_path / "games.ggf").write_text(SERVER_GAME)
    (tmp_path / "games.wtb").write_bytes(DATABASE)
    return tmp_path


def test_pdn_becomes_strict_pdn(terminal, files):
    values = terminal.json("convert", files / "games.pdn", files / "new.pdn")
    assert values == {"games": 1, "moves": 3, "skipped": 0, "left_out": {}, "from": "pdn", "to": "pdn"}
    first = (files / "new.pdn").read_bytes()
    assert b"1. 11-15 23-19! {good} (1... 24-20) 2. 8-11\n*\n" in first
    terminal.text("convert", files / "new.pdn", files / "new.pdn")
    assert (files / "new.pdn").read_bytes() == first


def test_formats_of_othello_become_one_another(terminal, files):
    values = terminal.json("convert", files / "games.wtb", files / "new.ggf")
    assert (values["games"], values["moves"], values["left_out"]) == (2, 63, {})
    text = terminal.text("convert", files / "new.ggf", files / "new.txt")
    assert "2 games, 63 moves written as transcript" in text
    assert "transcript cannot store 10 tags" in text
    again = terminal.json("convert", files / "new.txt", files / "again.ggf")
    assert again["moves"] == 63


def test_standard_input_and_output(terminal, files, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SERVER_GAME.encode())))
    text = terminal.text("convert", "-", "-", "--from", "ggf", "--to", "transcript")
    assert text.startswith("d3c5e6d2")
    assert text.count("\n") == 1
    assert "1 game, 61 moves written" in terminal.notes


def test_games_that_cannot_be_read_are_left_out_only_if_asked(terminal, files):
    fault = terminal.fault("convert", files / "bad.pdn", files / "new.pdn")
    assert f"{files / 'bad.pdn'}, line 4, column 4: 99 is no square" in fault
    assert not (files / "new.pdn").exists()
    assert list(files.glob(".*")) == []
    values = terminal.json("convert", files / "bad.pdn", files / "new.pdn", "--skip")
    assert (values["games"], values["skipped"]) == (2, 1)
    assert terminal.notes.startswith("skipped: ")
    text = terminal.text("convert", files / "bad.pdn", files / "new.pdn", "--skip")
    assert "\n1 game could not be read and is left out\n" in text


def test_a_file_that_cannot_be_read_leaves_the_old_one_as_it_was(terminal, files):
    before = (files / "games.pdn").read_bytes()
    terminal.fault("convert", files / "bad.pdn", files / "games.pdn")
    assert (files / "games.pdn").read_bytes() == before
    # not one game, whatever may be left out
    words = "convert", files / "games.pdn", files / "games.pdn", "--skip", "--from", "ggf"
    assert "games.pdn: there is no game in it that can be read" in terminal.fault(*words, num_notes=1)
    assert (files / "games.pdn").read_bytes() == before


def test_the_game_of_pdn_without_a_type(terminal, files):
    (files / "open.pdn").write_text("1. 9-13 *\n")
    terminal.text("convert", files / "open.pdn", files / "new.pdn")
    assert "21,B,8,8" in (files / "new.pdn").read_text()
    fault = terminal.fault("convert", files / "open.pdn", files / "new.pdn", "--game", "international")
    assert "9-13 is not a legal move" in fault


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("nothing.pdn", "new.pdn"), "nothing.pdn: cannot be read: No such file"),
        (("games.pdn", "no/new.pdn"), "no/new.pdn: cannot be written: there is no directory no"),
        (("games.pdn", "new.ggf"), "games of checkers cannot be written as ggf"),
        (("games.ggf", "new.pdn"), "games of othello cannot be written as pdn"),
        (("games.ggf", "new.wtb"), "wthor is only read here, not written"),
        (("games.xyz", "new.pdn"), "the extension names no format (known: .pdn, .ggf, .txt, .wtb)"),
        (("games.pdn", "new.pdn", "--from", "pgn"), "unknown format 'pgn' (did you mean pdn?)"),
        (("-", "new.pdn"), "--from is needed to know the format of -"),
        (("games.pdn", "-", "--to", "pdn", "--json"), "--json and OUTPUT - both want standard output"),
        (("games.pdn", "new.pdn", "--game", "othello"), "--game othello: PDN does not support this game"),
        (("games.pdn", "new.pdn", "--game", "chess"), "unknown game 'chess'"),
        (("empty.pdn", "new.pdn"), "there is no game in it"),
        (("games.wtb", "new.pdn", "--from", "pdn"), "zero byte"),
        ((".", "new.pdn", "--from", "pdn"), "cannot be read"),
    ],
)
def test_bad_use_is_one_line(terminal, files, monkeypatch, words, fault):
    monkeypatch.chdir(files)
    (files / "empty.pdn").write_text("\n")
    assert fault in terminal.fault("convert", *words)
    assert not (files / "new.pdn").exists()
