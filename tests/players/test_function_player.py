"""Functions as players: an evaluator searches like a compiled one, a player plays the moves it returns."""

from typing import Any

import numpy as np
import pytest

import neche
from neche.arena.match import play_match
from neche.arena.tournament import Tournament, identity_of
from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.players.engine import Analysis, Limits, Stop
from neche.players.spec import parse_player
from tests.games.random_games import positions


@neche.plugin.evaluator
def counted(board):
    """Count men as 1 and kings as 2, as `material` does."""
    own, foe, kings = (int(word) for word in board.position[:3])
    return (own.bit_count() + (own & kings).bit_count()) - (foe.bit_count() + (foe & kings).bit_count())


@neche.plugin.player
def any_move(board, rng):
    return board.moves[rng.integers(len(board.moves))]


@pytest.mark.parametrize("name", ["checkers", "brazilian"])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_an_evaluator_finds_what_the_compiled_search_finds(name, depth):
    """The same evaluation written in Python has equal values, best moves and lines in each position."""
    rules = game(name)
    mine = parse_player(f"counted:depth={depth}", name).new_game(rules)
    compiled = parse_player(f"material:depth={depth}", name).new_game(rules)
    for position in [one for one in positions(name) if rules.legal_moves(one)][depth::40][:25]:
        found = mine.analyse(position, every_value=True)
        expected = compiled.analyse(position, every_value=True)
        assert found.values == expected.values
        assert set(found.best_moves) == set(expected.best_moves)
        assert set(mine.analyse(position).best_moves) == set(expected.best_moves)
        assert found.pv[0] in expected.best_moves


@pytest.mark.parametrize("name", GAMES)
def test_both_kinds_play_every_game(name):
    def mobile(board):
        return len(board.moves)

    mover = neche.plugin.evaluator(mobile)
    report = neche.match(neche.player(mover, depth=1), any_move, game=name, games=2, seed=1)
    assert report.wins + report.draws + report.losses == 2


def test_counting_men_beats_random_moves_and_equal_seeds_give_equal_games():
    first, again = (neche.match("counted:depth=2", any_move, games=10, seed=3) for _ in range(2))
    assert first == again
    assert first.wins >= 9


def test_functions_are_accepted_by_name_and_as_objects():
    board = neche.Board("checkers", "W:W18:B14")
    assert neche.choose(board, any_move).move.text == "18x9"
    assert neche.choose(board, "any_move").move.text == "18x9"
    found = neche.analyse(board, counted)
    assert (found.move, found.player) == ("18x9", "counted:depth=1")
    assert found.plies_to_end == 1
    assert neche.player(counted, depth=3).name == "counted:depth=3"
    with pytest.raises(InputError, match="player any_move does not evaluate positions"):
        neche.analyse(board, any_move)


def test_reports_of_progress_have_depth_nodes_and_time():
    rules = game("checkers")
    told: list[Analysis] = []
    engine = parse_player("counted:depth=3").new_game(rules)
    found = engine.analyse(rules.start(), stop=Stop(), limits=Limits(depth=3), progress=told.append)
    assert [one.depth for one in told] == [1, 2, 3]
    nodes, seconds = [one.nodes for one in told], [one.seconds for one in told]
    assert nodes == sorted({*nodes, found.nodes})
    assert 0.0 < seconds[0] < seconds[1] < seconds[2] <= found.seconds


def test_an_analysis_ends_with_a_move_on_request_and_at_its_limits():
    rules = game("checkers")
    engine = parse_player("counted:depth=2").new_game(rules)
    stop = Stop()
    stop.request()
    assert engine.analyse(rules.start(), limits=Limits(depth=20), stop=stop).depth == 1
    assert 1 <= engine.analyse(rules.start(), limits=Limits(nodes=300)).depth < 20
    told: list[Any] = []
    engine.analyse(rules.start(), limits=Limits(depth=3, nodes=10**9), progress=told.append)
    assert [one.depth for one in told] == [1, 2, 3]


def test_the_time_of_a_function_that_chooses_is_told():
    rules = game("checkers")
    assert parse_player("any_move").new_game(rules).analyse(rules.start()).seconds > 0


def test_a_results_file_identifies_a_function_by_its_source():
    players = [parse_player("counted:depth=1"), parse_player("any_move")]
    digests = identity_of(Tournament(players))["networks"]
    assert len(set(digests)) == 2
    assert all(len(digest) == 16 for digest in digests)


def test_function_players_play_with_workers_of_other_processes():
    import joblib

    players = [parse_player("counted:depth=1"), parse_player("any_move")]
    here = play_match(Tournament(players, seed=2), games=4)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert play_match(Tournament(players, seed=2), games=4) == here


def wrong_values(value):
    def odd(board):
        return value

    return neche.player(neche.plugin.evaluator(odd))


@pytest.mark.parametrize("value", [None, "1", float("nan"), [1.0], np.zeros(3), 1e13])
def test_a_wrong_value_is_refused_in_one_line(value):
    with pytest.raises(InputError, match=r"^evaluator odd \(test_function_player.py:\d+\): returned "):
        neche.analyse(neche.Board(), wrong_values(value))


@pytest.mark.parametrize("answer", ["1-1", None, 3, "11-15 "])
def test_an_illegal_move_is_refused_in_one_line_with_the_legal_ones(answer):
    @neche.plugin.player
    def odd(board):
        return answer

    with pytest.raises(
        InputError, match=r"^player odd \(.*\): chose .* not a legal move; those are 11-16, 10-15"
    ):
        neche.match(odd, "random", games=2, openings=0)


@pytest.mark.parametrize("word", ["material", "random", "champion"])
def test_a_function_cannot_take_the_name_of_another_player(word):
    def taken(board):
        return 0

    taken.__name__ = word
    neche.plugin.evaluator(taken)
    with pytest.raises(InputError, match="another player has that name"):
        parse_player(word)


def test_options_and_unmarked_functions_are_refused():
    with pytest.raises(InputError, match="counted has no option 'deph'"):
        parse_player("counted:deph=2")
    with pytest.raises(InputError, match=r"out of range 1\.\.20"):
        parse_player("counted:depth=21")
    with pytest.raises(InputError, match=r"a function marked by neche\.plugin\) is needed, not function"):
        neche.player(lambda board: 0)
    with pytest.raises(InputError, match="is not a player; those are evaluator and player"):
        neche.player(neche.plugin.mutation(lambda genome: genome))
