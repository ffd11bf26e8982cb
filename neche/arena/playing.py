"""Many games at once: contestants, schedule, results, and the batches in which joblib plays them."""

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from multiprocessing.pool import ThreadPool
from typing import Any, NamedTuple

import joblib
import numpy as np
from joblib.parallel import get_active_backend
from numpy.typing import NDArray

from neche.arena import game_loop
from neche.arena.draw_counters import new_draw_counters
from neche.arena.shipping import packed_arrays, packed_networks, unpacked_arrays, unpacked_networks
from neche.compiled.batches import results_of
from neche.compiled.randomness import draw, draw_below
from neche.compiled.streams import stream_keys
from neche.errors import InputError
from neche.games import catalogue
from neche.games.catalogue import game
from neche.games.draws import MAX_PLIES, DrawRule
from neche.games.game import Game, Move
from neche.network.decode import Network, blind_network
from neche.network.packing import PackedNetworks, pack_networks
from neche.players.engine import MAX_DEPTH, BatchSearch, Engine, Player
from neche.players.solved_endings import endings_in
from neche.search.negamax import NODES

# The table fits in a core's cache: games at depth 6 are faster than with 2^15 entries, see performance.md.
TABLE_BITS = 13
_LOCAL = threading.local()
# Rough cost of a game, seconds: only the size of the batches depends on it, never a result.
_GAME_SECONDS, _DEPTH_FACTOR, _ENGINE_SECONDS = 1e-5, 2.6, 1.0
# Shorter batches are not worth distributing; with longer ones workers wait for the last.
_SHORT_BATCH, _LONG_BATCH = 0.003, 0.5
# Approximate time to send one batch to another process or machine; batches are sent one after another, see
# docs/how-to/run-on-a-cluster.md.
_HAND_OVER_SECONDS = 0.005
_BATCHES_A_WORKER = 4
_LONG_DEPTH = 11
# Draws of a game's stream below this number choose among equal moves, one per ply.
_FIRST_KEY = 1 << 40


class Schedule(NamedTuple):
    """Games to play, N of them.

    first, second: [N] int32 – contestants; first moves first. opening_key, game_key: [N] uint64 – streams of
    the opening and of the draws among equal moves. opening_plies: [N] int32 – random plies before the
    players take over.
    """

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    opening_key: NDArray[np.uint64]
    opening_plies: NDArray[np.int32]
    game_key: NDArray[np.uint64]


class GameResults(NamedTuple):
    """Results of N games.

    outcome: [N] int8 – 1 the first mover won, 0 draw, −1 lost. plies: [N] int32, with those of the opening.
    nodes: [N] int64 – positions visited by both searches.
    """

    outcome: NDArray[np.int8]
    plies: NDArray[np.int32]
    nodes: NDArray[np.int64]


@dataclass(frozen=True)
class Contestants:
    """Contestants of one game: their networks, packed, and the search depth of each (0: random moves).

    players: [C] those that play move by move, None for the others; empty if there are none. Network and depth
    of such a player are not used. starts: [C] start positions of games in which a contestant moves first;
    empty: the game's own. endings: directory of solved endings, at which games end, see
    `players.solved_endings`; empty: games are played to their end.
    """

    packed: PackedNetworks
    depths: NDArray[np.int64]
    game: str = "checkers"
    players: tuple[Player | None, ...] = ()
    starts: tuple[Any, ...] = ()
    endings: str = ""

    @staticmethod
    def of(
        networks: Sequence[Network],
        depths: Sequence[int] | int,
        *,
        game: str = "checkers",
        players: Sequence[Player | None] = (),
    ) -> "Contestants":
        """Return contestants with networks [C], and depths [C] or one for all; InputError if not 0 … 60."""
        plies = np.full(len(networks), depths, np.int64)
        wrong = plies[(plies < 0) | (plies > MAX_DEPTH)]
        if wrong.size:
            raise InputError(f"depth {wrong[0]} is not in 0 … {MAX_DEPTH}")
        packed = pack_networks(networks, catalogue.game(game).sensors)
        return Contestants(packed, plies, game, tuple(players) if any(players) else ())

    @staticmethod
    def of_players(
        players: Sequence[Player], *, game: str = "checkers", starts: tuple[Any, ...] = ()
    ) -> "Contestants":
        """Return players as contestants: those that can play in batches do, the others play move by move."""
        slow = [player if player.batch_search is None else None for player in players]
        searches = [player.batch_search or BatchSearch(blind_network(), 0) for player in players]
        networks, depths = [search.network for search in searches], [search.depth for search in searches]
        return replace(Contestants.of(networks, depths, game=game, players=slow), starts=starts)

    def adjudicated(self, endings: str) -> "Contestants":
        """Return the same contestants with games that end at solved endings, all played move by move."""
        return replace(self, endings=endings, players=self.players or (None,) * len(self.depths))

    def start(self, first: int) -> Any:
        """Return the start position of a game in which `first` moves first."""
        return self.starts[first] if self.starts else game(self.game).start()

    def has_engine(self, schedule: "Schedule") -> NDArray[np.bool_]:
        """Return which games are played move by move: [N]."""
        if self.endings:
            return np.ones(len(schedule.first), np.bool_)
        slow = [number for number, player in enumerate(self.players) if player is not None]
        return np.isin(schedule.first, slow) | np.isin(schedule.second, slow)


def paired(
    a: NDArray[np.integer[Any]],
    b: NDArray[np.integer[Any]],
    opening_key: NDArray[np.uint64],
    opening_plies: NDArray[np.integer[Any]] | int,
    game_key: NDArray[np.uint64],
) -> Schedule:
    """Pair a[i] with b[i]: one opening played twice; a moves first in game 2i, b in game 2i + 1.

    a, b, opening_key: [N]. game_key: [2N]. Returns 2N games.
    """
    # Interleaved, so that games 2i and 2i + 1 are one pair and share the bias of the opening.
    first, second = (np.array(sides, np.int32).T.ravel() for sides in ((a, b), (b, a)))
    plies = np.broadcast_to(np.asarray(opening_plies, np.int32), len(a))
    return Schedule(first, second, np.repeat(opening_key, 2), np.repeat(plies, 2), game_key)


def draw_openings(
    streams: tuple[int, int, str], count: int, plies: tuple[int, int], start: int = 0
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Return key and length of the openings of a stream, numbered from `start`; plies: fewest and most."""
    seed, generation, text = streams
    keys = stream_keys(seed, generation, f"{text}: opening", count, start=start)
    lengths = stream_keys(seed, generation, f"{text}: opening plies", count, start=start)
    fewest, most = plies
    return keys, (fewest + lengths % np.uint64(most - fewest + 1)).astype(np.int32)


def play_games(
    contestants: Contestants,
    schedule: Schedule,
    rule: DrawRule,
    *,
    notify: Callable[[int], None] = lambda finished: None,
) -> GameResults:
    """Play all games, in parallel as joblib is configured around this call (`joblib.parallel_config`).

    The result of a game depends on its keys only, so it is the same whatever the backend, workers and
    batches. notify: called with the number of games finished since the last call.
    """
    calls = {
        (begin, end): joblib.delayed(play_batch)(
            GameBatch(contestants, Schedule._make(column[begin:end] for column in schedule), rule)
        )
        for begin, end in _batches(contestants, schedule)
    }
    results = no_results(len(schedule.first))
    for (begin, end), played in results_of(calls):
        results.outcome[begin:end], results.plies[begin:end], results.nodes[begin:end] = played
        notify(end - begin)
    return results


def _batches(contestants: Contestants, schedule: Schedule) -> list[tuple[int, int]]:
    """Cut the games into batches that take about equally long, and long enough to be worth distributing."""
    count = len(schedule.first)
    if count == 0:
        return []
    depth = np.maximum(contestants.depths[schedule.first], contestants.depths[schedule.second])
    seconds = (_GAME_SECONDS * _DEPTH_FACTOR ** np.arange(MAX_DEPTH + 1))[depth]
    if contestants.players:
        seconds = np.where(contestants.has_engine(schedule), _ENGINE_SECONDS, seconds)
    # Cut by estimated time, not by number: a game at depth 6 counts as 300 at depth 0.
    clock = np.cumsum(seconds)
    short = _SHORT_BATCH
    if not getattr(get_active_backend(prefer="threads")[0], "supports_sharedmem", False):
        # t seconds of games in b batches take t / b + b · (sending one), least where both are equal.
        short = max(short, math.sqrt(clock[-1] * _HAND_OVER_SECONDS))
    # A single worker gains nothing from more batches.
    workers = joblib.effective_n_jobs(None)
    wanted = min(clock[-1] / short, _BATCHES_A_WORKER * workers if workers > 1 else 1)
    pieces = max(1, min(count, int(max(wanted, clock[-1] / _LONG_BATCH))))
    # A game belongs to the batch that contains its midpoint, so that batches have equally many equal games.
    ends = np.searchsorted(clock - seconds / 2, clock[-1] * np.arange(1, pieces) / pieces).tolist()
    return list(pairwise(sorted({0, *ends, count})))


def workspace_of(name: str) -> game_loop.GameWorkspace:
    """Return this thread's buffers: games write into them, so no two threads share them."""
    # Buffers persist between batches, which may last milliseconds: the table alone has 256 kB.
    workspaces: dict[str, game_loop.GameWorkspace] = _LOCAL.__dict__.setdefault("workspaces", {})
    if name not in workspaces:
        workspaces[name] = game_loop.new_game_workspace(game(name), table_bits=TABLE_BITS)
    return workspaces[name]


@dataclass(frozen=True)
class GameBatch:
    """Games for one worker; pickled for another process, it holds only the contestants that play."""

    contestants: Contestants
    schedule: Schedule
    rule: DrawRule

    def __reduce__(self) -> tuple[Any, ...]:
        """Omit the contestants that do not play. Threads share the batch and never pickle it."""
        field, schedule = self.contestants, self.schedule
        members, numbers = np.unique(np.stack([schedule.first, schedule.second]), return_inverse=True)
        first, second = numbers.reshape(2, -1).astype(np.int32)
        columns = schedule._replace(first=first, second=second)
        arrays = packed_arrays((*packed_networks(field.packed, members), field.depths[members], *columns))
        players, starts = (
            tuple(part[member] for member in members.tolist()) if part else ()
            for part in (field.players, field.starts)
        )
        return _received, (arrays, (field.game, players, starts, field.endings), self.rule)


def _received(arrays: bytes, rest: Any, rule: DrawRule) -> GameBatch:
    words, rows, depths, *columns = unpacked_arrays(arrays)
    return GameBatch(Contestants(unpacked_networks(words, rows), depths, *rest), Schedule(*columns), rule)


def play_batch(batch: GameBatch) -> GameResults:
    """Play games one after another in this thread; long ones not in the main thread, which gets Ctrl-C."""
    contestants, schedule, rule = batch.contestants, batch.schedule, batch.rule
    is_long = int(contestants.depths.max()) > _LONG_DEPTH
    if is_long and threading.current_thread() is threading.main_thread():
        with ThreadPool(1) as beside:
            return beside.apply(play_batch, (batch,))
    if not contestants.players:
        return _play_compiled(contestants, schedule, rule)
    # Games in compiled code are one batch; the others are played move by move, in their places.
    results, is_slow = no_results(len(schedule.first)), contestants.has_engine(schedule)
    fast = _play_compiled(contestants, Schedule._make(column[~is_slow] for column in schedule), rule)
    put(results, ~is_slow, fast)
    for index in np.flatnonzero(is_slow).tolist():
        put(results, index, _play_by_engines(contestants, schedule, index, rule))
    return results


def no_results(count: int) -> GameResults:
    """Return results of games, all zero, to be written into."""
    return GameResults(np.zeros(count, np.int8), np.zeros(count, np.int32), np.zeros(count, np.int64))


def put(results: GameResults, where: Any, played: GameResults | tuple[int, int, int]) -> None:
    """Write results of some games, or of one, into their places."""
    results.outcome[where], results.plies[where], results.nodes[where] = played


def _play_compiled(contestants: Contestants, schedule: Schedule, rule: DrawRule) -> GameResults:
    results = no_results(len(schedule.first))
    shared = contestants.packed, contestants.depths
    workspace = workspace_of(contestants.game)
    if not contestants.starts:
        game_loop.play_all(game(contestants.game).start(), *shared, schedule, rule, workspace, results)
        return results
    # Compiled code takes one start position for all its games, so they are split by first mover.
    for first in np.unique(schedule.first).tolist():
        part = Schedule._make(column[schedule.first == first] for column in schedule)
        played = no_results(len(part.first))
        game_loop.play_all(contestants.start(first), *shared, part, rule, workspace, played)
        put(results, schedule.first == first, played)
    return results


def _play_by_engines(
    contestants: Contestants, schedule: Schedule, index: int, rule: DrawRule
) -> tuple[int, int, int]:
    """Play one game move by move; return its outcome, plies and nodes, as in `GameResults`.

    The compiled functions of `game_loop` play it, so openings, draws among equal moves, draw rules and
    results are those of compiled games, and networks play the same games here as there. The moves are left in
    the record of the workspace.
    """
    rules, workspace = game(contestants.game), workspace_of(contestants.game)
    sides = int(schedule.first[index]), int(schedule.second[index])
    players = [contestants.players[number] for number in sides]
    engines = [None if player is None else player.new_game(rules) for player in players]
    endings = endings_in(contestants.endings, contestants.game) if contestants.endings else None
    start, key = contestants.start(sides[0]), schedule.game_key[index]
    nodes_before, nodes_of_engines = int(workspace.work.counters[NODES]), 0
    opening = schedule.opening_plies[index], schedule.opening_key[index]
    position, ply = _play_opening(rules, start, *opening, workspace)
    owner, counters = int(game_loop.new_owners(workspace)), new_draw_counters(ply)
    positions: list[Any] = []
    while True:
        place = int(int(position.turn) != int(start.turn))
        count, counters, is_drawn = game_loop.survey(position, counters, rule, workspace)
        ply = int(counters.plies)
        verdict = endings.probe(position) if endings is not None and count and not is_drawn else None
        if count == 0 or is_drawn or verdict is not None:
            nodes = int(workspace.work.counters[NODES]) - nodes_before + nodes_of_engines
            result = verdict.result if verdict else 0 if count else rules.outcome(position)
            return -result if place else result, ply, nodes
        legal, engine = rules.legal_moves(position), engines[place]
        if engine is not None:
            engine.follow(positions)
        positions.append(position)
        # A single move needs no engine, which might think about it nevertheless.
        if engine is None or count == 1:
            side = np.int64(sides[place]), contestants.depths[sides[place]], np.int64(owner + place)
            draws = key, np.int64(ply)
            chosen = game_loop.choose(contestants.packed, *side, position, np.int64(count), *draws, workspace)
            number = int(chosen)
        else:
            number, visited = _choose_by_engine(engine, position, legal, key, ply)
            nodes_of_engines += visited
        workspace.record[ply % MAX_PLIES] = number
        # The moves are still where `survey` wrote them: engines work elsewhere.
        _, counters = game_loop.make_move(position, number, counters, rule, workspace)
        position = legal[number].after


def _play_opening(
    rules: Game, start: Any, plies: np.int32, key: np.uint64, workspace: game_loop.GameWorkspace
) -> tuple[Any, int]:
    """Play random plies from a position; return the position after them and their number."""
    # The returned position has widened words, so the recorded moves are replayed from the start.
    _, played = game_loop.random_opening(start, np.int64(plies), key, workspace)
    position = start
    for number in workspace.record[:played].tolist():
        position = rules.legal_moves(position)[number].after
    return position, int(played)


def _choose_by_engine(
    engine: Engine, position: Any, legal: list[Move], key: np.uint64, ply: int
) -> tuple[int, int]:
    """Return the number of the engine's move, one of its best, and how many positions it visited."""
    analysis = engine.analyse(position, key=int(draw(key, np.int64(_FIRST_KEY + ply))), line=False)
    best = analysis.best_moves
    text = best[int(draw_below(key, np.int64(ply), np.int64(len(best))))]
    return next(index for index, move in enumerate(legal) if move.text == text), analysis.nodes


def record_game(contestants: Contestants, schedule: Schedule, index: int, rule: DrawRule) -> list[Move]:
    """Play game `index` again and return its moves, including the opening's.

    A game is a pure function of its keys, so its moves need not be stored.
    """
    rules = game(contestants.game)
    one = Schedule._make(column[index : index + 1] for column in schedule)
    results = play_batch(GameBatch(contestants, one, rule))
    moves: list[Move] = []
    position = contestants.start(int(schedule.first[index]))
    for number in workspace_of(contestants.game).record[: results.plies[0]].tolist():
        moves.append(rules.legal_moves(position)[number])
        position = moves[-1].after
    return moves
