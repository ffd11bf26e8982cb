"""Loading for training: planes as the slow twin has them, labels that grow with the game."""

import numpy as np
import pytest

from neche.dataset.making import DatasetSettings, make_dataset, positions_of_shard
from neche.dataset.shards import batches, labels_of, mean_scores, no_positions, planes_of, read_dataset
from neche.players.mcrd import Mcrd
from neche.players.spec import parse_player
from tests.dataset.positions import CHECKERS, games_of, twins_of
from tests.oracles import convolution_twin


@pytest.fixture(scope="module")
def positions(tmp_path_factory):
    directory = tmp_path_factory.mktemp("dataset")
    list(make_dataset(directory, DatasetSettings(seed=1, moves="mixed", shard_games=4), 12))
    return read_dataset(directory)


def test_planes_are_checked_square_by_square(positions):
    planes = planes_of(positions, CHECKERS)
    for board, position in zip(planes, twins_of(positions), strict=True):
        expected = convolution_twin.planes(position)
        for plane in range(3):
            for row in range(8):
                for column in range(8):
                    assert board[plane, row, column] == expected[plane][row][column]


def test_labels_run_from_nothing_at_the_start_to_the_outcome_at_the_end(positions):
    labels = labels_of(positions)
    for rows in games_of(positions):
        game, plies = labels[rows], int(positions.plies[rows][0])
        assert game[0] == 0
        assert game[-1] == positions.outcome[rows][-1]
        assert np.allclose(np.abs(game), abs(int(positions.outcome[rows][0])) * np.arange(plies + 1) / plies)
        # the side that moves next sees the same game from the other side
        assert (np.sign(game[1:-1]) == -np.sign(game[2:])).all()
    # the last position is one without a move: lost
    assert labels.min() == -1
    assert labels.max() > 0.95


def labelled(visits, move_values):
    """Positions of which only what a labeller says counts."""
    numbers = [len(of_one) for of_one in visits]
    return no_positions()._replace(
        value=np.array([max(of_one) for of_one in move_values], np.float32),
        num_moves=np.array(numbers, np.uint8),
        visits=np.concatenate(visits).astype(np.uint32),
        move_value=np.concatenate(move_values).astype(np.float32),
    )


def test_a_labellers_mean_scores_become_labels_from_minus_one_to_one():
    positions = labelled([[1], [2, 2], [30, 10, 0], [5, 5]], [[0], [0.5, 0.25], [0.5, 1, 0.125], [1, 1]])
    assert mean_scores(positions).tolist() == [0, 0.375, 0.625, 1]
    assert labels_of(positions).tolist() == [-1, -0.25, 0.25, 1]


def test_a_labeller_without_visits_labels_by_its_best_move():
    assert labels_of(labelled([[0, 0], [0]], [[0.25, 0.75], [0.5]])).tolist() == [0.5, 0]


def test_playouts_label_a_position_by_what_random_play_scores():
    player = parse_player("mcrd:playouts=2000")
    positions = positions_of_shard(DatasetSettings(labeller=player, sample=3, shard_games=6), 0)
    engine = Mcrd(playouts=20_000).new_game(CHECKERS)
    for row, score in enumerate(mean_scores(positions)):
        board = [column[row] for column in positions[:4]]
        analysis = engine.analyse(type(CHECKERS.start())(*board[:3], np.uint32(board[3])), key=1)
        assert abs(score - np.mean([move.value for move in analysis.moves])) < 0.06
        assert score <= positions.value[row] + 1e-6


def test_batches_hold_every_position_once_in_an_order_of_their_epoch(positions):
    def rows_of(epoch):
        return np.concatenate(
            [
                np.concatenate([planes.reshape(len(planes), -1), labels[:, None]], axis=1)
                for planes, labels in batches(positions, 50, game=CHECKERS, seed=1, epoch=epoch)
            ]
        )

    first = rows_of(0)
    assert (first == rows_of(0)).all()
    assert (first != rows_of(1)).any()
    whole = np.concatenate(
        [planes_of(positions, CHECKERS).reshape(len(first), -1), labels_of(positions)[:, None]], 1
    )
    assert sorted(map(tuple, first)) == sorted(map(tuple, whole))
    assert {len(labels) for _, labels in batches(positions, 50, game=CHECKERS, seed=1)} == {
        50,
        len(first) % 50 or 50,
    }


def test_batches_may_be_of_some_positions_only(positions):
    rows = np.arange(0, 70, 7)
    found = [labels for _, labels in batches(positions, 4, game=CHECKERS, seed=3, among=rows)]
    assert [len(labels) for labels in found] == [4, 4, 2]
    assert sorted(np.concatenate(found)) == sorted(labels_of(positions)[rows])
