"""GGF: games of the Generic Game Server, and round trips."""

import pytest
from hypothesis import given, strategies as st

from neche.errors import InputError
from neche.games.catalogue import game
from neche.records.ggf import write_ggf
from neche.records.record import (
    DRAWN,
    FIRST_WON,
    SECOND_WON,
    UNKNOWN,
    GameRecord,
    Line,
    Ply,
    last_position,
    record_of,
)
from tests.records.reading import fault_of, ggf_games
from tests.records.strategies import COMMENTS, somewhere

# a game of the server as NTest publishes it, with values, times and a pass
SERVER_GAME = (
    "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_14:32:54.MST]PB[Saio1200]PW[Saio3000]RB[2199.2]RW[2199.47]"
    "TI[15:00//02:00]TY[8]RE[+0.000]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- "
    "-------- *]B[d3//0.01]W[c5//0.01]B[e6//0.01]W[d2//0.01]B[c6//0.01]W[d6//0.01]B[b5//0.01]W[f5//0.01]"
    "B[e7//0.01]W[f6//0.01]B[f4//0.01]W[d7//0.01]B[e8//0.01]W[g3//0.01]B[g6//0.01]W[c8//0.01]B[c3//0.01]"
    "W[b3//0.01]B[e3//0.01]W[c7//0.01]B[g4//0.01]W[b6//0.01]B[d8//0.01]W[f8//0.01]B[c2//0.01]W[c4//0.01]"
    "B[b4//0.01]W[h6//0.01]B[a4//0.01]W[c1//0.01]B[f7//0.01]W[h3//0.01]B[a7//0.01]W[g8//0.01]B[b2//0.01]"
    "W[f3//34.64]B[g5//0.01]W[e2//0.01]B[f1//12.60]W[d1//0.01]B[h4//0.01]W[h5//0.01]B[b8//0.01]W[a8//0.01]"
    "B[b7//0.01]W[a5//0.01]B[a6//0.01]W[g7//0.01]B[a3//0.01]W[b1//0.01]B[f2//0.01]W[e1//0.01]B[h8//0.01]"
    "W[h7//0.01]B[a1//0.01]W[a2//0.01]B[g1//0.01]W[g2//0.01]B[h2//0.01]W[pass]B[h1//0.01];)\n"
)
START = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"


def test_a_game_of_the_server():
    (record,) = ggf_games(SERVER_GAME)
    assert (record.game, record.fen, record.result) == ("othello", "", DRAWN)
    assert record.tag("Black") == "Saio1200"
    assert record.tag("Score") == "+0.000"
    assert len(record.moves) == 61
    assert record.moves[-2:] == ("pass", "h1")
    assert record.line.plies[35] == Ply("f3", seconds="34.64")
    rules, last = game("othello"), last_position(record)
    assert rules.legal_moves(last) == []
    assert rules.outcome(last) == 0


def test_what_is_read_is_written_again():
    (record,) = ggf_games(SERVER_GAME)
    written = write_ggf(record)
    assert written.count("\n") == 1
    assert ggf_games(written) == [record]
    assert "BO[" + START + "]B[d3//0.01]W[c5//0.01]" in written


def test_a_value_may_end_where_a_line_begins():
    (record,) = ggf_games("(;GM[Othello]PB[two\nwords\n]B[f5];)\n")
    assert record.tag("Black") == "two words"
    assert record.moves == ("f5",)


@st.composite
def othello_records(draw):
    rules = game("othello")
    start = somewhere(draw, rules) if draw(st.booleans()) else rules.start()
    position = start
    plies: list[Ply] = []
    while len(plies) < 12 and (legal := rules.legal_moves(position)):
        move = legal[draw(st.integers(0, len(legal) - 1))]
        position = move.after
        value, seconds = draw(st.sampled_from((("", ""), ("0.42", ""), ("", "1.5"), ("-3.00", "12.25"))))
        remarks = draw(st.lists(COMMENTS.map(lambda text: text.replace("]", ")")), max_size=1))
        plies.append(Ply(move.text, value=value, seconds=seconds, remarks=tuple(remarks)))
    fen = rules.format_fen(start)
    names = draw(st.sampled_from(((), (("Black", "a"), ("White", "b")), (("Event", "e"), ("Round", "1.2")))))
    return GameRecord(
        "othello", Line(tuple(plies)), names, "" if fen == rules.format_fen(rules.start()) else fen
    )


@given(othello_records())
def test_a_record_is_read_back_alike(record):
    (read,) = ggf_games(write_ggf(record))
    assert read == record


def test_results_are_the_discs_on_the_board_or_all_when_given_up():
    (drawn,) = ggf_games(SERVER_GAME)
    assert "RE[+0]" in write_ggf(record_of("othello", drawn.moves, result=DRAWN))
    assert "RE[+64:r]" in write_ggf(record_of("othello", ["d3"], result=FIRST_WON))
    assert "RE[" not in write_ggf(record_of("othello", ["d3"], result=UNKNOWN))
    (lost,) = ggf_games(write_ggf(record_of("othello", ["d3"], result=SECOND_WON)))
    assert (lost.result, lost.tag("Score")) == (SECOND_WON, "-64:r")


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        (f"(;GM[Othello]BO[{START}]B[F5]W[d6]B[PA];)".replace("B[PA]", ""), ["f5", "d6"]),
        ("(;\nB[f5]\nW[d6\n//3]\n;)", ["f5", "d6"]),
        ("(;GM[othello]B[f5];)", ["f5"]),
        ("(;GM[Othello];)", []),
    ],
)
def test_spellings(text, moves):
    (record,) = ggf_games(text)
    assert list(record.moves) == moves


def test_both_games_of_a_synchronous_pair_are_read():
    one, two = ggf_games("2 (;GM[Othello]B[f5];)(;GM[Othello]B[c4];)")
    assert (one.moves, two.moves) == (("f5",), ("c4",))


def test_passes_that_a_file_leaves_out_are_put_in():
    text = SERVER_GAME.replace("W[pass]", "")
    assert ggf_games(text)[0].moves == ggf_games(SERVER_GAME)[0].moves


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "(;GM[Othello]B[a1];)",
            "test.ggf, line 1, column 14: a1 is not a legal move; legal: d3, c4, f5, e6",
        ),
        ("(;GM[Othello]W[d3];)", "column 14: d3 is White's, but it is Black's turn"),
        ("(;GM[Amazons]B[D1-D7-G7];)", "column 3: GM[Amazons] is none of the games known here"),
        ("(;GM[Othello]BO[10 - *];)", "BO[10 …]: the board has 8 columns"),
        ("(;GM[Othello]BO[8 --- *];)", "column 14: FEN"),
        ("(;GM[Othello]B[f5]", "column 1: the game that begins here has no end ';)'"),
        ("(;GM[Othello]B[f5](;", "column 1: the game that begins here has no end ';)'"),
        ("(;GM[Othello] what B[f5];)", "expected a property such as B[d3]"),
        ("hello", "a game begins with '(;'"),
        ("(GM[Othello];)", "column 1: '(': a game begins with '(;'"),
        (f"(;B[f5]BO[{START}];)", "the board is set up after the first move"),
        (b"\x00", "zero byte"),
    ],
)
def test_what_cannot_be_read_is_named_in_one_line(text, fault):
    assert fault in fault_of(ggf_games, text)


def test_a_game_that_cannot_be_read_need_not_stop_the_others():
    faults: list[InputError] = []
    text = "(;B[f5];)\n(;B[a1];)\n(;B[f5] ? ;)\njunk\n(;B[f5]\n(;B[c4];)\n"
    assert [record.moves for record in ggf_games(text, on_fault=faults.append)] == [("f5",), ("c4",)]
    assert len(faults) == 4


def test_games_of_other_kinds_are_refused():
    with pytest.raises(InputError, match="not for checkers"):
        write_ggf(record_of("checkers", ["11-15"]))
