"""PDN that strict readers accept."""

import re
from typing import NamedTuple

import pytest
from draughts.PDN import PDNReader

from neche.arena.pdn import GameRecord, format_game, move_texts, write_games
from neche.errors import InputError

MOVES = ["11-15", "23-19", "8-11", "22-17", "9-13", "17-14", "10x17", "21x14", "6-10", "19-16", "11x20"]

# W. Wesselink, PDN 3.0, writing grammar: header, then moves, move numbers and comments, then "*"
_TAG = r'\[[A-Z][a-zA-Z0-9_]* "[^"]*"\]\s+'
_SQUARE = "[1-9][0-9]?"
_BODY = rf"(?:(?:[0-9]+\.(?:\.\.)?\s+)?{_SQUARE}(?:-{_SQUARE}|(?:x{_SQUARE})+)\s+|\{{[^}}]*\}}\s+)+"
STRICT_FILE = re.compile(rf"(?:(?:{_TAG})+{_BODY}\*\s+)+")


def test_the_text_obeys_the_writing_grammar(tmp_path):
    path = tmp_path / "games.pdn"
    count = write_games(path, [GameRecord("a", "b", MOVES * 9, 1), GameRecord("b", "a", ["11-15"], 0)])
    assert count == 2
    assert STRICT_FILE.fullmatch(path.read_text())


def test_another_program_reads_the_same_moves_and_tags(tmp_path):
    path = tmp_path / "games.pdn"
    write_games(path, [GameRecord("blind:depth=2", "random", MOVES, -1, event="test", round="3")])
    (game,) = PDNReader(filename=str(path)).games[:1]
    assert game.moves == MOVES
    assert game.variant == "english"
    assert game.tags["Black"] == "blind:depth=2"
    assert game.tags["White"] == "random"
    assert game.tags["Result"] == "0-1"
    assert game.tags["PlyCount"] == "11"


@pytest.mark.parametrize(
    ("outcome", "result", "words"),
    [(1, "1-0", "Black wins"), (0, "1/2-1/2", "drawn"), (-1, "0-1", "White wins")],
)
def test_the_result_is_that_of_the_side_that_moves_first_and_said_in_words(outcome, result, words):
    text = format_game(GameRecord("a", "b", MOVES, outcome))
    assert f'[Result "{result}"]' in text
    assert "{" + words + "}" in text


def test_lines_stay_short():
    text = format_game(GameRecord("a", "b", MOVES * 20, 1))
    assert max(map(len, text.splitlines())) < 80


def test_a_game_in_which_white_begins_is_numbered_so():
    text = format_game(GameRecord("a", "b", ["22-18", "11-15"], 0, fen="W:W22:B11"))
    assert "1... 22-18 2. 11-15" in text
    assert '[FEN "W:W22:B11"]' in text


def test_quotes_and_line_ends_in_names_cannot_break_a_tag():
    assert STRICT_FILE.fullmatch(format_game(GameRecord('a "b"\n[c]', "d\\", MOVES, 1)))


@pytest.mark.parametrize("move", ["11-33", "0-4", "011-15", "11-15x22", "11 - 15", "a3b4", ""])
def test_a_text_that_is_no_move_is_refused(move):
    with pytest.raises(InputError, match="no move of American checkers"):
        format_game(GameRecord("a", "b", [move], 0))


def test_an_outcome_of_two_is_refused():
    with pytest.raises(InputError, match="outcome"):
        format_game(GameRecord("a", "b", MOVES, 2))


def test_an_unwritable_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"missing.*cannot be written"):
        write_games(tmp_path / "missing" / "games.pdn", [])


class _Step(NamedTuple):
    text: str
    after: int


def test_moves_are_found_from_positions():
    def legal_moves(position):
        return [_Step(f"{position}+{add}", position + add) for add in (1, 2, 3)]

    assert move_texts([0, 2, 3, 6], legal_moves) == ["0+2", "2+1", "3+3"]
    with pytest.raises(InputError, match="after ply 2"):
        move_texts([0, 2, 9], legal_moves)
