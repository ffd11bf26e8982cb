"""Whole games in compiled code: opening, moves, draw rules, result. Searchers and uniformly random movers alike."""

from typing import Any

import numpy as np

from neche.compiled.jit import jit
from neche.compiled.randomness import draw_below
from neche.games.contract import generate, is_progress, move_words, position_words, side_to_move, successor
from neche.search.root import judge_for, search_root
from neche.search.transposition import MAX_OWNER
from neche.search.workspace import NODES, OWNER

MAX_HISTORY = 512
_OPENING_TRIES = 64


@jit
def random_opening(position: Any, plies: Any, key: Any, work: Any) -> Any:
    """Play `plies` uniformly random moves; an opening that ends the game is drawn anew.

    A game that cannot last that many plies in 64 tries begins where the last try ended.
    """
    here = position
    for attempt in range(_OPENING_TRIES):
        here = position
        played = 0
        while played < plies:
            count = generate(here, work.moves, 0)
            if count == 0:
                break
            number = draw_below(key, attempt * MAX_HISTORY + played, count)
            here = successor(here, work.moves, number * move_words(here))
            played += 1
        if played == plies and generate(here, work.moves, 0) > 0:
            break
    return here


@jit
def _choose(
    bank: Any,
    contestant: Any,
    depth: Any,
    owner: Any,
    position: Any,
    count: Any,
    key: Any,
    ply: Any,
    work: Any,
) -> Any:
    """Number of the move a contestant plays: one of the best, drawn at random among exactly equal ones."""
    if count == 1:
        return np.int64(0)
    if depth == 0:
        return draw_below(key, ply, count)
    judge = judge_for(bank, contestant, side_to_move(position))
    best = search_root(judge, work, position, np.int64(count), np.int64(depth), np.int64(owner), False)
    ties = 0
    for number in range(count):
        ties += work.root[number] == best
    wanted = draw_below(key, ply, ties)
    for number in range(count):
        if work.root[number] == best:
            if wanted == 0:
                return np.int64(number)
            wanted -= 1
    return np.int64(0)


@jit
def _is_repeated(history: Any, length: Any, times: Any) -> Any:
    """Tell whether the last of `length` positions has occurred `times` times."""
    last = 2 * (length - 1)
    seen = 0
    for at in range(last, -1, -4):
        seen += history[at] == history[last] and history[at + 1] == history[last + 1]
    return seen >= times


@jit
def _new_owners(work: Any) -> Any:
    """Two owners of table entries that no entry belongs to yet."""
    owner = work.counters[OWNER] + 2
    if owner >= MAX_OWNER:
        for at in range(len(work.table)):
            work.table[at] = 0
        owner = np.int64(2)
    work.counters[OWNER] = owner
    return owner


@jit
def play_game(
    start: Any, bank: Any, sides: Any, depths: Any, opening: Any, key: Any, rule: Any, work: Any, history: Any
) -> Any:
    """Play one game; return the outcome (1 the first mover wins, 0 draw, −1 loses) and its length in plies.

    sides, depths: of the first mover and the other. opening: key and number of random plies. rule: see `DrawRule`.
    """
    position = random_opening(start, opening[1], opening[0], work)
    ply = np.int64(opening[1])
    first_turn = side_to_move(start)
    owner = _new_owners(work)
    quiet = np.int64(0)
    seen = np.int64(0)
    while True:
        is_first = side_to_move(position) == first_turn
        count = generate(position, work.moves, 0)
        if count == 0:
            return np.int64(-1) if is_first else np.int64(1), ply
        if rule.repetition > 0:
            history[2 * seen], history[2 * seen + 1] = position_words(position)
            seen += 1
            if _is_repeated(history, seen, rule.repetition):
                return np.int64(0), ply
        if quiet >= rule.quiet_plies:
            return np.int64(0), ply
        if is_first:
            number = _choose(bank, sides[0], depths[0], owner, position, count, key, ply, work)
        else:
            number = _choose(bank, sides[1], depths[1], owner + 1, position, count, key, ply, work)
        after = successor(position, work.moves, number * move_words(position))
        quiet = np.int64(0) if is_progress(position, after, rule.man_moves_reset) else quiet + 1
        if quiet == 0 or 2 * seen + 2 > len(history):
            seen = np.int64(0)
        position = after
        ply += 1


@jit
def play_all(
    start: Any, bank: Any, depths: Any, pairings: Any, rule: Any, work: Any, history: Any, results: Any
) -> None:
    """Play the games of `pairings` into `results`."""
    for game in range(len(pairings.first)):
        before = work.counters[NODES]
        first, second = pairings.first[game], pairings.second[game]
        outcome, plies = play_game(
            start,
            bank,
            (np.int64(first), np.int64(second)),
            (np.int64(depths[first]), np.int64(depths[second])),
            (pairings.opening_key[game], np.int64(pairings.opening_plies[game])),
            pairings.game_key[game],
            rule,
            work,
            history,
        )
        results.outcome[game] = outcome
        results.plies[game] = plies
        results.nodes[game] = work.counters[NODES] - before
