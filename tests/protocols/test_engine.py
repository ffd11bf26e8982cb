"""Engines: every kind of player evaluates, stops on request, and reports its result."""

import threading

import pytest

from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.players.engine import WIN_VALUE, Analysis, Limits, Stop
from neche.protocols.clock import Budget
from neche.protocols.engine import (
    WIN_SCORE,
    EngineSearch,
    ProtocolEngine,
    protocol_score,
)
from tests.games.random_games import games

CHECKERS = game("checkers")
START = CHECKERS.start()


def ask(player, limits, position=START, rules=CHECKERS):
    reports: list[Analysis] = []
    engine = ProtocolEngine(rules, player, seed=4, memory_mb=16)
    return engine.analyse(position, limits, Stop(), reports.append), reports


def score(analysis):
    return protocol_score(analysis.value, analysis)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_player_when_none_is_named(name):
    analysis, _ = ask("", Limits(depth=2, nodes=50), game(name).start(), game(name))
    assert analysis.pv[0] in {move.text for move in game(name).legal_moves(game(name).start())}


def test_a_search_goes_to_its_depth_and_tells_each():
    analysis, reports = ask("material", Limits(depth=5))
    assert [one.depth for one in reports] == [1, 2, 3, 4, 5]
    assert analysis.depth == 5
    assert len(analysis.moves) == 7


def test_what_the_specification_limits_stays_limited():
    assert ask("material:depth=3", Limits(depth=5))[0].depth == 3
    assert ask("uct:playouts=70", Limits(nodes=500))[0].nodes == 70
    assert ProtocolEngine(CHECKERS, "uct:time=50").seconds_a_move == 0.05


def test_a_tree_search_makes_its_playouts_in_slices():
    analysis, reports = ask("uct", Limits(nodes=7000))
    assert analysis.nodes == 7000
    assert [one.nodes for one in reports] == sorted(one.nodes for one in reports)
    assert ask("uct", Limits(depth=1))[0].nodes == 707


def test_equal_seeds_give_equal_answers():
    for player in ("uct", "random", "blind:depth=2"):
        assert ask(player, Limits(nodes=600))[0].pv == ask(player, Limits(nodes=600))[0].pv


@pytest.mark.parametrize("player", ["material", "uct"])
def test_a_win_is_reported_with_its_plies(player):
    analysis, _ = ask(player, Limits(), CHECKERS.parse_fen("W:WK18:BK14,5"))
    assert score(analysis) < WIN_SCORE
    won, _ = ask(player, Limits(), CHECKERS.parse_fen("W:WK18:BK14"))
    assert score(won) == pytest.approx(WIN_SCORE - 0.01)


@pytest.mark.parametrize("player", ["cnn:file=nowhere", "mcrd", "materiel"])
def test_a_player_that_is_no_engine_is_refused(player):
    with pytest.raises(InputError):
        ProtocolEngine(CHECKERS, player)


@pytest.mark.parametrize(
    ("analysis", "expected"),
    [
        (Analysis((), (), (), 0.25), 0.25),
        (Analysis((), (), (), 4 - WIN_VALUE), -99.96),
        (Analysis((), (), (), 1e6), 80.0),
        (Analysis((), (), (), 0.5, is_score=True), 0.0),
        (Analysis((), (), (), 0.731, is_score=True), 1.0),
        (Analysis((), (), (), 1.0, is_score=True), 10.0),
        (Analysis((), (), (), 1.0, is_score=True, figures={"proven_plies": 3}), 99.97),
        (Analysis((), (), (), 0.5, is_score=True, figures={"proven_plies": 3}), 0.0),
        (Analysis((), (), ()), 0.0),
    ],
)
def test_values_are_sent_as_men(analysis, expected):
    assert score(analysis) == pytest.approx(expected, abs=0.005)


# Not blind: if all positions are equal, the deepest search possible takes 70 ms and ends by itself.
@pytest.mark.parametrize("player", ["champion-1", "uct"])
def test_a_search_in_the_background_ends_with_its_budget_or_on_request(player):
    engine = ProtocolEngine(CHECKERS, player, memory_mb=64)
    found: list[Analysis] = []
    ended, faults = threading.Event(), list[str]()

    def finish(analysis, seconds):
        found.append(analysis)
        ended.set()

    def run(budget):
        ended.clear()
        return EngineSearch(engine, START, Limits(), budget, finish=finish, fail=faults.append)

    run(Budget(0.01, 0.02)).wait()
    run(Budget(0.0, 0.0)).wait()
    endless = run(None)
    assert not ended.wait(0.05)
    endless.stop()
    endless.wait()
    assert len(found) == 3
    assert all(analysis.pv for analysis in found)
    assert faults == []


@pytest.mark.parametrize(("player", "most"), [("uct", 1), ("positional", 100)])
def test_a_player_that_solves_in_vain_still_has_time_to_think(player, most):
    """Solving thirty moves takes hours; one playout or a search of one ply takes no time."""
    othello = game("othello")
    position = next(one for one in games("othello")[0] if othello.format_fen(one).count("-") <= 30)
    found: list[Analysis] = []
    # Players are loaded or compiled in the first search, which has nothing to solve.
    for spec in (player, f"{player}:exact=30"):
        EngineSearch(
            ProtocolEngine(othello, spec, memory_mb=64),
            position,
            Limits(),
            Budget(0.7, 1.5),
            finish=lambda analysis, seconds: found.append(analysis),
            fail=pytest.fail,
        ).wait()
    assert found[1].proven is None
    assert found[1].nodes > most
    assert found[1].depth > 1


def begun_search(engine, heard):
    """Begin an endless search; its result or fault is put into `heard`."""
    add = heard.append
    return EngineSearch(engine, START, Limits(), finish=lambda analysis, seconds: add(analysis), fail=add)


def test_nothing_is_heard_of_an_abandoned_search():
    engine = ProtocolEngine(CHECKERS, "uct", memory_mb=64)
    heard: list[object] = []
    search = begun_search(engine, heard)
    search.abandon()
    search.wait()
    assert heard == []


def test_a_search_that_fails_is_reported(monkeypatch):
    engine = ProtocolEngine(CHECKERS, "random")

    def broken(*arguments, **options):
        raise MemoryError("too large")

    monkeypatch.setattr(engine, "analyse", broken)
    heard: list[object] = []
    search = begun_search(engine, heard)
    search.wait()
    assert heard == ["the search failed: MemoryError: too large"]
