"""Games played once more, move by move, to be written down: batches of games keep only who won.

A game is a pure function of its keys, so its moves need not be stored to be known.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from neche.arena import game_loop
from neche.arena.match import MEETING, MatchReport
from neche.arena.meetings import Event, contestants, schedule
from neche.arena.pdn import GameRecord
from neche.arena.playing import TABLE_BITS, Field, Pairings
from neche.compiled.randomness import draw_below
from neche.errors import InputError
from neche.games.catalogue import Game, Move, game
from neche.search.root import judge_for, search_root
from neche.search.workspace import new_workspace


def replay_match(event: Event, report: MatchReport) -> Iterator[GameRecord]:
    """Yield the games of a match in the order they were played.

    Errors: InputError for another game than checkers, which PDN is written for.
    """
    if event.game != "checkers":
        raise InputError(f"PDN is written for checkers only, not for {event.game}")
    num_pairs = len(report.results)
    field, pairings = contestants(event), schedule(event, MEETING, num_pairs, range(num_pairs))
    for pair in report.results:
        for side, (outcome, plies) in enumerate(zip(pair.outcomes, pair.plies, strict=True)):
            index = 2 * pair.number + side
            yield GameRecord(
                black=(report.first, report.second)[side],
                white=(report.second, report.first)[side],
                moves=replay_game(field, pairings, index, plies),
                outcome=(outcome, -outcome)[side],
                event=f"neche match, seed {event.seed}",
                round=f"{pair.number + 1}.{side + 1}",
            )


def replay_game(field: Field, pairings: Pairings, index: int, plies: int) -> list[str]:
    """Return the texts of the moves of game `index`, the opening's included.

    plies: length of the game, from its result; so the draw rule need not be known
    """
    rules = game(field.game)
    first_side = rules.side_to_move(rules.start())
    opening_plies = int(pairings.opening_plies[index])
    position, texts = _open(rules, opening_plies, pairings.opening_key[index])
    work = new_workspace(rules.move_words, rules.max_moves, table_bits=TABLE_BITS)
    for ply in range(opening_plies, plies):
        is_first = rules.side_to_move(position) == first_side
        contestant = int((pairings.first if is_first else pairings.second)[index])
        legal = rules.legal_moves(position)
        judge = judge_for(field.bank, contestant, int(position.turn))
        best = list(range(len(legal)))
        if field.depths[contestant] > 0 and len(legal) > 1:
            owner = np.int64(1 if is_first else 2)
            value = search_root(judge, work, position, np.int64(field.depths[contestant]), owner, False)
            best = [number for number in best if work.root[number] == value]
        drawn = draw_below(pairings.game_key[index], ply, len(best)) if len(legal) > 1 else 0
        move = legal[best[int(drawn)]]
        texts.append(move.text)
        position = move.after
    return texts


def _open(rules: Game, plies: int, key: np.uint64) -> tuple[Any, list[str]]:
    """Draw the opening as `game_loop.random_opening` does."""
    position: Any = rules.start()
    moves: list[Move] = []
    for attempt in range(game_loop._OPENING_TRIES):
        position, moves = rules.start(), []
        while len(moves) < plies and (legal := rules.legal_moves(position)):
            counter = attempt * game_loop.MAX_HISTORY + len(moves)
            moves.append(legal[int(draw_below(key, counter, len(legal)))])
            position = moves[-1].after
        if len(moves) == plies and rules.legal_moves(position):
            break
    return position, [move.text for move in moves]
