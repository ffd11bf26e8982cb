"""Whole games in compiled code, between searchers and random movers: opening, moves, draw rules, result."""

from typing import Any, NamedTuple

import numpy as np

from neche.arena import draw_counters
from neche.arena.draw_counters import DrawCounters
from neche.compiled.jit import I64, U64, Array, Bool, Position, jit, jit_inlined
from neche.compiled.pointers import address, record_at
from neche.compiled.randomness import draw_below
from neche.games.contract import generate, move_words, outcome, side_to_move, successor
from neche.games.draws import MAX_PLIES, DrawRule
from neche.games.game import Game
from neche.network.packing import PackedNetworks
from neche.search.evaluator import network_evaluator
from neche.search.negamax import NODES, Workspace, new_owners_of, new_workspace, search_best
from neche.search.shallow import ShallowWorkspace

_OPENING_TRIES = 64


@jit
def random_opening(position: Position, plies: I64, key: U64, workspace: Any) -> tuple[Position, I64]:
    """Play `plies` uniformly random moves; return the position after them and how many there were.

    An opening that ends the game is redrawn; after 64 of them, the game begins where the last one ended.
    """
    space = record_at(workspace)
    moves, record = space.work.moves, space.record
    here, played = position, np.int64(0)
    for attempt in range(_OPENING_TRIES):
        here, played = position, np.int64(0)
        while played < plies:
            count = generate(here, moves, 0)
            if count == 0:
                break
            # Each try has its own numbers, so the same key gives the same opening everywhere.
            number = draw_below(key, attempt * MAX_PLIES + played, count)
            # The index wraps around: an opening may be longer than the record.
            record[played % len(record)] = number
            here = successor(here, moves, number * move_words(here))
            played += 1
        # The game must not be over after the opening.
        if played == plies and generate(here, moves, 0) > 0:
            break
    return here, played


@jit
def choose(
    packed: Any,
    contestant: I64,
    depth: I64,
    owner: I64,
    position: Position,
    count: I64,
    key: U64,
    ply: I64,
    workspace: Any,
) -> I64:
    """Return the number of a contestant's move: a random one of the exactly best ones."""
    # A forced move needs neither search nor random number; random numbers go by ply, so later ones stay.
    if count == 1:
        return np.int64(0)
    if depth == 0:
        return draw_below(key, ply, count)
    work = record_at(workspace).work
    evaluator = network_evaluator(record_at(packed), contestant, side_to_move(position))
    best = search_best(work, evaluator, position, count, depth, owner)
    ties = 0
    for number in range(count):
        # One of the ties is drawn uniformly: values are integers, so ties are exact.
        ties += work.root[number] == best
    # Keyed by the ply, not by a running state: a draw does not depend on earlier ones.
    wanted = draw_below(key, ply, ties)
    for number in range(count):
        if work.root[number] == best:
            if wanted == 0:
                return np.int64(number)
            wanted -= 1
    return np.int64(0)


@jit
def new_owners(workspace: Any) -> I64:
    """Return new owners of table entries for a game, see `negamax.new_owners_of`."""
    return new_owners_of(record_at(workspace).work)


class GameWorkspace(NamedTuple):
    """Buffers for playing games, one per thread. Functions here take it or its address: see `pointers`.

    work: search buffers. history: [MAX_POSITION_WORDS · MAX_HISTORY] uint64, see `draw_counters.draw_reason`.
    record: [MAX_PLIES] int16, number of each move of the last game in generation order.
    """

    work: Workspace | ShallowWorkspace
    history: Array
    record: Array


def new_game_workspace(game: Game, *, table_bits: int) -> GameWorkspace:
    """Allocate buffers; table_bits: see `negamax.new_workspace`."""
    history = np.zeros(draw_counters.MAX_POSITION_WORDS * draw_counters.MAX_HISTORY, np.uint64)
    work = new_workspace(game, table_bits=table_bits)
    return GameWorkspace(work, history, np.zeros(MAX_PLIES, np.int16))


@jit
def survey(
    position: Position, counters: DrawCounters, rule: DrawRule, workspace: Any
) -> tuple[I64, DrawCounters, Bool]:
    """Write the legal moves to the start of the move buffer; return the state of the game.

    counters: see `draw_counters.DrawCounters`. Returns the number of moves, the counters with this position,
    and, if there is a move, whether the game is drawn.
    """
    space = record_at(workspace)
    count = np.int64(generate(position, space.work.moves, 0))
    if count == 0:
        return count, counters, False
    counters, reason = draw_counters.draw_reason(position, counters, rule, space.history)
    return count, counters, reason != draw_counters.GOES_ON


@jit
def make_move(
    position: Position, number: I64, counters: DrawCounters, rule: DrawRule, workspace: Any
) -> tuple[Position, DrawCounters]:
    """Play move `number` of those in the move buffer; return the position after it and the counters."""
    after = successor(position, record_at(workspace).work.moves, number * move_words(position))
    return after, draw_counters.count_move(position, after, counters, rule)


@jit
def play_game(
    start: Position,
    packed: Any,
    sides: tuple[I64, I64],
    depths: Array,
    opening: tuple[U64, I64],
    key: U64,
    rule: DrawRule,
    workspace: Any,
) -> tuple[I64, I64]:
    """Play one game; return the outcome (1 the first mover wins, 0 draw, −1 loses) and its length in plies.

    sides, depths: of the first mover and the other. opening: key and number of random plies. rule: see
    `DrawRule`.
    """
    position, ply = random_opening(start, opening[1], opening[0], workspace)
    first_turn = side_to_move(start)
    owner = new_owners(workspace)
    counters = draw_counters.new_draw_counters(ply)
    while True:
        is_first = side_to_move(position) == first_turn
        # A game without a legal move is over before any draw rule applies.
        count, counters, is_drawn = survey(position, counters, rule, workspace)
        ply = np.int64(counters.plies)
        if count == 0:
            # The outcome is for the side to move here, the result for the first mover.
            result = outcome(position)
            return np.int64(result if is_first else -result), ply
        if is_drawn:
            return np.int64(0), ply
        side = 0 if is_first else 1
        number = choose(packed, sides[side], depths[side], owner + side, position, count, key, ply, workspace)
        record = record_at(workspace).record
        record[ply % len(record)] = number
        position, counters = make_move(position, number, counters, rule, workspace)


@jit_inlined
def play_number(
    start: Position,
    packed: Any,
    depths: Array,
    schedule: Any,
    game: I64,
    rule: DrawRule,
    workspace: Any,
    results: Any,
) -> None:
    """Play game number `game` of `schedule` into `results`, like `play_all`."""
    # The thread's node counter is never reset: the nodes of a game are a difference.
    before = record_at(workspace).work.counters[NODES]
    first, second = schedule.first[game], schedule.second[game]
    outcome, plies = play_game(
        start,
        packed,
        (np.int64(first), np.int64(second)),
        (np.int64(depths[first]), np.int64(depths[second])),
        (schedule.opening_key[game], np.int64(schedule.opening_plies[game])),
        schedule.game_key[game],
        rule,
        workspace,
    )
    results.outcome[game] = outcome
    results.plies[game] = plies
    results.nodes[game] = record_at(workspace).work.counters[NODES] - before


@jit
def play_all(
    start: Position,
    packed: PackedNetworks,
    depths: Array,
    schedule: Any,
    rule: DrawRule,
    workspace: GameWorkspace,
    results: Any,
) -> None:
    """Play the games of `schedule` into `results`; see `playing.Schedule` and `playing.GameResults`."""
    # By address from here on: records of this size are too expensive to copy at every move.
    packed_place, place = address(packed), address(workspace)
    for game in range(len(schedule.first)):
        play_number(start, packed_place, depths, schedule, game, rule, place, results)
