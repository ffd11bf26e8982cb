"""The command line: words to calls of the package, and results to text or JSON. No science is in here.

Way in: `main.main(words)` finds the command in `main.COMMANDS` and calls two functions of its module,
`add_NAME_arguments(parser)` and `execute_NAME(options)`. A module is imported only when one of its commands
is asked for, so that `neche --help` is quick; inside a module imports stand at the top as everywhere.

What they share: `arguments` (the parser, and options that several commands take), `output` (text or one
JSON object, see `emit`; messages go to standard error by `note`), `progress` (bars and the time left),
`workers` (joblib, compiling once, Ctrl-C), `streams` (those that are closed or cannot write all, signals).

Every fault of the user is an `InputError`, which `main` prints as one line and turns into exit code 2;
Ctrl-C is 130, with all that was finished kept.

>>> from neche.cli.main import main
>>> main(["perft", "--depth", "3", "--json"])  # doctest: +ELLIPSIS
{"game": "checkers", "fen": "B:W21,22,...,12", "depth": 3, "nodes": 302, "seconds": ...}
0
"""
