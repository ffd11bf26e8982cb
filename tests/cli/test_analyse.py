import pytest

from neche.games.catalogue import game
from neche.network.convolution import save_convolution
from neche.players.engine import WIN_VALUE
from neche.players.selective_engine import SelectiveEngine
from tests.network.convolutions import random_convolution


def test_the_start_position_is_analysed_by_default(terminal):
    values = terminal.json("analyse")
    assert values["fen"].startswith("B:W21,22")
    assert len(values["moves"]) == 7
    assert values["move"] == values["pv"][0]
    assert len(values["pv"]) == values["depth"] == 8
    assert values["nodes"] > 1000


def test_every_legal_move_has_its_value_and_the_best_comes_first(terminal):
    # 2x11 is the only legal move: captures are compulsory.
    values = terminal.json("analyse", "W:W30,K2:B7,K31", "--player", "material:depth=3")
    assert values["moves"] == [{"move": "2x11", "value": values["value"]}]
    assert values["move"] == "2x11"


def test_a_capture_of_a_man_is_worth_one(terminal):
    values = terminal.json("analyse", "B:W18,32:B14,1", "--player", "material:depth=1")
    assert (values["move"], values["value"]) == ("14x23", 1.0)


def test_a_certain_win_says_how_soon(terminal):
    words = ("analyse", "B:W18:B14", "--player", "material:depth=3")
    assert terminal.json(*words)["value"] == WIN_VALUE - 1
    assert "14x23, wins in 1 ply" in terminal.text(*words)


def test_the_seed_draws_among_equally_good_moves(terminal):
    moves = {
        terminal.json("analyse", "--player", "blind:depth=1", "--seed", seed)["move"] for seed in range(12)
    }
    assert len(moves) > 2
    values = terminal.json("analyse", "--player", "blind:depth=1", "--seed", 5)
    assert values["pv"] == [values["move"]]
    assert terminal.json("analyse", "--player", "blind:depth=1", "--seed", 5)["move"] == values["move"]


def test_the_table_shows_board_line_and_moves(terminal):
    text = terminal.text("analyse", "--player", "material:depth=4")
    assert "8    b   b   b   b" in text
    assert "Black to move: " in text
    assert "line: " in text
    assert all(f"\n  {move} " in text for move in ("11-15", "9-13", "12-16"))


def test_a_time_limit_is_kept_to(terminal):
    values = terminal.json("analyse", "--player", "material:time=30")
    assert 1 <= values["depth"] <= 60


@pytest.mark.parametrize("fen", ["W:W:B7", "W:W12:B8,3"])
def test_a_finished_game_has_nothing_to_analyse(fen, terminal):
    assert "the game is over: White has no legal move" in terminal.fault("analyse", fen)


def test_the_random_player_judges_nothing(terminal):
    assert "player random does not evaluate" in terminal.fault("analyse", "--player", "random")


UCT = ("--player", "uct:playouts=400")


def test_playouts_are_analysed_as_expected_scores(terminal):
    values = terminal.json("analyse", *UCT)
    assert 0.3 < values["value"] < 0.7
    assert values["move"] == values["pv"][0] == values["moves"][0]["move"]
    assert values["nodes"] == values["playouts"] == 400
    assert sum(entry["visits"] for entry in values["moves"]) == 399
    assert [entry["visits"] for entry in values["moves"]] == sorted(
        (entry["visits"] for entry in values["moves"]), reverse=True
    )
    assert all(0 <= entry["low"] <= entry["value"] <= entry["high"] <= 1 for entry in values["moves"])
    assert values["facts"]["tree_depth"] >= values["facts"]["mean_depth"] > 1
    assert values["facts"]["playouts_per_second"] > 0


def test_the_table_of_a_tree_shows_visits_moves_and_values(terminal):
    text = terminal.text("analyse", *UCT)
    assert "Black to move: " in text
    assert "expected score 0." in text
    assert "400 playouts, " in text
    rows = [line.split() for line in text.split("95 %\n")[1].splitlines()]
    visits = [int(row[0]) for row in rows]
    assert len(rows) == 7
    assert visits == sorted(visits, reverse=True)
    assert {row[1] for row in rows} >= {"11-15", "9-13"}


def test_a_proven_win_says_so(terminal):
    words = ("analyse", "B:W18:B14", *UCT)
    assert terminal.json(*words)["value"] == 1
    assert "14x23, expected score 1.0000, proven: 1 ply to the end" in terminal.text(*words)


def test_equal_seeds_think_alike_and_others_do_not(terminal):
    def moves(*words):
        return terminal.json("analyse", *UCT, *words)["moves"]

    assert moves() == moves()
    assert moves("--seed", 3) == moves("--seed", 3)
    assert moves("--seed", 3) != moves("--seed", 4)


def test_a_convolutional_network_is_analysed_too(terminal, tmp_path):
    save_convolution(random_convolution(1), tmp_path / "n.npz")
    values = terminal.json("analyse", "--player", f"cnn:file={tmp_path / 'n.npz'},depth=2")
    assert values["value"] == max(entry["value"] for entry in values["moves"])
    assert values["facts"]["boards"] > 20
    assert "wins" not in values["moves"][0]
    assert "boards/s" in terminal.text("analyse", "--player", f"cnn:file={tmp_path / 'n.npz'}")


@pytest.mark.parametrize("fen", ["W:W:B7", "W:W12:B8,3"])
def test_a_finished_game_has_nothing_to_think_about(fen, terminal):
    assert "the game is over: White has no legal move" in terminal.fault("analyse", fen, *UCT)


@pytest.mark.parametrize(
    ("player", "fault"),
    [
        ("uct:playouts=0", "playouts=0 is out of range"),
        ("uct:time=-5", "time=-5: a whole number from 1"),
        ("uct:device=gpu", "device=gpu is not known"),
        ("uct:leaf=nobody", "leaf=nobody: a number of playouts, material, or a network is needed"),
        ("uct:playouts=5,depth=3", "uct has no option 'depth'"),
        ("cnn:depth=2", "a cnn player needs a file"),
    ],
)
def test_bad_players_are_named(player, fault, terminal):
    assert fault in terminal.fault("analyse", "--player", player)


def test_a_position_is_taken_from_a_game_in_a_file(terminal, tmp_path):
    path = tmp_path / "games.pdn"
    path.write_text("1. 11-15 *\n1. 32-28 18-23 2. 33-29 *\n")
    words = ("analyse", "--pdn", path, "--player", "mcrd:playouts=20")
    first = terminal.json("analyse", "--load", path, "--player", "material:depth=1")
    assert (first["game"], first["fen"][:2]) == ("checkers", "W:")
    second = terminal.json(*words, "--number", 2, "--ply", 2)
    assert second["game"] == "international"
    assert second["fen"] == (
        "W:W28,31,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:"
        "B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,19,20,23"
    )
    assert "the file has no game 3" in terminal.fault(*words, "--number", 3)
    assert "there is no ply 4, the game has 3" in terminal.fault(*words, "--number", 2, "--ply", 4)
    assert "need --load, which names" in terminal.fault("analyse", "--ply", 4)
    assert "both name a position" in terminal.fault(*words, "B:W18:B11")


def test_the_player_knows_the_positions_before_the_one_in_the_file(terminal, tmp_path, monkeypatch):
    """It avoids or wants repetitions of them."""
    heard = []
    monkeypatch.setattr(SelectiveEngine, "follow", lambda engine, positions: heard.append(positions))
    path = tmp_path / "kings.pdn"
    path.write_text('[FEN "B:WK29,32:BK4"]\n1... 4-8 29-25 2. 8-4 25-29 3. 4-8 *\n')
    words = ("analyse", "--load", path, "--player", "material:time=20")
    assert terminal.json(*words)["fen"] == "W:WK29,32:BK8"
    assert terminal.json(*words, "--ply", 1)["fen"] == "W:WK29,32:BK8"
    assert terminal.json("analyse", "W:WK29,32:BK8", "--player", "material:time=20")["moves"]
    assert [len(positions) for positions in heard] == [5, 1, 0]
    fens = [game("checkers").format_fen(position) for position in heard[0]]
    assert fens[:3] == ["B:WK29,32:BK4", "W:WK29,32:BK8", "B:WK25,32:BK8"]


def test_the_game_of_pdn_that_does_not_name_it_can_be_given(terminal, tmp_path):
    path, words = tmp_path / "open.pdn", ("--player", "blind:depth=1")
    path.write_text("1. 9-13 22-18 *\n")
    assert terminal.json("analyse", "--load", path, *words)["game"] == "checkers"
    assert terminal.json("analyse", "--load", path, *words, "--game", "brazilian")["game"] == "brazilian"
    fault = terminal.fault("analyse", "--load", path, *words, "--game", "international")
    assert "line 1, column 4: 9-13 is not a legal move" in fault
    fault = terminal.fault("analyse", "--load", path, *words, "--game", "othello")
    assert "open.pdn: PDN does not support othello" in fault


def test_a_file_of_games_of_ones_own_is_analysed(terminal, tmp_path, monkeypatch):
    monkeypatch.setenv("NECHE_GAMES", "")
    (tmp_path / "own_checkers.py").write_text(
        "from dataclasses import replace\n"
        "from neche.games.catalogue import game\n"
        'OLD = game("checkers")\n'
        'GAME = replace(OLD, name="own_checkers", pdn=replace(OLD.pdn, game_type=99))\n'
    )
    path = tmp_path / "own.pdn"
    path.write_text('[GameType "99"]\n1. 11-15 *\n')
    words = ("analyse", "--load", path, "--player", "blind:depth=1")
    assert "none of the games known here" in terminal.fault(*words)
    values = terminal.json(*words, "--game", tmp_path / "own_checkers.py")
    assert (values["game"], values["fen"][:2]) == ("own_checkers", "W:")


def test_two_pictures_need_two_names(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    player = ("--player", "uct:playouts=10")
    fault = terminal.fault("analyse", *player, "--output", "a.svg", "--animation", tmp_path / "a.svg")
    assert "--output and --animation both name a.svg" in fault
    assert not (tmp_path / "a.svg").exists()
