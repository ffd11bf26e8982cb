"""The rules of draughts, shared by the games and the boards they are played on.

A game defines its board (`board.py` lists the functions of one) and three traits (`board.Traits`); everything
else is written once here. The articles are those of the official rules of the FMJD (annex 1); the code cites
those of American checkers beside them.

| trait | article | where |
|---|---|---|
| men step forward, kings any distance | 3.4, 3.9 | `moves.py` |
| men capture forward and backward | 4.1 | `captures.jumping_neighbours` |
| kings capture from afar and land on any free square behind | 4.3 | `captures.jumping_kings` |
| a capture is compulsory and completed | 4.2, 4.3, 4.5, 4.6 | `moves.generate`, `captures.py` |
| pieces taken leave the board after the move and block until then | 4.8, 4.11 | `captures.py` |
| the capture of the most pieces is compulsory | 4.13, 4.14 | `captures._finish` |
| a man is crowned only where its move ends | 3.5, 4.15 | `steps.kings_after` |

Random playouts: one at a time in `playout.py` and `checkers_playout.py`; branch-free, for SIMD lanes and CUDA
devices, in `branch_free.py` and `checkers_branch_free.py`.
"""
