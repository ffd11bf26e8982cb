"""Engines: every kind of player judges, ends when it is told to, and says what it found."""

import threading

import pytest

from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.players.engine import Analysis, Limits, Stop
from neche.players.tree_analysis import playouts_of_depth
from neche.protocols.clock import Budget
from neche.protocols.engine import EngineSettings, make_engine
from neche.protocols.scores import WIN_SCORE, is_decided, score_of
from neche.protocols.worker import Answer, Question, Search

CHECKERS = game("checkers")
START = CHECKERS.start()


def unwanted(what):
    """Hear what should not come."""
    raise AssertionError(what)


def ask(player, effort, position=START, rules=CHECKERS):
    reports: list[Analysis] = []
    engine = make_engine(rules, EngineSettings(player, seed=4, memory_mb=16))
    return engine.search(position, effort, Stop(), reports.append), reports


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_player_when_nobody_is_named(name):
    report, _ = ask("", Limits(depth=2, nodes=50), game(name).start(), game(name))
    assert report.pv[0] in {move.text for move in game(name).legal_moves(game(name).start())}


def test_a_search_goes_to_its_depth_and_tells_each():
    report, told = ask("material", Limits(depth=5))
    assert [one.depth for one in told] == [1, 2, 3, 4, 5]
    assert report.depth == 5
    assert len(report.moves) == 7


def test_what_the_specification_limits_stays_limited():
    assert ask("material:depth=3", Limits(depth=5))[0].depth == 3
    assert ask("uct:playouts=70", Limits(nodes=500))[0].nodes == 70
    assert make_engine(CHECKERS, EngineSettings("uct:time=50")).seconds_a_move == 0.05


def test_a_tree_search_makes_its_playouts_in_slices():
    report, told = ask("uct", Limits(nodes=7000))
    assert report.nodes == 7000
    assert [one.nodes for one in told] == sorted(one.nodes for one in told)
    assert ask("uct", Limits(depth=1))[0].nodes == playouts_of_depth(1)


def test_equal_seeds_give_equal_answers():
    for player in ("uct", "random", "blind:depth=2"):
        assert ask(player, Limits(nodes=600))[0].pv == ask(player, Limits(nodes=600))[0].pv


@pytest.mark.parametrize("player", ["material", "uct"])
def test_a_win_is_told_with_its_plies(player):
    report, _ = ask(player, Limits(), CHECKERS.parse_fen("W:WK18:BK14,5"))
    assert is_decided(report) or score_of(report) < WIN_SCORE
    won, _ = ask(player, Limits(), CHECKERS.parse_fen("W:WK18:BK14"))
    assert score_of(won) == pytest.approx(WIN_SCORE - 0.01)


@pytest.mark.parametrize("player", ["cnn:file=nowhere", "mcrd", "materiel"])
def test_a_player_that_is_no_engine_is_refused(player):
    with pytest.raises(InputError):
        make_engine(CHECKERS, EngineSettings(player))


@pytest.mark.parametrize("player", ["blind", "uct"])
def test_a_search_in_the_background_ends_with_its_budget_or_on_request(player):
    engine = make_engine(CHECKERS, EngineSettings(player, memory_mb=64))
    ended, answers = threading.Event(), list[Answer]()

    def finish(answer):
        answers.append(answer)
        ended.set()

    def run(budget, **asked):
        ended.clear()
        question = Question(engine, START, budget=budget, **asked)
        return Search(question, tell=lambda report: None, finish=finish, fail=unwanted)

    run(Budget(0.01, 0.02)).wait()
    run(Budget(0.0, 0.0)).wait()
    endless = run(None)
    assert not ended.wait(0.05)
    endless.stop()
    endless.wait()
    assert len(answers) == 3
    assert all(answer.analysis.pv for answer in answers)


def test_a_search_that_fails_is_told():
    class Broken:
        seconds_a_move = None

        def search(self, position, effort, stop, tell):
            raise MemoryError("too large")

        def tidy(self, position):
            pass

        def forget(self):
            pass

    faults: list[BaseException] = []
    search = Search(Question(Broken(), START), tell=lambda report: None, finish=unwanted, fail=faults.append)
    search.wait()
    assert [type(fault) for fault in faults] == [MemoryError]
