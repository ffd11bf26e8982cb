import pytest

from neche.games.catalogue import game
from neche.players.engine import Analysis, MoveAnalysis
from neche.players.spec import parse_player
from neche.web.analyses import shown_analysis


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
    assert "16 of 16 slices were already there" in text
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
    text = terminal.text("solve", "--game", "othello", "--fen", f"{'X' * 62}O- X")
    assert "Black to move: win, +64 discs, 1 move left\n" in text
    assert "changes nothing" not in terminal.notes
    terminal.text("solve", "--game", "othello", "--fen", f"{'X' * 62}O- X", "--pieces", 3, "--check")
    assert (
        "neche: --pieces changes nothing with --fen\nneche: --check changes nothing with --fen"
        in terminal.notes
    )


def test_an_analysis_says_what_is_proven(terminal, tmp_path):
    terminal.json("solve", "--pieces", 3, "--output", tmp_path, "--distance")
    known = f"endings={tmp_path}"
    words = ("analyse", "W:WK1,K2:BK32", "--player", f"material:depth=2,{known}")
    assert terminal.json(*words)["proven"] == "win"
    assert "wins in 33 plies (win, proven)" in terminal.text(*words)
    words = ("analyse", "W:WK1:BK32", "--player", f"uct:playouts=20,{known}")
    assert terminal.json(*words)["proven"] == "draw"
    assert "expected score 0.5000 (draw, proven)" in terminal.text(*words)
    assert terminal.json("analyse", "W:WK1,K2:BK32", "--player", "material:depth=2")["proven"] is None
    # also where there is nothing to watch, and no playout to draw
    for fen in ("W:WK1:BK32", "W:WK1,K2:BK32"):
        pictures = ("--svg", tmp_path / "a.svg", "--animation", tmp_path / "b.svg")
        assert "proven" in terminal.text("analyse", fen, *words[2:], *pictures)
        assert "proven" in terminal.text("analyse", fen, *words[2:], "--live")
        assert (tmp_path / "a.svg").stat().st_size > 1000


def test_a_match_is_adjudicated(terminal, tmp_path):
    terminal.json("solve", "--pieces", 3, "--output", tmp_path)
    words = (
        "match",
        "material:depth=2",
        "blind:depth=2",
        "--games",
        4,
        "--start",
        "W:WK1,K2,K9:BK24,K31,K32",
    )
    values = terminal.json(*words, "--adjudicate", tmp_path)
    assert values["adjudicate"] == str(tmp_path)
    assert values["wins"] + values["draws"] + values["losses"] == 4
    assert terminal.json(*words)["adjudicate"] is None
    assert "no solved endings of checkers" in terminal.fault(*words, "--adjudicate", tmp_path / "none")


def test_the_board_in_the_browser_says_what_is_proven():
    moves = (MoveAnalysis("1-6", 0.0),)
    rules = game("checkers")
    engine = parse_player("material:depth=1").new_game(rules)
    shown = shown_analysis(Analysis(moves, ("1-6",), ("1-6",), proven=0), engine, rules, 0, 1.0)
    assert shown["words"] == "+0.0 · draw, proven"
