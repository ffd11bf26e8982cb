"""Games that are adjudicated by solved endings, of three pieces in checkers."""

import pytest

from neche.arena.match import play_match, replay_match
from neche.arena.tournament import Tournament, check_tournament, identity_of
from neche.endings.probing import open_endings
from neche.endings.solving import solve_endings
from neche.errors import InputError
from neche.games.catalogue import game
from neche.players.spec import parse_player
from neche.records.record import DRAWN, FIRST_WON, SECOND_WON, replay

CHECKERS = game("checkers")
PLAYERS = tuple(map(parse_player, ("material:depth=2", "material:depth=3")))
# three kings a side, far apart: games come down to few pieces soon or not at all
START = "W:WK1,K2,K9:BK24,K31,K32"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("endings")
    list(solve_endings(CHECKERS, folder, 3))
    return folder


def games(endings):
    tournament = Tournament(PLAYERS, seed=3, opening_plies=4, starts=(START,), endings=endings)
    report = play_match(tournament, 16)
    return report, list(replay_match(tournament, report))


def ends(records):
    for record in records:
        positions = [record.start, *(move.after for move in replay(record))]
        yield record, positions


def test_games_end_with_the_first_position_that_is_solved(folder):
    endings, num_adjudicated = open_endings(CHECKERS, folder), 0
    report, records = games(str(folder))
    for record, positions in ends(records):
        verdicts = [endings.probe(position) for position in positions]
        assert not any(verdicts[:-1])
        if verdicts[-1]:
            num_adjudicated += 1
            result = verdicts[-1].result * (1 if CHECKERS.side_to_move(positions[-1]) == "White" else -1)
            assert record.result == {1: SECOND_WON, 0: DRAWN, -1: FIRST_WON}[result]
    assert num_adjudicated > 0
    assert report.wins + report.draws + report.losses == 16


def test_games_are_the_same_up_to_the_adjudication(folder):
    _, shorter = games(str(folder))
    _, whole = games("")
    for short, full in zip(shorter, whole, strict=True):
        moves = [move.text for move in replay(short)]
        assert [move.text for move in replay(full)][: len(moves)] == moves


def test_adjudicated_games_have_another_identity_than_others(folder):
    plain = Tournament(PLAYERS)
    assert "adjudicated" not in identity_of(plain)
    assert identity_of(plain._replace(endings=str(folder)))["adjudicated"] == 3


def test_missing_endings_are_a_fault_before_any_game(tmp_path):
    with pytest.raises(InputError, match="no solved endings of checkers"):
        check_tournament(Tournament(PLAYERS, endings=str(tmp_path)))
