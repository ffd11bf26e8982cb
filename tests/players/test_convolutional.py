"""The player `cnn`: its specification, and that it chooses by the values of its network."""

from dataclasses import replace

import joblib
import numpy as np
import pytest

from neche.arena.match import play_match
from neche.arena.tournament import Tournament
from neche.compiled.streams import stream
from neche.errors import InputError
from neche.games.catalogue import game
from neche.network.convolution import save_convolution
from neche.players.engine import choose_move
from neche.players.spec import parse_player
from tests.network.convolutions import random_convolution

CHECKERS = game("checkers")


@pytest.fixture
def path(tmp_path):
    save_convolution(random_convolution(1), tmp_path / "network.npz")
    return tmp_path / "network.npz"


def test_file_and_depth_are_read(path):
    player = parse_player(f"cnn:file={path}")
    assert player.name == f"cnn:file={path},depth=1"
    assert parse_player(f"cnn:depth=3,file={path}").name == f"cnn:file={path},depth=3"
    assert (player.evaluating_network, player.time_ms, len(player.digest)) == (None, None, 16)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("", "a cnn player needs a file"),
        ("depth=2", "a cnn player needs a file"),
        ("file=nowhere.npz", "nowhere.npz: cannot be read"),
        ("file={path},depth=0", "depth=0 is out of range 1..8"),
        ("file={path},time=5", "cnn has no option 'time'"),
    ],
)
def test_bad_specifications_name_the_fault(path, words, fault):
    with pytest.raises(InputError) as caught:
        parse_player("cnn:" + words.format(path=path))
    assert fault in str(caught.value)


def engine_of(path, depth):
    return parse_player(f"cnn:file={path},depth={depth}").new_game(CHECKERS)


@pytest.mark.parametrize("depth", [1, 2])
def test_it_plays_a_move_of_the_highest_value(path, depth):
    engine = engine_of(path, depth=depth)
    found = engine.analyse(CHECKERS.start(), every_value=True)
    values = {move.text: move.value for move in found.moves}
    assert set(values) == {move.text for move in CHECKERS.legal_moves(CHECKERS.start())}
    assert {values[text] for text in found.best_moves} == {max(values.values())} == {found.value}
    assert found.figures["boards"] > 0
    assert engine.analyse(CHECKERS.start(), key=5, every_value=True).moves == found.moves


def test_it_finds_wins_and_losses(path):
    engine = engine_of(path, depth=1)
    assert engine.analyse(CHECKERS.parse_fen("W:WK18:B14"), key=0).value == 1
    # Black's only move is to a square where it is captured
    assert engine.analyse(CHECKERS.parse_fen("B:WK30:B21"), key=0).value == 0
    with pytest.raises(InputError, match="the game is over"):
        engine.analyse(CHECKERS.parse_fen("W:W:B7"), key=0)


def test_its_matches_do_not_depend_on_the_workers(path):
    event = Tournament([parse_player(f"cnn:file={path}"), parse_player("random")], seed=3)
    alone = play_match(event, 8)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert play_match(event, 8) == alone


def test_a_changed_file_makes_another_match(path, tmp_path):
    event = Tournament([parse_player(f"cnn:file={path}"), parse_player("random")])
    play_match(event, 2, results_path=tmp_path / "r.jsonl")
    save_convolution(random_convolution(2), path)
    changed = Tournament([parse_player(f"cnn:file={path}"), parse_player("random")])
    with pytest.raises(InputError, match="networks is"):
        play_match(changed, 2, results_path=tmp_path / "r.jsonl")


def test_equally_good_moves_are_drawn(path):
    network = random_convolution(1)
    save_convolution(replace(network, output=np.zeros_like(network.output)), path)
    player = parse_player(f"cnn:file={path}")
    draws = [stream(0, 0, "test", index) for index in range(20)]
    choices = [choose_move(player, CHECKERS, CHECKERS.start(), draw) for draw in draws]
    assert {len(choice.analysis.best_moves) for choice in choices} == {7}
    assert len({choice.move.text for choice in choices}) > 3


def test_a_board_other_than_that_of_checkers_is_refused_before_any_game(path):
    player = parse_player(f"cnn:file={path}")
    player.require_board(CHECKERS)
    with pytest.raises(
        InputError, match=r"network\.npz,depth=1: its network sees checkers boards, not othello"
    ):
        play_match(Tournament([player, parse_player("random")], game="othello"), 2)
