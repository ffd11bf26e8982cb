"""Monte Carlo tree search: select, expand, simulate, backup – UCT, one iteration after another or in batches.

An iteration selects moves by UCB1 from the root on until it reaches a position seen for the first time, which
becomes a node (`tree.expand`). That position is valued (`simulation.simulate`), and its value is backed up
along the path. Every visit of a position s after the first follows a move a, and then

    Q(s, a) = value of the position after a, as of this visit
    Q(s)    = (U(s) + Σ N(s, a) · Q(s, a)) / N(s),    N(s) = 1 + Σ N(s, a)

U(s) is the value of s as a leaf, at its first visit. When the tree is full, `keep_most_visited` makes room. A
forgotten position that comes back begins with the statistics of the move to it: the n visits of that move are
added to N(s), and n times their mean to U(s). A position reached from several parents has more visits than
any one of their edges, and each edge has the value it saw last. Values are for the side to move: to the side
that moved, the position after a is worth 1 minus its Q. A proven position has exactly 1 or 0.

Source: L. Kocsis, C. Szepesvári, Bandit based Monte-Carlo planning, 2006; the graph is ours.
"""

from typing import NamedTuple

import numpy as np

from neche.compiled.jit import F64, I64, U64, Array, Bool, Position, jit
from neche.compiled.randomness import advance, choose_below, draw
from neche.games.contract import move_words, successor
from neche.montecarlo.simulation import Simulation, simulate
from neche.montecarlo.tree import MAX_ITERATIONS, NONE, NUM_ITERATIONS, UNPROVEN, Tree, expand, probe, prove

MAX_PATH = 256
"""Most moves of a path; a longer one counts as a draw."""
ROW = MAX_PATH + 1
NEW, SETTLED, DRAWN, FULL = 0, 1, 2, 3
"""How a path ends: at a new position; at one whose result is known; at a position already on the path (or
after the longest path); at a full tree, without any effect. Only NEW ones need a value."""
STOP, DEPTH_SUM, DEPTH_MAX, NUM_LEAVES, PLIES = 0, 1, 2, 3, 4
NUM_COUNTERS = 5
"""Counters: a flag that stops the search when another thread sets it; sum and maximum of the moves selected
in an iteration; leaves valued; plies of their playouts."""
_CHOICES = np.uint64(1) << np.uint64(63)


class SelectionRule(NamedTuple):
    """How moves are selected. exploration: float64, c of UCB1. is_solving: int64, 1 to prove results."""

    exploration: F64
    is_solving: I64


class Paths(NamedTuple):
    """Room for the selection paths of a batch of B iterations, each a row.

    nodes, edges: [B · ROW] int32 – the root, the edge followed from it, the next node and so on. length: [B]
    int32, edges. ending: [B] int32. fields: [B, fields of a position] uint64 – the position at the end.
    """

    nodes: Array
    edges: Array
    length: Array
    ending: Array
    fields: Array


class MctsWorkspace(NamedTuple):
    """Everything a search works with. counters: [NUM_COUNTERS] int64."""

    tree: Tree
    selection: SelectionRule
    simulation: Simulation
    paths: Paths
    counters: Array


def new_paths(rows: int, num_fields: int) -> Paths:
    """Allocate room for a batch."""
    nodes, edges = np.zeros((2, rows * ROW), np.int32)
    length, ending = np.zeros((2, rows), np.int32)
    return Paths(nodes, edges, length, ending, np.zeros((rows, num_fields), np.uint64))


@jit
def search(work: MctsWorkspace, root: Position, key: U64, first: I64, last: I64) -> tuple[I64, Bool]:
    """Run iterations `first` … `last` − 1; return the number of the next, and whether the tree is full.

    It also ends early when the root is proven or the stop flag is raised, but not before the root has a
    value. key: stream of random numbers, of which each iteration uses its own.
    """
    tree = work.tree
    for number in range(first, last):
        # a root without a value has no move to play, so the first iteration always runs
        node = probe(tree, root)
        if node != NONE and (work.counters[STOP] != 0 or tree.nodes[node].proof != UNPROVEN):
            return np.int64(number), False
        # select and expand: down to a leaf, a new node of the tree
        state = random_state(key, number)
        ending, position = select_and_expand(tree, root, work.selection, state, work.paths, 0)
        if ending == FULL:
            return np.int64(number), True
        # simulate, unless the result of the leaf is known
        value = 0.0
        if ending == NEW:
            value, plies = simulate(work.simulation, position, key, number)
            work.counters[PLIES] += plies
        _count(work, 0)
        backup(tree, work.paths, 0, value)
    return np.int64(last), False


@jit
def is_proven(tree: Tree, position: Position) -> Bool:
    """Return whether the result of a position is known."""
    node = probe(tree, position)
    return node != NONE and tree.nodes[node].proof != UNPROVEN


@jit
def random_state(key: U64, number: I64) -> U64:
    """Return the random state of iteration `number` of a stream; no playout of the stream starts from it."""
    return draw(draw(key, _CHOICES), np.uint64(number))


@jit
def _count(work: MctsWorkspace, row: I64) -> None:
    """Count the length of a path, and whether it ended at a new leaf."""
    depth = np.int64(work.paths.length[row])
    work.counters[DEPTH_SUM] += depth
    work.counters[DEPTH_MAX] = max(work.counters[DEPTH_MAX], depth)
    if work.paths.ending[row] == NEW:
        work.counters[NUM_LEAVES] += 1


@jit
def select_and_expand(
    tree: Tree, root: Position, selection: SelectionRule, state: U64, paths: Paths, row: I64
) -> tuple[I64, Position]:
    """Select a path from `root` to a leaf, into row `row` of `paths`; return its ending and last position.

    state: random state of this iteration. The tree changes only by a new node at the end, and by links and
    marks along the path.
    """
    start, length, position = np.int64(row * ROW), np.int64(0), root
    # the number of this iteration marks the nodes of its path, to detect repetitions
    number = tree.sizes[NUM_ITERATIONS] + 1
    tree.sizes[NUM_ITERATIONS] = number
    ending = np.int64(NEW)
    node, is_new = expand(tree, position, selection.is_solving)
    while node != NONE and number < MAX_ITERATIONS:
        paths.nodes[start + length] = node
        here = tree.nodes[node]
        # the position is on the path already: a repetition is a draw
        if here.mark == number:
            ending = np.int64(DRAWN)
            break
        # the game is over, or its result is proven
        if here.num_edges == 0 or here.proof != UNPROVEN:
            ending = np.int64(SETTLED)
            break
        if is_new:
            break
        if length == MAX_PATH:
            ending = np.int64(DRAWN)
            break
        # one move on
        here.mark = number
        state = advance(state)
        edge = select_edge(tree, node, selection.exploration, state)
        paths.edges[start + length] = edge
        length += 1
        position = successor(position, tree.moves, edge * move_words(position))
        # a move not yet followed leads to a new node, or to one that other moves have reached
        node, is_new = np.int64(tree.edges[edge].child), False
        if node == NONE:
            node, is_new = expand(tree, position, selection.is_solving)
            tree.edges[edge].child = node
    if node == NONE or number >= MAX_ITERATIONS:
        ending = np.int64(FULL)
    paths.length[row] = length
    paths.ending[row] = ending
    return ending, position


@jit
def select_edge(tree: Tree, node: I64, exploration: F64, state: U64) -> I64:
    """Return the edge to follow from a node that has edges, not all of them proven to lose.

    While moves are untried, `state` draws one of them. After that it is the move with the largest
    Q(s, a) + c · √(ln N(s) / N(s, a)), the first in generation order if equal; c: `exploration`. Both sides
    select alike, as Q(s, a) is for the side to move in s. Moves proven to lose are skipped. A pending visit
    counts as lost (virtual loss), so that the paths of a batch spread.
    Source: UCB1, Auer, Cesa-Bianchi and Fischer 2002.
    """
    here = tree.nodes[node]
    begin = np.int64(here.first_edge)
    end = begin + here.num_edges
    # the best by upper confidence bound; untried moves have no bound and are only counted
    log_visits = np.log(np.float64(here.visits + here.pending))
    best, chosen, num_untried = -1.0, begin, np.int64(0)
    for number in range(begin, end):
        edge = tree.edges[number]
        # the mean as if all pending visits had been lost
        visits = np.float64(edge.visits + edge.pending)
        value = edge.value if edge.pending == 0 else edge.value * edge.visits / visits
        score = value + exploration * np.sqrt(log_visits / visits)
        # a positive proof: won for the opponent
        is_better = edge.proof <= 0 and score > best
        best = score if is_better else best
        chosen = np.int64(number) if is_better else chosen
        num_untried += np.int64(visits == 0)
    # but first every move once, in random order
    if num_untried > 0:
        return _nth_untried(tree, begin, end, choose_below(state, num_untried))
    return chosen


@jit
def _nth_untried(tree: Tree, begin: I64, end: I64, wanted: I64) -> I64:
    for edge in range(begin, end):
        if tree.edges[edge].visits + tree.edges[edge].pending == 0:
            if wanted == 0:
                return np.int64(edge)
            wanted -= 1
    return np.int64(begin)


@jit
def backup(tree: Tree, paths: Paths, row: I64, value: F64) -> None:
    """Back up the value of a path that did not end as FULL.

    value: of the last position, for its side to move; used only where that is a leaf.
    """
    start, length = np.int64(row * ROW), np.int64(paths.length[row])
    last = tree.nodes[np.int64(paths.nodes[start + length])]
    # only the path to a repetition was a draw; in a batch the position may be proven by now, and stays so
    if paths.ending[row] == DRAWN and last.proof == UNPROVEN:
        _backup_along(tree, paths, start, length, 0.5, np.int64(UNPROVEN))
        return
    last.visits += 1
    if paths.ending[row] == NEW:
        last.leaf_value = last.value = value
        if length > 0:
            _remember(tree, last, tree.edges[paths.edges[start + length - 1]])
    _backup_along(tree, paths, start, length, np.float64(last.value), np.int64(last.proof))


@jit
def _remember(tree: Tree, node: Array, edge: Array) -> None:
    """Give a new node the visits and value of the edge to it, from before its position was forgotten."""
    node.visits += edge.visits
    node.leaf_value += edge.visits * (1.0 - edge.value)
    node.value = node.leaf_value / node.visits


@jit
def _backup_along(tree: Tree, paths: Paths, start: I64, length: I64, value: F64, proof: I64) -> None:
    """Update the nodes of a path of `length` edges, which begins at `start` of `paths`, from the end.

    value: of the position at its end, for the side to move there. proof: likewise.
    """
    for at in range(start + length - 1, start - 1, -1):
        node = np.int64(paths.nodes[at])
        _update(tree, node, np.int64(paths.edges[at]), 1.0 - value, proof)
        # the parent sees this node's mean, not the single value backed up, so that transpositions agree
        value = tree.nodes[node].value
        proof = np.int64(tree.nodes[node].proof)


@jit
def _update(tree: Tree, node: I64, edge: I64, value: F64, proof: I64) -> None:
    """Count a visit of `node` along `edge`: `value` for its side to move, `proof` of the position after."""
    followed, here = tree.edges[edge], tree.nodes[node]
    followed.visits += 1
    followed.value = value
    followed.proof = proof
    here.visits += 1
    # a proof of the child may prove this node; once proven, its value stays
    if proof != UNPROVEN and here.proof == UNPROVEN:
        here.proof = prove(tree, node)
    if here.proof == UNPROVEN:
        here.value = _mean(tree, node)
    else:
        here.value = 1.0 if here.proof > 0 else 0.0


@jit
def _mean(tree: Tree, node: I64) -> F64:
    """Return Q(s) as defined above, summed anew, since other parents may have changed a child's value."""
    here = tree.nodes[node]
    total = here.leaf_value
    begin = np.int64(here.first_edge)
    for edge in range(begin, begin + here.num_edges):
        total += tree.edges[edge].visits * tree.edges[edge].value
    return total / here.visits


@jit
def collect_leaves(work: MctsWorkspace, root: Position, key: U64, first: I64, last: I64) -> I64:
    """Select the paths of iterations `first` … `last` − 1 into rows 0, 1 …, without values; return how many.

    Their visits are pending. There are fewer than requested if the tree is full.
    """
    tree, paths = work.tree, work.paths
    for number in range(first, last):
        row = np.int64(number - first)
        state = random_state(key, number)
        ending, position = select_and_expand(tree, root, work.selection, state, paths, row)
        if ending == FULL:
            return row
        # stored for the device, which values all leaves of the batch at once
        for field in range(len(position)):
            paths.fields[row, field] = position[field]
        add_virtual_loss(tree, paths, row, 1)
        _count(work, row)
    return np.int64(last - first)


@jit
def return_values(tree: Tree, paths: Paths, values: Array, count: I64) -> None:
    """Back up the first `count` rows, in order. values: [count] float64, used where a path ends as NEW."""
    for row in range(count):
        # the virtual losses of later rows stay until their turn
        add_virtual_loss(tree, paths, row, -1)
        backup(tree, paths, row, values[row])


@jit
def add_virtual_loss(tree: Tree, paths: Paths, row: I64, change: I64) -> None:
    """Add `change` to the pending visits of a path: 1 before later paths of its batch, −1 after them."""
    start, length = np.int64(row * ROW), np.int64(paths.length[row])
    # nodes and edges of the path, then the leaf
    for at in range(start, start + length):
        tree.nodes[paths.nodes[at]].pending += change
        tree.edges[paths.edges[at]].pending += change
    tree.nodes[paths.nodes[start + length]].pending += change
