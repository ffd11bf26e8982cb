"""PDN in practice: the examples of the standard, and files by programs and people."""

import pytest

from neche.errors import InputError
from neche.games.catalogue import game
from neche.records.record import Line
from tests.records.reading import fault_of, games_of

# the beginnings of two games of the Open Checkers Archive and one of Kurnik, as these write them
ARCHIVE = """\
[Event "Manchester 1841"]
[Date "1841-??-??"]
[Black "Moorhead, W."]
[White "Wyllie, J."]
[Site "Manchester"]
[Result "0-1"]
1. 11-15 24-20 2. 8-11 28-24 3. 9-13 22-18 4. 15x22 25x18 5. 4-8 26-22 6. 10-14
18x9 7. 5x14 22-18 8. 1-5 18x9 9. 5x14 29-25 10. 11-15 24-19 11. 15x24 25-22 12.
24-28 22-18 13. 6-9 27-24 14. 8-11 24-19 15. 7-10 20-16 16. 11x20 18-15 17. 2-6
15-11 18. 12-16 19x12 19. 10-15 11-8 20. 15-18 21-17 21. 13x22 30-26 22. 18x27
26x17x10x1 0-1

[Event "Alwick 1842"]
[Result "1/2-1/2"]
1. 11-15 24-20 2. 8-11 28-24 3. 4-8 23-19 4. 9-14 22-17 5. 15-18 26-23 1/2-1/2
"""
KURNIK = """\
[White "timohway"]
[Black "bouvier"]
[Result "0-1"]
[GameType "20,W,10,10,N1,0"]

1. 32-28 18-23 2. 33-29 23x32 3. 37x28 17-22 4. 28x17 11x22 5. 41-37 13-18 6.
39-33 19-23 7. 44-39 14-19 8. 50-44 9-13 9. 37-32 4-9 10. 46-41 6-11 11. 32-28
23x32 12. 38x27 19-23 13. 35-30 10-14 14. 42-38 20-25 15. 30-24 14-20 16. 41-37
9-14 17. 24-19 13x24 18. 27-21 16x27 19. 38-32 27x38 20. 33x42 24x33 21.
39x28x17x6 14-19 0-1
"""


def test_games_of_an_archive():
    first, second = games_of(ARCHIVE)
    assert (first.game, first.tag("Black"), first.result) == ("checkers", "Moorhead, W.", "0-1")
    assert len(first.moves) == 44
    assert first.moves[-1] == "26x1"
    assert (second.tag("Event"), second.result, second.moves[-1]) == ("Alwick 1842", "1/2-1/2", "26-23")


def test_a_game_type_whose_corner_is_wrong_is_read_all_the_same():
    (record,) = games_of(KURNIK)
    assert (record.game, record.result, len(record.moves)) == ("international", "0-1", 42)


@pytest.mark.parametrize(
    ("end", "remarks"), [("0-2", ("at the end of the game: 0-2",)), ("1-0", ()), ("*", ())]
)
def test_an_end_that_contradicts_the_tag_is_kept_as_a_comment(end, remarks):
    (record,) = games_of(f'[Result "2-0"]\n[GameType "20"]\n1. 32-28 {end}')
    assert record.result == "1-0"
    assert record.line.plies[-1].remarks == remarks


def test_points_of_a_tournament_behind_the_moves_are_no_move():
    """Delft, 2007: ten points for each game."""
    records = games_of(
        '[Result "4-6"]\n[Round "2"]\n1. 34-29 18-22 4-6\n\n[Result "1-9"]\n1. 33-29 17-22 2. 39-33 1-9\n'
    )
    assert [record.moves for record in records] == [("34-29", "18-22"), ("33-29", "17-22", "39-33")]
    assert [record.tag("ResultAsWritten") for record in records] == ["4-6", "1-9"]


@pytest.mark.parametrize(
    ("text", "name", "moves"),
    [
        ("1.a3b4", "brazilian", ["21-17"]),
        ("1. a3-b4 *", "brazilian", ["21-17"]),
        ("1. A3:B4 0-2", "brazilian", ["21-17"]),
        ('[GameType "26"] 1. 09-13', "brazilian", ["21-17"]),
        ("1.32-28 1/2-1/2", "international", ["32-28"]),
        ("3228 1823", "international", ["32-28", "18-23"]),
        ("1. 32 - 28 18 - 23 2. 37 - 32", "international", ["32-28", "18-23", "37-32"]),
        ("1. 11-15 23-19", "checkers", ["11-15", "23-19"]),
        ('[GameType "21"] 1. f6-e5', "checkers", ["11-15"]),
        ('[GameType "?"] 1. 32-28 19-23', "international", ["32-28", "19-23"]),
        ('[GameType ""] 1. 11-15 23-19', "checkers", ["11-15", "23-19"]),
        ("1) 11-15 23-19 2) 8-11 2)... 22-17", "checkers", ["11-15", "23-19", "8-11", "22-17"]),
        ("1)a3b4", "brazilian", ["21-17"]),
        ("1. 11—15 22−18 2. 15×22 25\u201118", "checkers", ["11-15", "22-18", "15x22", "25x18"]),
        ("1. 11-15 22-18 2. 15\u044522 25\u042518", "checkers", ["11-15", "22-18", "15x22", "25x18"]),
        ("1. 11-15 22-18 2. 15:22 25:18", "checkers", ["11-15", "22-18", "15x22", "25x18"]),
    ],
)
def test_ways_to_write_moves(text, name, moves):
    (record,) = games_of(text)
    assert (record.game, list(record.moves)) == (name, moves)


def test_the_game_of_moves_without_a_type_can_be_given():
    assert games_of("*\n1. 11-15 *", default_game="checkers")[-1].game == "checkers"
    assert "32-28 is not a legal move" in fault_of(
        lambda text: games_of(text, default_game="brazilian"), "1. 32-28"
    )


def test_marks_glyphs_comments_and_variations_stay_where_they_are():
    (record,) = games_of(
        "{a} 32-28! $3 19-23(?) (18-23 38-32 (37-32? 23-29! { Black wins }) 12-18) {b} 28x19 14x23"
    )
    first, second, *_ = record.line.plies
    assert record.line.remarks == ("a",)
    assert (first.mark, first.remarks) == ("!", (3,))
    assert second.mark == "?"
    variation, comment = second.remarks
    assert comment == "b"
    assert isinstance(variation, Line)
    assert [ply.move for ply in variation.plies] == ["18-23", "38-32", "12-18"]
    (inner,) = variation.plies[1].remarks
    assert isinstance(inner, Line)
    assert [(ply.move, ply.mark, ply.remarks) for ply in inner.plies] == [
        ("37-32", "?", ()),
        ("23-29", "!", ("Black wins",)),
    ]


def test_comments_to_the_end_of_the_line_and_over_several_lines():
    (record,) = games_of("% by hand\n1. 11-15 ; a } b\n23-19 {[%clk 0:01:02]\n  two\tlines} *")
    assert record.line.remarks == ("by hand",)
    assert [ply.remarks for ply in record.line.plies] == [("a } b",), ("[%clk 0:01:02] two lines",)]


def test_comments_behind_the_result_belong_to_the_game_before():
    first, second = games_of("1. 11-15 1-0 {time}\n{next} 1. 11-15 23-19 *\n{the end}\n")
    assert first.line.plies[-1].remarks == ("time",)
    assert second.line.remarks == ("next",)
    assert second.line.plies[-1].remarks == ("the end",)


@pytest.mark.parametrize(
    ("written", "result"),
    [
        ("1-0", "1-0"), ("2-0", "1-0"), ("1-1", "1/2-1/2"), ("½-½", "1/2-1/2"), ("0.5-0.5", "1/2-1/2"),
        ("0 - 2", "0-1"), ("0-0", "0-0"), ("*", "*"), ("", "*"), ("?", "*"), ("0.5:0.5", "1/2-1/2"),
        ("½ : ½", "1/2-1/2"), ("0-1f", "0-1"), ("½", "1/2-1/2"), ("0,5-0,5", "1/2-1/2"),
    ],
)  # fmt: skip
def test_spellings_of_results(written, result):
    (record,) = games_of(f'[Result "{written}"]\n1. 11-15 *')
    assert record.result == result
    assert record.tags == ()


def test_a_result_behind_the_moves_counts_where_no_tag_says_one():
    assert [
        record.result for record in games_of('1. 11-15 0-1\n1. 11-15 1-1\n[Result "1-0"] 1. 11-15 *')
    ] == [
        "0-1",
        "1/2-1/2",
        "1-0",
    ]


@pytest.mark.parametrize(
    ("written", "result"),
    [
        ("1-0", "1-0"), ("2 - 0", "1-0"), ("0 - 1", "0-1"), ("0-2", "0-1"), ("0-0", "0-0"),
        ("1 - 1", "1/2-1/2"), ("0.5-0.5", "1/2-1/2"), (".5 - .5", "1/2-1/2"), ("½-½", "1/2-1/2"),
        ("1/2 - 1/2", "1/2-1/2"), ("2:0", "1-0"), ("1:1", "1/2-1/2"), ("0 : 1", "0-1"), ("0–2", "0-1"),
        ("1—1", "1/2-1/2"), ("½:½", "1/2-1/2"), ("0.5 : .5", "1/2-1/2"), ("1/2", "1/2-1/2"), ("½", "1/2-1/2"),
        ("1-0f", "1-0"), ("0-1F", "0-1"), ("½{agreed}", "1/2-1/2"), ("0,5 - 0,5", "1/2-1/2"),
    ],
)  # fmt: skip
def test_spellings_of_results_behind_the_moves(written, result):
    records = games_of(f"1. 11-15 24-20 {written}\n1. 9-14 22-17 2. 5-9 25-22 3. 1 - 5 24 - 20 *")
    assert [(len(record.moves), record.result) for record in records] == [(2, result), (6, "*")]


def test_a_result_of_another_kind_is_kept_as_written():
    (record,) = games_of('[ResultFormat "Plus draw"]\n[Result "1+ - 1-"]\n[GameType "20"]\n1. 32-28 *')
    assert record.result == "*"
    assert record.tag("ResultAsWritten") == "1+ - 1-"


@pytest.mark.parametrize(
    ("tags", "fen"),
    [
        ('[FEN "W:W31-50:B1-20"]', ""),
        ('[FEN "W:B1-20:W31-50."]', ""),
        ('[GameType "21"]\n[FEN "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"]',
         "B:WK10,K15,18,24,27,28:B12,16,20,K22,K25,K29"),
        ('[GameType "26"]\n[FEN "W:Wa1,c3,Ke3:Bb6,KH8"]', "W:W22,K23,29:BK4,9"),
        ('[GameType "26"]\n[FEN "w : w 29, 22 , k23 : b 9, K4 "]', "W:W22,K23,29:BK4,9"),
        ('[GameType "20"]\n[FEN "B:W31:BK5:H0:F12"]', "B:W31:BK5"),
        ('[GameType "20"]\n[FEN "W:W31:B"]', "W:W31:B"),
        ('[GameType "21"]\n[FEN "?:W29,13,11:B22,4,2"]', "W:W11,13,29:B2,4,22"),
    ],
)  # fmt: skip
def test_spellings_of_positions(tags, fen):
    (record,) = games_of(f"{tags}\n*")
    assert record.fen == fen


def test_the_moves_say_who_moves_in_a_position_that_does_not():
    (record,) = games_of('[GameType "21"]\n[FEN "?:W29,13,11:B22,5,2"]\n1... 2-7 *')
    assert record.fen == "B:W11,13,29:B2,5,22"


def test_squares_counted_from_the_corner_that_the_game_type_names():
    (record,) = games_of('[GameType "26,W,8,8,A0,0"]\n1. 9-13 24-20 *')
    assert record.moves == ("21-17", "12-16")


def test_a_position_set_up_in_the_moves():
    (record,) = games_of('/FEN "B:W18,24:B12,16"/ 1... 12-19 *'.replace("12-19", "16-20"))
    assert record.fen == "B:W18,24:B12,16"


BRAZILIAN = "B:WK3,K4,6,14,15,17,19,27,K28,29,32:B1,K5,7,10,K11,12,20,24,26,K30"
INTERNATIONAL = "W:WK1,K14,25,36:B2,K12,28,K33,K43"
CHECKERS = "B:WK4,K8,10,12,13,14,K18,19,23,26,27:BK15,16,K21"
AMBIGUOUS = [
    ("brazilian", BRAZILIAN, "11x18x9x2"),
    ("brazilian", BRAZILIAN, "11x22x13x2"),
    ("international", INTERNATIONAL, "1x23x32x49"),
    ("international", INTERNATIONAL, "1x29x38x49"),
    ("checkers", CHECKERS, "15x6"),
    ("checkers", CHECKERS, "15x24x31x22x15x6"),
]


@pytest.mark.parametrize(("name", "fen", "text"), AMBIGUOUS)
def test_the_way_of_a_capture_tells_apart_what_the_ends_do_not(name, fen, text):
    rules = game(name)
    assert text in [move.text for move in rules.legal_moves(rules.parse_fen(fen))]
    for way in {text, *shortened(text)}:
        (record,) = games_of(f'[FEN "{fen}"]\n1. {way} *', default_game=name)
        assert record.moves == (text,), way


def shortened(text):
    """Leave out one square on the way: the others still tell the captures of these positions apart."""
    squares = text.split("x")
    return [
        "x".join([*squares[:at], *squares[at + 1 :]])
        for at in range(1, len(squares) - 1)
        if len(squares) == 4
    ]


def test_another_way_around_the_same_pieces_is_the_same_move():
    (record,) = games_of(f'[GameType "21"]\n[FEN "{CHECKERS}"]\n1. 15x22x31x24x15x6 *')
    assert record.moves == ("15x24x31x22x15x6",)


def test_a_capture_that_could_be_several_is_refused():
    fault = fault_of(games_of, f'[GameType "20"]\n[FEN "{INTERNATIONAL}"]\n1. 1x49 *')
    assert "line 3, column 4: 1x49 could be 1x23x32x49, 1x29x38x49" in fault


def test_windows_line_ends_latin_letters_and_byte_order_marks():
    text = '\ufeff[White "Čížek"]\r\n[Black "b"]\r\n\r\n1. 11-15\r\n*\r\n'.encode()
    assert games_of(text)[0].tag("White") == "Čížek"
    latin = '[White "Müller"]\n1. 11-15 *'.encode("latin-1")
    assert games_of(latin)[0].tag("White") == "Müller"
    # Programs that join files put letters of one kind behind the mark of another.
    assert games_of(b"\xef\xbb\xbf" + latin)[0].tag("White") == "Müller"
    assert len(games_of(b"1. 11-15 *\r1. 11-15 *\r")) == 2
    # DOS ends files with the byte 26, in whole sectors of it.
    assert len(games_of(b"1. 11-15 *\r\n" + b"\x1a" * 100)) == len(games_of(b"1. 11-15 *\x1a")) == 1


def test_dashes_and_quotes_of_windows():
    """Windows-1252 has an en dash at 150 and quotation marks at 147 and 148, where Latin-1 has nothing."""
    (record,) = games_of(b"1. 11\x9615 {\x93Cross\x94 \x81} 23\x9618 1\x960")
    assert (record.moves, record.result) == (("11-15", "23-18"), "1-0")
    assert record.line.plies[0].remarks == ("“Cross” \ufffd",)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_as_windows_calls_unicode(encoding):
    # In either order of bytes Ċ and ਊ have the byte of a line end.
    text = '\ufeff[White "ĊਊЧижов"]\r\n\r\n1. 11-15\r\n23-18 2. 8-11 *'
    (record,) = games_of(text.encode(encoding))
    assert (record.tag("White"), record.moves) == ("ĊਊЧижов", ("11-15", "23-18", "8-11"))
    assert "line 4, column 10: 8-13" in fault_of(games_of, text.replace("8-11", "8-13").encode(encoding))
    too_long = f"{text}{'1' * (1 << 20)}".encode(encoding)
    assert "line 4: longer than 1048576 bytes" in fault_of(games_of, too_long)


def test_a_long_line_of_utf_16_letters_with_the_byte_of_a_line_end():
    comment = "\u0a0a" * 100_000
    (record,) = games_of(f"1. 11-15 {{{comment}}} *\n".encode("utf-16"))
    assert record.line.plies[0].remarks == (comment,)


def test_quotes_and_backslashes_in_tags():
    (record,) = games_of(r'[White "a \"b\" \\ c:\d"] [Black "plain"] 1. 11-15 *')
    assert record.tags == (("White", r'a "b" \ c:\d'), ("Black", "plain"))


def test_quotes_as_people_and_word_processors_put_them():
    """CheckerBoard takes quotation marks of Windows for those of tags."""
    (record,) = games_of('[White "J. "Jack" Smith"][Black "b"]\n[Event “Hull “9”]\n[Site ""] 1. 11-15 *')
    assert record.tags == (("White", 'J. "Jack" Smith'), ("Black", "b"), ("Event", "Hull “9"), ("Site", ""))


def test_quotes_that_are_not_closed_hold_no_others():
    assert "line 1, column 1: " in fault_of(games_of, "[White “" * 40_000)
    assert "line 1, column 1: " in fault_of(games_of, "[White “a [Black “b”] 1. 11-15 *")


def test_names_of_tags_in_any_case():
    (record,) = games_of('[EVENT "a"][white "w"][RESULT "0-1"][gametype "20"][Fen "B:W31:B2"] 1... 2-7 *')
    assert (record.game, record.fen, record.result) == ("international", "B:W31:B2", "0-1")
    assert record.tags == (("Event", "a"), ("White", "w"))


def test_headers_without_moves_are_games():
    records = games_of('[Event "a"]\n[Result "2-0"]\n\n[Event "b"]\n1. 2-0\n[Event "c"]\n*\n')
    assert [(record.tag("Event"), record.result, record.moves) for record in records] == [
        ("a", "1-0", ()),
        ("b", "1-0", ()),
        ("c", "*", ()),
    ]


@pytest.mark.parametrize("end", ["1-0 *", "1-0*", "1-0 {resigned} *", "1-0\n*\n", "1-0 1-0"])
def test_a_game_that_ends_twice_is_one(end):
    records = games_of(f"1. 11-15 {end}\n1. 9-14 *")
    assert [(record.moves, record.result) for record in records] == [(("11-15",), "1-0"), (("9-14",), "*")]
    assert games_of("* *") == []
    faults: list[Exception] = []
    records = games_of("never 1. 11-15 1-0 * 1. 9-14 *", on_fault=faults.append)
    assert ([record.moves for record in records], len(faults)) == ([("9-14",)], 1)


def test_a_program_that_says_more_than_it_plays():
    # the end of a game of Dragon Draughts
    text = "1. 33-29 {[%drgnode 0 1]} 20-25 {[%drgnode 1 2][%inbook]} \n2. ... {[%drgnode 2 2]} *\n\n"
    (record,) = games_of(text)
    assert record.moves == ("33-29", "20-25")
    assert record.line.plies[1].remarks == ("[%drgnode 1 2][%inbook]", "[%drgnode 2 2]")


def test_a_star_is_a_mark_right_behind_a_move_and_an_end_elsewhere():
    (record,) = games_of("1. 11-15* 23-19 2. 8-11*")
    assert [ply.remarks for ply in record.line.plies] == [(7,), (), ()]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("1. 11-15 23-19\n2. 7-11 18-14", "test.pdn, line 2, column 9: 18-14 is not a legal move; legal: "),
        ("1. 11-15 22-18 2. 8-11", "column 19: 8-11 is not a legal move (captures are compulsory)"),
        ("1. 11-15 23-34", "34 is no square: they are numbered 1 to 32"),
        ('[GameType "26"]\n1. a3-a4', "line 2, column 4: a4 is no square that pieces stand on"),
        ('[GameType "25"]\n1. a3-b4', "line 1, column 1: GameType '25' is none of the games known here"),
        (f'[GameType "{"9" * 5000}"]\n1. a3-b4', "is none of the games known here"),
        ('[GameType "21"]\n[FEN "B:W1:B"]\n*', "line 2, column 1: FEN 'B:W1:B': a white man on 1 would"),
        ('[GameType "20"][FEN "B:W40:B99"]', "99 is no square"),
        ('[GameType "20"][FEN "W:W:W40"]', "expected one list for W and one for B, found 'W40'"),
        ('[GameType "20"][FEN "WB:W40:B9"]', "expected SIDE:W…:B… with SIDE W or B"),
        ("1. 11-15 {never closed", "column 10: the comment that begins here is not closed"),
        ("1. 11-15 (11-16", "column 10: the variation that begins here is not closed"),
        ("1. 11-15 (11-16\n[Event \"b\"]", "column 10: the variation that begins here is not closed"),
        ("1. 11-15 )", "column 10: ')' closes no variation"),
        ("1. 11-15 (9-14 x) 23-24", "column 19: 23-24 is not a legal move"),
        ("1. 11-15 (9-14 99-14) 23-24", "column 23: 23-24 is not a legal move"),
        ("1. 11-15 } x", "column 10: '}' is no move, tag or comment"),
        ("1. e4 e5", "'e4' is no move, tag or comment"),
        ("1. Nf3", "'Nf3' is no move, tag or comment"),
        ("! 11-15", "'!' stands behind no move"),
        ("1. 11-15 $1234567", "$1234567 is no numeric annotation glyph"),
        ("(" * 61, "more than 60 variations within one another"),
        ("1. 11-15 /FEN \"B:W:B\"/", "a position set up in the middle of a game"),
        (b"\x00\x01", "line 1: a zero byte: this is no text file"),
        (b"1" * (1 << 20) + b"11", "line 1: longer than 1048576 bytes"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named_in_one_line(text, fault):
    assert fault in fault_of(games_of, text)


def test_a_game_that_cannot_be_read_need_not_stop_the_others():
    faults: list[InputError] = []
    bad = '1. 11-99 *\n[Event "x"]\n1. 11-15 ) 22-18 *\n[Event "y"]\n1. 11-15 (\n'
    records = games_of(f'1. 11-15 *\n{bad}[Event "z"]\n1. 9-14 *', on_fault=faults.append)
    assert [record.moves for record in records] == [("11-15",), ("9-14",)]
    assert len(faults) == 3


def test_the_game_is_recognised_by_as_many_moves_as_it_takes():
    # 11-15 22-18 are moves of checkers; the capture of a king by a man of the other games is not
    (record,) = games_of("1. 10-15 22-18 2. 15x22 25x18")
    assert record.game == "checkers"
