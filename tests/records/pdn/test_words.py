"""Words in PDN where the standard has moves, variations or results."""

import pytest

from neche.records.record import Line
from tests.records.reading import fault_of, games_of


@pytest.mark.parametrize(
    ("written", "remark"),
    [
        ("(Payne's Dodger, 1756)", "(Payne's Dodger, 1756)"),
        ("(24-20   7-12! {good} )", "(24-20 7-12! good)"),
        ("(22-18, 15x22 25x18 would be lazy)", "(22-18, 15x22 25x18 would be lazy)"),
        ("(2. 9-14 (2. x y) 22-17)", "(2. 9-14 (2. x y) 22-17)"),
        ("({a} {b})", "(a b)"),
        ("(Payne 1756)", "(Payne 1756)"),
    ],
)
def test_parentheses_that_hold_no_variation_are_a_comment(written, remark):
    """CheckerBoard takes all parentheses for comments, and people write words there."""
    (record,) = games_of(f"1. 11-15 23-19 {written} 2. 8-11 1-0")
    assert (record.moves, record.result) == (("11-15", "23-19", "8-11"), "1-0")
    assert record.line.plies[1].remarks == (remark,)


def test_a_variation_that_cannot_be_played_takes_no_other_with_it():
    (record,) = games_of("1. 11-15 (9-14 22-18 (22-17 14-19) 5-9) 23-19 (22-18 *) () 2. 8-11")
    assert record.moves == ("11-15", "23-19", "8-11")
    (first,), (second,) = (ply.remarks for ply in record.line.plies[:2])
    assert isinstance(first, Line)
    assert isinstance(second, Line)
    assert [(ply.move, ply.remarks) for ply in first.plies] == [
        ("9-14", ()),
        ("22-18", ("(22-17 14-19)",)),
        ("5-9", ()),
    ]
    assert second.plies[0].remarks == ("*",)


def test_numbers_with_a_parenthesis_stand_in_variations_too():
    (record,) = games_of("1) 11-15 23-19 (1) ... 22-18 2) 15x22) 2) 8-11 *")
    assert record.moves == ("11-15", "23-19", "8-11")
    (variation,) = record.line.plies[1].remarks
    assert isinstance(variation, Line)
    assert [ply.move for ply in variation.plies] == ["22-18", "15x22"]


def test_a_move_of_four_digits_before_a_parenthesis_is_no_number():
    (record,) = games_of("1115 (1116 2420) 23-19 (2318) ... 8-11 1-0")
    assert record.moves == ("11-15", "23-19", "8-11")
    variations = [remark for ply in record.line.plies for remark in ply.remarks]
    assert [[ply.move for ply in one.plies] for one in variations] == [["11-16", "24-20"], ["23-18"]]


def test_a_variation_tells_games_apart_where_it_can_be_played():
    # 9-13 22-18 begins a game of checkers, and one of Brazilian draughts with squares counted from a1.
    names = [games_of(f"1. 9-13 ({other}) 22-18 *")[0].game for other in ("9-14", "10-13", "9-99")]
    assert names == ["checkers", "brazilian", games_of("1. 9-13 22-18 *")[0].game]


@pytest.mark.parametrize(
    ("written", "checkers", "international"),
    [
        ("White resigns", "1-0", "0-1"), ("black resigned.", "0-1", "1-0"), ("Black wins", "1-0", "0-1"),
        ("White  won.", "0-1", "1-0"), ("Black lost", "0-1", "1-0"), ("Drawn.", "1/2-1/2", "1/2-1/2"),
        ("draw", "1/2-1/2", "1/2-1/2"), ("Draw agreed *", "1/2-1/2", "1/2-1/2"),
    ],
)  # fmt: skip
def test_a_result_in_words_behind_the_moves(written, checkers, international):
    """In checkers Black begins, and a result is told from the side that begins."""
    for moves, result in (("11-15 23-19", checkers), ("32-28 18-23", international)):
        (record,) = games_of(f"1. {moves} {written}\n")
        assert record.result == result
        assert record.line.plies[-1].remarks == (" ".join(written.split()).rstrip(" .*"),)
        words = written.replace("*", "").strip()
        assert games_of(f'[Result "{words}"]\n1. {moves} *')[0].result == result
        assert games_of(f'[Result "1-0"]\n1. {moves} {written}')[0].result == "1-0"


def test_words_hide_no_move():
    assert "column 22: a move behind 'drawn'" in fault_of(games_of, "1. 11-15 23-19 drawn 24-20")
    assert "a move behind 'drawn'" in fault_of(games_of, "1. 11-15 drawn 1... 23-19")
    assert "'with' is no move" in fault_of(games_of, "1. 11-15 23-19 White wins with 19-16")
    assert "'Drawish' is no move" in fault_of(games_of, "1. 11-15 Drawish")
    assert "'White' is no move" in fault_of(games_of, "1. 11-15 White plays 23-19")
    (record,) = games_of("1. 11-15 (11-16 White wins) 23-19")
    assert record.line.plies[0].remarks[0].plies[0].remarks == ("White wins",)


def test_words_in_parentheses_behind_the_result_belong_to_the_game_before():
    ended = "1. 11-15 1-0 (time) () (no (flag) fell) *\n"
    first, second = games_of(f"{ended}(next) 1. 11-15 23-19 0-1 (2. 8-11) {{lost}}\n*\n(the end)\n")
    assert first.line.plies[-1].remarks == ("(time)", "(no (flag) fell)")
    assert second.line.remarks == ("(next)",)
    assert second.line.plies[-1].remarks == ("(2. 8-11)", "lost", "(the end)")


def test_words_end_a_game_where_another_begins():
    records = games_of(
        '1. 11-15 Drawn\n1. 9-14 {so} White wins (22-18) 1-0 Drawn\n[Event "x"]\n1. 10-15 draw\n1)9-13'
    )
    assert [(record.moves, record.result) for record in records] == [
        (("11-15",), "1/2-1/2"),
        (("9-14",), "1-0"),
        (("10-15",), "1/2-1/2"),
        (("9-13",), "*"),
    ]
