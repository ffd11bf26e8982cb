"""The command line: words to calls of the package, and results to text or JSON. No science is in here.

Way in: `main.main(words)` finds the command in `main.COMMANDS` and calls two functions of its module,
`add_NAME_arguments(parser)` and `execute_NAME(options)`. A module is imported only when one of its commands
is asked for, so that `neche --help` is quick; inside a module imports stand at the top as everywhere.

    commands                        module              what it calls
    evolve                          evolve              evolution, archive; shown by evolve_display
    watch                           watch               archive.reading
    report                          report              report
    match, round-robin, ladder      tournaments         arena
    analyse                         analyse             players; shown by analysis_view
    phases                          phases              arena.phases
    play                            play                players; shown by board and analysis_view
    serve                           serve               web
    hub, nboard, dxp                engines             protocols
    convert                         game_files          records
    export, import                  exchange            network, archive
    dataset                         dataset             dataset
    players, games, settings        listings            players, games, evolution.settings
    perft, playouts                 counting            games, montecarlo
    bench                           bench               arena.benchmark

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
