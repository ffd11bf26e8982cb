"""Decorators that mark functions as plug-ins, and how evolutions and commands find them."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from neche.api.board import Board
from neche.errors import InputError, check_type, suggestion
from neche.evolution.plugins import Plugins
from neche.players.function_player import PLUGGED
from neche.players.plugged import KINDS, MARK, Plugin, load_plugins

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _mark(kind: str, function: _Function) -> _Function:
    plugin = Plugin.of(kind, function)
    setattr(plugin.function, MARK, kind)
    _register(plugin)
    return function


def _register(plugin: Plugin) -> None:
    if plugin.kind in ("evaluator", "player"):
        PLUGGED[plugin.name] = plugin, Board.at


def marked(function: Any) -> Plugin:
    """Return the plug-in of a marked function, a plug-in unchanged; InputError if it is not marked."""
    if isinstance(function, Plugin):
        return function
    kind = getattr(function, MARK, None)
    if kind not in KINDS:
        named = getattr(function, "__name__", repr(function))
        raise InputError(f"{named} is no plug-in: mark it, as by @neche.plugin.mutation")
    return Plugin.of(kind, function)


class plugin:  # noqa: N801  # a mark reads as a decorator, not as a class
    """Decorators that mark a function as a plug-in of one kind.

    The function itself does not change. Pass it to `neche.evolve(plugins=…)`, or its file to `--plugin FILE`.
    By name, most kinds may also take `generation`, its number, and a ranking `members` [P] and `networks`
    [P]. Mutation, crossover and ranking may take `memory`, a dictionary stored with each generation.

    >>> import numpy as np
    >>> import neche
    >>> @neche.plugin.mutation
    ... def one_letter(genome, rng):
    ...     genome[rng.integers(len(genome))] = rng.integers(4)
    ...     return genome
    >>> one_letter(np.zeros(16, np.uint8), np.random.default_rng(1)).sum()
    np.uint64(1)
    """

    @staticmethod
    def mutation(function: _Function) -> _Function:
        """Mark (genome, rng) → genome: digits 0..3 [L]; it replaces all usual mutations."""
        return _mark("mutation", function)

    @staticmethod
    def crossover(function: _Function) -> _Function:
        """Mark (mother, father, rng) → child: digits 0..3 [L] each."""
        return _mark("crossover", function)

    @staticmethod
    def selection(function: _Function) -> _Function:
        """Mark (generation, count, rng) → ranks of each child's mother and father, [count, 2]; 0 is best."""
        return _mark("selection", function)

    @staticmethod
    def ranking(function: _Function) -> _Function:
        """Mark (count, play, rng) → the members 0 … count − 1, best first.

        play(a, b): lets members a [C] and b [C] play an opening twice with the colours swapped; returns wins
        minus losses of a [C].
        """
        return _mark("ranking", function)

    @staticmethod
    def fitness(function: _Function) -> _Function:
        """Mark (network, rng) → a number, larger is better; it ranks the members without games."""
        return _mark("fitness", function)

    @staticmethod
    def listener(function: _Function) -> _Function:
        """Mark (event): called with every event, see `neche.evolution.events`; it changes no result."""
        return _mark("listener", function)

    @staticmethod
    def evaluator(function: _Function) -> _Function:
        """Mark (board) → a number, larger is better for the side to move.

        Its name becomes a player, `name:depth=2`.
        """
        return _mark("evaluator", function)

    @staticmethod
    def player(function: _Function) -> _Function:
        """Mark (board, rng) → the text of a legal move, such as "11-15". Its name becomes a player."""
        return _mark("player", function)


def listed(plugins: str | Path | Callable[..., Any] | Iterable[Any]) -> list[Plugin]:
    """Return the plug-ins of files and marked functions, players registered; InputError if one is none."""
    # A single one may come without a list.
    given = [plugins] if isinstance(plugins, str | Path) or callable(plugins) else plugins
    check_type(given, Iterable, "a file, a marked function or a list of them")
    parts = (load_plugins(one) if isinstance(one, str | Path) else (marked(one),) for one in given)
    found = [plugin for part in parts for plugin in part]
    # In a worker the decorator that registers a function has not run.
    for plugin in found:
        _register(plugin)
    return found


def kept_track_of(plugins: str | Path | Callable[..., Any] | Iterable[Any]) -> tuple[Plugin, ...]:
    """Return the plug-ins of runs that begin one after another, each with its digest as of now.

    Raises:
        InputError: as `listed`, or a source cannot be read.
    """
    found = listed(plugins)
    for one in found:
        if one.kind != "listener":  # a listener decides nothing
            one.digest  # noqa: B018
    return tuple(found)


def gather(plugins: str | Path | Callable[..., Any] | Iterable[Any], functions: dict[str, Any]) -> Plugins:
    """Return what `listed` does, and functions given by kind; InputError also if a kind is unknown."""
    found = listed(plugins)
    for kind, function in functions.items():
        if kind not in KINDS:
            raise InputError(f"unknown kind of plug-in {kind!r}{suggestion(kind, KINDS)}")
        found.append(Plugin.of(kind, function))
    return Plugins.of(found)
