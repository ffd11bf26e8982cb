"""Screening by prediction: each member learns, within its lifetime, to predict search values and results.

The centre of a generation is the weighted mean of the better half of the one before. Every other member
begins as the centre and learns from thousands of batches drawn for it alone, by coevolution of its neurons
(`prediction.coevolution`) or by gradient descent (`prediction.gradient`); the learned weights are written to
its DNA. So many individuals are screened for each one that plays, and the mean of the best players is the
next centre: it has learned from the positions of all of them. This is Lamarckian inheritance. In Baldwinian
inheritance learned weights count in the games and die with the member: offspring inherit its mutated DNA from
before learning, and selection favours DNA that learns well.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

import joblib
import msgspec
import numpy as np

from neche.compiled.batches import results_of, writable
from neche.compiled.streams import draws, stream, stream_key
from neche.evolution.events import MembersLearned, Notify
from neche.evolution.evolution_strategy import better_half, mirrored_steps, step_size, strand_scale
from neche.evolution.population import RECORD_DECIMALS, FloatArray, Generation, IntArray, Member, member_id
from neche.evolution.settings import PredictionSettings, Settings
from neche.genome.strand_operators import duplicate_neuron, usefulness
from neche.network.topology import parse_topology
from neche.prediction.coevolution import StrategyPlan, coevolve, largest_block
from neche.prediction.gradient import descend
from neche.prediction.judging import Samples, squared_error
from neche.prediction.neurons import (
    Neurons,
    Wiring,
    as_rows,
    as_strands,
    layout_of,
    read_neurons,
    write_neurons,
)

Learn = Callable[[Wiring, Samples, Sequence[Neurons], StrategyPlan, Sequence[int]], Iterable[Neurons]]
"""(wiring, samples, neurons of each learner, plan, keys) → neurons after learning; see `learned`."""
JUDGED = 1 << 14
"""Number of samples on which members are compared."""


class Lesson(NamedTuple):
    """What a generation learns from: wiring, samples, share of draws in the newest games."""

    wiring: Wiring
    samples: Samples
    draws: float


class Screened(NamedTuple):
    """A generation that has learned.

    members: [P] after learning. inherited: [P] before learning, if offspring inherit that; else empty.
    errors: [P] mean squared, on the same positions. decides: whether errors, not games, rank the members.
    figures: for the record.
    """

    members: tuple[Member, ...]
    inherited: tuple[Member, ...]
    errors: FloatArray
    decides: bool
    figures: dict[str, float]

    def order(self, by_games: IntArray) -> IntArray:
        """Return the members in rank order, best first: their indices."""
        return np.argsort(self.errors, kind="stable") if self.decides else by_games

    def inherited_in(self, order: IntArray) -> tuple[Member, ...]:
        """Return what offspring inherit from the members, in that order."""
        return tuple(self.inherited[index] for index in order) if self.inherited else ()


def learning_rate(settings: PredictionSettings, number: int) -> float:
    """Return the largest step of a weight in generation `number`; it shrinks over the generations."""
    held = settings.rate_falls_after
    progress = min(1.0, max(0, number - 1 - held) / max(1, settings.rate_generations - held))
    return float(settings.rate * (settings.rate_end / settings.rate) ** progress)


def screened_members(
    settings: Settings,
    seed: int,
    generation: Generation,
    lesson: Lesson,
    notify: Notify = lambda event: None,
    *,
    arrived: Sequence[Member] = (),
    learn: Learn | None = None,
) -> Screened:
    """Return the next generation: the centre first, then members that have learned from it.

    arrived: immigrants, its last members, which begin learning from their own weights. learn: how; None: as
    the settings say, on the CPU. The learned weights do not depend on it.
    """
    number, population = generation.number + 1, settings.members.population
    wiring, samples = lesson.wiring, lesson.samples
    topology, genes = parse_topology(settings.members.topology), settings.members.genes
    centre, parents = _centre(settings, generation)
    born = _born(settings, seed, number, centre, [read_neurons(one.genome, topology) for one in arrived])
    is_baldwin = settings.prediction.inheritance == "baldwin"
    is_gradient = settings.prediction.learning == "gradient"
    learn = learn or partial(_learned_by_workers, is_gradient)
    # With Lamarck the centre does not learn: it is the mean of what others have learned.
    learners = range(0 if is_baldwin else 1, population)
    keys = [stream_key(seed, number, "learning", index) for index in learners]
    grown = list(born)
    begun = [born[index] for index in learners]
    found = learn(wiring, samples, begun, _plan(settings.prediction, number), keys)
    for done, (index, rows) in enumerate(zip(learners, found, strict=True), 1):
        grown[index] = rows
        notify(MembersLearned(number, done, len(learners)))
    ids = [member_id(number, index) for index in range(population)]
    lines = [parents, *[(ids[0],)] * (population - 1 - len(arrived)), *(one.parents for one in arrived)]
    genomes = [write_neurons(rows, topology, genes) for rows in grown]
    members = tuple(Member(id, line, genome) for id, line, genome in zip(ids, lines, genomes, strict=True))
    inherited = [
        msgspec.structs.replace(member, genome=write_neurons(rows, topology, genes))
        for member, rows in zip(members, born if is_baldwin else (), strict=False)
    ]
    written = [read_neurons(genome, topology) for genome in genomes]
    errors = mean_errors(wiring, samples, written, stream_key(seed, number, "judged"))
    decides = settings.prediction.fitness == "prediction"
    return Screened(members, tuple(inherited), errors, decides, _figures(errors, lesson))


def _plan(prediction: PredictionSettings, number: int) -> StrategyPlan:
    rate, pairs = learning_rate(prediction, number), prediction.pairs
    block = largest_block(pairs) if prediction.orthogonal else 1
    decay = prediction.weight_decay
    return StrategyPlan(prediction.batches, prediction.batch, pairs, prediction.spread, rate, block, decay)


def _born(
    settings: Settings, seed: int, number: int, centre: Neurons, arrived: Sequence[Neurons]
) -> list[Neurons]:
    """Return the neurons of members before learning: the centre first, then those of the others.

    With Lamarck all begin as the centre and differ by what they learn. With Baldwin learning is not inherited
    and they differ by mutations: mirrored steps as in an evolution strategy, rounded to the grid of DNA.
    """
    prediction, count = settings.prediction, settings.members.population - 1
    is_baldwin, others = prediction.inheritance == "baldwin", [centre] * count
    topology = parse_topology(settings.members.topology)
    if is_baldwin:
        layout = layout_of(centre, topology)
        strands = as_strands(centre, layout).astype(np.float32)
        scale = strand_scale(strands, layout)
        size = step_size(settings.refinement, number - 1)
        steps = mirrored_steps(size * scale, count, stream(seed, number, "mutations").standard_normal)
        others = [as_rows(strands + step, layout) for step in steps]
    others = [*others[: count - len(arrived)], *arrived]
    if prediction.duplicate_neurons:
        draws = [stream(seed, number, "divided", index) for index in range(1, count + 1)]
        outs = centre.shape[1] - 1 - topology.sensors
        others = [
            divided(rows, prediction.spread, rng, outs) for rows, rng in zip(others, draws, strict=True)
        ]
    return [centre, *(_as_dna_writes(rows, settings) if is_baldwin else rows for rows in others)]


def _as_dna_writes(neurons: Neurons, settings: Settings) -> Neurons:
    topology = parse_topology(settings.members.topology)
    return read_neurons(write_neurons(neurons, topology, settings.members.genes), topology)


def divided(neurons: Neurons, spread: float, rng: np.random.Generator, outs: int = 1) -> Neurons:
    """Return neurons with the most useful hidden one split in halves, one replacing the least useful.

    The halves differ by mirrored steps of `spread`, so that they can diverge; while both are on, their sum is
    unchanged. Nothing changes if no hidden neuron can be spared. outs: outgoing weights of a neuron.
    """
    hidden = neurons[1:]
    use = usefulness(hidden, outs)
    if use.size < 2 or use.max() == use.min():
        return neurons
    best, least = int(use.argmax()), int(use.argmin())
    twins = duplicate_neuron(hidden, best, least, outs)
    steps = spread * (2 * rng.integers(2, size=twins.shape[1] - outs) - 1)
    twins[best, outs:] += steps
    twins[least, outs:] -= steps
    return np.concatenate([neurons[:1], twins])


def _learned_by_workers(
    is_gradient: bool,
    wiring: Wiring,
    samples: Samples,
    begun: Sequence[Neurons],
    plan: StrategyPlan,
    keys: Sequence[int],
) -> Iterable[Neurons]:
    calls = {
        index: joblib.delayed(learned)(wiring, samples, neurons, plan, key, is_gradient)
        for index, (neurons, key) in enumerate(zip(begun, keys, strict=True))
    }
    return (found for _, found in results_of(calls))


def learned(
    wiring: Wiring, samples: Samples, neurons: Neurons, plan: StrategyPlan, key: int, is_gradient: bool
) -> Neurons:
    """Return neurons after learning, by coevolution or gradient descent; `key` determines random draws."""
    neurons, samples = neurons.copy(), Samples._make(map(writable, samples))
    wiring = Wiring._make(map(writable, wiring))
    learn = descend if is_gradient else coevolve
    learn(wiring, samples, neurons, plan, np.uint64(key))
    return neurons


def mean_errors(wiring: Wiring, samples: Samples, members: Sequence[Neurons], key: int) -> FloatArray:
    """Return the mean squared error of each member, rounded so that the order is the same everywhere."""
    half, count = np.uint64(32), np.uint64(len(samples.targets))
    # The same draws as by `draw_below`, all at once.
    rows = ((draws(np.array([key], np.uint64), JUDGED) >> half) * count >> half).astype(np.int64)
    errors = [squared_error(wiring, samples, rows, neurons) / JUDGED for neurons in members]
    return np.array(errors).round(9)


def _centre(settings: Settings, generation: Generation) -> tuple[Neurons, tuple[str, ...]]:
    """Return the mean of the better half, rounded to the grid of DNA, and the ids of its members."""
    topology = parse_topology(settings.members.topology)
    if generation.number == 0:
        # Random genomes have nothing in common: their mean would be close to zero.
        champion = next(m for m in generation.members if m.id == generation.record["champion_id"])
        return read_neurons(champion.genome, topology), (champion.id,)
    better, shares = better_half(generation.inherited or generation.members, settings.refinement.refine_share)
    stacked = np.stack([read_neurons(member.genome, topology) for member in better])
    mean = np.tensordot(shares / shares.sum(), stacked.astype(np.float64), axes=1).astype(np.float32)
    return _as_dna_writes(mean, settings), tuple(member.id for member in better)


def _figures(errors: FloatArray, lesson: Lesson) -> dict[str, float]:
    return {
        "prediction_error": round(float(errors[0]), RECORD_DECIMALS + 2),
        "best_prediction_error": round(float(errors.min()), RECORD_DECIMALS + 2),
        "samples": len(lesson.samples.targets),
        "sample_draws": round(lesson.draws, RECORD_DECIMALS),
    }
