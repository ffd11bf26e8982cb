"""pydraughts, an independent program, and this one read each other's games."""

import random
import re

import pytest
from draughts import Board, Move
from draughts.PDN import PDNReader, PDNWriter

from neche.games.catalogue import game
from neche.records.pdn.notation import write_position
from neche.records.pdn.writer import write_pdn
from neche.records.record import GameRecord, Line, Ply, last_position
from tests.records.pdn.test_reader import AMBIGUOUS
from tests.records.reading import games_of

VARIANTS = {"checkers": "english", "brazilian": "brazilian", "international": "standard"}
GAMES = 3


@pytest.mark.parametrize("name", VARIANTS)
def test_games_that_pydraughts_writes_are_read(name, tmp_path):
    for seed in range(GAMES):
        draw = random.Random(seed)
        board = Board(VARIANTS[name])
        while board.legal_moves() and len(board.move_stack) < 50:
            board.push(draw.choice(board.legal_moves()))
        path = tmp_path / f"{seed}.pdn"
        written = PDNWriter(str(path), board, tags={"White": "a", "Black": "b"}, game_ending="1-0")
        (record,) = games_of(written.pdn_text)
        assert (record.game, len(record.moves), record.fen) == (name, len(board.move_stack), "")
        assert record.result == "1-0"
        rules = game(name)
        theirs, ours = fen_of(board, name), rules.format_fen(last_position(record))
        assert theirs == ours


def fen_of(board, name):
    """Return the position of pydraughts in our words: its FEN is PDN's, which our reader understands."""
    (record,) = games_of(f'[FEN "{board.fen}"]\n*', default_game=name)
    return record.fen


@pytest.mark.parametrize("name", VARIANTS)
def test_games_written_here_are_played_through_by_pydraughts(name, tmp_path):
    rules, texts, endings = game(name), [], []
    for seed in range(GAMES):
        draw, position = random.Random(seed), rules.start()
        plies: list[Ply] = []
        while len(plies) < 50 and (legal := rules.legal_moves(position)):
            move = draw.choice(legal)
            position = move.after
            remarks = ("a comment", 3) if draw.random() < 0.1 else ()
            plies.append(Ply(move.text, remarks=remarks))
        plies[4] = Ply(plies[4].move, remarks=(Line((plies[4],)),))
        tags = (("Event", str(seed)), ("White", 'a "b"'))
        texts.append(write_pdn(GameRecord(name, Line(tuple(plies)), tags, "", "0-1")))
        endings.append(rules.format_fen(position))
    path = tmp_path / "games.pdn"
    path.write_text("".join(texts))
    read = PDNReader(filename=str(path)).games
    assert [one.tags["Event"] for one in read] == [str(seed) for seed in range(GAMES)]
    for one, ending in zip(read, endings, strict=True):
        assert one.variant == VARIANTS[name]
        board = Board(VARIANTS[name])
        for text in one.moves:
            board.push(Move(board, pdn_move=text))
        assert fen_of(board, name) == ending


@pytest.mark.parametrize(("name", "fen", "text"), AMBIGUOUS)
def test_captures_that_share_their_ends_are_written_alike(name, fen, text):
    rules = game(name)
    start = write_position(fen, rules)
    (record,) = games_of(f'[FEN "{fen}"]\n1. {text} *', default_game=name)
    ours = re.findall("1[.]+ (.*)\n", write_pdn(record))[0]
    board = Board(VARIANTS[name], start)
    board.push(Move(board, pdn_move=ours))
    assert fen_of(board, name) == rules.format_fen(last_position(record))
    for move in Board(VARIANTS[name], start).legal_moves():
        board = Board(VARIANTS[name], start)
        theirs = Move(board, board_move=move.board_move).pdn_move
        board.push(Move(board, board_move=move.board_move))
        (read,) = games_of(f'[FEN "{fen}"]\n1. {theirs} *', default_game=name)
        assert rules.format_fen(last_position(read)) == fen_of(board, name)
