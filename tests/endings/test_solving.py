import itertools

import joblib
import pytest

from neche.endings.files import DISTANCES, VALUES, read_solved, slice_path
from neche.endings.probing import open_endings
from neche.endings.slices import Slice, slices_of
from neche.endings.solving import check_endings, size_of, solve_endings
from neche.errors import InputError
from neche.games.catalogue import game
from tests.games.toys.loading import TICTACTOE, load

CHECKERS = game("checkers")


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*k.*"))}


def test_the_size_is_that_of_the_files(tmp_path):
    list(solve_endings(CHECKERS, tmp_path, 3, with_distances=True))
    size = size_of(CHECKERS, 3, with_distances=True)
    files = contents(tmp_path)
    assert len(files) == 2 * size.slices
    assert sum(len(content) - 512 for content in files.values()) == size.num_bytes


def test_interrupted_work_is_continued(tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    list(solve_endings(CHECKERS, whole, 3, with_distances=True))
    begun = solve_endings(CHECKERS, parts, 3, with_distances=True)
    first = list(itertools.islice(begun, 9))
    del begun
    # a killed process leaves a pair of files of which one is missing, and a half written file
    slice_path(parts, "checkers", Slice(0, 1, 0, 1), DISTANCES).unlink()
    (parts / "checkers" / ".0m1k-0m1k.distances.partial").write_bytes(b"half")
    again = list(solve_endings(CHECKERS, parts, 3, with_distances=True))
    assert [of for of, _, _ in again][:3] == [of for of, _, _ in first][:3]
    # six or seven slices that were not begun, and the one that lost a file
    assert 7 <= sum(is_new for _, _, is_new in again) <= 8
    assert contents(parts) == contents(whole)


def test_more_workers_find_the_same(tmp_path):
    with joblib.parallel_config(n_jobs=1):
        list(solve_endings(CHECKERS, tmp_path / "one", 3))
    with joblib.parallel_config(n_jobs=3):
        list(solve_endings(CHECKERS, tmp_path / "three", 3))
    assert contents(tmp_path / "one") == contents(tmp_path / "three")


def test_progress_ends_with_all_positions(tmp_path):
    heard = []
    list(solve_endings(CHECKERS, tmp_path, 3, notify=lambda *numbers: heard.append(numbers)))
    total = size_of(CHECKERS, 3, with_distances=False).positions
    assert heard == sorted(heard)
    assert heard[-1] == (total, total)


@pytest.mark.parametrize("kind", [VALUES, DISTANCES])
def test_a_damaged_slice_is_refused_by_name(tmp_path, kind):
    list(solve_endings(CHECKERS, tmp_path, 2, with_distances=True))
    path = slice_path(tmp_path, "checkers", Slice(1, 0, 0, 1), kind)
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 4]))
    for use in (
        lambda: list(solve_endings(CHECKERS, tmp_path, 3, with_distances=True)),
        lambda: check_endings(CHECKERS, tmp_path, 2, with_distances=True),
        lambda: open_endings(CHECKERS, tmp_path).probe(CHECKERS.parse_fen("W:W21:BK3")),
    ):
        with pytest.raises(InputError, match=f"{path}: is damaged"):
            use()
    # other slices are not read
    assert open_endings(CHECKERS, tmp_path).probe(CHECKERS.parse_fen("W:WK1:BK32")) == (0, None)


def test_a_wrong_value_is_found_by_its_successors_or_predecessors(tmp_path, monkeypatch):
    list(solve_endings(CHECKERS, tmp_path, 2))
    honest = read_solved

    def lying(rules, directory, of, *, with_distances):
        found = honest(rules, directory, of, with_distances=with_distances)
        values = found.values.copy()
        # one position of king against king: 0 lost, 1 drawn, 2 won
        values[5] ^= 1 if of == Slice(0, 1, 0, 1) else 0
        return found._replace(values=values)

    monkeypatch.setattr("neche.endings.solving.read_solved", lying)
    with pytest.raises(InputError, match=r"0m1k-0m1k\.values: \d+ values do not follow"):
        check_endings(CHECKERS, tmp_path, 2)


def test_positions_of_more_pieces_are_not_known(tmp_path):
    list(solve_endings(CHECKERS, tmp_path, 2))
    endings = open_endings(CHECKERS, tmp_path)
    assert endings.pieces == 2
    assert endings.probe(CHECKERS.start()) is None
    assert endings.after_moves(CHECKERS.parse_fen("W:WK1,K2:BK32")) is None
    assert len(slices_of(2)) == 4


@pytest.mark.parametrize(
    ("rules", "advice"),
    [
        (CHECKERS, "; create them with neche solve"),
        (game("othello"), "; exact=N plays its last moves exactly"),
        (load(TICTACTOE), ""),  # which neche solve refuses
    ],
)
def test_no_endings_are_a_fault_that_names_the_directory_and_what_would_help(tmp_path, rules, advice):
    with pytest.raises(InputError) as caught:
        open_endings(rules, tmp_path)
    assert str(caught.value) == f"{tmp_path}: no solved endings of {rules.name}{advice}"
