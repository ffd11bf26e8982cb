"""`neche dataset`: positions of random games with labels, to train networks on."""

import argparse
import time
from pathlib import Path
from typing import Any

from neche.cli.arguments import Parser
from neche.cli.output import counted, emit, remark
from neche.cli.progress import keep_hint, progress_bar
from neche.cli.workers import prepare, workers
from neche.dataset.making import MOVES, OUTCOME, DatasetSettings, ShardSummary, make_dataset
from neche.players.spec import parse_player

_SHARD_GAMES, _LABELLED_SHARD_GAMES, _LABELLED_SAMPLE, _DEPTH = 2000, 100, 4, 2


def add_dataset_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche dataset`."""
    where = "directory of the files; an existing one is continued"
    parser.add_argument("directory", metavar="DIR", help=where)
    parser.add_number("--games", 10_000, "number of random games, rounded up to whole files")
    mixed = "mixed: about every second one is chosen by a search that counts pieces"
    meaning = f"random: all moves are random; {mixed} (default: random)"
    parser.add_argument("--moves", choices=MOVES, default="random", help=meaning)
    parser.add_number("--depth", None, f"depth of that search in plies (default: {_DEPTH})")
    judged = "what gives the labels: the outcome of the game, or a player such as mcrd:playouts=2000"
    parser.add_text("--label", "outcome|SPEC", judged, default=OUTCOME)
    kept = f"positions kept per game, 0 for all (default: all, {_LABELLED_SAMPLE} with a player's labels)"
    parser.add_number("--sample", None, kept, low=0)
    games = f"games per file (default: {_SHARD_GAMES}, {_LABELLED_SHARD_GAMES} with a player's labels)"
    parser.add_number("--shard-games", None, games)
    parser.add_game()
    parser.add_workers()
    parser.add_seed("seed of games and playouts (default: 0)")


def execute_dataset(options: argparse.Namespace) -> None:
    """Generate the missing files, and report on all of them."""
    settings = _settings(options)
    directory = Path(options.directory)
    shards = make_dataset(directory, settings, options.games)
    done: list[ShardSummary] = []
    total = -(-options.games // settings.shard_games)
    kept = f"finished files are kept in {directory}; the same command continues from there"
    with keep_hint(kept), workers(options):
        prepare("dataset", settings.game)
        began = time.monotonic()
        with progress_bar("files", is_silent=options.json) as notify:
            for shard in shards:
                done.append(shard)
                notify(len(done), total)
    seconds = time.monotonic() - began
    new = [shard for shard in done if shard.is_new]
    values: dict[str, Any] = {
        "directory": str(directory),
        **settings.as_header(),
        "games": len(done) * settings.shard_games,
        "positions": sum(shard.num_positions for shard in done),
        "shards": len(done),
        "new_shards": len(new),
        "seconds": seconds,
        "positions_per_second": sum(shard.num_positions for shard in new) / max(seconds, 1e-9),
    }
    num_old = len(done) - len(new)
    found = f", {num_old} of them already there" if num_old else ""
    text = (
        f"{directory}: {values['positions']} positions of {counted(values['games'], 'game')}"
        f" in {counted(len(done), 'file')}{found}\n"
        f"{seconds:.1f} s, {values['positions_per_second']:,.0f} positions/s"
    )
    emit(options, values, text)


def _settings(options: argparse.Namespace) -> DatasetSettings:
    if options.depth is not None and options.moves == "random":
        remark("--depth changes nothing without --moves mixed, whose search it limits")
    labeller = None if options.label == OUTCOME else parse_player(options.label, options.game)
    sample, games = (0, _SHARD_GAMES) if labeller is None else (_LABELLED_SAMPLE, _LABELLED_SHARD_GAMES)
    return DatasetSettings(
        seed=options.seed or 0,
        moves=options.moves,
        depth=options.depth or _DEPTH,
        labeller=labeller,
        sample=sample if options.sample is None else options.sample,
        shard_games=options.shard_games or games,
        game=options.game,
    )
