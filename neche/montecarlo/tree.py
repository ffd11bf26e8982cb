"""The search tree of MCTS: positions, the moves between them and their statistics, in arrays allocated once.

A position is one node however it was reached, so transpositions share their statistics and the tree is a
directed graph. The edges of a node lie side by side in the order of move generation; an edge stores the row
of its move and, once followed, its child. So the search generates moves and looks up positions only at moves
that were not followed before.

Symbols: s a position, a a move; N visits, Q mean value, U value as a leaf. All values are expected scores
0 … 1 for the side to move in s.

The solver: a position is won if some move leads to a lost one, and lost if all moves lead to won ones; one
without a move has its outcome. A proof depends on positions proven before it, down to the end of the game;
draws and repetitions prove nothing, so proofs are never circular, and a proven win can be played out from
proof to proof. A draw rule that counts quiet moves may still end the game first.

A proof is one integer: 0 for none, n + 1 for a win in n plies, −(n + 1) for a loss in n plies of best play
as far as known. Transpositions share a proof, but a parent learns of it only at its next visit to the child.

Source: M. Winands, Y. Björnsson, J.-T. Saito, Monte-Carlo Tree Search Solver, 2008; there for trees.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.compiled.jit import I64, U64, Array, Bool, Moves, Position, jit
from neche.games.contract import generate, max_moves, move_words, outcome, position_words
from neche.games.game import Game
from neche.search.transposition import hash_words

NODE = np.dtype(
    [
        *((name, np.uint64) for name in ("first", "second", "third")),
        *((name, np.float64) for name in ("value", "leaf_value")),
        *((name, np.int32) for name in ("visits", "pending", "first_edge", "num_edges", "proof", "mark")),
    ],
    align=True,
)
"""A position s.

first, second, third: the position, as `position_words` writes it; third is zero if there is none. value:
Q(s). leaf_value: U(s). visits: N(s). pending: visits begun and not yet backed up (batches only). first_edge,
num_edges: its moves. proof: see the solver above. mark: number of the last iteration that visited it.
"""
EDGE = np.dtype(
    [("value", np.float64), *((name, np.int32) for name in ("visits", "pending", "child", "proof"))],
    align=True,
)
"""A move a in s. value: Q(s, a). visits: N(s, a). child: its node; NONE before the first visit and after the
child was forgotten. proof: of the child, as of the last visit. pending: as in NODE."""

NONE = -1
NUM_NODES, NUM_EDGES, NUM_ITERATIONS = 0, 1, 2
MAX_ITERATIONS = 1 << 30
"""Most iterations that a tree can count; after that it is emptied."""
EDGES_PER_NODE = 12
"""Room for moves per position, on average. Checkers needs 5; with more moves a tree is full earlier."""
UNPROVEN = 0
LOST_NOW = -1
"""The proof of a finished game that the side to move has lost, in 0 plies; if it has won, the opposite."""
WORTH_PROVEN = np.int64(1) << np.int64(40)


class Tree(NamedTuple):
    """A tree of at most `len(nodes)` positions.

    nodes: [N] NODE. edges: [E] EDGE. moves: [E · words a move], rows as `generate` writes them. table:
    [2^k ≥ 2 N] int32, hash table of positions: node or NONE. sizes: [3] int64 – nodes and edges in use,
    iterations begun.
    """

    nodes: Array
    edges: Array
    moves: Moves
    table: Array
    sizes: Array


def new_tree(game: Game, capacity: int) -> Tree:
    """Allocate an empty tree for `capacity` positions. Most systems commit its memory only as it is used."""
    # room for one more position, since moves are generated in place before their number is known
    num_edges = EDGES_PER_NODE * capacity + game.max_moves
    # a node fills a cache line, and is aligned so as not to cross two
    room = np.empty(NODE.itemsize * (capacity + 1), np.uint8)
    begin = -room.ctypes.data % NODE.itemsize
    return Tree(
        room[begin : begin + NODE.itemsize * capacity].view(NODE).view(np.recarray),
        np.empty(num_edges, EDGE).view(np.recarray),
        np.empty(num_edges * game.move_words, game.move_type),
        np.full(1 << (2 * capacity - 1).bit_length(), NONE, np.int32),
        np.zeros(3, np.int64),
    )


def clear(tree: Tree) -> None:
    """Empty the tree."""
    tree.table[:] = NONE
    tree.sizes[:] = 0


@jit
def _words(position: Position) -> tuple[U64, U64, U64]:
    """Return the three words of a position, the third zero if it has two."""
    # a loop, since the length of the tuple is a constant that differs by game
    words = position_words(position)
    third = np.uint64(0)
    for at in range(2, len(words)):
        third = np.uint64(words[at])
    return words[0], words[1], third


@jit
def _slot(tree: Tree, first: U64, second: U64, third: U64) -> I64:
    """Return where in the table a position is, or would be."""
    last = len(tree.table) - 1
    at = np.int64(hash_words(first, second, third) & np.uint64(last))
    # linear probing: the table is at most half full, so the next free slot is near
    while tree.table[at] != NONE:
        node = tree.nodes[tree.table[at]]
        if node.first == first and node.second == second and node.third == third:
            break
        at = (at + 1) & last
    return at


@jit
def probe(tree: Tree, position: Position) -> I64:
    """Return the node of a position, NONE if it has none."""
    first, second, third = _words(position)
    return np.int64(tree.table[_slot(tree, first, second, third)])


@jit
def expand(tree: Tree, position: Position, is_solving: Bool) -> tuple[I64, Bool]:
    """Return the node of a position and whether it is new; NONE if the tree is full.

    A new node has its edges and no visits. Without edges the game is over: its value is the outcome, and if
    `is_solving`, a win or a loss is proven.
    """
    first, second, third = _words(position)
    slot = _slot(tree, first, second, third)
    # already in the tree, by this or another order of moves
    if tree.table[slot] != NONE:
        return np.int64(tree.table[slot]), False
    index, base = tree.sizes[NUM_NODES], tree.sizes[NUM_EDGES]
    if index == len(tree.nodes) or base + max_moves(position) > len(tree.edges):
        return np.int64(NONE), False
    # the moves, each with an edge without statistics
    count = generate(position, tree.moves, base * move_words(position))
    for number in range(base, base + count):
        edge = tree.edges[number]
        edge.value = 0.0
        edge.visits = edge.pending = 0
        edge.child = NONE
        edge.proof = UNPROVEN
    # the node itself; only the end of a game already has a value
    node = tree.nodes[index]
    node.first, node.second, node.third = first, second, third
    result = outcome(position) if count == 0 else np.int64(-1)
    node.value = node.leaf_value = 0.5 * (1 + result)
    node.visits = node.pending = node.mark = 0
    node.first_edge, node.num_edges = base, count
    node.proof = -LOST_NOW * result if count == 0 and is_solving else UNPROVEN
    tree.table[slot] = index
    tree.sizes[NUM_NODES] = index + 1
    tree.sizes[NUM_EDGES] = base + count
    return np.int64(index), True


@jit
def prove(tree: Tree, node: I64) -> I64:
    """Return the proof of a node from those of its edges: the quickest win, the slowest loss or none."""
    quickest, slowest = np.int64(UNPROVEN), np.int64(UNPROVEN)
    all_lost: Any = True
    begin = np.int64(tree.nodes[node].first_edge)
    for edge in range(begin, begin + tree.nodes[node].num_edges):
        proof = np.int64(tree.edges[edge].proof)
        # a child lost in n plies (−n − 1) is a win in n + 1 (n + 2) here, and the other way round
        if proof < 0 and (quickest == UNPROVEN or 1 - proof < quickest):
            quickest = 1 - proof
        slowest = min(slowest, -proof - 1)
        all_lost = all_lost and proof > 0
    if quickest != UNPROVEN:
        return quickest
    return slowest if all_lost else np.int64(UNPROVEN)


def plies_to_end(proof: int) -> int:
    """Return the plies to the end of the game that a proof states.

    >>> plies_to_end(LOST_NOW), plies_to_end(4), plies_to_end(-5)
    (0, 3, 4)
    """
    return abs(proof) - 1


@jit
def worth(tree: Tree, edge: I64) -> I64:
    """Return the first sort key of moves, before their values: visits, between proven wins and proven losses.

    A quick win is worth more than a slow one, a slow loss more than a quick one, and any loss less than an
    untried move.
    """
    # lost for the opponent, so a win, worth more the fewer plies it takes
    proof = np.int64(tree.edges[edge].proof)
    if proof < 0:
        return WORTH_PROVEN + proof
    if proof > 0:
        return proof - WORTH_PROVEN
    return np.int64(tree.edges[edge].visits)


@jit
def best_edge(tree: Tree, node: I64) -> I64:
    """Return the edge to play from a node that has any: a proven win, else the robust (most visited) child.

    Among equal visits the larger value decides, then the order of generation.
    """
    best = np.int64(tree.nodes[node].first_edge)
    for edge in range(best + 1, best + tree.nodes[node].num_edges):
        here, most = worth(tree, edge), worth(tree, best)
        if here > most or (here == most and tree.edges[edge].value > tree.edges[best].value):
            best = np.int64(edge)
    return best


@jit
def principal_variation(tree: Tree, root: Position, least_visits: I64, numbers: Array) -> I64:
    """Follow best play from `root` while its moves have `least_visits` ≥ 1 visits; return the length.

    numbers: receives the number of each move in generation order, and after the end of the line that of the
    best move there, which has fewer visits or repeats a position.
    """
    node = probe(tree, root)
    # this counts as an iteration, so that its marks differ from all others
    mark = tree.sizes[NUM_ITERATIONS] + 1
    tree.sizes[NUM_ITERATIONS] = mark
    length = np.int64(0)
    while node != NONE and length < len(numbers) and tree.nodes[node].num_edges > 0:
        tree.nodes[node].mark = mark
        edge = best_edge(tree, node)
        child = np.int64(tree.edges[edge].child)
        # the last move is written even if the line ends before it
        numbers[length] = edge - tree.nodes[node].first_edge
        # a forgotten child ends the line as well
        if tree.edges[edge].visits < least_visits or child == NONE or tree.nodes[child].mark == mark:
            break
        length += 1
        node = child
    return length


@jit
def keep_most_visited(tree: Tree, position: Position) -> None:
    """Prune the tree to its most visited positions, at most half of its room, and `position`.

    A forgotten position leaves its visits and value in the edges to it. Proven positions stay as long as
    others can be pruned, since a proof is played out along them.
    Source: E. Powley, P. Cowling, D. Whitehouse, Memory bounded Monte Carlo tree search, 2017, which prunes
    the least recently visited nodes, one at a time.
    """
    least = np.int64(1)
    while not _fit_in_half(tree, least):
        least *= 2
    keep_reachable(tree, position, least)


@jit
def _fit_in_half(tree: Tree, least_visits: I64) -> Bool:
    nodes, edges = np.int64(0), np.int64(0)
    for number in range(tree.sizes[NUM_NODES]):
        if _is_kept(tree, np.int64(number), least_visits):
            nodes += 1
            edges += tree.nodes[number].num_edges
    # no node has more visits than this, so the loop ends
    is_last = least_visits > 2 * MAX_ITERATIONS
    return (2 * nodes <= len(tree.nodes) and 2 * edges <= len(tree.edges)) or is_last


@jit
def _is_kept(tree: Tree, node: I64, least_visits: I64) -> Bool:
    here = tree.nodes[node]
    return here.visits >= least_visits or (here.proof != UNPROVEN and least_visits <= MAX_ITERATIONS)


@jit
def keep_reachable(tree: Tree, position: Position, least_visits: I64) -> None:
    """Prune the tree to the positions that tried moves reach from `position`; they keep their statistics.

    least_visits: positions with fewer, except `position`, are pruned; 0: none.
    Nodes are and stay in the order of their edges, so everything moves down in place.
    """
    # mark what is kept, renumber its links, then move nodes and edges down over the rest
    root, count = probe(tree, position), tree.sizes[NUM_NODES]
    kept, num_edges = np.int64(0), np.int64(0)
    if root != NONE:
        _mark_reachable(tree, root, least_visits)
        _link_to_new_places(tree, count)
        for node in range(count):
            if tree.nodes[node].mark != 0:
                _move_down(tree, np.int64(node), kept, num_edges, move_words(position))
                num_edges += tree.nodes[kept].num_edges
                kept += 1
    # the table held the queue, and nodes have moved: rebuild the table
    tree.table[:] = NONE
    for node in range(kept):
        here = tree.nodes[node]
        tree.table[_slot(tree, here.first, here.second, here.third)] = node
    tree.sizes[NUM_NODES], tree.sizes[NUM_EDGES], tree.sizes[NUM_ITERATIONS] = kept, num_edges, 0


@jit
def _mark_reachable(tree: Tree, root: I64, least_visits: I64) -> None:
    """Mark every node that tried moves reach from the root with 1, all others with 0; overwrite the table."""
    # breadth first; the table serves as queue: it is rebuilt afterwards anyway and has room for all nodes
    queue = tree.table
    for node in range(tree.sizes[NUM_NODES]):
        tree.nodes[node].mark = 0
    tree.nodes[root].mark = 1
    queue[0] = root
    done, waiting = 0, 1
    while done < waiting:
        here = tree.nodes[queue[done]]
        done += 1
        for edge in range(here.first_edge, here.first_edge + here.num_edges):
            # untried moves lead nowhere yet
            child = np.int64(tree.edges[edge].child)
            if child != NONE and tree.nodes[child].mark == 0 and _is_kept(tree, child, least_visits):
                tree.nodes[child].mark = 1
                queue[waiting] = child
                waiting += 1


@jit
def _link_to_new_places(tree: Tree, count: I64) -> None:
    """Write the new places of marked nodes, counted from 1, into `mark`, and link their edges to them."""
    kept = 0
    for node in range(count):
        if tree.nodes[node].mark != 0:
            kept += 1
            tree.nodes[node].mark = kept
    for node in range(count):
        here = tree.nodes[node]
        if here.mark != 0:
            for edge in range(here.first_edge, here.first_edge + here.num_edges):
                child = tree.edges[edge].child
                if child != NONE:
                    # NONE if the child is pruned, whose mark is 0
                    tree.edges[edge].child = tree.nodes[child].mark - 1


@jit
def _move_down(tree: Tree, node: I64, target: I64, first_edge: I64, words: I64) -> None:
    """Copy a node and its edges down to free places."""
    here = tree.nodes[node]
    begin = np.int64(here.first_edge)
    for number in range(here.num_edges):
        tree.edges[first_edge + number] = tree.edges[begin + number]
        for word in range(words):
            tree.moves[(first_edge + number) * words + word] = tree.moves[(begin + number) * words + word]
    tree.nodes[target] = here
    tree.nodes[target].first_edge = first_edge
    tree.nodes[target].mark = 0
