"""Games played once more, move by move, to be written down: batches of games keep only who won.

A game is a pure function of its keys, so its moves need not be stored to be known. Games of players that
think take as long as before, so they too are shared out among joblib's workers.
"""

from collections.abc import Iterator

import joblib

from neche.arena.match import MEETING, MatchReport
from neche.arena.meetings import Event, contestants, schedule
from neche.arena.pdn import GameRecord
from neche.arena.playing import record_game
from neche.compiled.batches import results_of
from neche.errors import InputError


def replay_match(event: Event, report: MatchReport) -> Iterator[GameRecord]:
    """Yield the games of a match in the order they were played.

    Errors: InputError for another game than checkers, which PDN is written for.
    """
    if event.game != "checkers":
        raise InputError(f"PDN is written for checkers only, not for {event.game}")
    num_pairs = len(report.results)
    field, pairings = contestants(event), schedule(event, MEETING, num_pairs, range(num_pairs))
    calls = {
        index: joblib.delayed(record_game)(field, pairings, index, event.draw_rule)
        for index in range(2 * num_pairs)
    }
    for index, moves in results_of(calls):
        number, side = divmod(index, 2)
        fen = event.starts[side % len(event.starts)] if event.starts else ""
        white = int(fen.startswith("W"))  # 1: White has the first move
        movers = (report.first, report.second)[:: (1, -1)[side]]
        yield GameRecord(
            black=movers[white],
            white=movers[1 - white],
            moves=[move.text for move in moves],
            outcome=report.results[number].outcomes[side] * (1, -1)[side] * (1, -1)[white],
            event=f"neche match, seed {event.seed}",
            round=f"{number + 1}.{side + 1}",
            fen=fen,
        )
