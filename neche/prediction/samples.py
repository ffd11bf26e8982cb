"""Samples: positions from self-play, each with a target to predict.

A sample is the view of the side to move and a target between −1 and 1: the value of a deeper search with the
same network, squashed and mixed with the result of the game. Blocks of samples are pure functions of a
network, a plan and the names of random streams, so they can be recomputed instead of stored.

Symbols: N samples, M: most sensors that are on in a sample.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray

from neche.arena.playing import draw_openings, workspace_of
from neche.compiled.batches import results_of
from neche.compiled.jit import U64, Array, jit
from neche.compiled.randomness import draw_below
from neche.compiled.streams import stream_keys
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.draws import DrawRule
from neche.games.game import Game
from neche.games.sensors import SensorLayout
from neche.network.decode import Network, Perspective
from neche.network.groups import excited_patterns
from neche.network.packing import pack_networks, unit
from neche.network.sensors import sensor_layout
from neche.network.topology import Topology
from neche.prediction.judging import Samples
from neche.prediction.neurons import Wiring
from neche.prediction.recording import Recorded, RecordingPlan, record_game

NO_CLIP = 2.0
"""Targets and evaluations, between −1 and 1, never differ by more."""
_GAMES_A_CALL = 250
_KINGS_WORTH = 2.0
_FEWEST_ROWS, _PLIES_A_GAME, _USUAL_QUIET_PLIES = 16, 160, 80
"""Rows per game for kept positions, on average; more where drawn games take longer than usual."""


def squash(values: Any) -> Any:
    """Return values, weight units, as expected results −1 … 1: v / √(1 + v²).

    This sigmoid uses only correctly rounded operations, so it is equal on every machine.
    """
    return values / np.sqrt(1.0 + values * values)


@dataclass(frozen=True)
class SamplePlan:
    """How a block of samples is made: the games, what is kept, what is predicted.

    result_share: weight of the game's result in a target; the rest is the value of the search. target_clip:
    most by which a target differs from the squashed evaluation of the position. by_pattern: samples list
    sensors by pattern, see `games.sensors`; else by kind.
    """

    game: str
    recording: RecordingPlan
    rule: DrawRule
    opening_plies: tuple[int, int]
    result_share: float
    target_clip: float = NO_CLIP
    by_pattern: bool = False


def make_samples(
    network: Network,
    plan: SamplePlan,
    streams: tuple[int, int, str],
    games: int,
    *,
    notify: Callable[[int, int], None] = lambda games, positions: None,
) -> tuple[Samples, float]:
    """Play games of a network against itself; return the samples kept and the share of games drawn.

    notify: called with the numbers of games played and of positions kept so far.
    """
    calls = {
        begin: joblib.delayed(_play)(network, plan, streams, begin, min(games, begin + _GAMES_A_CALL))
        for begin in range(0, games, _GAMES_A_CALL)
    }
    parts, drawn, kept = [], 0, 0
    for begin, (samples, num_drawn) in results_of(calls):
        parts.append(samples)
        drawn, kept = drawn + num_drawn, kept + len(samples.targets)
        notify(min(games, begin + _GAMES_A_CALL), kept)
    return join_samples(parts), drawn / max(games, 1)


def join_samples(parts: Sequence[Samples]) -> Samples:
    """Return all samples concatenated."""
    # Each part is as wide as its fullest board.
    width = max(part.excited.shape[1] for part in parts)
    parts = [
        part._replace(excited=np.pad(part.excited, ((0, 0), (0, width - part.excited.shape[1]))))
        for part in parts
    ]
    return Samples(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _play(
    network: Network, plan: SamplePlan, streams: tuple[int, int, str], begin: int, end: int
) -> tuple[Samples, int]:
    rules, workspace = game(plan.game), workspace_of(plan.game)
    packed = pack_networks([network], rules.sensors)
    plies_a_game = _PLIES_A_GAME * max(1.0, plan.rule.quiet_plies / _USUAL_QUIET_PLIES)
    rows_a_game = _FEWEST_ROWS + int(plies_a_game * plan.recording.keep_share)
    room = (end - begin) * rows_a_game
    values, evaluations = np.zeros((2, room), np.int64)
    recorded = Recorded(np.zeros((room, 4), np.uint64), values, evaluations, np.zeros(room, np.int8))
    seed, number, text = streams
    keys = stream_keys(seed, number, f"{text}: game", end - begin, start=begin)
    openings, plies = draw_openings(streams, end - begin, plan.opening_plies, begin)
    row, num_drawn = 0, 0
    start = rules.start()
    for key, opening, length in zip(keys, openings, plies.astype(np.int64), strict=True):
        row, outcome = record_game(
            start, packed, plan.recording, (opening, length), key, plan.rule, workspace, recorded, row
        )
        num_drawn += outcome == 0
    kept = Recorded(*(column[:row] for column in recorded))
    return _samples_of(rules, kept, plan, unit(packed, 0)), num_drawn


def _samples_of(rules: Game, recorded: Recorded, plan: SamplePlan, one: float) -> Samples:
    """Return recorded positions as samples; one: unit of the values."""
    share = plan.result_share if plan.recording.label_depth else 1.0
    values = squash(recorded.values / one)
    targets = (1.0 - share) * values + share * recorded.results
    if plan.recording.label_depth and plan.target_clip < NO_CLIP:
        near = squash(recorded.evaluations / one)
        targets = np.clip(targets, near - plan.target_clip, near + plan.target_clip)
    excited, counts = excited_sensors(sensor_layout(rules), recorded.boards, by_pattern=plan.by_pattern)
    return Samples(excited, counts, targets.astype(np.float32))


def excited_sensors(
    layout: SensorLayout, boards: NDArray[np.uint64], *, by_pattern: bool = False
) -> tuple[NDArray[np.uint8 | np.uint16], NDArray[np.uint8]]:
    """Return the sensors that are on for boards [N, 4]: [N, M] uint8, ascending, and how many.

    by_pattern: sensors by pattern, uint16, instead of those by kind.
    """
    # the bit that each sensor of a kind sees, for the unturned side and the other
    bits = np.array(layout.bits, np.uint64)
    views = bits, bits[np.array(layout.turned)]
    own, foe, kings, turn = boards.T
    # own man, own king, enemy man, enemy king; or own and enemy
    kinds = [own & ~kings, own & kings, foe & ~kings, foe & kings] if layout.has_kings else [own, foe]
    words = np.stack(kinds, axis=1)
    squares = len(layout.squares)
    on = np.zeros((len(boards), len(kinds), squares), np.bool_)
    for side in (0, 1):
        rows = turn == side
        on[rows] = (words[rows][:, :, None] >> views[side][None, None, :]) & np.uint64(1)
    if not by_pattern:
        return _listed(on.reshape(len(boards), len(kinds) * squares), np.dtype(np.uint8))
    # sensors of kings follow all patterns; few are on
    patterns = excited_patterns(on[:, 0].astype(np.int64) + 2 * on[:, len(kinds) // 2], layout)
    kings_on = on[:, 1::2].reshape(len(boards), 2 * squares) if layout.has_kings else on[:, :0, 0]
    excited, counts = _listed(kings_on, np.dtype(np.uint16))
    excited += np.uint16(layout.num_pattern_sensors - kings_on.shape[1])
    return np.concatenate([patterns.astype(np.uint16), excited], axis=1), counts + np.uint8(patterns.shape[1])


def _listed(on: NDArray[np.bool_], dtype: np.dtype[Any]) -> tuple[NDArray[Any], NDArray[np.uint8]]:
    """Return the columns that are set in each row, ascending, and how many there are."""
    counts = on.sum(axis=1).astype(np.uint8)
    excited = np.zeros((len(on), int(counts.max(initial=1))), dtype)
    row, sensor = np.nonzero(on)
    place = np.arange(len(row)) - np.repeat(np.cumsum(counts, dtype=np.int64) - counts, counts)
    excited[row, place] = sensor
    return excited, counts


def symmetries_of(rules: Game, *, by_pattern: bool) -> NDArray[np.uint8 | np.uint16]:
    """Return where each symmetry of a board takes each sensor, the identity first: [G, sensors]."""
    layout = sensor_layout(rules)
    sensors = layout.num_pattern_sensors if by_pattern else layout.num_kind_sensors
    dtype = np.dtype(np.uint16 if by_pattern else np.uint8)
    symmetries = rules.symmetries if rules.sensors else ()
    return np.array(layout.symmetric_sensors(symmetries, sensors), dtype)


@jit
def draw_symmetries(samples: Array, symmetries: Array, key: U64) -> None:
    """Turn or mirror the board of each sample at random; symmetries: see `symmetries_of`."""
    excited, counts, _ = samples
    for row in range(len(counts)):
        becomes = symmetries[draw_below(key, np.int64(row), np.int64(len(symmetries)))]
        for place in range(counts[row]):
            excited[row, place] = becomes[excited[row, place]]


@cache
def wiring_of(topology: Topology, perspective: Perspective, layout: SensorLayout) -> Wiring:
    """Return the wiring of networks on a board; InputError for the perspective `own`."""
    if perspective == "own":
        raise InputError("perspective own: prediction needs antisymmetric, or mover with strands")
    squares, kinds = len(layout.squares), len(layout.kinds)
    square = np.tile(np.arange(squares), kinds)
    kind = np.repeat(np.arange(kinds), squares)
    opposite = (kind + kinds // 2) % kinds * squares + np.array(layout.turned)[square]
    if topology.is_dense:
        # one view only, so opposite sensors are not used
        inputs, factor = np.arange(topology.sensors), np.ones(topology.sensors)
        opposite = opposite if topology.sensors == len(opposite) else inputs
    else:
        # a king counts twice, an enemy piece negative
        worth = (1.0, _KINGS_WORTH) if layout.has_kings else (1.0,)
        inputs, factor = square, np.array([*worth, *(-one for one in worth)])[kind]
    views = 2 if perspective == "antisymmetric" else 1
    return Wiring(
        inputs.astype(np.int64),
        factor.astype(np.float32),
        opposite.astype(np.int64),
        np.int64(views),
        np.int64(topology.layer2 if topology.is_dense else 0),
    )
