"""The public interface: the few names that scripts and notebooks need, and on which the commands are built.

`import neche` offers them (`neche.__all__`) and imports each on first use; these modules define them:

    board       `Board`: a position of any game, to view and to play on
    players     `player`, `analyse`, `choose`, `match`, `round_robin`, `ladder`; `read_network`, `weights`
    plugin      decorators that mark functions as plug-ins: `neche.plugin`
    evolution   `evolve`, `Evolution`: generation after generation, in memory or kept on disk; `write_report`
    genomes     `random_genome`, `mutate`, `cross`, `decode`, `evaluate`
    state       `State`: a game with numbered actions, for other learning programs
    sweep       `sweep`: several seeds and settings, whole runs in parallel

Every result depends only on the arguments and the seed, unless a player has a time limit; invalid input
raises `InputError`.

>>> import neche
>>> board = neche.Board("othello").play("d3", "c3")
>>> board.turn, len(board.moves)
('Black', 4)
"""
