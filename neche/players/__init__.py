"""Players: a specification in words becomes someone that analyses positions and chooses moves.

The way in is `spec.parse_player`; `engine` says what a player is. A `Player` is a record without state, an
`Engine` is it at one game, and an `Analysis` is what it found in one position:

    >>> from neche.games.catalogue import game
    >>> from neche.players.spec import parse_player
    >>> checkers = game("checkers")
    >>> engine = parse_player("material:depth=3").new_game(checkers)
    >>> found = engine.analyse(checkers.parse_fen("W:W18:B14"))
    >>> found.best_moves, found.plies_to_end
    (('18x9',), 1)

    engine          Player, Engine, Limits, Analysis; a move chosen; stopping and timing compiled code
    background      an analysis in a thread of its own, for front ends that go on listening
    spec            words to players: the kinds, their options, their builders
    options         KEY=VALUE pairs into records, with the ranges of all numbers
    source          genomes from run directories, FASTA files, shipped champions, DNA letters

    alpha_beta      search with a sparse network; the random player
    convolutional   the same search with a convolutional network
    mcrd            the moves of a position compared by random games
    uct             Monte Carlo tree search: the player and its engine
    tree_analysis   what can be read off its tree

No other package asks for the kind of a player: what it needs to know is an attribute of `Player`.
"""
