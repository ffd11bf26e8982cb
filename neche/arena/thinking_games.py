"""Games in which someone thinks in Python: a Monte Carlo player, or any other `Thinker`.

Move by move over the compiled pieces of `game_loop`, so openings, draws among equal moves, draw rules and
results are those of compiled games, and networks play the same games here as there.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.arena.game_loop import MAX_PLIES, Desk, choose, make_move, new_owners, random_opening, survey
from neche.arena.tally import new_tally
from neche.compiled.randomness import draw, draw_below
from neche.games.catalogue import Game, Move
from neche.montecarlo.thinking import Seat, Thinker
from neche.network.packing import PackedNetworks
from neche.search.workspace import NODES

# Draws of a game's stream below this number choose among equal moves, one for each ply.
_FIRST_THOUGHT = 1 << 40


class Table(NamedTuple):
    """What all games of a batch share. rule: see `draws.DrawRule`."""

    game: Game
    packed: PackedNetworks
    rule: Any
    desk: Desk


class Opening(NamedTuple):
    """So many random plies from a position, and the key they are drawn with."""

    start: Any
    key: np.uint64
    plies: int


class Contestant(NamedTuple):
    """One side of a game: a thinker, or else a network, by its number in the packed, and its depth."""

    thinker: Thinker | None
    network: int
    depth: int


class Outcome(NamedTuple):
    """How a game went: 1 the first mover won, 0 draw, −1 lost; and its length with the opening.

    nodes: positions that networks searched, and playouts of thinkers.
    """

    outcome: int
    plies: int
    nodes: int


class _Side(NamedTuple):
    """A contestant at the board. seat: what a thinker remembers of this one game."""

    contestant: Contestant
    seat: Seat | None
    owner: int


def play_thinking_game(
    table: Table, contestants: tuple[Contestant, Contestant], opening: Opening, key: np.uint64
) -> Outcome:
    """Play one game; every thinker takes a fresh seat.

    contestants: the first mover and the other. key: stream of the draws among equal moves (one a ply) and of
    the thoughts. The moves are left in the record of the desk.
    """
    game, desk, rule = table.game, table.desk, table.rule
    nodes_before = int(desk.work.counters[NODES])
    position, ply = _opened(table, opening)
    first_turn = int(opening.start.turn)
    owner = int(new_owners(desk.work))
    sides = [
        _Side(one, one.thinker.sit(game) if one.thinker else None, owner + place)
        for place, one in enumerate(contestants)
    ]
    tally, played_out = new_tally(ply), 0
    while True:
        place = int(int(position.turn) != first_turn)
        count, tally, is_drawn = survey(position, tally, rule, desk)
        ply = int(tally.plies)
        if count == 0 or is_drawn:
            nodes = int(desk.work.counters[NODES]) - nodes_before + played_out
            result = 0 if count else game.outcome(position)
            return Outcome(-result if place else result, ply, nodes)
        legal = game.legal_moves(position)
        seat = sides[place].seat
        if seat is None or count == 1:
            number = _searched(table, sides[place], position, count, key, ply)
        else:
            number, playouts = _thought(seat, position, legal, key, ply)
            played_out += playouts
        desk.record[ply % MAX_PLIES] = number
        # The moves are still where `survey` wrote them: a search leaves them there, a seat works elsewhere.
        _, tally = make_move(position, number, tally, rule, desk)
        position = legal[number].after


def _opened(table: Table, opening: Opening) -> tuple[Any, int]:
    """Play the random opening; return the position after it and how many plies it has."""
    game, desk = table.game, table.desk
    position = opening.start
    # The position comes back with its words widened, so it is reached once more by the recorded moves.
    _, played = random_opening(
        position, np.int64(opening.plies), np.uint64(opening.key), desk.work, desk.record
    )
    for number in desk.record[:played].tolist():
        position = game.legal_moves(position)[number].after
    return position, int(played)


def _searched(table: Table, side: _Side, position: Any, count: int, key: np.uint64, ply: int) -> int:
    """Return the number of the move that a network or a random mover plays; a single move is not searched."""
    _, network, depth = side.contestant
    judged = np.int64(network), np.int64(depth), np.int64(side.owner)
    return int(choose(table.packed, *judged, position, np.int64(count), key, np.int64(ply), table.desk.work))


def _thought(seat: Seat, position: Any, legal: list[Move], key: np.uint64, ply: int) -> tuple[int, int]:
    """Return the number of the move a thinker plays, one of its best, and the positions it visited."""
    thought = seat.think(position, int(draw(key, np.int64(_FIRST_THOUGHT + ply))))
    text = thought.best[int(draw_below(key, np.int64(ply), np.int64(len(thought.best))))]
    number = next(index for index, move in enumerate(legal) if move.text == text)
    return number, thought.playouts
