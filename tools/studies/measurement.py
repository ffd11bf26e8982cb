"""Measure networks against a fixed player, and keep finished cells of a study as lines of JSON.

A study is many cells that take minutes each. Each is written as one line when finished, so that an
interrupted study can be resumed and several processes can write to one file.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from neche.arena.playing import Contestants, play_games
from neche.evolution.schedule import TOURNAMENT_OPENINGS, StreamName, schedule_pairs
from neche.games.draws import TOURNAMENT_DRAWS
from neche.network.decode import Network

Cell = dict[str, Any]
Counts = list[int]


class Estimate(NamedTuple):
    """A mean and its standard error, from independent results."""

    mean: float
    error: float

    def __str__(self) -> str:
        """Return mean ± error, the mean alone when the error is unknown."""
        return f"{self.mean:.3f}" + ("" if np.isnan(self.error) else f" ± {self.error:.3f}")


def play_each(
    networks: Sequence[Network], opponent: Network, depth: int, *, num_games: int, purpose: StreamName
) -> list[Counts]:
    """Return [wins, draws, losses] of each network in `num_games` against `opponent`, both at `depth`.

    Paired openings of 3 or 4 random plies, colours swapped, tournament draws; all networks play the same
    openings.
    """
    num_pairs = num_games // 2
    players = np.repeat(np.arange(len(networks)), num_pairs)
    opponents = np.full(len(players), len(networks))
    field = Contestants.of([*networks, opponent], depth)
    pairings = schedule_pairs(players, opponents, TOURNAMENT_OPENINGS, purpose, num_openings=num_pairs)
    outcome = play_games(field, pairings, TOURNAMENT_DRAWS).outcome
    # The network moves first in games 0, 2, 4 …, second in the others.
    own = np.where(np.arange(len(outcome)) % 2 == 0, outcome, -outcome).reshape(len(networks), -1)
    return [[int(np.count_nonzero(row == result)) for result in (1, 0, -1)] for row in own]


def score_of(counts: Sequence[int]) -> float:
    """Return mean points per game from wins, draws, losses.

    >>> score_of([2, 1, 1])
    0.625
    """
    wins, draws, losses = counts
    return (wins + draws / 2) / (wins + draws + losses)


def estimate(values: Sequence[float]) -> Estimate:
    """Return mean and standard error of the mean; the error of a single value is unknown: NaN.

    >>> estimate([0.5, 0.7, 0.6])
    Estimate(mean=0.6, error=0.0577)
    """
    spread = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return Estimate(round(float(np.mean(values)), 4), round(float(spread), 4))


def read_cells(path: Path) -> list[Cell]:
    """Return the finished cells of a file, none without a file; skip a line that was cut off."""
    if not path.exists():
        return []
    cells: list[Cell] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        with suppress(json.JSONDecodeError):
            cells.append(json.loads(line))
    return cells


def append_cell(path: Path, cell: Cell) -> None:
    """Write a finished cell as one line, after a line end if the last one was cut off."""
    path.parent.mkdir(parents=True, exist_ok=True)
    is_cut = path.exists() and path.read_bytes()[-1:] not in (b"", b"\n")
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" * is_cut + json.dumps(cell) + "\n")
