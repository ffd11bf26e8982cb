"""Transcripts: moves one after the other, passes implied."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from neche.errors import InputError
from neche.games.catalogue import game
from neche.records.record import DRAWN, FIRST_WON, record_of
from neche.records.transcript import write_transcript
from tests.oracles import othello_twin as twin
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
        record = record_of("othello", moves, fen=fen)
        (read,) = transcripts(write_transcript(record))
        assert (read.moves, read.fen) == (record.moves, record.fen)


def test_the_shortest_game_ends_as_the_rules_say():
    # The shortest game in which one colour loses all discs: Black wins after nine moves.
    short = "e6f4e3f6g5d6e7f5c5"
    (record,) = transcripts(short)
    assert record.moves == tuple(short[at : at + 2] for at in range(0, 18, 2))
    assert record.result == FIRST_WON


def test_a_pass_after_which_nobody_moved_is_written():
    (known,) = ggf_games(SERVER_GAME)
    record = record_of("othello", known.moves[:-1])
    assert record.moves[-1] == "pass"
    assert transcripts(write_transcript(record))[0].moves == record.moves


@given(st.integers(0, 10**6))
def test_the_transcript_of_a_game_is_that_game(seed):
    reached = list(twin.random_game(seed))
    names = []
    for before, after in pairwise(reached):
        names.append(next(move.text for move in twin.moves(before) if move.after == after))
    for text in (write_transcript(record_of("othello", names)), " ".join(names), "".join(names)):
        (record,) = transcripts(text)
        expected = names if "pass" in text or "pass" not in names else names[: len(record.moves)]
        assert list(record.moves) == expected


@pytest.mark.parametrize("text", ["d4", "f5f6e6f4g4z9", "f5x", "pass", "f5d6c3d3c4f4f6f3pass"])
def test_a_move_that_is_not_legal_is_refused(text):
    fault = fault_of(transcripts, text)
    assert "is not a legal move" in fault or "'x' begins no move" in fault


@pytest.mark.parametrize(
    "text",
    ["f5d6c3", "F5D6C3", "f5 d6 c3", "1. f5 d6 2. c3", "1) f5 d6 2) c3", "f5,d6,c3\r\n", "\n\nf5d6c3\n\n"],
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
