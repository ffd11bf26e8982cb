"""Transcripts: moves one after the other, passes implied."""

import random

import pytest

from neche.errors import InputError
from neche.games.catalogue import game
from neche.records.record import DRAWN, record_of
from neche.records.transcript import write_transcript
from tests.records.reading import fault_of, ggf_games, transcripts
from tests.records.test_ggf import SERVER_GAME


def test_a_transcript_without_its_passes_is_the_same_game():
    (known,) = ggf_games(SERVER_GAME)
    text = write_transcript(record_of("othello", known.moves))
    assert text.startswith("d3c5e6d2")
    assert "pass" not in text
    (read,) = transcripts(text)
    assert (read.moves, read.result) == (known.moves, DRAWN)


def test_random_games_are_read_back_alike():
    rules = game("othello")
    for seed in range(12):
        draw, position, moves = random.Random(seed), rules.start(), []
        fen = ""
        while legal := rules.legal_moves(position):
            move = draw.choice(legal)
            moves.append(move.text)
            position = move.after
            if len(moves) == 9 and seed % 2:
                fen, moves = rules.format_fen(position), []
        while moves and moves[-1] == "pass":
            moves.pop()
        record = record_of("othello", moves, fen=fen)
        (read,) = transcripts(write_transcript(record))
        assert (read.moves, read.fen) == (record.moves, record.fen)


@pytest.mark.parametrize(
    "text", ["f5d6c3", "F5D6C3", "f5 d6 c3", "1. f5 d6 2. c3", "f5,d6,c3\r\n", "\n\nf5d6c3\n\n"]
)
def test_spellings(text):
    (record,) = transcripts(text)
    assert record.moves == ("f5", "d6", "c3")


def test_comments_stand_before_a_game():
    first, second = transcripts("# one\n#two\nf5\n\nf5d6\n")
    assert (first.line.remarks, second.line.remarks) == (("one", "two"), ())
    assert write_transcript(first) == "# one\n# two\nf5\n"


def test_a_game_without_moves_is_its_position():
    (record,) = transcripts(write_transcript(record_of("othello", [])))
    assert (record.moves, record.fen) == ((), "")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("f5\nf5d6a1", "test.txt, line 2, column 5: a1 is not a legal move; legal: "),
        ("f5!", "line 1, column 3: '!' begins no move"),
        ("f5i9", "i9 is not a legal move"),
        ("xyz;f5", "line 1, column 1: FEN"),
        ("pass", "pass is not a legal move"),
        (b"\x00", "zero byte"),
    ],
)
def test_what_cannot_be_read_is_named_in_one_line(text, fault):
    assert fault in fault_of(transcripts, text)


def test_games_of_other_kinds_are_refused():
    with pytest.raises(InputError, match="not for checkers"):
        write_transcript(record_of("checkers", ["11-15"]))
