"""Lookup of solved endings: the value of any position with few pieces, and of its moves.

    endings = open_endings(game("checkers"), usual_directory())
    endings.probe(position)          Verdict(result=1, plies=13)

A slice is mapped into memory, and its checksum verified, when one of its positions is first probed.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from neche.compiled.bits import popcount
from neche.compiled.jit import I64, Array, Bool, Position, jit
from neche.compiled.pointers import byte_at
from neche.endings.files import DISTANCES, DRAW, WIN, SolvedSlice, num_pieces_solved, read_solved, slice_path
from neche.endings.indexing import BINOMIALS, located
from neche.endings.slices import MOST_PIECES, Slice, slices_of
from neche.errors import InputError
from neche.games.contract import is_registered, needed, register
from neche.games.game import Game


class Verdict(NamedTuple):
    """How a position ends with perfect play, for its side to move.

    result: 1 won, 0 drawn, −1 lost. plies: to the end of the game; None for a draw, and if distances are not
    kept.
    """

    result: int
    plies: int | None


class Endings:
    """The solved endings of a game in a directory.

    pieces: the number up to which every position is known. has_distances: whether wins have a length.
    """

    def __init__(self, game: Game, directory: Path, pieces: int) -> None:
        self.game, self.directory, self.pieces = game, directory, pieces
        paths = (slice_path(directory, game.name, of, DISTANCES) for of in slices_of(pieces))
        self.has_distances = all(path.exists() for path in paths)
        self._slices: dict[Slice, SolvedSlice] = {}

    def probe(self, position: Any) -> Verdict | None:
        """Return how a position ends; None if it has too many pieces; InputError if its file is damaged."""
        num_own, num_foe = popcount(position.own), popcount(position.foe)
        if num_own + num_foe > self.pieces or num_foe == 0:
            return None
        if num_own == 0:
            return Verdict(-1, 0)
        of, number = located(position, BINOMIALS)
        found = self._slice(Slice(*map(int, of)))
        value = int(found.values[number // 4]) >> 2 * (number % 4) & 3
        if value == DRAW:
            return Verdict(0, None)
        plies = 2 * int(found.distances[number]) + int(value == WIN) if self.has_distances else None
        return Verdict(1 if value == WIN else -1, plies)

    def after_moves(self, position: Any) -> dict[str, Verdict] | None:
        """Return the verdict on each legal move, for the side that makes it; None if any is unknown."""
        found = {}
        for move in self.game.legal_moves(position):
            if (after := self.probe(move.after)) is None:
                return None
            plies = None if after.plies is None else after.plies + 1
            found[move.text] = Verdict(-after.result, plies)
        return found

    def for_search(self) -> "SolvedEndings":
        """Return the results for compiled code, valid while this object lives; InputError if damaged."""
        places = np.zeros((MOST_PIECES + 1,) * 4, np.uint64)
        for of in slices_of(self.pieces):
            places[of] = self._slice(of).values.ctypes.data
        return SolvedEndings(np.int64(self.pieces), places, BINOMIALS)

    def _slice(self, of: Slice) -> SolvedSlice:
        if of not in self._slices:
            self._slices[of] = read_solved(self.game, self.directory, of, with_distances=self.has_distances)
        return self._slices[of]


def open_endings(game: Game, directory: Path) -> Endings:
    """Return the endings of a game in a directory; InputError if there are none."""
    pieces = num_pieces_solved(directory, game.name)
    if pieces == 0:
        how = "" if game.last_moves is None else "; exact=N plays its last moves exactly"
        if is_registered(type(game.start()), "king_row"):
            how = "; create them with neche solve"
        raise InputError(f"{directory}: no solved endings of {game.name}{how}")
    return Endings(game, directory, pieces)


class NoEndings(NamedTuple):
    """Replaces `SolvedEndings` if none are looked up: code compiled for it never probes."""

    pieces: I64


class SolvedEndings(NamedTuple):
    """Solved endings as compiled code reads them, see `Endings.for_search`.

    pieces: most pieces that are looked up. places: [7, 7, 7, 7] uint64, address of each slice's values, by
    the numbers of its pieces. binomials: see `indexing`.
    """

    pieces: I64
    places: Array
    binomials: Array


@needed
def known_result(endings: Any, position: Any) -> Any:
    """Return whether the result of a position is known, and the result: 1 won, 0 drawn, −1 lost; int64."""


@jit
def _looked_up(endings: SolvedEndings, position: Position) -> I64:
    of, number = located(position, endings.binomials)
    place = endings.places[of.own_men, of.own_kings, of.foe_men, of.foe_kings]
    byte = np.int64(byte_at(np.uint64(place + np.uint64(number >> 2))))
    return np.int64((byte >> 2 * (number & 3) & 3) - DRAW)


def _known_result(endings: Any, position: Position) -> tuple[Bool, I64]:
    # nearly all positions of a search return here
    if np.int64(popcount(np.uint64(position.own | position.foe))) > endings.pieces:
        return False, np.int64(0)
    if position.own == 0 or position.foe == 0:
        return False, np.int64(0)
    return True, _looked_up(endings, position)


register(NoEndings, known_result=lambda endings, position: (False, np.int64(0)))
register(SolvedEndings, known_result=_known_result)
