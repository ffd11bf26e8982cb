"""Make a dataset, shard after shard, from `DatasetSettings`.

A shard is a pure function of the settings and its number, so an interrupted dataset can be continued and
shards can be made in parallel.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple

import joblib
import numpy as np

from neche.archive.layout import RunLayout
from neche.archive.run import RunLock
from neche.arena.playing import workspace_of
from neche.compiled.batches import results_of
from neche.compiled.streams import stream, stream_key, stream_keys
from neche.dataset.recording import record_positions
from neche.dataset.shards import Positions, joined, no_positions, read_shard, shard_path, write_shard
from neche.errors import SEED_LIMIT, InputError, check_type, check_whole, suggestion
from neche.games.catalogue import game as find_game, rules_digest
from neche.games.draws import MAX_PLIES, DrawRule
from neche.games.game import Game
from neche.network.decode import blind_network
from neche.network.packing import PackedNetworks, pack_networks
from neche.players.alpha_beta import hand_made_networks
from neche.players.engine import Analysis, Player
from neche.storage import make_directory, remove_partial_files

MAX_MIXED_DEPTH = 20
"""Largest depth of the search that chooses mixed moves, in plies."""
MAX_GAMES = 10**9
MOVES = ("random", "mixed")
"""random: all moves are. mixed: each move is random with probability ½, else by a piece-counting search."""
OUTCOME = "outcome"
PIECE_COUNT = "material"
"""The hand-made evaluator of the search that chooses mixed moves."""
PLAYOUT_DRAWS = DrawRule(80, True, 0)
"""As in random playouts: 80 plies without capture or man move."""


@dataclass(frozen=True)
class DatasetSettings:
    """The games, which positions are kept, and how they are labelled: all that decides a dataset's bytes.

    seed: of all games and analyses. moves: see `MOVES`. depth: of the search that chooses mixed moves, plies.
    labeller: the player whose scores are the labels; None: the outcome of the game is. sample: positions kept
    of each game, drawn at random; 0 keeps all. shard_games: games in one file. InputError if a value is out
    of range, or values contradict each other.
    """

    seed: int = 0
    moves: str = "random"
    depth: int = 2
    labeller: Player | None = None
    sample: int = 0
    shard_games: int = 2000
    game: str = "checkers"

    def __post_init__(self) -> None:
        """Check ranges and combinations of values."""
        rules = find_game(self.game)
        if not {"own", "foe"} <= set(fields := rules.start()._fields) <= {"own", "foe", "kings", "turn"}:
            held = ", ".join(fields)
            raise InputError(f"datasets hold own, foe, kings and turn alone, and {self.game} has {held}")
        if self.moves not in MOVES:
            raise InputError(f"unknown moves {self.moves!r}{suggestion(self.moves, MOVES)}")
        for name, low, high in (
            ("seed", 0, SEED_LIMIT),
            ("depth", 1, MAX_MIXED_DEPTH),
            ("sample", 0, 4096),
            ("shard_games", 1, 10**6),
        ):
            check_whole(getattr(self, name), name, low, high)
            # Kept in JSON, which cannot hold NumPy integers.
            object.__setattr__(self, name, int(getattr(self, name)))
        check_type(self.labeller, (Player, NoneType), "a player, such as neche.player('mcrd:playouts=1000'),")
        if self.moves == "mixed" and PIECE_COUNT not in hand_made_networks(self.game):
            raise InputError(f"mixed moves need an evaluator {PIECE_COUNT}, which {self.game} does not have")
        if (who := self.labeller) is not None:
            if not who.gives_scores:
                raise InputError(f"player {who.name} gives no expected scores; label with mcrd, uct or cnn")
            if who.time_ms is not None:
                why = "labels need a fixed number of playouts, which a time limit does not give"
                raise InputError(f"player {who.name}: {why}")
            who.require_board(rules)

    def as_header(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        values = {name: value for name, value in asdict(self).items() if name != "labeller"}
        who = self.labeller
        label = {"label": OUTCOME if who is None else who.name, "digest": who.digest if who else ""}
        return {**label, **values}


class ShardSummary(NamedTuple):
    """A shard on disk. is_new: whether it was made by this call."""

    number: int
    num_positions: int
    is_new: bool


def make_dataset(directory: Path | str, settings: DatasetSettings, games: int) -> Iterator[ShardSummary]:
    """Make shards for a number of games, rounded up to whole shards; yield each as soon as it is on disk.

    Existing shards are checked and kept. The caller's joblib configuration distributes the work; the files do
    not depend on it. InputError if games is not positive, the directory is a run or in use by another
    process, or a shard is damaged, belongs to another dataset or cannot be written.
    """
    check_whole(games, "games", 1, MAX_GAMES)
    directory = Path(directory)
    if RunLayout(directory).config.exists():
        raise InputError(f"{directory}: is a run, not a dataset; choose another directory")
    return _make(directory, settings, -(-int(games) // settings.shard_games))


def _make(directory: Path, settings: DatasetSettings, num_shards: int) -> Iterator[ShardSummary]:
    make_directory(directory)
    missing = []
    for number in range(num_shards):
        if shard_path(directory, number).exists():
            yield ShardSummary(number, _checked(directory, settings, number), is_new=False)
        else:
            missing.append(number)
    if not missing:
        return
    with ExitStack() as held:
        # Two processes would remove each other's half-written files.
        held.callback(RunLock(RunLayout(directory)).release)
        remove_partial_files(directory)
        calls = {number: joblib.delayed(positions_of_shard)(settings, number) for number in missing}
        for number, positions in results_of(calls):
            write_shard(shard_path(directory, number), _header(settings, number), positions)
            yield ShardSummary(number, len(positions.own), is_new=True)


def _header(settings: DatasetSettings, number: int) -> dict[str, Any]:
    rules = rules_digest(settings.game)
    return {**settings.as_header(), **({"rules": rules} if rules else {}), "shard": number}


def _checked(directory: Path, settings: DatasetSettings, number: int) -> int:
    """Return the number of positions in a shard; InputError if it is damaged, or made with other settings."""
    path = shard_path(directory, number)
    header, positions = read_shard(path)
    for key, value in _header(settings, number).items():
        # Random moves need no search, whatever its depth; older shards hold no digest of the rules.
        is_free = (key, settings.moves) == ("depth", "random") or (key == "rules" and key not in header)
        if header.get(key) != value and not is_free:
            differs = f"{key} is {json.dumps(header.get(key))} there, {json.dumps(value)} here"
            raise InputError(f"{path}: belongs to another dataset: {differs}")
    return len(positions.own)


def positions_of_shard(settings: DatasetSettings, number: int) -> Positions:
    """Play the games of a shard and label the positions that are kept."""
    first = number * settings.shard_games
    keys = stream_keys(settings.seed, 0, "dataset: game", settings.shard_games, start=first)
    boards = np.zeros((MAX_PLIES + 1, 4), np.uint64)
    games = enumerate(keys, start=first)
    positions = joined([_kept(settings, game, _played(settings, game, key, boards)) for game, key in games])
    return positions if settings.labeller is None else _labelled(settings, positions)


@cache
def _searcher(name: str) -> PackedNetworks:
    """Return the network whose search chooses mixed moves: a piece count, if the game has one."""
    network = hand_made_networks(name).get(PIECE_COUNT, blind_network())
    return pack_networks([network], find_game(name).sensors)


def _played(settings: DatasetSettings, game: int, key: np.uint64, boards: Any) -> Positions:
    """Play one game; return its positions, including the last. boards: workspace, see `record_positions`."""
    depth, name = np.int64(settings.depth if settings.moves == "mixed" else 0), settings.game
    start, packed, workspace = find_game(name).start(), _searcher(name), workspace_of(name)
    outcome, plies = record_positions(start, packed, depth, key, PLAYOUT_DRAWS, workspace, boards)
    count = plies + 1
    own, foe, kings = boards[:count, :3].T.astype(type(start.own))
    turn = boards[:count, 3].astype(np.uint8)
    return no_positions()._replace(
        own=own,
        foe=foe,
        kings=kings,
        turn=turn,
        game=np.full(count, game, np.uint32),
        ply=np.arange(count, dtype=np.uint16),
        plies=np.full(count, plies, np.uint16),
        outcome=np.where(turn == turn[0], outcome, -outcome).astype(np.int8),
    )


def _kept(settings: DatasetSettings, game: int, played: Positions) -> Positions:
    """Return a sample of a game's positions, in order, without the last if a player is to label them."""
    count = len(played.own) - (settings.labeller is not None)
    rows = np.arange(count)
    if settings.sample and settings.sample < count:
        rng = stream(settings.seed, 0, "dataset: sample", game)
        rows = np.sort(rng.choice(count, settings.sample, replace=False))
    return Positions._make(column[rows] if len(column) else column for column in played)


def _labelled(settings: DatasetSettings, positions: Positions) -> Positions:
    """Return the positions with the labeller's analysis of each, by a new engine, so all are independent."""
    assert settings.labeller is not None
    rules = find_game(settings.game)
    boards, analyses = positions_of(rules, positions), list[Analysis]()
    for board, game, ply in zip(boards, positions.game.tolist(), positions.ply.tolist(), strict=True):
        key = stream_key(settings.seed, game, "dataset: thought", ply)
        engine = settings.labeller.new_game(rules)
        analyses.append(engine.analyse(board, key=key, every_value=True, line=False))
    moves = [move for found in analyses for move in found.moves]
    return positions._replace(
        value=np.array([found.value for found in analyses], np.float32),
        num_moves=np.array([len(found.moves) for found in analyses], np.uint8),
        visits=np.array([move.visits for move in moves], np.uint32),
        move_value=np.array([move.value for move in moves], np.float32),
    )


def positions_of(rules: Game, positions: Positions) -> list[Any]:
    """Return the rows of `positions` as positions of the game."""
    sample = rules.start()
    columns = [getattr(positions, name).astype(type(word)) for name, word in sample._asdict().items()]
    return [type(sample)(*fields) for fields in zip(*columns, strict=True)]
