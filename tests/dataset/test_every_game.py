"""Datasets of every game are legal games, are read back whole, and networks of their boards play."""

from collections import namedtuple
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from neche.arena.match import play_match
from neche.arena.tournament import Tournament
from neche.dataset import making, shards
from neche.dataset.making import DatasetSettings, make_dataset, positions_of
from neche.dataset.shards import (
    batches,
    game_of,
    labels_of,
    no_positions,
    planes_of,
    read_dataset,
    read_shard,
    shard_path,
    write_shard,
)
from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.network.convolution import board_planes, evaluate_boards, read_convolution, save_convolution
from neche.players.spec import parse_player
from tests.dataset.positions import games_of
from tests.games.toys.loading import STONES, TICTACTOE, load
from tests.network.convolutions import random_convolution
from tests.oracles import convolution_twin


@pytest.fixture(scope="module", params=GAMES)
def made(request, tmp_path_factory):
    directory = tmp_path_factory.mktemp(request.param)
    list(make_dataset(directory, DatasetSettings(seed=2, shard_games=3, game=request.param), 6))
    return directory


def test_games_are_legal_from_the_start_on(made):
    rules, positions = game_of(made), read_dataset(made)
    boards = positions_of(rules, positions)
    assert len(games_of(positions)) == 6
    for rows in games_of(positions):
        line = boards[rows]
        assert line[0] == rules.start()
        for before, after in pairwise(line):
            assert after in [move.after for move in rules.legal_moves(before)]
        if positions.outcome[rows][-1]:
            assert rules.legal_moves(line[-1]) == []
            assert positions.outcome[rows][-1] == rules.outcome(line[-1])


def test_planes_and_labels_come_in_batches(made):
    rules, positions = game_of(made), read_dataset(made)
    board = board_planes(rules)
    whole = planes_of(positions, rules)
    assert whole.shape == (len(positions.own), board.planes, board.side, board.side)
    found = list(batches(positions, 64, game=rules, seed=1))
    assert sum(len(labels) for _, labels in found) == len(whole)
    assert sum(float(planes.sum()) for planes, _ in found) == float(whole.sum())
    assert np.abs(labels_of(positions)).max() <= 1


def test_a_network_of_its_board_is_saved_judges_like_the_slow_twin_and_plays(made, tmp_path):
    rules, positions = game_of(made), read_dataset(made)
    network = random_convolution(1, channels=(3,), width=4, board=board_planes(rules))
    save_convolution(network, tmp_path / "network.npz")
    assert read_convolution(tmp_path / "network.npz").board == network.board
    planes = planes_of(positions, rules)[::97]
    expected = [convolution_twin.value(network, board.tolist()) for board in planes]
    assert np.abs(evaluate_boards(network, planes) - expected).max() < 1e-5
    player = parse_player(f"cnn:file={tmp_path / 'network.npz'}")
    report = play_match(Tournament([player, parse_player("random")], game=rules.name), 2)
    assert report.wins + report.draws + report.losses == 2


def test_a_network_plays_the_game_it_was_trained_for_alone(tmp_path):
    save_convolution(random_convolution(1, board=board_planes(game("brazilian"))), tmp_path / "n.npz")
    player = parse_player(f"cnn:file={tmp_path / 'n.npz'}")
    for name in ("checkers", "international"):
        with pytest.raises(InputError, match=f"its network sees brazilian boards, not {name}"):
            play_match(Tournament([player, parse_player("random")], game=name), 2)
    wrong = board_planes(game("brazilian"))._replace(side=10)
    save_convolution(random_convolution(1, board=wrong), tmp_path / "n.npz")
    thinker = parse_player(f"cnn:file={tmp_path / 'n.npz'}")
    with pytest.raises(InputError, match="3 planes of 10×10 squares of brazilian, not those of brazilian"):
        thinker.new_game(game("brazilian"))


def test_labels_of_playouts_are_those_of_the_game(tmp_path):
    settings = DatasetSettings(
        labeller=parse_player("mcrd:playouts=50"), sample=2, shard_games=2, game="othello"
    )
    list(make_dataset(tmp_path, settings, 2))
    positions = read_dataset(tmp_path)
    assert positions.own.dtype == np.uint64
    rules = game("othello")
    moves = [len(rules.legal_moves(position)) for position in positions_of(rules, positions)]
    assert positions.num_moves.tolist() == moves
    # each move of a position has as many as the others
    assert positions.visits.sum() > 4 * 50 - sum(moves)


def test_a_dataset_of_a_users_game_is_refused_after_an_edit_of_its_rules(tmp_path, monkeypatch):
    settings, path = DatasetSettings(shard_games=2, game=load(TICTACTOE).name), shard_path(tmp_path, 0)
    list(make_dataset(tmp_path, settings, 2))
    assert game_of(tmp_path).name == settings.game
    for module in (making, shards):
        monkeypatch.setattr(module, "rules_digest", lambda game: "after an edit")
    with pytest.raises(InputError, match=f"{path}: was made with other rules of {settings.game}; make the"):
        game_of(tmp_path)
    with pytest.raises(InputError, match=r'another dataset: rules is "\w{16}" there, "after an edit" here'):
        list(make_dataset(tmp_path, settings, 2))
    # those of older versions hold no digest, and may be continued
    header, positions = read_shard(path)
    del header["rules"]
    write_shard(path, header, positions)
    assert [shard.is_new for shard in make_dataset(tmp_path, settings, 4)] == [False, True]
    assert game_of(tmp_path).name == settings.game
    assert len(read_dataset(tmp_path).own) > len(positions.own)


def test_a_game_without_own_and_foes_pieces_is_refused():
    with pytest.raises(InputError, match="hold own, foe, kings and turn alone, and stones has left, turn"):
        DatasetSettings(game=load(STONES).name)


def test_a_game_whose_positions_hold_more_is_refused_by_what_they_hold(monkeypatch):
    """As where two passes in a row end a game, so that positions count them."""
    passing = namedtuple("passing", "own foe passes turn")
    monkeypatch.setattr(making, "find_game", lambda name: SimpleNamespace(start=lambda: passing(0, 0, 0, 0)))
    with pytest.raises(InputError, match=r"and go has own, foe, passes, turn$"):
        DatasetSettings(game="go")


def test_a_board_that_networks_do_not_see_has_no_planes():
    with pytest.raises(InputError, match="no convolutional network sees the board of tictactoe"):
        planes_of(no_positions(), load(TICTACTOE))
