"""Games in which an engine chooses the moves of one side at least: a Monte Carlo player, or any other.

Move by move over the compiled pieces of `game_loop`, so openings, draws among equal moves, draw rules and
results are those of compiled games, and networks play the same games here as there.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.arena.draw_counters import new_draw_counters
from neche.arena.game_loop import (
    MAX_PLIES,
    GameWorkspace,
    choose,
    make_move,
    new_owners,
    random_opening,
    survey,
)
from neche.compiled.randomness import draw, draw_below
from neche.games.catalogue import Game, Move
from neche.network.packing import PackedNetworks
from neche.players.engine import Engine, Player
from neche.search.negamax import NODES

# Draws of a game's stream below this number choose among equal moves, one for each ply.
_FIRST_KEY = 1 << 40


class Table(NamedTuple):
    """What all games of a batch share. rule: see `draws.DrawRule`."""

    game: Game
    packed: PackedNetworks
    rule: Any
    workspace: GameWorkspace


class Opening(NamedTuple):
    """So many random plies from a position, and the key they are drawn with."""

    start: Any
    key: np.uint64
    plies: int


class Contestant(NamedTuple):
    """One side of a game: a player that plays move by move, or else a packed network and its depth."""

    player: Player | None
    network: int
    depth: int


class Outcome(NamedTuple):
    """How a game went: 1 the first mover won, 0 draw, −1 lost; and its length with the opening.

    nodes: positions that were searched, and playouts.
    """

    outcome: int
    plies: int
    nodes: int


class _Side(NamedTuple):
    """A contestant at the board. engine: of a player that plays move by move, for this one game."""

    contestant: Contestant
    engine: Engine | None
    owner: int


def play_thinking_game(
    table: Table, contestants: tuple[Contestant, Contestant], opening: Opening, key: np.uint64
) -> Outcome:
    """Play one game, which begins anew for every engine.

    contestants: the first mover and the other. key: stream of the draws among equal moves (one a ply) and of
    the analyses. The moves are left in the record of the workspace.
    """
    game, workspace, rule = table.game, table.workspace, table.rule
    nodes_before = int(workspace.work.counters[NODES])
    position, ply = _opened(table, opening)
    first_turn = int(opening.start.turn)
    owner = int(new_owners(workspace.work))
    sides = [
        _Side(one, one.player.new_game(game) if one.player else None, owner + place)
        for place, one in enumerate(contestants)
    ]
    counters, nodes_of_engines = new_draw_counters(ply), 0
    while True:
        place = int(int(position.turn) != first_turn)
        count, counters, is_drawn = survey(position, counters, rule, workspace)
        ply = int(counters.plies)
        if count == 0 or is_drawn:
            nodes = int(workspace.work.counters[NODES]) - nodes_before + nodes_of_engines
            result = 0 if count else game.outcome(position)
            return Outcome(-result if place else result, ply, nodes)
        legal = game.legal_moves(position)
        engine = sides[place].engine
        # A single move needs no engine, which might think about it all the same.
        if engine is None or count == 1:
            number = _searched(table, sides[place], position, count, key, ply)
        else:
            number, visited = _analysed(engine, position, legal, key, ply)
            nodes_of_engines += visited
        workspace.record[ply % MAX_PLIES] = number
        # The moves are still where `survey` wrote them: engines work elsewhere.
        _, counters = make_move(position, number, counters, rule, workspace)
        position = legal[number].after


def _opened(table: Table, opening: Opening) -> tuple[Any, int]:
    """Play the random opening; return the position after it and how many plies it has."""
    game, workspace = table.game, table.workspace
    position = opening.start
    # The position comes back with its words widened, so it is reached once more by the recorded moves.
    _, played = random_opening(
        position, np.int64(opening.plies), np.uint64(opening.key), workspace.work, workspace.record
    )
    for number in workspace.record[:played].tolist():
        position = game.legal_moves(position)[number].after
    return position, int(played)


def _searched(table: Table, side: _Side, position: Any, count: int, key: np.uint64, ply: int) -> int:
    """Return the number of the move that a network or a random mover plays; a single move is not searched."""
    _, network, depth = side.contestant
    judged = np.int64(network), np.int64(depth), np.int64(side.owner)
    return int(
        choose(table.packed, *judged, position, np.int64(count), key, np.int64(ply), table.workspace.work)
    )


def _analysed(engine: Engine, position: Any, legal: list[Move], key: np.uint64, ply: int) -> tuple[int, int]:
    """Return the number of the move an engine plays, one of its best, and the positions it visited."""
    analysis = engine.analyse(position, key=int(draw(key, np.int64(_FIRST_KEY + ply))), line=False)
    best = analysis.best_moves
    text = best[int(draw_below(key, np.int64(ply), np.int64(len(best))))]
    return next(index for index, move in enumerate(legal) if move.text == text), analysis.nodes
