"""Games between players: openings, playing, matches, tournaments, ladders, and statistics of their results.

The way in is `match.play_match`: two players, paired openings with the colours swapped, Elo with its error.

    >>> from neche.arena.match import play_match
    >>> from neche.arena.tournament import Tournament
    >>> from neche.players.spec import parse_player
    >>> players = [parse_player("material:depth=2"), parse_player("random")]
    >>> report = play_match(Tournament(players, seed=1), games=20)
    >>> report.wins > report.losses
    True

Two games make a pair: the same random opening, played twice with the colours swapped, so that an opening
which favours one side favours both players once. Errors and tests are computed from pairs, since the two
games of a pair are not independent.

Playing. Every game is a pure function of its keys, so results do not depend on workers or batches:

    playing             contestants, schedule, results; batches over joblib's workers; games move by move, if
                        a player has an engine
    game_loop           whole games in compiled code, between networks and random movers
    draw_counters       the counters of the draw rules
    game_in_progress    one game with a person or another program, and its record

Events and their files:

    tournament          players, seed and rules of games; their pairings, batch by batch
    match, round_robin, ladder
    scale               results between rungs, and one Elo scale for all players that climb them
    results             a results file, from which a stopped event resumes

Statistics and measurements:

    elo, sprt, bradley_terry
    probes              networks compared on positions, without a game
    phases              depth, speed and certainty of a player in opening, middle game and ending
    benchmark           the fixed workload of `neche bench`

Games between networks never leave compiled code; each move of a player with an engine costs a Python call.
An attribute of each player decides which (`players.engine.Player.batch_search`).
"""
