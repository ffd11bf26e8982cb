"""Probes: positions from random play on which networks are compared, without a game and without a search.

Symbols: N networks, M positions.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from neche.arena.game_loop import MAX_PLIES, random_opening
from neche.compiled.jit import jit
from neche.compiled.streams import stream_keys
from neche.games.catalogue import game
from neche.games.contract import side_to_move
from neche.network.bank import Bank, unit
from neche.network.forward import evaluate, refresh
from neche.search.workspace import new_workspace

NUM_PROBES = 32
_FEWEST_PLIES = 4


def evaluate_probes(bank: Bank, seed: int, *, name: str = "checkers") -> NDArray[np.float64]:
    """Return what each network thinks of the probes: evaluations [N, M] for the side to move, weight units.

    The positions belong to the seed: 4, 5, … random plies from the start, the same in every generation.
    """
    rules = game(name)
    keys = stream_keys(seed, 0, "probes", NUM_PROBES)
    work = new_workspace(rules.move_words, rules.max_moves, table_bits=1)
    values = np.zeros((len(bank.words) // bank.record, NUM_PROBES), np.int64)
    _fill_values(rules.start(), bank, keys, work, np.zeros(MAX_PLIES, np.int16), values)
    return values / np.array([[unit(bank, index)] for index in range(len(values))])


@jit
def _fill_values(start: Any, bank: Any, keys: Any, work: Any, record: Any, values: Any) -> None:
    for probe in range(len(keys)):
        position, _ = random_opening(start, np.int64(_FEWEST_PLIES + probe), keys[probe], work, record)
        viewer = np.int64(side_to_move(position))
        for index in range(len(values)):
            sums = refresh(bank, index, viewer, position)
            values[index, probe] = evaluate(bank, index, viewer, position, sums)
