"""Rules of games, each written once for search and playouts on CPU, in SIMD lanes and on CUDA devices.

People and drivers ask `catalogue.game(name)` for a `Game`: start, FEN, legal moves as text, the geometry of
the board, the official draw rule. Compiled code calls the functions of `contract` instead, dispatched on the
type of the position, a NamedTuple of integers seen from the side to move; a game registers its own with
`contract.register`.

| file | what |
|---|---|
| `game.py` | `Game` and `Move`: what a game is to people and drivers |
| `catalogue.py` | games by name: of this package, of files and of installed packages |
| `contract.py` | what every game offers to compiled code, and `register` |
| `generic.py` | `new_game`: a game from its rules alone, with a notation by numbers |
| `playouts.py` | random playouts: the rule that ends them, and what one without a branch offers |
| `draughts/` | American checkers, Brazilian and international draughts: one set of rules, three traits |
| `othello/` | Othello |
| `draws.py` | `DrawRule`: when a game is drawn, and rules in words |
| `geometry.py` | `BoardGeometry`: enough to draw a board and to name its squares |
| `sensors.py`, `planes.py` | what networks see of a board, and hand-made evaluators |
| `patterns.py` | the same in compiled code: the states of groups of four squares |

A game in use:

    rules = game("checkers")
    position = rules.start()
    for move in rules.legal_moves(position):
        print(move.text, rules.format_fen(move.after))

A game of one's own is a Python file with `GAME = new_game(...)`, see docs/how-to/add-a-game.md. How draughts
shares its rules between boards is described in `draughts/__init__.py`.

Directions and sides. The side to move is always `own`, the other `foe`; `turn` is an index in `Game.sides`. A
position without a move is over; `outcome` says how, for the side to move: 1 won, 0 drawn, −1 lost. Draws by
counting (`DrawRule`) are not part of the rules here: the driver of a game counts.

Moves. `generate` writes moves into a buffer, some words each; a move is named by where its row starts, and
`successor` returns the position after it. Nothing is undone: positions are copied.

Randomness. Rules use none, except the functions of `playouts.py`, which advance an explicit random state.
"""
