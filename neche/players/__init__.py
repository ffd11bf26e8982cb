"""Players: a specification in words becomes a player, which analyses positions and chooses moves.

The way in is `spec.parse_player`; `engine` defines what a player is. A `Player` is a record without state, an
`Engine` is a player in one game, with its memory, and an `Analysis` its result for one position:

    >>> from neche.games.catalogue import game
    >>> from neche.players.spec import parse_player
    >>> checkers = game("checkers")
    >>> engine = parse_player("material:depth=3").new_game(checkers)
    >>> found = engine.analyse(checkers.parse_fen("W:W18:B14"))
    >>> found.best_moves, found.plies_to_end
    (('18x9',), 1)

Kinds of players, with examples (`neche/players/spec.py` has the options of each):

    random                                   a move drawn from the legal ones
    blind:depth=4                            search with an evaluator that sees nothing
    material:depth=4, material:time=100      search with a hand-made evaluator, to a depth or for a time
    network:file=PATH,id=ID,depth=6          search with an evolved network; a bare path or DNA works too
    mcrd:playouts=20000,device=cuda          moves compared by random games, on the CPU or a GPU
    uct:playouts=5000,c=0.5,leaf=material    Monte Carlo tree search, leaves valued by playouts or a network
    cnn:file=PATH,depth=1                    search with a convolutional network

The files:

    engine          Player, Engine, Limits, Analysis; choosing a move; stopping and timing compiled code
    background      an analysis in its own thread, for front ends that keep listening
    spec            words to players: the kinds, their options, their builders
    options         KEY=VALUE pairs into records, with the ranges of all numbers
    source          genomes from run directories, FASTA files, shipped champions, DNA letters

    alpha_beta      search with a sparse or a convolutional network; the random player
    mcrd            the moves of a position compared by random games
    uct             Monte Carlo tree search: the player and its engine
    tree_analysis   the analysis of a search tree
    plugged         user functions: their errors, and digests of their sources
    function_player such functions as players: `--plugin FILE`
    solved_endings  any player with solved endings: `material:depth=4,endings=DIR`
    exact_endings   any player with the last moves solved by search: `positional:depth=6,exact=16`

Every engine can be stopped from another thread, reports progress on request, and gives equal analyses for
equal keys unless its thinking time is limited.

No other package tests the kind of a player: what it needs to know is an attribute of `Player`.
"""
