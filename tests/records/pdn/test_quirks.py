"""What people and older programs put between moves: signs, commas, bare numbers."""

import pytest
from hypothesis import given, strategies as st

from neche.games.catalogue import game
from neche.games.game import geometry_of
from tests.records.pdn.test_writer import DRAUGHTS
from tests.records.reading import fault_of, games_of
from tests.records.strategies import somewhere

SIGNS = ("", "", "", "+", "=", " =", "#", " -+", "+/=", " \u00b1", "!", " ?!", "!=")
LOOKALIKES = str.maketrans("aceABCEH", "\u0430\u0441\u0435\u0410\u0412\u0421\u0415\u041d")


@pytest.mark.parametrize(
    ("text", "remarks"),
    [
        ("1. 11-15+ 23-19= 2. 8-11# *", [("+",), ("=",), ("#",)]),
        ("1. 11-15 += 23-19 -/+ 2. 8-11! = *", [("+=",), ("-/+",), ("=",)]),
        ("1. 11-15, 23-19, 2. 8-11", [(), (), ()]),
        ("1. 11-15,23-19 ,8-11 =", [(), (), ("=",)]),
        ("1 11-15 23-19 2 8-11", [(), (), ()]),
        ("1 11-15 23-19 2\n8-11", [(), (), ()]),
        ("1. 11-15 23-19 2. 8-11 3. - -", [(), (), ("-", "-")]),
        ("1. 11-15 {a {b} c} 23-19 {{d}} 8-11", [("a {b} c",), ("{d}",), ()]),
        ("1. 11-15 {a {b\nc {d} e} f} 23-19 8-11", [("a {b c {d} e} f",), (), ()]),
        # As the standard reads it: an opening brace in a comment is a letter like any other.
        ("1. 11-15 {a { b} 23-19 {c} 8-11", [("a { b",), ("c",), ()]),
        ("1. 11-15 {a { b} 23-19 ; c }\n8-11", [("a { b",), ("c }",), ()]),
    ],
)
def test_signs_and_words_between_moves(text, remarks):
    (record,) = games_of(text)
    assert record.moves == ("11-15", "23-19", "8-11")
    assert [ply.remarks for ply in record.line.plies] == remarks


@st.composite
def written_by_people(draw):
    """Draw a game, and a text of it such as people write."""
    rules = game(draw(st.sampled_from(DRAUGHTS)))
    start = somewhere(draw, rules) if draw(st.booleans()) else rules.start()
    is_second = rules.side_to_move(start) != rules.side_to_move(rules.start())
    letters = geometry_of(rules).coordinates
    in_letters, position, moves, words = draw(st.booleans()), start, [], []
    for number in range(draw(st.integers(1, 12))):
        legal = rules.legal_moves(position)
        if not legal:
            break
        move = legal[draw(st.integers(0, len(legal) - 1))]
        position = move.after
        moves.append(move.text)
        pair = (number + is_second) // 2 + 1
        if (number + is_second) % 2 == 0:
            words.append(draw(st.sampled_from((f"{pair}.", f"{pair}", f"{pair} ."))))
        elif number == 0:
            words.append("1...")
        text = move.text
        if in_letters:
            sign = "x" if "x" in text else "-"
            text = sign.join(letters[square] for square in text.split(sign))
            text = text.translate(LOOKALIKES) if draw(st.booleans()) else text
        words.append(text + draw(st.sampled_from(SIGNS)) + draw(st.sampled_from(("", "", ","))))
    gaps = draw(st.lists(st.sampled_from((" ", "  ", "\n")), min_size=len(words), max_size=len(words)))
    text = "".join(f"{word}{gap}" for word, gap in zip(words, gaps, strict=True))
    tags = f'[GameType "{rules.pdn.game_type}"]\n[FEN "{rules.format_fen(start)}"]\n' if rules.pdn else ""
    return rules.name, tuple(moves), f"{tags}{text}"


@given(written_by_people())
def test_no_sign_or_comma_changes_a_move(drawn):
    name, moves, text = drawn
    (record,) = games_of(text)
    assert (record.game, record.moves) == (name, moves), text


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("1 11-15 23-19 3 8-11", "column 15: '3' is no move, nor the number of one"),
        ("1. 11-15 7 23-19", "column 10: '7' is no move"),
        ("1. 11-15 2\n3-19", "line 2, column 1: 3-19 is not a legal move"),
        ("1. 11-15, and 23-19", "column 11: 'and' is no move"),
        ("1. 11-15 2. - 23-19", "column 15: a move behind '-'"),
        ("1. 11-15 +0.25 23-19", "column 13: '25' is no move"),
        ("1. 11-15 {a} b} 23-19", "column 14: 'b' is no move"),
        ("1. 11-15 {a {b} {c} d} 23-19", "column 21: 'd' is no move"),
        ("1. \u04446-e5", "'\u04446-e5' is no move"),
        ("1. 11-15 23-19\n1. 9-14 22-17", "line 2, column 1: move 1 once more: a result or * ends a game"),
        ("1) 11-15 23-19\n 1) 9-14 22-17", "line 2, column 2: move 1 once more"),
    ],
)
def test_what_could_mean_something_else_is_refused(text, fault):
    assert fault in fault_of(games_of, text)


def test_an_evaluation_before_the_first_move_is_a_comment_like_others():
    (record,) = games_of("= 1. 11-15 1-0 +-")
    assert record.line.remarks == ("=",)
    assert record.line.plies[0].remarks == ("+-",)


def test_a_number_that_does_not_fit_makes_a_variation_a_comment():
    (record,) = games_of("1 11-15 (1 11-16) 23-19 2 8-11 *")
    assert record.line.plies[0].remarks == ("(1 11-16)",)


def test_joined_files_may_have_a_mark_of_byte_order_before_each_game():
    text = '\ufeff[White "a"]\n1. 11-15 *\n\ufeff[White "b"]\n1. 9-14 *\n\ufeff% c\n1. 9-13 *'
    assert [record.moves for record in games_of(text)] == [("11-15",), ("9-14",), ("9-13",)]


def test_braces_without_end_are_read_in_time():
    (record,) = games_of("1. 11-15 " + "{" * 100_000 + "\n" * 1000 + "}" * 100_000)
    assert record.moves == ("11-15",)
