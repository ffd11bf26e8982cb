"""Games come to the page as text, and leave it as files."""

from datetime import date

import pytest

from neche.games.catalogue import GAMES


@pytest.mark.parametrize(
    ("name", "text", "source", "moves"),
    [
        ("checkers", '[Event "x"]\n1. 11-15 22-18 2. 15x22 25x18 *', "PDN", 4),
        ("checkers", "1. 11-15 22-18", "PDN", 2),
        ("othello", '[GameType "20"]\n1. 32-28 18-23 *', "PDN", 2),
        ("checkers", f"(;GM[Othello]BO[8 {'-' * 27}O*{'-' * 6}*O{'-' * 27} *]B[d3];)", "GGF", 1),
        ("othello", "1 (;GM[Othello]B[d3];)", "GGF", 1),
        ("checkers", " ( ;GM[Othello]B[d3];)", "GGF", 1),
        ("othello", "f5d6c3", "a list of moves", 3),
        ("checkers", "f5d6c3", "a list of moves", 3),
        ("brazilian", "f5 d6 c3", "a list of moves", 3),
        ("checkers", "W:W21:B9", "FEN", 0),
    ],
)
def test_games_and_positions_are_taken_over(visitor, name, text, source, moves):
    visitor.post("new", game=name)
    state = visitor.post("load", text=text).json()
    assert (state["source"], len(state["moves"])) == (source, moves)


def test_games_played_as_a_pair_are_listed(visitor):
    visitor.post("new", game="othello")
    pair = visitor.post("load", text="2 (;GM[Othello]B[d3];)(;GM[Othello]B[c4];)").json()
    assert len(pair["games"]) == 2


@pytest.mark.parametrize("name", GAMES)
def test_what_is_saved_is_loaded_again(visitor, name):
    state = visitor.post("new", game=name).json()
    for _ in range(6):
        state = visitor.post("move", move=state["legal"][-1]["text"], ply=state["ply"]).json()
    saved = visitor.post("save", names=["human", 'O"Neill ]']).json()
    assert saved["name"].startswith(name)
    visitor.post("new", game="checkers")
    again = visitor.post("load", text=saved["text"]).json()
    assert (again["game"], again["moves"], again["fen"]) == (name, state["moves"], state["fen"])


@pytest.mark.parametrize("name", ["checkers", "othello"])
def test_a_saved_game_has_the_day_on_which_it_was_played(visitor, name):
    visitor.post("new", game=name)
    days = {f"{date.today():%Y.%m.%d}"}
    text = visitor.post("save", names=["human", "random"]).json()["text"]
    # It may have become midnight.
    days.add(f"{date.today():%Y.%m.%d}")
    assert any(f'[Date "{day}"]' in text or f"DT[{day}]" in text for day in days)


def test_a_game_from_a_file_keeps_its_own_day(visitor):
    visitor.post("new", game="checkers")
    visitor.post("load", text='[Event "Match"]\n[Date "1994.08.15"]\n1. 11-15 22-18 *')
    text = visitor.post("save", names=["human", "human"]).json()["text"]
    assert '[Event "Match"]' in text
    assert '[Date "1994.08.15"]' in text


CLUB = """\
[Event "Club"]
[White "Wyllie"]
[Result "0-1"]
{first} 1. 11-15! {bold} (9-14) 22-18 $1 {White wins} 0-1
"""


def test_a_game_from_a_file_is_saved_with_the_remarks_on_its_moves(visitor):
    visitor.post("new", game="checkers")
    visitor.post("load", text=CLUB)
    visitor.post("back", ply=1)
    visitor.post("move", move="23-19", ply=1)
    text = visitor.post("save", names=["human", "random"]).json()["text"]
    assert "{first} 1. 11-15! {bold} (1. 9-14) 23-19\n*" in text
    assert '[Event "Club"]' in text
    assert '[White "human"]' in text


def test_a_game_that_is_sent_again_keeps_event_remarks_and_evaluations(visitor):
    sent = {"game": "checkers", "moves": ["11-15", "23-19"], "scores": [0.5, None, 0.25]}
    state = visitor.post("new", source={"text": "1. 11-16 *\n\n" + CLUB, "number": 1}, **sent).json()
    assert state["scores"] == [0.5, None, 0.25]
    text = visitor.post("save", names=["human", "random"]).json()["text"]
    assert "{first} 1. 11-15! {bold} (1. 9-14) 23-19\n*" in text
    assert '[Event "Club"]' in text
    fault = visitor.post("new", source={"text": CLUB, "number": 1}, **sent).json()["error"]
    assert fault == "the text has no game 2; the last one is game 1"


def test_a_game_from_a_file_without_a_new_move_is_saved_as_it_was(visitor):
    visitor.post("new", game="checkers")
    visitor.post("load", text=CLUB)
    text = visitor.post("save", names=["human", "human"]).json()["text"]
    assert "{first} 1. 11-15! {bold} (1. 9-14) 22-18 $1 {White wins}\n*" in text
    assert '[White "Wyllie"]' in text
    assert '[Result "0-1"]' in text
    # Without an event it gets the usual one, once.
    visitor.post("load", text='[Event ""]\n[Black "a"]\n1. 11-15 *')
    text = visitor.post("save", names=["human", "human"]).json()["text"]
    assert (text.count("[Event "), text.count('[Black "a"]')) == (1, 1)


@pytest.mark.parametrize(
    ("on_board", "text", "name"),
    [
        ("checkers", "1. 32-28 19-23 2. 28x19 14x23", "international"),
        ("international", '[White "Wyllie"]\n1. 11-15 22-18 *', "checkers"),
        ("othello", "1. 11-15 22-18", "checkers"),
        ("othello", "1. c3-d4 d6-c5", "brazilian"),
    ],
)
def test_pdn_without_a_game_type_may_be_of_another_game_than_that_on_the_board(visitor, on_board, text, name):
    visitor.post("new", game=on_board)
    state = visitor.post("load", text=text).json()
    assert (state.get("error"), state.get("game")) == (None, name)


def test_a_text_that_is_no_game_is_refused_with_its_place(visitor):
    visitor.post("new", game="checkers")
    reply = visitor.post("load", text="1. 11-15 22-99")
    assert reply.status == 422
    assert "line 1, column 10" in reply.json()["error"]
