"""Random games, counted and searched: playouts on CPU and GPU, Monte Carlo tree search, allocation for MCRD.

A playout is one game of random moves. Playouts are counted from positions, in batches over cores or on a
device, with the same results everywhere. Two players are built on this (`neche.players`): `mcrd` compares the
positions after its moves by their playouts, `uct` grows a tree.

    counting        what is counted, how playouts end, on which device: begin here
    playout         one random game after another, in compiled code
    playouts_cpu    batches over cores; in each, games side by side in SIMD lanes
    playouts_gpu    a kernel in which every thread plays game after game

    mcts            the loop of tree search: select, expand, simulate, backup
    tree            positions, moves and their statistics; proven results; best play; pruning
    simulation      the value of a new position: some playouts, or a network's evaluation
    allocation      how MCRD divides its playouts among the moves

Random games number 0 … 999 of the stream with key 1, from one position, counted for the side to move:

    >>> from neche.games.catalogue import game
    >>> from neche.montecarlo.counting import count_playouts_on
    >>> checkers = game("checkers")
    >>> counts = count_playouts_on("cpu")(checkers, [checkers.start()], [1000], [1])
    >>> counts.visits.tolist(), [round(float(value), 2) for value in counts.values]
    ([1000], [0.49])

A tree of 500 iterations, each of which adds at most one position (Kocsis and Szepesvári 2006, on a graph).
The most visited move is the one to play; `tree.principal_variation` follows such moves:

    >>> import numpy as np
    >>> from neche.montecarlo.mcts import NUM_COUNTERS, MctsWorkspace, SelectionRule, new_paths, search
    >>> from neche.montecarlo.simulation import playout_simulation
    >>> from neche.montecarlo.tree import new_tree, probe
    >>> start, tree = checkers.start(), new_tree(checkers, capacity=1024)
    >>> rule, counters = SelectionRule(0.5, np.int64(1)), np.zeros(NUM_COUNTERS, np.int64)
    >>> work = MctsWorkspace(tree, rule, playout_simulation(checkers, 1), new_paths(1, len(start)), counters)
    >>> next_number, is_full = search(work, start, np.uint64(1), np.int64(0), np.int64(500))
    >>> root = tree.nodes[probe(tree, start)]
    >>> int(root.visits), int(root.num_edges), 0 < float(root.value) < 1
    (500, 7, True)
"""
