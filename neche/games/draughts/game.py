"""A game of draughts in the catalogue: what all boards have in common."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from neche.games.draughts.board import BLACK
from neche.games.draughts.captures import MOVE_WORDS
from neche.games.draughts.notation import DraughtsNotation
from neche.games.game import Game
from neche.games.generic import perft_with
from neche.games.planes import Planes, implement_planes
from neche.games.sensors import SensorLayout, material

BOLDER: Mapping[str, int] = {"cut_depth": 4, "cut_plies": 3, "reduce_slope": 70}
"""Figures of a selective search where kings fly, see docs/studies/selective-search.md."""


def draughts_game(
    name: str,
    notation: DraughtsNotation,
    *,
    start: Callable[[], Any],
    sensors: SensorLayout,
    **others: Any,
) -> Game:
    """Return a game of draughts for the catalogue, and register the planes of its board.

    others: further fields of `Game`, such as `draws` and `pdn`.
    """
    return Game(
        name=name,
        move_words=MOVE_WORDS,
        max_moves=notation.max_moves,
        move_type=notation.word,
        sides=("White", "Black"),
        start=start,
        parse_fen=notation.parse_fen,
        format_fen=notation.format_fen,
        legal_moves=notation.legal_moves,
        perft=perft_with(notation.max_moves * MOVE_WORDS, notation.word),
        diagram=notation.diagram,
        geometry=notation.geometry(),
        sensors=sensors,
        evaluators=(material(sensors),),
        planes=_planes(notation),
        **others,
    )


def _planes(notation: DraughtsNotation) -> Planes:
    side = len(notation.rows)
    cells = np.full(1 + max(notation.place_of_bit), -1, np.int64)
    for bit, (column, row) in notation.place_of_bit.items():
        cells[bit] = row * side + column
    return implement_planes(notation.record, Planes(("own", "foe", "kings"), side, cells, turned=BLACK))
