"""The documented example of training: a dataset, a network made from it with PyTorch, a player."""

import builtins

import numpy as np
import pytest

from neche.arena.match import play_match
from neche.arena.tournament import Tournament
from neche.cli.main import main
from neche.dataset.shards import game_of, labels_of, planes_of, read_dataset
from neche.games.catalogue import game
from neche.network.convolution import board_planes, evaluate_boards, read_convolution
from neche.players.spec import parse_player
from tools.studies import train_network

SMALL = ("--epochs", "2", "--channels", "8", "8", "--width", "16")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    directory = tmp_path_factory.mktemp("data")
    words = ["dataset", str(directory), "--games", "4000", "--shard-games", "1000", "--sample", "10"]
    assert main(words) == 0
    return directory


def trained(dataset, path, *words):
    assert train_network.main([str(dataset), "--output", str(path), *SMALL, *words]) == 0
    return path


@pytest.mark.torch
def test_a_network_trained_on_random_games_beats_the_random_player(dataset, tmp_path):
    path = trained(dataset, tmp_path / "network.npz")
    event = Tournament([parse_player(f"cnn:file={path}"), parse_player("random")], seed=1)
    assert play_match(event, 200).strength.score >= 0.9


@pytest.mark.torch
def test_training_lowers_the_loss_on_games_held_out(dataset, tmp_path, capsys):
    capsys.readouterr()
    trained(dataset, tmp_path / "network.npz")
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("epoch")]
    held_out = [float(line.split("held out ")[1].split(",")[0]) for line in lines]
    by_nothing = float((labels_of(read_dataset(dataset)) ** 2).mean())
    assert len(held_out) == 2
    assert held_out[-1] < 0.6 * by_nothing


@pytest.mark.torch
def test_equal_seeds_train_equal_networks_and_others_do_not(dataset, tmp_path):
    one, same, other = (
        trained(dataset, tmp_path / f"{name}.npz", "--epochs", "1", "--seed", seed).read_bytes()
        for name, seed in (("one", "1"), ("same", "1"), ("other", "2"))
    )
    assert one == same
    assert one != other


@pytest.mark.torch
@pytest.mark.parametrize(("channels", "width"), [((4,), 3), ((5, 6), 7)])
def test_what_plays_says_what_the_model_says(dataset, channels, width):
    import torch

    torch.manual_seed(1)
    board = board_planes(game_of(dataset))
    model = train_network.new_model(channels, width, board)
    planes = planes_of(read_dataset(dataset), game_of(dataset))[:200]
    with torch.no_grad():
        expected = model(torch.from_numpy(planes))[:, 0].numpy()
    values = evaluate_boards(train_network.to_network(model, board), planes)
    assert np.abs(values - expected).max() < 1e-5
    assert np.ptp(values) > 0.01


@pytest.mark.torch
def test_labels_of_playouts_train_a_network_too(tmp_path, dataset):
    label = "mcrd:playouts=200"
    words = ["--games", "40", "--shard-games", "20", "--label", label, "--sample", "5"]
    assert main(["dataset", str(tmp_path / "labelled"), *words]) == 0
    path = trained(tmp_path / "labelled", tmp_path / "network.npz")
    assert len(read_convolution(path).kernels) == 2
    assert parse_player(f"cnn:file={path}").gives_scores


@pytest.mark.torch
@pytest.mark.parametrize("name", ["brazilian", "international", "othello"])
def test_a_network_of_another_game_sees_its_board(name, tmp_path):
    words = ["--game", name, "--games", "60", "--shard-games", "30", "--sample", "4"]
    assert main(["dataset", str(tmp_path / "data"), *words]) == 0
    path = trained(tmp_path / "data", tmp_path / "network.npz", "--epochs", "1")
    assert read_convolution(path).board == board_planes(game(name))
    event = Tournament([parse_player(f"cnn:file={path}"), parse_player("random")], game=name)
    assert play_match(event, 2).strength.score >= 0


@pytest.mark.torch
def test_a_dataset_that_is_not_there_is_named(tmp_path, capsys):
    assert train_network.main([str(tmp_path / "no"), "--output", str(tmp_path / "n.npz")]) == 2
    assert "no: no such directory" in capsys.readouterr().err


def test_without_torch_training_says_what_is_missing(tmp_path, capsys, monkeypatch):
    load = builtins.__import__

    def missing(name, *args, **kwargs):
        if name == "torch":
            raise ImportError(name)
        return load(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    assert train_network.main([str(tmp_path), "--output", str(tmp_path / "n.npz")]) == 2
    assert "pip install 'neche[torch]'" in capsys.readouterr().err
