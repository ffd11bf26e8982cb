"""The workers of parallel calls, through joblib, and the compiled code they need."""

import argparse
import ctypes
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import joblib
from joblib.externals.loky.process_executor import TerminatedWorkerError
from joblib.parallel import LokyBackend
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from neche.api.cluster import dask_workers, ray_workers
from neche.arena.benchmark import bench_games
from neche.arena.draw_counters import reason_after
from neche.arena.probes import evaluate_probes, value_men
from neche.cli.output import is_live, note, remark
from neche.cli.streams import print_aside
from neche.compiled.batches import PromptThreads, unheard
from neche.compiled.cache import cache_directory, is_warm
from neche.dataset.making import DatasetSettings, positions_of_shard
from neche.endings.slices import FEWEST_PIECES
from neche.endings.solving import check_endings, solve_endings
from neche.errors import InputError
from neche.evolution.champion import benchmark_players
from neche.evolution.notices import notices
from neche.evolution.recipes import keys_of_file, recipe_names
from neche.evolution.settings import Settings
from neche.games.catalogue import game
from neche.montecarlo.playouts_cpu import count_playouts
from neche.network.convolution import board_planes, untrained_convolution
from neche.network.decode import blind_network
from neche.network.packing import pack_networks
from neche.players.alpha_beta import Convolutional
from neche.players.engine import Player
from neche.players.exact_endings import last_moves_of, load_solver
from neche.players.spec import parse_player


class _Processes(LokyBackend):  # type: ignore[misc]  # joblib is untyped
    """Loky processes whose prints go to standard error, and which Ctrl-C does not reach."""

    def configure(self, *arguments: Any, **options: Any) -> Any:
        return super().configure(*arguments, initializer=print_aside, **options)

    def submit(self, *arguments: Any, **options: Any) -> Any:
        with unheard():  # the first call starts the processes
            return super().submit(*arguments, **options)


CLUSTERS = {"dask": ("scheduler", dask_workers), "ray": ("address", ray_workers)}
"""Backends of many machines: the option that holds the address, and the function that connects."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Options of `mallopt`, in bytes: free memory kept at most, smallest block requested by its own mmap."""


@contextmanager
def workers(options: argparse.Namespace) -> Iterator[None]:
    """Apply `--backend` and `--jobs` to every parallel call inside: the only place that configures joblib.

    InputError if an address is missing or belongs to another backend, no cluster answers there, or workers
    are killed repeatedly.
    """
    for backend, (option, _) in CLUSTERS.items():
        is_given, is_wanted = getattr(options, option, None) is not None, options.backend == backend
        if is_given != is_wanted:
            raise InputError(f"--backend {backend} and --{option} ADDRESS go together")
    _keep_memory()
    if options.backend in CLUSTERS:
        option, connected = CLUSTERS[options.backend]
        with connected(getattr(options, option), options.jobs or -1):
            yield
        return
    threads = PromptThreads()
    backend = threads if options.backend == "threading" else _Processes()
    try:
        with joblib.parallel_config(backend=backend, n_jobs=options.jobs or -1):
            yield
    except TerminatedWorkerError:
        raise InputError(
            "workers were killed repeatedly, perhaps for lack of memory; use fewer with --jobs"
        ) from None
    finally:
        threads.close()


def _keep_memory() -> None:
    """Let the C library keep freed memory, which by default returns to the system and is requested anew."""
    # The next generation needs as much again, and getting it page by page takes longer than computing in it:
    # 7 ms a generation with 1000 members. C libraries other than GNU's are left alone.
    with suppress(AttributeError, OSError, TypeError):
        set_option = ctypes.CDLL(None).mallopt
        set_option(_MMAP_THRESHOLD, 32 << 20)
        set_option(_TRIM_THRESHOLD, 256 << 20)


def prepare(part: str, game: str = "checkers") -> None:
    """Load a part of the compiled code for a game before any clock runs; compile it first if needed."""
    entry_point, seconds, use = PARTS[part]
    # The cache does not tell for which games a function is compiled.
    mark = cache_directory() / f"{part.replace(' ', '-')}-{game}.ready"
    # Unlike Path.exists, this is false for unreadable places, such as another user's cache.
    if os.path.exists(mark) and is_warm(entry_point):
        use(game)
        return
    message = f"compiling the {part} of {game}, once: about {seconds} s on a free core"
    console = Console(stderr=True)
    if is_live(console):
        columns = SpinnerColumn("line"), TextColumn(message), TimeElapsedColumn()
        with Progress(*columns, console=console, transient=True) as clock:
            clock.add_task("", total=None)
            use(game)
    else:
        note(message)
        use(game)
    with suppress(OSError):  # an unwritable cache is no fault
        mark.touch()


def tell_notices(options: argparse.Namespace, planned: Iterable[tuple[Settings, int]]) -> None:
    """Write what to know of runs before they begin, given settings and last generation of each."""
    given, plugged = (*keys_of_file(options.recipe), *options.set), [one.kind for one in options.plugin]
    said: list[str] = []
    for settings, last in planned:
        said += notices(settings, last, given, plugged)
        name = settings.games.game
        if (own := f"{options.recipe}-{name}") in recipe_names():
            said += [f"the recipe {own} is {options.recipe} with settings chosen for {name}"]
    remark(*dict.fromkeys(said))


def prepare_player(*players: Player, game: str = "checkers") -> None:
    """Prepare what each player needs to choose a single move."""
    for player in players:
        if player.compiled_part:
            prepare(player.compiled_part, game)


def prepare_field(players: Sequence[Player], game: str = "checkers") -> None:
    """Prepare the games of these players."""
    prepare("games", game)
    prepare_player(*(player for player in players if player.batch_search is None), game=game)


def prepare_runs(runs: Iterable[Settings]) -> None:
    """Prepare what evolutions with these settings play and measure, so that workers find it compiled."""
    for name, settings in {one.games.game: one for one in runs}.items():
        prepare_field(benchmark_players(settings), name)
        prepare("diagnostics", name)


def _use_draws(name: str) -> None:
    rules = game(name)
    reason_after((rules.start(), rules.legal_moves(rules.start())[0].after), rules.draws)


def _use_playouts(name: str) -> None:
    rules = game(name)
    # a single playout, and many side by side
    for count in (1, 100):
        count_playouts(rules, [rules.start()], [count], [0])


def _use_convolutions(name: str) -> None:
    _analyse_once(Convolutional("cnn", untrained_convolution(board=board_planes(game(name)))), name)


def _analyse_once(player: Player | str, name: str) -> None:
    rules = game(name)
    engine = (parse_player(player) if isinstance(player, str) else player).new_game(rules)
    engine.expected_score(engine.analyse(rules.start()))


def _use_endings(name: str) -> None:
    with TemporaryDirectory() as folder:
        for _ in solve_endings(game(name), Path(folder), FEWEST_PIECES):
            pass
        check_endings(game(name), Path(folder), FEWEST_PIECES)


def _use_probes(name: str) -> None:
    packed = pack_networks([blind_network()], game(name).sensors)
    evaluate_probes(packed, 0, name=name)
    value_men(packed, [0], 0, name=name)


# part: (compiled function that is finished last, seconds to compile on a slow core, function that uses all)
PARTS: dict[str, tuple[str, int, Callable[[str], object]]] = {
    "rules": ("_count", 4, lambda name: game(name).perft(game(name).start(), 2)),
    "draw rules": ("draw_reason", 4, _use_draws),
    "search": ("negamax", 20, partial(_analyse_once, "blind:depth=1")),
    "selective search": ("best_line", 25, partial(_analyse_once, "blind:nodes=500")),
    "games": ("play_all", 20, lambda name: bench_games(0, 1, count=2, game_name=name)),
    "playouts": ("play_runs", 10, _use_playouts),
    "tree search": ("search", 20, partial(_analyse_once, "uct:playouts=20")),
    "convolutions": ("_evaluate_convolution", 15, _use_convolutions),
    "dataset": (
        "record_positions",
        20,
        lambda name: positions_of_shard(DatasetSettings(shard_games=1, game=name), 0),
    ),
    "endings": ("num_inconsistent", 12, _use_endings),
    "last moves": ("_solve", 10, lambda name: load_solver(game(name), last_moves_of(game(name)))),
    "diagnostics": ("_fill_worth", 10, _use_probes),
}
