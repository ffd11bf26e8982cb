"""Replayed games are the games that were played."""

import pytest
from draughts import Board, Move
from draughts.PDN import PDNReader

from neche.arena.match import play_match
from neche.arena.meetings import Event
from neche.arena.pdn import write_games
from neche.arena.replay import replay_match
from neche.errors import InputError
from neche.games.catalogue import game
from neche.players.spec import parse_player


def _event(first, second, **options):
    return Event([parse_player(first), parse_player(second)], **options)


@pytest.mark.parametrize(
    ("first", "second"),
    [("material:depth=2", "random"), ("material:depth=3", "blind:depth=1"), ("random", "random")],
)
def test_every_game_ends_as_its_result_says(first, second):
    event = _event(first, second, seed=11, opening_plies=5)
    report = play_match(event, 24)
    rules = game("checkers")
    plies = [length for pair in report.results for length in pair.plies]
    for record, length in zip(replay_match(event, report), plies, strict=True):
        assert len(record.moves) == length
        position = rules.start()
        for text in record.moves:
            position = next(move.after for move in rules.legal_moves(position) if move.text == text)
        is_over = not rules.legal_moves(position)
        assert is_over == (record.outcome != 0)
        if is_over:
            assert rules.side_to_move(position) == ("White" if record.outcome == 1 else "Black")


def test_both_games_of_a_pair_begin_alike_with_swapped_players():
    event = _event("material:depth=1", "blind:depth=1", seed=2, opening_plies=8)
    games = list(replay_match(event, play_match(event, 6)))
    for one, other in zip(games[0::2], games[1::2], strict=True):
        assert one.moves[:8] == other.moves[:8]
        assert (one.black, one.white) == (other.white, other.black)


def test_another_program_plays_the_written_games_through(tmp_path):
    event = _event("material:depth=2", "blind:depth=2", seed=3)
    path = tmp_path / "games.pdn"
    assert write_games(path, replay_match(event, play_match(event, 10))) == 10
    games = PDNReader(filename=str(path)).games
    assert len(games) == 10
    for read in games:
        board = Board(variant="english")
        for move in read.moves:
            board.push(Move(board, pdn_move=move))
        assert str(len(read.moves)) == read.tags["PlyCount"]


def test_other_games_than_checkers_have_no_pdn_yet():
    event = _event("random", "random")._replace(game="othello")
    with pytest.raises(InputError, match="checkers only"):
        next(replay_match(event, play_match(_event("random", "random"), 2)))
