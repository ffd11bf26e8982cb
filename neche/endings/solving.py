"""All slices of a game, solved stage by stage and stored on disk: slices already there are not solved again.

The pairs of a stage do not depend on each other, so joblib's workers solve them in parallel; a pair whose
files exist counts as done. An interruption at any moment loses only the pairs being solved.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np

from neche.compiled.batches import results_of
from neche.endings.files import DISTANCES, SliceCounts, SolvedSlice, read_solved, slice_path, write_slice
from neche.endings.indexing import BINOMIALS
from neche.endings.retrograde import Pair, Solved, num_inconsistent, solve_pair, store_values
from neche.endings.slices import Slice, board_of, first_positions, pair_of, slices_of, stages
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.game import Game

Notify = Callable[[int, int], None]
"""Called with the number of positions done and the total."""


class EndingsSize(NamedTuple):
    """The size of the endings. slices, positions: their numbers. num_bytes: of the files."""

    slices: int
    positions: int
    num_bytes: int


def size_of(rules: Game, pieces: int, *, with_distances: bool) -> EndingsSize:
    """Return the size of the endings of up to `pieces` pieces; InputError if they cannot be solved."""
    board = board_of(rules)
    sizes = [board.num_positions(of) for of in slices_of(pieces)]
    positions = sum(sizes)
    num_bytes = sum(-(-size // 4) for size in sizes) + (positions if with_distances else 0)
    return EndingsSize(len(sizes), positions, num_bytes)


def solve_endings(
    rules: Game,
    directory: Path,
    pieces: int,
    *,
    with_distances: bool = False,
    notify: Notify = lambda done, total: None,
) -> Iterator[tuple[Slice, SliceCounts, bool]]:
    """Solve the missing slices; yield each slice with its counts, and whether it is new, in order.

    Parallel as the caller has configured joblib. InputError if endings of the game cannot be solved, or a
    file is damaged or cannot be written.
    """
    solved, total = new_solved(rules, pieces, with_distances=with_distances)
    done, num_positions = 0, board_of(rules).num_positions
    for stage in stages(pieces):
        kept = {of: _kept_pair(rules, directory, of, with_distances) for of in stage}
        # The largest first, so that no worker is left alone with it at the end.
        missing = sorted((of for of in stage if kept[of] is None), key=num_positions, reverse=True)
        calls = {of: joblib.delayed(_solve)(rules.name, of, solved) for of in missing}
        for of, found in (*((of, kept[of]) for of in stage if kept[of]), *results_of(calls)):
            pair = list(zip(pair_of(of), found or (), strict=True))
            for one, result in pair:
                if of in missing:
                    _write(directory, rules.name, one, result)
                _put(solved, one, result)
                done += result.counts.positions
                notify(done, total)
            yield from ((one, result.counts, of in missing) for one, result in pair)


def new_solved(rules: Game, pieces: int, *, with_distances: bool) -> tuple[Solved, int]:
    """Return room for slices of up to `pieces` pieces, and their total number of positions."""
    first, end = first_positions(board_of(rules), pieces)
    distances = np.zeros(end if with_distances else 0, np.uint8)
    positions = size_of(rules, pieces, with_distances=with_distances).positions
    return Solved(first, np.zeros(end // 4, np.uint8), distances, BINOMIALS), positions


def check_endings(
    rules: Game,
    directory: Path,
    pieces: int,
    *,
    with_distances: bool = False,
    notify: Notify = lambda done, total: None,
) -> int:
    """Check that each value follows from those of its successors; return how many were checked.

    Distances are checked too if they are kept: that proves the values, since a win with a length cannot
    depend on itself. Parallel as the caller has configured joblib. InputError if some values do not follow,
    or a file is missing or damaged.
    """
    solved, total = new_solved(rules, pieces, with_distances=with_distances)
    sizes = {of: board_of(rules).num_positions(of) for of in slices_of(pieces)}
    for of in sizes:
        _put(solved, of, read_solved(rules, directory, of, with_distances=with_distances))
    calls = {of: joblib.delayed(_check)(rules.name, of, size, solved) for of, size in sizes.items()}
    done = 0
    for of, wrong in results_of(calls):
        if wrong:
            path = slice_path(directory, rules.name, of)
            raise InputError(f"{path}: {wrong} values do not follow from their successors")
        done += sizes[of]
        notify(done, total)
    return done


def _kept_pair(rules: Game, directory: Path, of: Slice, distances: bool) -> tuple[SolvedSlice, ...] | None:
    paths = [slice_path(directory, rules.name, one) for one in pair_of(of)]
    paths += [slice_path(directory, rules.name, one, DISTANCES) for one in pair_of(of) if distances]
    if not all(path.exists() for path in paths):
        return None
    return tuple(read_solved(rules, directory, one, with_distances=distances) for one in pair_of(of))


def _write(directory: Path, name: str, of: Slice, result: SolvedSlice) -> None:
    if len(result.distances):
        path = slice_path(directory, name, of, DISTANCES)
        write_slice(path, name, of, result.counts, result.distances)
    # The file has the same bytes whether distances are kept or not.
    counts = result.counts._replace(longest=0)
    write_slice(slice_path(directory, name, of), name, of, counts, result.values)


def _put(solved: Solved, of: Slice, result: SolvedSlice) -> None:
    first = int(solved.first[of])
    solved.values[first // 4 : first // 4 + len(result.values)] = result.values
    if len(solved.distances):
        solved.distances[first : first + len(result.distances)] = result.distances


def _compiled(of: Slice) -> Slice:
    """Return a slice in the form that compiled code takes."""
    return Slice._make(map(np.int64, of))


def _solve(name: str, of: Slice, solved: Solved) -> tuple[SolvedSlice, ...]:
    """Solve a slice and its mirrored one."""
    rules, other = game(name), of.mirrored
    sizes = {one: board_of(rules).num_positions(one) for one in pair_of(of)}
    work = {one: (np.zeros(size, np.uint16), np.zeros(size, np.uint8)) for one, size in sizes.items()}

    def seen_from(one: Slice, to: Slice) -> Pair:
        (distance, left), (to_distance, to_left) = work[one], work[to]
        return Pair(_compiled(one), _compiled(to), distance, to_distance, left, to_left)

    solve_pair(solved, rules.start(), seen_from(of, other), seen_from(other, of), rules.move_buffer())
    return tuple(_stored(work[one][0], len(solved.distances) > 0) for one in pair_of(of))


def _stored(distance: Any, with_distances: bool) -> SolvedSlice:
    size = len(distance)
    values, counts = np.zeros(-(-size // 4), np.uint8), np.zeros(4, np.int64)
    halves = np.zeros(size if with_distances else 0, np.uint8)
    store_values(distance, values, halves, counts)
    if not with_distances:
        # Then only the parity has a meaning.
        counts[3] = 0
    return SolvedSlice(SliceCounts(*counts.tolist()), values, halves)


def _check(name: str, of: Slice, size: int, solved: Solved) -> int:
    rules = game(name)
    return int(num_inconsistent(solved, rules.start(), _compiled(of), np.int64(size), rules.move_buffer()))
