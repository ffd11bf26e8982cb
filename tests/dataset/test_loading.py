"""Loading for training: planes as the slow twin has them, labels that grow with the game."""

import numpy as np
import pytest

from neche.dataset.loading import batches, labels_of, planes_of, read_dataset
from neche.dataset.making import make_dataset
from neche.dataset.settings import DatasetSettings
from tests.dataset.positions import games_of, twins_of
from tests.oracles import convolution_twin


@pytest.fixture(scope="module")
def positions(tmp_path_factory):
    directory = tmp_path_factory.mktemp("dataset")
    list(make_dataset(directory, DatasetSettings(seed=1, moves="mixed", shard_games=4), 12))
    return read_dataset(directory)


def test_planes_are_checked_square_by_square(positions):
    planes = planes_of(positions)
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
        # whoever moves next sees the same game from the other side
        assert (np.sign(game[1:-1]) == -np.sign(game[2:])).all()
    # the last position is one without a move: lost
    assert labels.min() == -1
    assert labels.max() > 0.95


def test_a_labellers_scores_become_labels_from_minus_one_to_one(positions):
    valued = positions._replace(value=np.linspace(0, 1, len(positions.own), dtype=np.float32))
    labels = labels_of(valued)
    assert (labels[0], labels[-1]) == (-1, 1)
    assert (np.diff(labels) > 0).all()


def test_batches_hold_every_position_once_in_an_order_of_their_epoch(positions):
    def rows_of(epoch):
        return np.concatenate(
            [
                np.concatenate([planes.reshape(len(planes), -1), labels[:, None]], axis=1)
                for planes, labels in batches(positions, 50, seed=1, epoch=epoch)
            ]
        )

    first = rows_of(0)
    assert (first == rows_of(0)).all()
    assert (first != rows_of(1)).any()
    whole = np.concatenate([planes_of(positions).reshape(len(first), -1), labels_of(positions)[:, None]], 1)
    assert sorted(map(tuple, first)) == sorted(map(tuple, whole))
    assert {len(labels) for _, labels in batches(positions, 50, seed=1)} == {50, len(first) % 50 or 50}
