"""Registers the rules of draughts with the contract, and builds a game of draughts for the catalogue."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from neche.games.contract import register
from neche.games.draughts.board import BLACK, Traits, new_position
from neche.games.draughts.captures import MOVE_WORDS, can_capture, generate_captures
from neche.games.draughts.endings import ending
from neche.games.draughts.moves import can_move_quietly, count_moves, generate, is_progress, successor
from neche.games.draughts.notation import DraughtsNotation
from neche.games.game import Game
from neche.games.generic import perft_with
from neche.games.planes import Planes, implement_planes
from neche.games.sensors import SensorLayout, material

FMJD_TRAITS = Traits(
    kings_fly=True,  # FMJD 3.9, 4.3
    men_capture_backward=True,  # FMJD 4.1
    most_must_be_taken=True,  # FMJD 4.13, 4.14
)
"""The traits of international rules, on either board."""
BOLDER: Mapping[str, int] = {"cut_depth": 4, "cut_plies": 3, "reduce_slope": 70}
"""Parameters of the selective search for games with flying kings, see docs/studies/selective-search.md."""


def register_draughts(record: Any, traits: Traits, *, max_moves: int) -> None:
    """Register the rules of the game whose positions have the type `record`, on its registered board."""
    register(
        record,
        **traits._asdict(),
        generate=generate,
        generate_captures=generate_captures,
        count_moves=count_moves,
        is_quiet=lambda position: not can_capture(position),
        can_move_quietly=can_move_quietly,
        successor=successor,
        move_words=MOVE_WORDS,
        max_moves=max_moves,
        is_progress=is_progress,
        position_at=lambda columns, index: record(
            columns.own[index], columns.foe[index], columns.kings[index], columns.turn[index]
        ),
        position_in=lambda sample, table, row, index: new_position(
            sample, table[row, index], table[row + 1, index], table[row + 2, index], table[row + 3, index]
        ),
    )
    if traits.kings_fly:
        register(record, ending=ending)


def draughts_game(name: str, notation: DraughtsNotation, *, sensors: SensorLayout, **others: Any) -> Game:
    """Return a game of draughts; register its rules and planes. others: fields of `Game`, such as `draws`."""
    start = notation.parse_fen(notation.start)
    register_draughts(notation.record, notation.traits, max_moves=notation.max_moves)
    return Game(
        name=name,
        move_words=MOVE_WORDS,
        max_moves=notation.max_moves,
        move_type=notation.word,
        sides=("White", "Black"),
        start=lambda: start,
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
