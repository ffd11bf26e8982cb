"""Making datasets: legal games, told apart and gone on with, the same bytes however they are made."""

from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

import joblib
import numpy as np
import pytest

from neche.dataset.making import PLAYOUT_DRAWS, DatasetSettings, make_dataset, positions_of_shard
from neche.dataset.shards import read_dataset, read_shard, shard_path
from neche.errors import InputError
from neche.games.draws import DrawRule
from neche.network.convolution import save_convolution
from neche.network.decode import material_network
from neche.players.alpha_beta import search_position
from neche.players.spec import parse_player
from tests.arena.players import Fancy
from tests.arena.referee import standing
from tests.dataset.positions import CHECKERS, games_of, twins_of
from tests.network.convolutions import random_convolution
from tests.oracles import checkers_twin as twin

SMALL = DatasetSettings(seed=3, shard_games=5)


def contents(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def make(directory, settings=SMALL, games=15):
    return list(make_dataset(directory, settings, games))


@pytest.mark.parametrize("moves", ["random", "mixed"])
def test_every_game_is_legal_and_ends_as_it_says(moves):
    positions = positions_of_shard(DatasetSettings(seed=1, moves=moves, shard_games=12), 0)
    line = twins_of(positions)
    games = games_of(positions)
    assert len(games) == 12
    for number, rows in enumerate(games):
        game = line[rows]
        assert game[0] == twin.parse(twin.START)
        assert all(after in [move.after for move in twin.moves(before)] for before, after in pairwise(game))
        assert positions.ply[rows].tolist() == list(range(len(game)))
        assert set(positions.plies[rows].tolist()) == {len(game) - 1}
        assert set(positions.game[rows].tolist()) == {number}
        for length in range(1, len(game)):
            assert standing(game[:length], 0, PLAYOUT_DRAWS) is None
        end = standing(game, 0, PLAYOUT_DRAWS)
        assert end is not None
        assert positions.outcome[rows].tolist() == [end[1] * (-1) ** ply for ply in range(len(game))]


def test_random_games_are_as_long_and_as_even_as_was_measured():
    # Source: 6 million random games in another program: 70.7 plies, first player 0.490 / 0.505, by steps;
    # draws among whole moves differ little from that.
    positions = positions_of_shard(DatasetSettings(shard_games=4000), 0)
    begins = positions.ply == 0
    assert abs(positions.plies[begins].mean() - 71.5) < 2
    assert abs((positions.outcome[begins] == 1).mean() - 0.49) < 0.03
    assert (positions.outcome[begins] == 0).mean() < 0.02


def test_about_half_of_the_mixed_moves_are_those_of_the_piece_count():
    positions = positions_of_shard(DatasetSettings(seed=2, moves="mixed", depth=1, shard_games=30), 0)
    network, chances, hits = material_network(), 0.0, 0
    for rows in games_of(positions):
        boards = list(zip(*(column[rows] for column in positions[:4]), strict=True))
        for board, after in pairwise(boards):
            position = type(CHECKERS.start())(*board[:3], np.uint32(board[3]))
            legal = CHECKERS.legal_moves(position)
            found = search_position(CHECKERS, position, network, depth=1)
            if len(found.best_moves) == len(legal):
                continue
            played = next(
                move.text for move in legal if tuple(map(int, move.after)) == tuple(map(int, after))
            )
            chances += 0.5 + 0.5 * len(found.best_moves) / len(legal)
            hits += played in found.best_moves
    assert chances > 300
    assert abs(hits - chances) < 4 * np.sqrt(chances / 4)


def test_made_again_or_by_more_workers_it_has_the_same_bytes(tmp_path):
    make(tmp_path / "one")
    with joblib.parallel_config(backend="threading", n_jobs=3):
        make(tmp_path / "other")
    assert contents(tmp_path / "one") == contents(tmp_path / "other")
    assert len(contents(tmp_path / "one")) == 3


def test_random_moves_go_on_whatever_the_depth_of_a_search_that_none_makes(tmp_path):
    make(tmp_path, replace(SMALL, depth=4), 5)
    shards = make(tmp_path, SMALL, 10)
    assert [shard.is_new for shard in shards] == [False, True]
    assert len(read_dataset(tmp_path).own) == sum(shard.num_positions for shard in shards)
    make(tmp_path / "mixed", replace(SMALL, moves="mixed", depth=1), 5)
    with pytest.raises(InputError, match="depth is 1 there, 2 here"):
        make(tmp_path / "mixed", replace(SMALL, moves="mixed"), 5)


@pytest.mark.parametrize("stopped_after", [0, 1, 2])
def test_interrupted_and_resumed_is_straight_byte_for_byte(tmp_path, stopped_after):
    make(tmp_path / "straight")
    list(islice(make_dataset(tmp_path / "stopped", SMALL, 15), stopped_after))
    (tmp_path / "stopped").mkdir(exist_ok=True)
    (tmp_path / "stopped" / ".shard-000001.npz.partial").write_bytes(b"half")
    again = make(tmp_path / "stopped")
    assert [shard.is_new for shard in again] == [False] * stopped_after + [True] * (3 - stopped_after)
    assert contents(tmp_path / "stopped") == contents(tmp_path / "straight")


def test_a_second_process_is_refused_and_takes_no_file_of_the_first_away(tmp_path):
    first = make_dataset(tmp_path / "taken", SMALL, 15)
    next(first)
    half = tmp_path / "taken" / ".shard-000001.npz.partial"
    half.write_bytes(b"half")
    with pytest.raises(InputError, match="taken: in use by another neche process"):
        make(tmp_path / "taken")
    assert half.exists()
    list(first)
    make(tmp_path / "straight")
    half.unlink(missing_ok=True)
    assert contents(tmp_path / "taken") == contents(tmp_path / "straight")


def test_more_games_go_on_with_fewer(tmp_path):
    make(tmp_path / "grown", games=4)
    make(tmp_path / "grown", games=15)
    make(tmp_path / "whole", games=15)
    assert contents(tmp_path / "grown") == contents(tmp_path / "whole")


@pytest.mark.parametrize(
    ("changed", "difference"),
    [
        ({"seed": 4}, "seed is 3 there, 4 here"),
        ({"moves": "mixed"}, 'moves is "random" there, "mixed" here'),
        ({"shard_games": 6}, "shard_games is 5 there, 6 here"),
    ],
)
def test_other_settings_do_not_go_on_with_a_dataset(tmp_path, changed, difference):
    make(tmp_path)
    values = {"seed": 3, "shard_games": 5, **changed}
    with pytest.raises(InputError, match=f"000000.npz: belongs to another dataset: {difference}"):
        make(tmp_path, DatasetSettings(**values))


def test_a_damaged_shard_is_named_and_left_alone(tmp_path):
    make(tmp_path)
    path = shard_path(tmp_path, 1)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"shard-000001\.npz: is damaged"):
        make(tmp_path)
    assert path.read_bytes() == content


def test_a_sample_of_a_game_is_drawn_from_all_of_it():
    whole = positions_of_shard(DatasetSettings(shard_games=300), 0)
    sample = positions_of_shard(DatasetSettings(shard_games=300, sample=3), 0)
    assert len(sample.own) == 900
    rows = {(game, ply): row for row, (game, ply) in enumerate(zip(whole.game, whole.ply, strict=True))}
    chosen = [rows[place] for place in zip(sample.game, sample.ply, strict=True)]
    for name in ("own", "foe", "kings", "turn", "plies", "outcome"):
        assert (getattr(whole, name)[chosen] == getattr(sample, name)).all()
    assert abs((sample.ply / sample.plies).mean() - 0.5) < 0.03
    assert (np.diff(sample.game.astype(int)) >= 0).all()


def test_a_labeller_values_every_position_and_its_moves(tmp_path):
    save_convolution(random_convolution(1), tmp_path / "n.npz")
    player = parse_player(f"cnn:file={tmp_path / 'n.npz'}")
    positions = positions_of_shard(DatasetSettings(labeller=player, sample=3, shard_games=4), 0)
    assert len(positions.value) == len(positions.own) == 12
    ends = np.cumsum(positions.num_moves)
    assert len(positions.move_value) == len(positions.visits) == ends[-1]
    engine = player.new_game(CHECKERS)
    for row in range(12):
        board = [column[row] for column in positions[:4]]
        position = type(CHECKERS.start())(*board[:3], np.uint32(board[3]))
        analysis = engine.analyse(position, every_value=True)
        assert positions.value[row] == np.float32(analysis.value)
        moves = positions.move_value[ends[row] - positions.num_moves[row] : ends[row]]
        assert moves.tolist() == [np.float32(move.value) for move in analysis.moves]
        assert len(moves) == len(CHECKERS.legal_moves(position)) > 0


def test_analyses_do_not_depend_on_the_positions_labelled_before():
    fancy = Fancy()
    both = positions_of_shard(DatasetSettings(labeller=fancy, sample=2, shard_games=6), 0)
    halves = [positions_of_shard(DatasetSettings(labeller=fancy, sample=2, shard_games=3), n) for n in (0, 1)]
    assert both.game.tolist() == [*halves[0].game.tolist(), *halves[1].game.tolist()]
    assert both.visits.tolist() == [*halves[0].visits.tolist(), *halves[1].visits.tolist()]


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"moves": "clever"}, "unknown moves 'clever'"),
        ({"depth": 0}, "depth = 0: a whole number from 1 to 20 is needed"),
        ({"sample": -1}, "sample = -1: a whole number from 0 to 4096 is needed"),
        ({"shard_games": 0}, "shard_games = 0: a whole number from 1 to 1000000 is needed"),
        ({"depth": True}, "depth = True: a whole number"),
        ({"sample": 2.5}, "sample = 2.5: a whole number"),
        ({"seed": "1"}, "seed = '1': a whole number"),
        ({"seed": -1}, "seed = -1: a whole number"),
        ({"seed": 2**63}, "seed = 9223372036854775808: a whole number"),
        ({"labeller": "mcrd"}, "a player, such as .* is needed, not str: 'mcrd'"),
        ({"game": "ludo"}, "unknown game 'ludo'"),
        ({"labeller": parse_player("random")}, "player random gives no expected scores"),
        ({"labeller": Fancy(time_ms=5)}, "which a time limit does not give"),
    ],
)
def test_settings_that_make_no_sense_are_refused(values, fault):
    with pytest.raises(InputError, match=fault):
        DatasetSettings(**values)


def test_numbers_of_numpy_and_a_directory_in_words_make_the_same_bytes(tmp_path):
    kinds: dict[str, Any] = {"plain": int, "numpy": np.int64}
    for name, kind in kinds.items():
        settings = DatasetSettings(seed=kind(3), depth=kind(1), sample=kind(2), shard_games=kind(4))
        assert len([*make_dataset(str(tmp_path / name), settings, kind(5))]) == 2
    assert contents(tmp_path / "plain") == contents(tmp_path / "numpy")


@pytest.mark.parametrize("games", [0, -5, 10**10, 2.5, "5"])
def test_impossible_numbers_of_games_are_refused(tmp_path, games):
    with pytest.raises(InputError, match=f"games = {games!r}: a whole number from 1 to 1000000000 is needed"):
        make_dataset(tmp_path / "d", SMALL, games)
    assert not (tmp_path / "d").exists()


def test_a_run_is_not_filled_with_a_dataset(tmp_path):
    (tmp_path / "config.toml").write_text("[run]\n")
    with pytest.raises(InputError, match="is a run, not a dataset; choose another directory"):
        make_dataset(tmp_path, SMALL, 5)
    assert [path.name for path in tmp_path.iterdir()] == ["config.toml"]


def test_the_header_tells_how_a_shard_was_made(tmp_path):
    make(tmp_path)
    header, positions = read_shard(shard_path(tmp_path, 2))
    assert header == {**SMALL.as_header(), "shard": 2}
    assert set(positions.game.tolist()) == set(range(10, 15))
    assert DrawRule(80, True, 0) == PLAYOUT_DRAWS
