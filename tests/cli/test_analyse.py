import pytest

from neche.search.analysis import WIN_VALUE


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
    assert "player random judges nothing" in terminal.fault("analyse", "--player", "random")
