"""Games played once more, move by move, to be written down: batches of games keep only who won.

A game is a pure function of its keys, so its moves need not be stored to be known. Games of players that
think take as long as before, so they too are shared out among joblib's workers.
"""

from collections.abc import Iterator

import joblib

from neche.arena.match import MEETING, MatchReport
from neche.arena.meetings import Event, contestants, schedule
from neche.arena.playing import record_game
from neche.compiled.batches import results_of
from neche.games.catalogue import game
from neche.records.record import DRAWN, FIRST_WON, SECOND_WON, GameRecord, Line, Ply, first_side


def replay_match(event: Event, report: MatchReport) -> Iterator[GameRecord]:
    """Yield the games of a match in the order they were played.

    In games of draughts the last move carries a comment that names the winner: programs read results of
    American checkers differently.
    """
    rules = game(event.game)
    first = first_side(rules)
    num_pairs = len(report.results)
    field, pairings = contestants(event), schedule(event, MEETING, num_pairs, range(num_pairs))
    calls = {
        index: joblib.delayed(record_game)(field, pairings, index, event.draw_rule)
        for index in range(2 * num_pairs)
    }
    players = (report.first, report.second)
    for index, moves in results_of(calls):
        number, side = divmod(index, 2)
        fen = event.starts[side % len(event.starts)] if event.starts else ""
        mover = rules.side_to_move(rules.parse_fen(fen)) if fen else first
        other = next(name for name in rules.sides if name != mover)
        points = report.results[number].outcomes[side] * (1, -1)[side]
        winner = {1: mover, 0: "", -1: other}[points]
        plies = [Ply(move.text) for move in moves]
        if rules.pdn:
            ended = f"{winner} wins" if winner else "drawn"
            plies[-1:] = [Ply(ply.move, remarks=(ended,)) for ply in plies[-1:]]
        tags = {
            "Event": f"neche match, seed {event.seed}",
            "Round": f"{number + 1}.{side + 1}",
            mover: players[side],
            other: players[1 - side],
            f"{mover}Type": "program",
            f"{other}Type": "program",
            "PlyCount": str(len(plies)),
        }
        result = FIRST_WON if winner == first else SECOND_WON if winner else DRAWN
        setup = "" if fen == rules.format_fen(rules.start()) else fen
        yield GameRecord(event.game, Line(tuple(plies)), tuple(tags.items()), setup, result)
