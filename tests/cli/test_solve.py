import pytest


def test_endings_are_solved_checked_and_found_again(terminal, tmp_path):
    words = ("solve", "--pieces", 3, "--output", tmp_path)
    values = terminal.json(*words, "--distance", "--check")
    assert (values["game"], values["pieces"], values["slices"], values["new_slices"]) == (
        "checkers",
        3,
        16,
        16,
    )
    assert values["positions"] == values["checked"] == 199_520
    assert values["by_pieces"][0] == {
        "pieces": 2,
        "positions": 3488,
        "wins": 716,
        "draws": 2370,
        "losses": 402,
        "longest": 13,
    }
    assert values["longest"] == 62
    text = terminal.text(*words)
    assert "16 of 16 slices were there" in text
    assert "196,032" in text
    assert "checkers, up to 3 pieces: 199,520 positions in 16 slices, 0.0 MB, in" in terminal.notes


def test_the_directory_is_that_of_the_environment(terminal, tmp_path, monkeypatch):
    monkeypatch.setenv("NECHE_ENDINGS", str(tmp_path / "mine"))
    assert terminal.json("solve", "--pieces", 2)["directory"] == str(tmp_path / "mine")
    assert (tmp_path / "mine" / "checkers" / "1m0k-1m0k.values").exists()


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--pieces", 7), "--pieces: 7 is out of range"),
        (("--pieces", 1), "--pieces: 1 is out of range"),
        (("--game", "othello"), "endings of othello are too many; --fen solves one position"),
        (("--fen", "W:WK1:BK32"), "the last moves of checkers are not solved by search"),
        (("--game", "othello", "--fen", "X" * 64 + " O"), "the game is over"),
        (("--game", "ludo"), "unknown game 'ludo'"),
    ],
)
def test_bad_use_names_the_fault(terminal, tmp_path, words, fault):
    assert fault in terminal.fault("solve", "--output", tmp_path, *words)


def test_a_damaged_file_is_named(terminal, tmp_path):
    terminal.json("solve", "--pieces", 2, "--output", tmp_path)
    path = tmp_path / "checkers" / "0m1k-0m1k.values"
    path.write_bytes(path.read_bytes()[:-1])
    words = ("solve", "--pieces", 2, "--output", tmp_path)
    assert f"{path}: is damaged" in terminal.fault(*words, num_notes=1)


def test_a_position_of_othello_is_solved_to_its_end(terminal):
    board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--"
    words = ("solve", "--game", "othello", "--fen", f"{board} X")
    values = terminal.json(*words)
    assert (values["score"], values["proven"], values["best_moves"], values["left"]) == (
        18,
        "win",
        ["g8"],
        14,
    )
    assert len(values["pv"]) == 14
    assert "Black to move: win, +18 discs, 14 moves left" in terminal.text(*words)
