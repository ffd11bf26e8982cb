import signal
import subprocess
import sys
import time

import pytest

from neche.network.convolution import save_convolution
from tests.cli.interrupts import hear_interrupts
from tests.network.convolutions import random_convolution

WORDS = ("--games", 6, "--shard-games", 3, "--seed", 2)


def test_a_dataset_is_made_and_gone_on_with(terminal, tmp_path):
    values = terminal.json("dataset", tmp_path, *WORDS)
    assert (values["shards"], values["new_shards"], values["games"]) == (2, 2, 6)
    assert values["positions"] > 200
    assert (values["label"], values["moves"], values["seed"]) == ("outcome", "random", 2)
    again = terminal.json("dataset", tmp_path, "--games", 8, *WORDS[2:])
    assert (again["shards"], again["new_shards"]) == (3, 1)
    text = terminal.text("dataset", tmp_path, "--games", 8, *WORDS[2:])
    assert f"{again['positions']} positions of 9 games in 3 files, 3 of them already there" in text
    deeper = terminal.json("dataset", tmp_path, *WORDS, "--depth", 3)
    assert (deeper["new_shards"], terminal.notes) == (
        0,
        "neche: --depth changes nothing without --moves mixed, whose search it limits\n",
    )


def test_a_player_labels_few_positions_of_each_game(terminal, tmp_path):
    save_convolution(random_convolution(1), tmp_path / "n.npz")
    label = f"cnn:file={tmp_path / 'n.npz'}"
    values = terminal.json("dataset", tmp_path / "d", "--label", label, *WORDS)
    assert values["label"] == f"{label},depth=1"
    assert values["positions"] == 24
    values = terminal.json("dataset", tmp_path / "e", "--label", label, "--sample", 1, *WORDS)
    assert values["positions"] == 6


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--games", 0), "--games: 0 is out of range"),
        (("--moves", "clever"), "--moves: invalid choice: 'clever'"),
        (("--label", "material"), "player material:depth=4 gives no expected scores"),
        (("--label", "outcom"), "unknown player 'outcom'"),
        (("--sample", -1), "--sample: -1 is out of range"),
        (("--game", "ludo"), "unknown game 'ludo'"),
        (("--moves", "mixed", "--depth", 21), "depth = 21: a whole number from 1 to 20 is needed"),
    ],
)
def test_bad_use_names_the_fault(terminal, tmp_path, words, fault):
    assert fault in terminal.fault("dataset", tmp_path / "d", *words)
    assert not (tmp_path / "d").exists()


def test_a_damaged_file_is_named(terminal, tmp_path):
    terminal.json("dataset", tmp_path, *WORDS)
    path = tmp_path / "shard-000001.npz"
    path.write_bytes(path.read_bytes()[:-7])
    assert f"{path}: is damaged" in terminal.fault("dataset", tmp_path, *WORDS)


def test_a_file_in_place_of_the_directory_is_named(terminal, tmp_path):
    (tmp_path / "file").write_text("")
    assert f"{tmp_path / 'file'}: cannot be created" in terminal.fault("dataset", tmp_path / "file", *WORDS)


@pytest.mark.slow
def test_an_interrupted_dataset_keeps_what_is_finished_and_ends_with_the_same_bytes(tmp_path, terminal):
    words = ["--games", "20000", "--shard-games", "100", "--moves", "mixed", "--depth", "3", "--jobs", "2"]
    command = [sys.executable, "-m", "neche", "dataset", str(tmp_path / "stopped"), *words, "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=hear_interrupts
    ) as process:
        while len(list((tmp_path / "stopped").glob("shard-*"))) < 3:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "finished files are kept in" in err
    kept = len(list((tmp_path / "stopped").glob("shard-*")))
    assert 3 <= kept < 200
    values = terminal.json("dataset", tmp_path / "stopped", *words)
    assert values["new_shards"] == 200 - kept
    terminal.json("dataset", tmp_path / "straight", *words)
    for path in (tmp_path / "straight").iterdir():
        assert path.read_bytes() == (tmp_path / "stopped" / path.name).read_bytes(), path.name
