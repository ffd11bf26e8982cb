"""The tree: one node for each position however it is reached, and which positions are forgotten."""

import numpy as np
import pytest

from neche.montecarlo.tree import (
    NONE,
    NUM_EDGES,
    NUM_ITERATIONS,
    clear,
    keep_most_visited,
    keep_reachable,
    probe,
)
from neche.players.uct import Uct
from tests.montecarlo.tree_builders import (
    CHECKERS,
    KEY,
    edges_of,
    new_workspace,
    node_of,
    num_nodes,
    position_of,
    run,
)

START = CHECKERS.start()
KINGS = CHECKERS.parse_fen("B:WK18,K22,K23:BK5,K12,14")


def as_key(position):
    return tuple(map(int, position))


def searched(position, playouts=3000, **options):
    work = new_workspace(**options)
    return run(work, position, playouts)


@pytest.mark.parametrize("position", [START, KINGS], ids=["start", "kings"])
def test_every_position_is_one_node_with_all_its_moves(position):
    tree = searched(position)
    nodes = tree.nodes[: num_nodes(tree)]
    positions = [position_of(node) for node in nodes]
    assert len({as_key(here) for here in positions}) == len(nodes)
    for index, here in enumerate(positions):
        assert probe(tree, here) == index
        children = [
            as_key(position_of(tree.nodes[edge.child])) if edge.child != NONE else None
            for edge in edges_of(tree, nodes[index])
        ]
        after = [as_key(move.after) for move in CHECKERS.legal_moves(here)]
        assert len(children) == len(after)
        assert all(child in (None, key) for child, key in zip(children, after, strict=True))


@pytest.mark.parametrize("position", [START, KINGS], ids=["start", "kings"])
@pytest.mark.parametrize("is_solving", [True, False])
def test_visits_of_a_position_are_one_more_than_those_of_its_moves(position, is_solving):
    tree = searched(position, is_solving=is_solving)
    for node in tree.nodes[: num_nodes(tree)]:
        edges = edges_of(tree, node)
        ended_here = node.visits - sum(edge.visits for edge in edges)
        assert ended_here == 1 or (ended_here > 1 and (node.proof != 0 or len(edges) == 0))
        assert 0.0 <= node.value <= 1.0
        if node.proof == 0:
            total = node.leaf_value + sum(edge.visits * edge.value for edge in edges)
            assert node.value == pytest.approx(total / node.visits, abs=1e-12)


def test_transpositions_share_their_statistics():
    """A position that different orders of moves reach has several parents and one node."""
    tree = searched(START, 20_000)
    incoming: dict[int, list[int]] = {}
    for node in tree.nodes[: num_nodes(tree)]:
        for edge in edges_of(tree, node):
            if edge.child != NONE:
                incoming.setdefault(int(edge.child), []).append(int(edge.visits))
    shared = {child: visits for child, visits in incoming.items() if len(visits) > 1}
    assert len(shared) > 500
    for child, visits in incoming.items():
        assert tree.nodes[child].visits == sum(visits)


def test_positions_on_the_path_are_draws_so_that_cycles_end():
    """One king each, far apart: every line repeats, and values stay near a draw."""
    position = CHECKERS.parse_fen("W:WK32:BK1")
    tree = searched(position, 5000)
    root = node_of(tree, position)
    assert root.visits == 5000
    assert root.value == pytest.approx(0.5, abs=0.05)


def test_an_empty_tree_knows_no_position():
    tree = searched(START, 100)
    clear(tree)
    assert probe(tree, START) == NONE
    assert num_nodes(tree) == 0


@pytest.mark.parametrize("position", [START, KINGS], ids=["start", "kings"])
def test_forgetting_keeps_exactly_the_reachable_positions(position):
    tree = searched(position, 4000)
    new_root = max(edges_of(tree, node_of(tree, position)), key=lambda edge: edge.visits).child
    reached, waiting = set(), [int(new_root)]
    while waiting:
        index = waiting.pop()
        if index not in reached:
            reached.add(index)
            edges = edges_of(tree, tree.nodes[index])
            waiting += [int(edge.child) for edge in edges if edge.child != NONE]
    before = {as_key(position_of(tree.nodes[index])): shown(tree, index) for index in reached}
    keep_reachable(tree, position_of(tree.nodes[new_root]), 0)
    assert num_nodes(tree) == len(before)
    after = {as_key(position_of(tree.nodes[index])): shown(tree, index) for index in range(len(before))}
    assert after == before
    assert tree.sizes[NUM_EDGES] == sum(tree.nodes[: len(before)].num_edges)
    assert tree.sizes[NUM_ITERATIONS] == 0


def shown(tree, index):
    """Return all that a node holds, with positions in place of numbers of nodes."""
    node = tree.nodes[index]
    edges = edges_of(tree, node)
    children = [as_key(position_of(tree.nodes[edge.child])) if edge.child != NONE else None for edge in edges]
    rows = [(edge.value, edge.visits, edge.proof) for edge in edges]
    words = tree.moves.reshape(-1, CHECKERS.move_words)[node.first_edge : node.first_edge + node.num_edges]
    return node.value, node.leaf_value, node.visits, node.proof, rows, children, words.tolist()


def test_forgetting_for_an_unknown_root_leaves_nothing():
    tree = searched(START, 500)
    keep_reachable(tree, KINGS, 0)
    assert num_nodes(tree) == 0
    assert probe(tree, START) == NONE


def test_a_tree_is_kept_from_move_to_move_and_forgets_when_room_is_short():
    """There is room for some moves only; the statistics of the next root are kept."""
    engine = Uct(playouts=800, capacity=8000).new_game(CHECKERS)
    position, known = START, 0
    for ply in range(30):
        found = engine.analyse(position, key=KEY + ply)
        assert found.figures["restarts"] == 0
        assert found.figures["nodes"] <= 8000
        assert found.figures["visits"] == known + 800
        best = next(move for move in CHECKERS.legal_moves(position) if move.text == found.best_moves[0])
        # the expected reply, whose position is in the tree
        reply = next(move for move in CHECKERS.legal_moves(best.after) if move.text == found.pv[1])
        position = reply.after
        known = int(node_of(engine._work.tree, position).visits)
        assert known > 10


@pytest.mark.parametrize("position", [START, KINGS], ids=["start", "kings"])
def test_a_full_tree_keeps_the_most_visited_and_the_proven_positions(position):
    engine = Uct(playouts=20_000, capacity=1024).new_game(CHECKERS)
    found = engine.analyse(position, key=KEY)
    tree = engine._work.tree
    assert found.figures["restarts"] > 10
    assert found.figures["descents"] == found.figures["visits"] == 20_000
    assert sum(move.visits for move in found.moves) == 19_999
    before = {as_key(position_of(node)): node.copy() for node in tree.nodes[: num_nodes(tree)]}
    edges_before = {key: edges_of(tree, node).copy() for key, node in before.items()}
    keep_most_visited(tree, position)
    after = {as_key(position_of(node)): node for node in tree.nodes[: num_nodes(tree)]}
    assert 100 < len(after) <= 512
    gone = [node for key, node in before.items() if key not in after]
    assert not any(node.proof for node in gone)
    least = min(node.visits for node in after.values() if not node.proof)
    assert all(node.visits <= 2 * least for node in gone)
    for key, node in after.items():
        assert (node.visits, node.value) == (before[key].visits, before[key].value)
        for edge, earlier in zip(edges_of(tree, node), edges_before[key], strict=True):
            assert (edge.visits, edge.value) == (earlier.visits, earlier.value)
            total = node.leaf_value + (edges_of(tree, node).visits * edges_of(tree, node).value).sum()
        if not node.proof:
            assert node.value == pytest.approx(total / node.visits, abs=1e-12)


def test_counts_of_visits_do_not_overflow():
    """A tree takes at most 2^30 iterations, so that no count can overflow."""
    work = new_workspace()
    run(work, START, 10)
    work.tree.sizes[NUM_ITERATIONS] = (1 << 30) - 5
    tree = run(work, START, 100)
    assert node_of(tree, START).visits == 10 + 4
    assert np.iinfo(tree.nodes.visits.dtype).max > 1 << 30
