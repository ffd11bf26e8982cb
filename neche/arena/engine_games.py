"""Games in which an engine, of a Monte Carlo or any other player, chooses the moves of at least one side.

They are played move by move with the compiled functions of `game_loop`, so openings, draws among equal moves,
draw rules and results are those of compiled games, and networks play the same games here as there.
"""

from typing import Any, NamedTuple

import numpy as np

from neche.arena.draw_counters import new_draw_counters
from neche.arena.game_loop import GameWorkspace, choose, make_move, new_owners, random_opening, survey
from neche.compiled.randomness import draw, draw_below
from neche.endings.probing import Endings
from neche.games.draws import MAX_PLIES, DrawRule
from neche.games.game import Game, Move
from neche.network.packing import PackedNetworks
from neche.players.engine import Engine
from neche.search.negamax import NODES

# Draws of a game's stream below this number choose among equal moves, one per ply.
_FIRST_KEY = 1 << 40


class GameSetup(NamedTuple):
    """What all games of a batch share.

    packed: networks. rule: see `draws.DrawRule`. endings: solved ones, which end a game; None: it goes on.
    """

    game: Game
    packed: PackedNetworks
    rule: DrawRule
    workspace: GameWorkspace
    endings: Endings | None = None


class Opening(NamedTuple):
    """Random plies from a position: where, how many, and the key of their draws."""

    start: Any
    plies: int
    key: np.uint64


class Side(NamedTuple):
    """The player of one side. engine: of this game; None: packed network `network`, to `depth` plies."""

    engine: Engine | None
    network: int
    depth: int


class Outcome(NamedTuple):
    """The result of a game: 1 the first mover won, 0 draw, −1 lost; and its length with the opening.

    nodes: positions searched, and playouts.
    """

    outcome: int
    plies: int
    nodes: int


def play_engine_game(setup: GameSetup, sides: tuple[Side, Side], opening: Opening, key: np.uint64) -> Outcome:
    """Play one game.

    sides: the first mover and the other. key: stream of the draws among equal moves (one per ply) and of the
    analyses. The moves are left in the record of the workspace.
    """
    game, _, rule, workspace, endings = setup
    nodes_before, nodes_of_engines = int(workspace.work.counters[NODES]), 0
    position, ply = _play_opening(setup, opening)
    owner, counters = int(new_owners(workspace)), new_draw_counters(ply)
    positions: list[Any] = []
    while True:
        place = int(int(position.turn) != int(opening.start.turn))
        count, counters, is_drawn = survey(position, counters, rule, workspace)
        ply = int(counters.plies)
        verdict = endings.probe(position) if endings is not None and count and not is_drawn else None
        if count == 0 or is_drawn or verdict is not None:
            nodes = int(workspace.work.counters[NODES]) - nodes_before + nodes_of_engines
            result = verdict.result if verdict else 0 if count else game.outcome(position)
            return Outcome(-result if place else result, ply, nodes)
        legal = game.legal_moves(position)
        engine, network, depth = sides[place]
        if engine is not None:
            engine.follow(positions)
        positions.append(position)
        # A single move needs no engine, which might think about it nevertheless.
        if engine is None or count == 1:
            side = np.int64(network), np.int64(depth), np.int64(owner + place)
            draws = key, np.int64(ply)
            number = int(choose(setup.packed, *side, position, np.int64(count), *draws, workspace))
        else:
            number, visited = _choose_by_engine(engine, position, legal, key, ply)
            nodes_of_engines += visited
        workspace.record[ply % MAX_PLIES] = number
        # The moves are still where `survey` wrote them: engines work elsewhere.
        _, counters = make_move(position, number, counters, rule, workspace)
        position = legal[number].after


def _play_opening(setup: GameSetup, opening: Opening) -> tuple[Any, int]:
    """Play the random opening; return the position after it and its number of plies."""
    position, workspace = opening.start, setup.workspace
    plies, key = np.int64(opening.plies), np.uint64(opening.key)
    # The returned position has widened words, so the recorded moves are replayed from the start.
    _, played = random_opening(position, plies, key, workspace)
    for number in workspace.record[:played].tolist():
        position = setup.game.legal_moves(position)[number].after
    return position, int(played)


def _choose_by_engine(
    engine: Engine, position: Any, legal: list[Move], key: np.uint64, ply: int
) -> tuple[int, int]:
    """Return the number of the engine's move, one of its best, and how many positions it visited."""
    analysis = engine.analyse(position, key=int(draw(key, np.int64(_FIRST_KEY + ply))), line=False)
    best = analysis.best_moves
    text = best[int(draw_below(key, np.int64(ply), np.int64(len(best))))]
    return next(index for index, move in enumerate(legal) if move.text == text), analysis.nodes
