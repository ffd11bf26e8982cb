import errno
import io
import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from neche.arena.game_in_progress import game_record
from neche.cli.main import main
from neche.cli.play import read_move
from neche.errors import InputError
from neche.games.catalogue import game
from neche.records.formats import read_file
from neche.records.record import last_position

CHECKERS = game("checkers")


@pytest.fixture
def play(terminal, monkeypatch):
    """Play with these lines typed; return what is shown."""

    def play(lines, *words):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return terminal.text("play", "--seed", 1, *words)

    return play


def test_a_move_is_answered_and_both_are_on_the_board(play):
    text = play(["11-15", "quit"], "--player", "random")
    assert "You are Black, against random." in text
    assert "White plays " in text
    assert text.count("Black, your move: ") == 2
    assert "The game was left unfinished." in text


@pytest.mark.parametrize("move", ["11-15", "11x15", "f6-e5", "F6E5", "11 15"])
def test_moves_are_typed_in_numbers_or_coordinates(move, terminal, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{move}\n"))
    assert terminal.json("play", "--player", "random", "--seed", 1)["moves"][0] == "11-15"


def test_the_other_side_can_be_taken(play):
    text = play(["22-18"], "--player", "blind:depth=2", "--side", "white")
    assert text.index("Black plays ") < text.index("White, your move: ")
    assert text.count("Black plays ") == 2


def test_the_end_of_the_input_ends_the_game(play):
    assert "The game was left unfinished." in play([])


def test_the_help_tells_every_word(play):
    text = play(["help"])
    assert all(f"\n{word} " in text for word in ("undo", "hint", "moves", "board", "resign", "quit"))


def test_the_legal_moves_are_listed(play):
    assert "11-16  10-15  9-14  11-15  10-14  9-13  12-16" in play(["moves"])


def test_a_hint_comes_from_the_opponent_or_from_material(play):
    assert "material:depth=2 would play " in play(["hint"], "--player", "material:depth=2")
    assert "material:depth=4 would play " in play(["hint"], "--player", "random")


def test_undo_takes_back_the_move_and_its_answer(terminal, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("11-15\nundo\n9-13\n"))
    moves = terminal.json("play", "--player", "random", "--seed", 1)["moves"]
    assert moves[0] == "9-13"
    assert len(moves) == 2


def test_there_may_be_nothing_to_undo(play):
    assert "you have no move to take back" in play(["undo"])


def test_the_game_is_kept_in_a_file(play, tmp_path):
    path = tmp_path / "mine.pdn"
    play(["11-15", "resign"], "--pdn", path, "--seed", 1)
    (record,) = read_file(path)
    assert (record.moves[0], len(record.moves), record.result) == ("11-15", 2, "0-1")
    assert record.tag("Black") == "human"


def test_a_game_that_was_kept_goes_on(play, terminal, tmp_path):
    path = tmp_path / "mine.pdn"
    play(["11-15", "quit"], "--pdn", path, "--seed", 1)
    (kept,) = read_file(path)
    answer = CHECKERS.legal_moves(last_position(kept))[0].text
    text = play([answer, "quit"], "--load", path, "--pdn", path, "--seed", 1)
    assert "You are Black" in text
    (record,) = read_file(path)
    assert record.moves[:3] == ("11-15", kept.moves[1], answer)
    assert (len(record.moves), record.result) == (4, "*")
    fault = terminal.fault("play", "--load", path, "--fen", "B:W32:B1")
    assert "both set the position" in fault


def test_a_game_that_ctrl_c_ends_is_kept(tmp_path, monkeypatch, capsys):
    lines, path = iter(["11-15\n"]), tmp_path / "mine.pdn"

    def readline():
        for line in lines:
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(readline=readline))
    assert main(["play", "--player", "random", "--seed", "1", "--pdn", str(path)]) == 130
    (record,) = read_file(path)
    assert (record.moves[0], len(record.moves), record.result) == ("11-15", 2, "*")
    assert capsys.readouterr().err.endswith(f"neche: interrupted: the game so far is in {path}\n")


def test_a_game_whose_terminal_closes_is_kept(tmp_path, monkeypatch):
    lines, path = iter(["11-15\n"]), tmp_path / "mine.pdn"
    interrupts = iter([KeyboardInterrupt])

    def readline():
        for line in lines:
            return line
        raise OSError(errno.EIO, "Input/output error")  # as Linux answers

    def hanging_up(*words, **named):
        for interrupt in interrupts:  # the signal follows while the game is written
            raise interrupt
        return game_record(*words, **named)

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(readline=readline))
    monkeypatch.setattr("neche.cli.play.game_record", hanging_up)
    assert main(["play", "--player", "random", "--seed", "1", "--pdn", str(path)]) == 0
    (record,) = read_file(path)
    assert (record.moves[0], len(record.moves), record.result) == ("11-15", 2, "*")


@pytest.mark.parametrize("said", [["15x22"], ["undo", "11-15"]])
def test_a_game_that_goes_on_keeps_its_event_and_its_remarks(play, tmp_path, said):
    path = tmp_path / "club.pdn"
    path.write_text('[Event "Club"]\n[Black "Wyllie"]\n{first} 1. 11-15! {bold} 22-18 {sound} *\n')
    play([*said, "quit"], "--load", path, "--pdn", path, "--seed", 1, "--player", "random")
    (record,) = read_file(path)
    assert (record.tag("Event"), record.tag("Black")) == ("Club", "human")
    assert record.line.remarks == ("first",)
    bold, answer = record.line.plies[:2]
    assert (bold.move, bold.mark, bold.remarks) == ("11-15", "!", ("bold",))
    # the answer keeps what was said of it if it is the same
    assert answer.remarks == (("sound",) if answer.move == "22-18" else ())


def test_a_game_from_a_file_of_several_is_not_kept_in_their_place(play, terminal, tmp_path):
    path, games = tmp_path / "club.pdn", "1. 11-15 *\n\n1. 12-16 *\n"
    path.write_text(games)
    fault = terminal.fault("play", "--load", path, "--pdn", tmp_path / "." / "club.pdn")
    assert "would overwrite the other games in this file; name another one" in fault
    assert path.read_text() == games
    play(["quit"], "--load", path, "--pdn", tmp_path / "mine.pdn", "--player", "random", "--side", "white")
    (record,) = read_file(tmp_path / "mine.pdn")
    assert record.moves == ("11-15",)


def test_the_game_of_a_file_that_does_not_name_it_can_be_given(terminal, monkeypatch, tmp_path):
    path = tmp_path / "open.pdn"
    path.write_text("1. 9-13 22-18 *\n")
    for words, moves in (((), ["9-13", "22-18"]), (("--game", "brazilian"), ["21-17", "10-14"])):
        monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
        assert terminal.json("play", "--load", path, "--player", "random", *words)["moves"] == moves


def test_a_place_where_no_game_can_be_kept_is_found_first(terminal, tmp_path):
    assert "there is no directory" in terminal.fault("play", "--pdn", tmp_path / "nowhere" / "mine.pdn")


def test_resigning_ends_the_game(play):
    assert "Black resigns." in play(["11-15", "resign"], "--player", "random")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("11-20", "11-20 is not a legal move; legal: 11-16, "),
        ("11-33", "no square '33'"),
        ("a8-b7", "a8 is a light square"),
        ("hello", "no square 'hello'"),
    ],
)
def test_what_is_no_move_is_reported_and_asked_again(line, answer, play):
    text = play([line, "11-15"], "--player", "random")
    assert answer in text
    assert "White plays " in text


def test_a_win_is_announced(play):
    text = play(["14x23"], "--player", "random", "--fen", "B:W18:B14")
    assert "Black wins: White has no move." in text


def test_a_draw_is_announced(play):
    text = play(["4-8", "8-4"] * 40, "--player", "random", "--fen", "B:WK29:BK4")
    assert "\nDraw: " in text


def test_the_json_object_holds_the_game(terminal, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("14x23\n"))
    values = terminal.json("play", "--player", "random", "--fen", "B:W18:B14", "--seed", 7)
    assert values == {
        "player": "random",
        "side": "black",
        "result": "Black wins: White has no move.",
        "moves": ["14x23"],
        "fen": "W:W:B23",
        "seed": 7,
    }


def test_captures_are_compulsory():
    position = CHECKERS.parse_fen("B:W18,31:B14,1")
    with pytest.raises(
        InputError, match=r"1-5 is not a legal move \(captures are compulsory\); legal: 14x23"
    ):
        read_move("1-5", CHECKERS.legal_moves(position), CHECKERS.geometry)


def test_captures_that_share_their_ends_differ_by_the_squares_between():
    legal = CHECKERS.legal_moves(CHECKERS.parse_fen("W:W30:B26,25,18,17,1"))
    assert {move.text for move in legal} == {"30x21x14", "30x23x14"}
    assert read_move("c1xe3xc5", legal, CHECKERS.geometry).text == "30x23x14"
    with pytest.raises(InputError, match=r"30x14 could be 30x2[13]x14 or 30x2[13]x14"):
        read_move("30x14", legal, CHECKERS.geometry)


@pytest.mark.parametrize("typed", ["28x44x35", "28 44 35", "28x39x35", "28x35"])
def test_squares_on_the_way_may_be_typed_where_they_are_not_needed(typed):
    rules = game("international")
    legal = rules.legal_moves(rules.parse_fen("W:WK28:B39,40,1"))
    assert read_move(typed, legal, rules.geometry).text == "28x35"
    legal = CHECKERS.legal_moves(CHECKERS.parse_fen("W:W30:B26,25,18,17,1"))
    with pytest.raises(InputError, match="30x18x14 could be "):
        read_move("30x18x14", legal, CHECKERS.geometry)


def test_a_game_can_be_piped_into_the_program():
    done = subprocess.run(
        [sys.executable, "-m", "neche", "play", "--player", "material:depth=2", "--json"],
        input="11-15\nmoves\nquit\n",
        capture_output=True,
        text=True,
        check=True,
    )
    values = json.loads(done.stdout)
    assert values["moves"][0] == "11-15"
    assert len(values["moves"]) == 2
    assert "Black, your move: " in done.stderr


def test_a_player_of_playouts_tells_its_expected_score(play):
    text = play(["11-15", "quit"], "--player", "uct:playouts=60")
    assert "White plays " in text
    assert "(expected score 0." in text
    assert ", 60 playouts, " in text


def test_hints_do_not_change_what_a_player_of_playouts_plays(terminal, monkeypatch):
    games = []
    for lines in ("11-15\n15x22\n9-14\n", "hint\n11-15\nhint\nhint\n15x22\n9-14\n"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        games.append(terminal.json("play", "--player", "uct:playouts=60", "--seed", 2)["moves"])
    assert games[0] == games[1]
    assert len(games[0]) >= 2


def test_othello_shows_where_a_disc_may_be_put_and_refuses_a_pass_that_is_none(play):
    text = play(["pass", "d3", "quit"], "--player", "random", "--game", "othello")
    assert "pass is not a legal move; legal: d3, c4, f5, e6" in text
    assert " 3    .    .    .    +    .    .    .    .    3" in text
    assert "    Black X 2, White O 2" in text


def test_moves_on_ten_columns_are_typed_in_coordinates_too(terminal, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("d4-e5\n"))
    words = ("--player", "random", "--seed", 1, "--game", "international")
    assert terminal.json("play", *words)["moves"][0] == "32-28"
