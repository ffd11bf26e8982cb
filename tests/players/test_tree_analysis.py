"""The figures of an analysis of UCT are right, as counted in plain Python from the tree."""

import pytest

from neche.players.uct import Uct
from tests.montecarlo.tree_builders import CHECKERS, KEY, edges_of, node_of

START = CHECKERS.start()


def engine_after(position, playouts=5000, **options):
    engine = Uct(playouts=playouts, **options).new_game(CHECKERS)
    return engine, engine.analyse(position, key=KEY)


def most_visited_line(tree, position, least):
    """Follow the most visited moves, in plain Python, while they have `least` visits."""
    line: list[str] = []
    while True:
        edges = list(edges_of(tree, node_of(tree, position)))
        if not edges:
            return line
        number = max(range(len(edges)), key=lambda index: (edges[index].visits, edges[index].value, -index))
        if edges[number].visits < least:
            return line
        move = CHECKERS.legal_moves(position)[number]
        line.append(move.text)
        position = move.after


@pytest.mark.parametrize("fen", ["B:W21-32:B1-12", "W:W32,31,30,28,27,26,22,20,18:B1,2,3,4,6,7,11,12,19"])
def test_the_principal_variation_follows_the_most_visited_moves(fen):
    position = CHECKERS.parse_fen(fen)
    engine, found = engine_after(position)
    tree = engine._work.tree
    assert list(found.pv) == most_visited_line(tree, position, 1)
    assert found.figures["line_length"] == len(most_visited_line(tree, position, 100))
    assert 1 <= found.figures["line_length"] < len(found.pv)


@pytest.mark.parametrize("least", [1, 10, 1000])
def test_the_line_ends_where_visits_fall_below_the_given_number(least):
    engine, found = engine_after(START, confident_visits=least)
    assert found.figures["line_length"] == len(most_visited_line(engine._work.tree, START, least))


def test_figures_are_for_one_move_and_visits_for_the_game():
    engine = Uct(playouts=1000).new_game(CHECKERS)
    first = engine.analyse(START, key=KEY)
    second = engine.analyse(START, key=KEY + 1)
    assert (first.figures["visits"], second.figures["visits"]) == (1000, 2000)
    assert first.figures["descents"] == second.figures["descents"] == 1000
    assert second.playouts == 1000
    assert second.figures["mean_depth"] > first.figures["mean_depth"]
    assert second.figures["tree_depth"] >= second.figures["mean_depth"]
    assert 60 < first.figures["mean_plies"] < 80


def test_the_rate_is_playouts_over_seconds():
    _, found = engine_after(START, 500, leaf=4)
    assert found.playouts == 2000
    assert found.figures["playouts_per_second"] == pytest.approx(2000 / found.seconds)


def test_bounds_contain_the_value_and_narrow_with_visits():
    _, found = engine_after(START, exploration=2.0)
    for move in found.moves:
        assert 0 <= move.low <= move.value < move.high <= 1
    widths = [move.high - move.low for move in sorted(found.moves, key=lambda move: move.visits)]
    assert widths == sorted(widths, reverse=True)


def test_the_line_ends_before_a_position_repeats():
    position = CHECKERS.parse_fen("W:WK32:BK1")
    _, found = engine_after(position, 3000)
    seen = {CHECKERS.format_fen(position)}
    for text in found.pv:
        position = next(move.after for move in CHECKERS.legal_moves(position) if move.text == text)
        assert CHECKERS.format_fen(position) not in seen
        seen.add(CHECKERS.format_fen(position))
