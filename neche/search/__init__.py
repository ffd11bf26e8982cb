"""Alpha-beta with quiescence, move ordering and a transposition table: exact to a depth, selective by time.

The way in is `negamax.search_moves`: it values every move of a position. A position comes from a game, its
value from an evaluator; both are records, and compiled code dispatches their functions on the record's type.

    negamax         root, alpha-beta, quiescence, top-down; the buffers of one thread
    ordering        which move is tried first: the table's, killers, by evaluation
    selective       the search by time and nodes, with pruning and reductions; selectivity has its margins
    evaluator       evaluators for negamax: a packed network playing for one side, or a convolutional one
    transposition   positions already searched, with bounds on their values

A position in which White takes the last piece, searched with the network that counts men:

    >>> import numpy as np
    >>> from neche.games.catalogue import game
    >>> from neche.network.decode import material_network
    >>> from neche.network.packing import pack_networks
    >>> from neche.search.evaluator import network_evaluator
    >>> from neche.search.negamax import new_workspace, search_moves
    >>> checkers = game("checkers")
    >>> position, work = checkers.parse_fen("W:W18:B14"), new_workspace(checkers, table_bits=10)
    >>> evaluator = network_evaluator(pack_networks([material_network()]), 0, int(position.turn))
    >>> count = search_moves(evaluator, work, position, np.int64(3), np.int64(1), False)
    >>> [move.text for move in checkers.legal_moves(position)], int(count)
    (['18x9'], 1)

The exact search guarantees, for every position and evaluator:

- The value equals that of plain full-width minimax with the same quiescence, to the last integer, whatever
  the table holds or held. A win is worth more the sooner it comes.
- All moves whose value is exactly the best are known as such; the others get a bound below it.
- A stopped search reports that it was stopped, and leaves nothing false in the table.
- The positions visited are a function of position, depth, evaluator and prior table: their number is the
  signature that `neche bench` prints.

Decision 5 says why entries of other depths are not used, decision 1 why values are integers.
`tools/checks/compare_search.py` checks the first two against a slow twin.

For people, `players.alpha_beta` wraps the search, adding time limits, a principal variation and values in
weight units; in games between networks `arena.game_loop` calls it.
"""
