"""Rules of games, each written once for search and playouts on CPU, in SIMD lanes and on CUDA devices.

User-facing code and drivers get a `Game` from `catalogue.game(name)`: start position, FEN, legal moves as
text, board geometry, official draw rule. Compiled code calls the functions of `contract` instead. They are
dispatched on the type of the position, a NamedTuple of integers seen from the side to move; a game registers
its implementations with `contract.register`.

| file | what |
|---|---|
| `game.py` | `Game` and `Move`: the interface of a game for users and drivers |
| `catalogue.py` | games by name: those of this package, of files and of installed packages |
| `contract.py` | the functions that every game provides to compiled code, and `register` |
| `generic.py` | `new_game`: builds a game from its rules alone, with a numeric notation |
| `playouts.py` | random playouts: the rule that ends them, and the interface of branch-free playouts |
| `draughts/` | American checkers, Brazilian and international draughts: one set of rules, three traits |
| `othello/` | Othello |
| `draws.py` | `DrawRule`: when a game is drawn, and how users write such rules |
| `geometry.py` | `BoardGeometry`: enough to draw a board and to name its squares |
| `sensors.py`, `planes.py` | what networks see of a board, and hand-made evaluators |
| `patterns.py` | network inputs in compiled code: the states of groups of four squares |

A game in use:

    rules = game("checkers")
    position = rules.start()
    for move in rules.legal_moves(position):
        print(move.text, rules.format_fen(move.after))

To add a game, write a Python file with `GAME = new_game(...)`; see docs/how-to/add-a-game.md. How draughts
shares its rules between boards is described in `draughts/__init__.py`.

Directions and sides. The side to move is always `own`, the other `foe`; `turn` is an index in `Game.sides`. A
game is over when the side to move has no move; `outcome` returns its result for that side: 1 won, 0 drawn,
−1 lost. Draws by counting (`DrawRule`) are not part of the rules here: the driver of a game counts.

Moves. `generate` writes moves into a buffer, one row of a few words each; a move is identified by the start
of its row, and `successor` returns the position after it. There is no undo: positions are copied.

Randomness. Rules use none, except the functions of `playouts.py`, which advance an explicit random state.
"""
