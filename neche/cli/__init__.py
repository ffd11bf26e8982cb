"""The command line: turns words into calls of the package, and results into text or JSON. No science here.

Way in: `main.main(words)` finds the command in `main.COMMANDS` and calls two functions of its module,
`add_NAME_arguments(parser)` and `execute_NAME(options)`. A module is imported only when one of its commands
is run, so that `neche --help` is quick; within a module, imports are at the top as everywhere.

Shared by all: `arguments` (the parser, and options that several commands take), `output` (text or one
JSON object, see `emit`; messages go to standard error by `note`), `progress` (bars and the time left),
`workers` (joblib, compiling once), `streams` (closed streams, limited encodings), `signals` (Ctrl-C).

Every fault of the user is an `InputError`, which `main` prints as one line and turns into exit code 2.
Ctrl-C gives exit code 130; finished work is kept.

>>> from neche.cli.main import main
>>> main(["perft", "--depth", "3", "--json"])  # doctest: +ELLIPSIS
{"game": "checkers", "fen": "B:W21,22,...,12", "depth": 3, "nodes": 302, "seconds": ...}
0
"""
