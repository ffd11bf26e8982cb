"""Plug-ins of an evolution: user functions that replace its usual steps.

    mutation(genome, rng)                a genome [L] of digits 0..3 → a genome [L]
    crossover(mother, father, rng)       two genomes [L] → their child [L]
    selection(generation, count, rng)    ranks of mother and father of each child: [count, 2]
    ranking(count, play, rng)            the members [count], best first; play(a, b) → wins − losses of a [C]
    fitness(network, rng)                a number, larger is better: it orders the members, without games
    listener(event)                      called with every event of `neche.evolution.events`; decides nothing

An ordinary evolution runs none of this. All draws come from the run's own streams, so an evolution with
plug-ins is as reproducible, and as resumable, as its functions are. What they need of earlier generations is
in the `memory` of a `Generation`.

Symbols: P members, C children or comparisons, L nucleotides.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import mean
from typing import Any

import joblib
import numpy as np

from neche.compiled.batches import results_of
from neche.compiled.streams import stream
from neche.errors import InputError, fault_of_others
from neche.evolution.events import Event, Notify
from neche.evolution.population import Context, FloatArray, Generation, IntArray, Member, networks_of
from neche.evolution.ranking import RANKING_DECIMALS, Scorebook, Standings, mean_points
from neche.evolution.reproduction import Breeding, cross_genomes, mutate_genomes
from neche.evolution.settings import MutationSettings, Settings
from neche.genome.dna import NUCLEOTIDES, Digits
from neche.network.decode import Network
from neche.network.topology import Topology
from neche.players.plugged import Plugin, PluginError, PluginIdentity, finite_number, whole_numbers

MOST_ATTEMPTS = 1000
"""Attempts at breeding the children of a generation before their operators are reported as faulty."""
MOST_NESTING = 100
"""Levels of a memory, so that it can be copied and read wherever Python's own limit is near."""
_BREEDING = ("mutation", "crossover", "selection")
_ORDERING = ("ranking", "fitness")


@dataclass(frozen=True)
class Plugins:
    """The plug-ins of an evolution; None: the usual step.

    listeners: all are called, in this order. players: evaluators and players on the ladder of its settings.
    memory: what they keep from generation to generation, plain JSON values; they change it in place.
    """

    mutation: Plugin | None = None
    crossover: Plugin | None = None
    selection: Plugin | None = None
    ranking: Plugin | None = None
    fitness: Plugin | None = None
    listeners: tuple[Plugin, ...] = ()
    players: tuple[Plugin, ...] = ()
    memory: dict[str, Any] = field(default_factory=dict, compare=False)

    @staticmethod
    def of(plugins: Iterable[Plugin]) -> "Plugins":
        """Return plug-ins by kind, except players, which the ladder names; InputError if a step has two."""
        steps: dict[str, Any] = {}
        listeners: list[Plugin] = []
        for plugin in dict.fromkeys(plugins):
            if plugin.kind == "listener":
                listeners.append(plugin)
            elif plugin.kind in steps:
                raise plugin.fault(
                    f"there is another {plugin.kind}, {steps[plugin.kind].name}: give only one"
                )
            elif plugin.kind in (*_BREEDING, *_ORDERING):
                steps[plugin.kind] = plugin
        return Plugins(**steps, listeners=tuple(listeners))

    @property
    def steps(self) -> dict[str, Plugin]:
        """The plug-ins that replace a step, by kind."""
        found = {kind: getattr(self, kind) for kind in (*_BREEDING, *_ORDERING)}
        return {kind: plugin for kind, plugin in found.items() if plugin is not None}

    def identity(self) -> list[PluginIdentity]:
        """Return kind, name and digest of all plug-ins that affect the result; listeners do not."""
        return [one.identity for one in (*self.steps.values(), *self.players)]

    def check(self, settings: Settings) -> None:
        """Raise InputError if an evolution with these settings would never call one of the plug-ins."""
        prediction, refinement = settings.prediction.fitness, settings.refinement.refine_after
        for kind, plugin in self.steps.items():
            # Reported now: a study of a function that is never called would measure nothing.
            if kind in _BREEDING and prediction != "tournament":
                raise plugin.fault(
                    f"fitness = {prediction} breeds no children; use the recipe tournament, or another one"
                    " with fitness = tournament"
                )
            if kind in _BREEDING and refinement > 0:
                raise plugin.fault("the refinement breeds no children; disable it with refine_after=0")
            if kind in _ORDERING and prediction == "prediction":
                raise plugin.fault("fitness = prediction already orders the members")
        if self.ranking is not None and self.fitness is not None:
            raise self.fitness.fault(f"the ranking {self.ranking.name} already orders the members: give one")
        if self.crossover is not None and settings.selection.parents_per_child == 1:
            raise self.crossover.fault("parents_per_child = 1 means that nothing is crossed")

    def heard_by(self, notify: Notify) -> Notify:
        """Return a function that passes an event to the listeners, and then to `notify`."""

        def tell(event: Event) -> None:
            for listener in self.listeners:
                listener(event)
            notify(event)

        return tell

    def breeding(self, generation: Generation, rates: MutationSettings, topology: Topology) -> Breeding:
        """Return how the children of a generation are made."""
        couples = None if self.selection is None else partial(_couples, self.selection, generation)
        plugin = self.mutation or self.crossover
        if plugin is None:
            return Breeding(couples, None)
        attempts, extras = 0, {"generation": generation.number + 1, "memory": self.memory}

        def children(mothers: Digits, fathers: Digits, rng: np.random.Generator) -> Digits:
            nonlocal attempts
            # Without a limit, an operator that always breaks genomes would be retried for ever.
            attempts += 1
            if attempts > MOST_ATTEMPTS:
                raise plugin.fault(f"left no viable child in {MOST_ATTEMPTS} attempts")
            if self.crossover is None:
                crossed = cross_genomes(mothers, fathers, rng, topology)
            else:
                crossed = _genomes(self.crossover, extras, rng, mothers, fathers)
            if self.mutation is None:
                return mutate_genomes(crossed, rates, rng, topology)
            return _genomes(self.mutation, extras, rng, crossed)

        return Breeding(couples, children)

    def order(self, context: Context, members: Sequence[Member], scorebook: Scorebook) -> Standings | None:
        """Return the outcome of the ranking; None if there is no plug-in for it."""
        if self.fitness is not None:
            return _by_fitness(self.fitness, context, members)
        if self.ranking is None:
            return None
        return _by_ranking(self.ranking, context, members, scorebook, self.memory)

    def remembering(self, before: Generation | None) -> "Plugins":
        """Return the plug-ins with the memory that the generation before has left, empty for the first."""
        return replace(self, memory={} if before is None else before.memory)

    def stored_memory(self) -> dict[str, Any]:
        """Return the memory as it is read back from a file, so that a resume changes nothing.

        InputError if it holds something that JSON cannot.
        """
        try:
            stored = json.loads(json.dumps(self.memory, allow_nan=False, default=_without_numpy))
            if _nesting(stored) > MOST_NESTING:
                raise ValueError(f"more than {MOST_NESTING} lists and dictionaries within one another")
            return dict(stored)
        except (TypeError, ValueError, RecursionError) as error:
            users = [one for one in self.steps.values() if "memory" in one.extras]
            raise users[0].fault(f"its memory cannot be stored as JSON: {error}") from None

    def figures(self, strengths: FloatArray) -> dict[str, Any]:
        """Return the best and the mean fitness of the members, for the record; nothing without a fitness.

        The mean is exact, and finite however large the values are. It is not rounded: values may be small.
        """
        if self.fitness is None:
            return {}
        return {"fitness": {"best": float(strengths.max()), "mean": mean(strengths.tolist())}}


def check_recorded(
    recorded: Sequence[PluginIdentity], plugins: Plugins, path: object, *, has_generation: bool = True
) -> None:
    """Raise InputError unless the plug-ins are those with which the run at `path` began.

    has_generation: without one, nothing depends on their source yet, and one that was mended is accepted.
    """
    given = {(one["kind"], one["name"]): one for one in plugins.identity()}
    for one in recorded:
        what = f"{one['kind']} {one['name']}"
        found = given.pop((one["kind"], one["name"]), None)
        if found is None:
            raise InputError(f"{path}: began with the plug-in {what}, which is not given; give it again")
        if has_generation and found["digest"] != one["digest"]:
            raise InputError(
                f"{path}: began with another {what}: the digest of its source and of what it uses was"
                f" {one['digest']}, not {found['digest']}; begin a new run with it"
            )
    for kind, name in given:
        raise InputError(f"{path}: began without the plug-in {kind} {name}; begin a new run with it")


def _nesting(value: Any) -> int:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if parts is None else 1 + max(map(_nesting, parts), default=0)


def _without_numpy(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not JSON")


def _genomes(plugin: Plugin, extras: dict[str, Any], rng: np.random.Generator, *parents: Digits) -> Digits:
    """Return the children that a plug-in makes, one after the other: [C, L]."""
    # One child at a time: users write functions of a genome, not of a population.
    made = np.empty_like(parents[0])
    for child, strands in zip(made, zip(*parents, strict=True), strict=True):
        found = plugin(*strands, rng, **extras)
        child[:] = whole_numbers(plugin, found, child.shape, len(NUCLEOTIDES))
    return made


def _couples(plugin: Plugin, generation: Generation, count: int, rng: np.random.Generator) -> IntArray:
    found = plugin(generation.protected(), count, rng)
    return whole_numbers(plugin, found, (count, 2), len(generation.members))


def _by_fitness(plugin: Plugin, context: Context, members: Sequence[Member]) -> Standings:
    calls = {
        index: joblib.delayed(_fitness)(plugin, network, context.seed, context.number, index)
        for index, network in enumerate(networks_of(context.settings.members, members))
    }
    values: FloatArray = np.array([value for _, value in results_of(calls)])
    nothing = np.zeros(len(values), np.int64)
    # Ties are ordered by index, as after games.
    return Standings(np.argsort(-values, kind="stable"), np.full(len(values), 0.5), values, nothing)


def _fitness(plugin: Plugin, network: Network, seed: int, number: int, index: int) -> float:
    # Adding 0 turns −0.0, which would print differently, into 0.0.
    rng = stream(seed, number, "fitness", index)
    return finite_number(plugin, plugin(network, rng, generation=number)) + 0.0


def _by_ranking(
    plugin: Plugin, context: Context, members: Sequence[Member], book: Scorebook, memory: dict[str, Any]
) -> Standings:
    count = context.settings.members.population

    def play(a: Any, b: Any) -> IntArray:
        """Let a [C] and b [C] play a pair of games each; return wins minus losses of a [C], −2 … 2."""
        sides = np.atleast_1d(a, b)
        first, second = (whole_numbers(plugin, side, sides[0].shape[:1], count) for side in sides)
        if (first == second).any():
            raise plugin.fault(f"member {first[first == second][0]} cannot play itself")
        try:
            return book.compare(first, second) if len(first) else first
        except Exception as error:  # a game of the user's own may be at fault, and not the ranking
            if fault := fault_of_others(error):
                raise PluginError(fault) from error
            raise

    # The stream of the usual ranking, which is unused when a plug-in ranks.
    rng = stream(context.seed, context.number, "ranking")
    networks = networks_of(context.settings.members, members) if "networks" in plugin.extras else ()
    for member in members:
        member.genome.flags.writeable = False  # whoever ranks must not breed
    known = {"networks": networks, "members": tuple(members), "memory": memory}
    found = plugin(count, play, rng, generation=context.number, **known)
    order = whole_numbers(plugin, found, (count,), count)
    if (times := np.bincount(order)).max() > 1:
        raise plugin.fault(f"returned an order with member {times.argmax()} twice, not every member once")
    scores, games = mean_points(book.games(), count)
    # Ranks, worst 0, as in the ranking `original`: selection by rank sums uses them directly.
    strengths = np.arange(count, dtype=np.float64)[::-1][np.argsort(order)]
    return Standings(order, scores.round(RANKING_DECIMALS), strengths, games)
