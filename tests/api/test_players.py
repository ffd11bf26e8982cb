"""Opinions, choices and matches through the public names."""

from typing import Any

import numpy as np
import pytest

import neche
from neche.evolution.settings import Settings
from neche.games.catalogue import GAMES


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("spec", ["material:depth=2", "uct:playouts=50", "mcrd:playouts=50"])
def test_every_legal_move_gets_an_opinion(name, spec):
    board = neche.Board(name)
    opinion = neche.analyse(board, spec, seed=3)
    assert sorted(opinion.values) == sorted(board.moves)
    assert opinion.move in board.moves
    assert opinion.pv[0] in board.moves
    assert opinion._repr_svg_().startswith("<svg")
    assert any(move.visits for move in opinion.moves) == (not spec.startswith("material"))


def test_search_sees_the_win_of_a_man():
    opinion = neche.analyse(neche.Board("checkers", "W:W18:B14,1"), "material:depth=1")
    assert (opinion.move, opinion.value) == ("18x9", 0)


def test_a_move_back_to_a_position_of_the_game_is_a_draw_to_a_selective_search():
    # the move by which White, a king ahead, comes to where it was two plies before
    spec, board = "material:nodes=2000", neche.Board("checkers", "W:WK18,K22:BK4")
    after, again = board.play("18-15", "4-8", "15-18", "8-4"), "18-15"
    assert neche.analyse(neche.Board("checkers", after.fen), spec).values[again] > 0
    assert neche.analyse(after, spec).values[again] == 0
    assert neche.choose(after, spec).analysis.values[again] == 0


def test_a_player_without_an_opinion_says_so():
    with pytest.raises(neche.InputError, match="random does not evaluate positions"):
        neche.analyse(neche.Board(), "random")


def test_the_same_seed_chooses_the_same_move():
    board = neche.Board("othello")
    assert neche.choose(board, "random", seed=5).move.text == neche.choose(board, "random", seed=5).move.text
    drawn = {neche.choose(board, "random", seed=seed).move.text for seed in range(40)}
    assert drawn == set(board.moves)


def test_a_network_plays_as_the_words_for_it_do():
    champion = neche.read_network("champion")
    by_words = neche.match("champion:depth=2", "random", games=10, seed=2)
    by_network = neche.match(neche.player(champion, depth=2), "random", games=10, seed=2)
    assert by_words.results == by_network.results
    assert by_words.wins >= 9


def test_a_network_of_another_board_is_refused():
    with pytest.raises(neche.InputError, match="does not see the board of othello"):
        neche.match("champion", "random", game="othello", games=2)


def test_the_picture_says_scores_as_scores_and_wins_as_wins():
    won = neche.analyse(neche.Board("checkers", "W:W18:B14"), "material:depth=3").svg()
    assert "wins in 1" in won
    assert "999999" not in won
    assert "+0." not in neche.analyse(neche.Board("othello"), "uct:playouts=50").svg()


# Callers in scripts have no type checker.
untyped: Any = neche


def test_seeds_of_other_libraries_decide_a_match():
    first, again = (untyped.match("random", "random", games=4, seed=seed) for seed in (np.int64(3), 3))
    assert first == again


def test_numbers_of_games_of_other_libraries_are_taken():
    # A separate seed, as existing keys are not made again.
    first, again = (untyped.match("random", "random", games=games, seed=40821) for games in (np.int64(5), 5))
    assert first == again


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda: untyped.match(lambda board: 0, "random"), r"a player \(text .*\) is needed, not function"),
        (lambda: untyped.match("random", None), r"a player \(text .*\) is needed, not NoneType"),
        (lambda: untyped.player(4), r"a player \(text .*\) is needed, not int: 4"),
        (lambda: untyped.match("random", "random", games=0), "games = 0: a whole number of at least 1"),
        (lambda: untyped.match("random", "random", games="9"), "games = '9': a whole number"),
        (lambda: untyped.match("random", "random", openings=-1), "openings = -1: a whole number"),
        (lambda: untyped.match("random", "random", openings=4097), "a whole number from 0 to 4096"),
        (lambda: untyped.match("random", "random", seed=1.5), r"seed = 1\.5: a whole number"),
        (lambda: untyped.player(untyped.read_network("champion"), depth="4"), "depth = '4': a whole number"),
        (lambda: untyped.player(untyped.read_network("champion"), depth=100), "a whole number from 1 to 60"),
        (lambda: untyped.analyse("checkers"), "a Board is needed, not str: 'checkers'"),
        (lambda: untyped.choose(untyped.Board(), "random", seed=True), "seed = True: a whole number"),
        (lambda: untyped.Board(8), "the name of a game is needed, not int: 8"),
        (lambda: untyped.Board("checkers", 8), "a FEN as text is needed, not int"),
        (lambda: untyped.Board().perft(-1), "depth = -1: a whole number"),
        (lambda: untyped.Board().playouts("many"), "count = 'many': a whole number"),
        (lambda: untyped.read_network(5), "the name of a source is needed, not int"),
        (lambda: untyped.player("champion", depth=6), "depth = 6: only for networks and functions; text: "),
        (lambda: untyped.weights("champion"), "a Network is needed, not str: 'champion'"),
        (lambda: untyped.to_graph("champion"), "a Network is needed, not str: 'champion'"),
        (lambda: untyped.sweep("x", seeds=3), "a list of seeds is needed, not int: 3"),
        (lambda: untyped.sweep(5), "the name of a directory is needed, not int: 5"),
        (lambda: untyped.sweep("x", plugins=5), "a file, a marked function or a list of them is needed, not"),
        (lambda: untyped.evolve(plugins=5), "a file, a marked function or a list of them is needed, not int"),
        (lambda: untyped.evolve(run=5), "the name of a directory is needed, not int: 5"),
        (lambda: untyped.evolve(run=5, resume=True), "the name of a directory is needed, not int: 5"),
        (lambda: untyped.evolve(origin=5, run="x"), "a run, file, champion or DNA is needed, not int: 5"),
        (lambda: untyped.evolve(overrides="elites=1"), "a list of KEY=VALUE is needed, not str: 'elites=1'"),
        (lambda: untyped.evolve(overrides=None), "a list of KEY=VALUE is needed, not NoneType: None"),
        (lambda: untyped.evolve(overrides=[1]), "1: expected KEY=VALUE"),
        (lambda: untyped.write_report(5, "x.html"), "the name of a run directory is needed, not int: 5"),
        (lambda: untyped.write_report("x", 5), "the name of a file is needed, not int: 5"),
        (lambda: untyped.round_robin(5), "a list of players is needed, not int: 5"),
        (lambda: untyped.ladder("random", 5), "a list of players is needed, not int: 5"),
        (lambda: untyped.round_robin("random"), "a list of players is needed, not str: 'random'"),
        (lambda: untyped.ladder("random", "blind"), "a list of players is needed, not str: 'blind'"),
        (lambda: untyped.Board.from_pdn("1. 11-15 *", 5), "the name of a game is needed, not int: 5"),
        (lambda: untyped.sweep("x", seeds=[]), r"seeds = \[\]: at least one, and none twice"),
        (lambda: untyped.sweep("x", seeds=[1, 2, 1]), r"seeds = \[1, 2, 1\]: at least one, and none twice"),
        (lambda: untyped.sweep("x", seeds=[-1]), "seed = -1: a whole number"),
        (lambda: untyped.sweep("x", seeds=[2**63]), "seed = 9223372036854775808: a whole number from 0 to"),
        (lambda: untyped.sweep("x", seeds="12"), "seed = '1': a whole number"),
        (lambda: untyped.sweep("x", generations=-1), "generations = -1: a whole number"),
        (lambda: untyped.sweep("x", jobs=-1), "jobs = -1: a whole number of at least 1"),
        (lambda: untyped.evolve(seed="1"), "seed = '1': a whole number"),
        (lambda: untyped.evolve(seed=2**63), "seed = 9223372036854775808: a whole number from 0 to"),
        (lambda: untyped.evolve(generations=-1), "generations = -1: a whole number"),
        (lambda: untyped.evolve(device=None), "the name of a device is needed, not NoneType"),
        (lambda: untyped.read_network("champion", 3), "the id of a genome is needed, not int: 3"),
        (lambda: untyped.read_network("champion", topology=64), "a topology in words is needed, not int"),
        (lambda: untyped.match("random", "random", game=3), "the name of a game is needed, not int: 3"),
        (lambda: untyped.Board().svg(size="big"), "size = 'big': a whole number of at least 1"),
        (lambda: untyped.sweep("x", Settings()), "the name of a recipe or its file is needed, not Settings"),
        (lambda: untyped.sweep("x", fitness=abs), "<built-in function abs>: mark a function, as by"),
        (lambda: untyped.sweep("x", mutation=[abs]), "mark a function, as by @neche.plugin"),
    ],
)
def test_a_wrong_argument_is_one_clear_line(call, fault):
    with pytest.raises(neche.InputError, match=fault):
        call()


def test_players_may_come_one_by_one():
    assert len(untyped.round_robin(iter(("random", "blind:depth=1")), games=2).standings) == 2
    (rung,) = untyped.ladder("random", iter(("blind:depth=1",)), games=2)
    assert rung.player == "blind:depth=1"


def test_a_round_robin_orders_its_players_and_shows_itself_as_a_table():
    players: list[Any] = ["random", neche.read_network("champion"), "material:depth=1"]
    table = neche.round_robin(players, games=6, seed=1, anchor="random")
    assert table.standings[-1].name == "random"
    assert table.standings[-1].elo == 0.0
    assert table._repr_html_().count("<tr>") == 4
    assert repr(table).startswith("<Round robin: ")
    with pytest.raises(neche.InputError, match="is listed twice"):
        neche.round_robin(["random", "random"])


def test_a_ladder_is_climbed_rung_by_rung():
    rungs = neche.ladder("champion:depth=2", ["random", "blind:depth=2"], games=6, seed=1)
    assert [rung.player for rung in rungs] == ["random", "blind:depth=2"]
    assert all(rung.wins + rung.draws + rung.losses == 6 for rung in rungs)
    match = neche.match("champion:depth=2", "random", games=6, seed=1)
    assert (rungs[0].wins, rungs[0].draws) == (match.wins, match.draws)
