"""Replayed games are the games that were played."""

import pytest
from draughts import Board, Move
from draughts.PDN import PDNReader

from neche.arena.match import play_match, replay_match
from neche.arena.tournament import Tournament
from neche.games.catalogue import game
from neche.players.spec import parse_player
from neche.records.formats import format_for, read_file, write_games
from neche.records.record import last_position, result_of


def _event(first, second, **options):
    return Tournament([parse_player(first), parse_player(second)], **options)


@pytest.mark.parametrize(
    ("first", "second"),
    [("material:depth=2", "random"), ("material:depth=3", "blind:depth=1"), ("random", "random")],
)
def test_every_replayed_game_ends_with_its_result(first, second):
    tournament = _event(first, second, seed=11, opening_plies=5)
    report = play_match(tournament, 24)
    rules = game("checkers")
    plies = [length for pair in report.results for length in pair.plies]
    for record, length in zip(replay_match(tournament, report), plies, strict=True):
        assert len(record.moves) == length
        ended = result_of(rules, last_position(record))
        assert record.result == ("1/2-1/2" if ended == "*" else ended)


def test_both_games_of_a_pair_have_the_same_opening_with_swapped_players():
    tournament = _event("material:depth=1", "blind:depth=1", seed=2, opening_plies=8)
    games = list(replay_match(tournament, play_match(tournament, 6)))
    for one, other in zip(games[0::2], games[1::2], strict=True):
        assert one.moves[:8] == other.moves[:8]
        assert (one.tag("Black"), one.tag("White")) == (other.tag("White"), other.tag("Black"))


def test_another_program_replays_the_written_games(tmp_path):
    tournament = _event("material:depth=2", "blind:depth=2", seed=3)
    path = tmp_path / "games.pdn"
    assert (
        write_games(path, replay_match(tournament, play_match(tournament, 10)), format_for(game("checkers")))
        == 10
    )
    games = PDNReader(filename=str(path)).games
    assert len(games) == 10
    for read in games:
        board = Board(variant="english")
        for move in read.moves:
            board.push(Move(board, pdn_move=move))
        assert str(len(read.moves)) == read.tags["PlyCount"]


@pytest.mark.parametrize("name", ["brazilian", "international", "othello"])
def test_games_of_every_kind_are_written_and_read(name, tmp_path):
    tournament = _event("random", "random")._replace(game=name)
    chosen = format_for(game(name))
    path = tmp_path / f"games{chosen.ending}"
    records = list(replay_match(tournament, play_match(tournament, 4)))
    write_games(path, records, chosen)
    for read, record in zip(read_file(path), records, strict=True):
        assert (read.game, read.moves, read.result) == (name, record.moves, record.result)
        assert read.tag("White") == read.tag("Black") == "random"
        ended = result_of(record.rules, last_position(record))
        assert read.result == ("1/2-1/2" if ended == "*" else ended)
