"""The public face: the few names that scripts and notebooks need, and on which the commands stand.

`import neche` offers them and brings each in when it is first used (`neche.__all__`); here they are made:

    board       `Board`: a position of any game, to look at and to play on
    players     `player`, `analyse`, `choose`, `match`, `round_robin`, `ladder`; `read_network`, `weights`
    plugin      marks for functions that take part: `neche.plugin`
    evolution   `evolve`, `Evolution`: generation after generation, in memory or kept on disk; `write_report`
    genomes     `random_genome`, `mutate`, `cross`, `decode`, `evaluate`
    state       `State`: a game by numbers, for other learners
    sweep       `sweep`: several seeds and settings, whole runs side by side

Everything is computed from the arguments and the seed alone, unless a player thinks by the clock; a fault of
the input is an `InputError`.

>>> import neche
>>> board = neche.Board("othello").play("d3", "c3")
>>> board.turn, len(board.moves)
('Black', 4)
"""
