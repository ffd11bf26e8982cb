"""What to know about settings before a run begins: which have no effect, or not the one they seem to have."""

from collections.abc import Iterable, Iterator

from neche.evolution.champion import left_out, unmeasured
from neche.evolution.curriculum import next_depth
from neche.evolution.screening import learning_rate
from neche.evolution.settings import MutationSettings, PredictionSettings, Settings, resolve
from neche.games.catalogue import game
from neche.network.topology import parse_topology
from neche.prediction.samples import NO_CLIP

_MUTATION = MutationSettings.__struct_fields__
_PREDICTION = tuple(key for key in PredictionSettings.__struct_fields__ if key != "fitness")
_FOUNDING = ("modules", "links")
_STEPS = ("refine_sd", "refine_sd_end", "refine_generations")
_OF_GENES = ("genes", "translocation_rate", "duplication_source_rate", "duplication_sink_rate", *_FOUNDING)
_OF_GAMES = ("games_per_member", "original_rounds", "strength_spread")
_IN_PLACE = {"mutation": _MUTATION, "selection": ("selection",), "ranking": _OF_GAMES, "fitness": _OF_GAMES}
"""Settings of the usual step, by the kind of plug-in that replaces it."""
_MOVE_UP = ("move_up_score", "move_up_every", "move_up_members", "anneal_to", "anneal_generations")


def notices(
    settings: Settings, last: int, given: Iterable[str] = (), plugged: Iterable[str] = ()
) -> list[str]:
    """Return the notices to print before a run up to generation `last` begins, one sentence each.

    given: the user's settings, `KEY` or `KEY=VALUE` each, reported if they change nothing. plugged: kinds of
    the run's plug-ins.
    """
    keys = dict.fromkeys(assignment.partition("=")[0].strip() for assignment in given)
    said = (rate_that_stays(settings, last), unmeasured(settings), genes_too_few(settings))
    return [*set_in_vain(settings, keys, plugged), *(one for one in said if one is not None)]


def set_in_vain(settings: Settings, keys: Iterable[str], plugged: Iterable[str] = ()) -> list[str]:
    """Say which of the keys set by the user change nothing, and why. plugged: as for `notices`."""
    keys, unused = list(keys), unused_settings(settings, plugged)
    said = [f"{key} changes nothing where {unused[key]}" for key in keys if key in unused]
    # A recipe's ladder is for several games; of a user's own ladder, every player is expected to play.
    others = left_out(settings) if "ladder" in keys else []
    return said + [f"ladder: {text} does not play {settings.games.game} and is left out" for text in others]


def unused_settings(settings: Settings, plugged: Iterable[str] = ()) -> dict[str, str]:
    """Return the settings on which no generation of these settings depends, each with the reason."""
    replaced = {key: f"a {kind} is plugged in" for kind in plugged for key in _IN_PLACE.get(kind, ())}
    return {key: why for why, keys in _unused(settings) for key in keys} | replaced


def _unused(settings: Settings) -> Iterator[tuple[str, tuple[str, ...]]]:
    prediction, ranking = settings.prediction, settings.ranking.ranking
    topology = parse_topology(resolve(settings).members.topology)
    learns = prediction.fitness != "tournament"
    if settings.islands.islands == 1:
        yield "islands = 1", ("migrate_every", "migrants")
    if ranking != "original":
        yield f"ranking = {ranking}", ("original_rounds",)
    yield from _unused_in_games(settings, learns)
    if next_depth(settings.curriculum, settings.curriculum.depth) is None:
        yield "no depth follows in next_depths", _MOVE_UP
    if topology.is_dense:
        yield "strands encode the weights", _OF_GENES
    if not learns:
        if settings.mutation.duplication_mean == 0:
            yield "duplication_mean = 0", ("duplication_source_rate", "duplication_sink_rate")
        if settings.mutation.creep_mean == 0:
            yield "creep_mean = 0", ("creep_sd",)
        if not topology.is_dense:
            yield "first genomes are random genes", ("first_neurons",)
        if settings.refinement.refine_after == 0:
            yield "refine_after = 0", (*_STEPS, *_FOUNDING, "refine_ranking", "refine_share")
        yield "fitness = tournament", _PREDICTION
        return
    # Learning replaces crossover and mutation. Elites are not reported: small populations need few of them,
    # whether or not they are copied.
    bred = (*_MUTATION, *_FOUNDING, "selection", "parents_per_child", "refine_after")
    yield f"fitness = {prediction.fitness}", bred
    if prediction.target_clip == NO_CLIP:
        yield f"target_clip = {NO_CLIP:g}", ("target_clip_after",)
    if not game(settings.games.game).symmetries:
        yield f"the board of {settings.games.game} has no symmetries", ("symmetries",)
    if prediction.inheritance == "lamarck":
        yield "inheritance = lamarck", _STEPS
    if prediction.learning == "gradient":
        is_drawn = prediction.duplicate_neurons
        yield "learning = gradient", ("pairs", "orthogonal", *(() if is_drawn else ("spread",)))


def _unused_in_games(settings: Settings, learns: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    ranking, refinement = settings.ranking.ranking, settings.refinement
    is_refined = learns or refinement.refine_after > 0
    schemes = {ranking, *((refinement.refine_ranking,) if is_refined else ())}
    why = " and ".join((f"ranking = {ranking}", *(("refine_ranking = quicksort",) if is_refined else ())))
    if schemes <= {"original", "quicksort"}:
        # Full quicksorts play as many games as they need.
        yield why, ("games_per_member",)
    if schemes == {"original"}:
        yield why, ("strength_spread",)
    if settings.selection.selection != "truncation" and not learns and "descent" not in schemes:
        yield f"selection = {settings.selection.selection}", ("parent_share",)


def rate_that_stays(settings: Settings, last: int) -> str | None:
    """Say that the learning rate of a run up to generation `last` never falls after its wait, or at once."""
    prediction = settings.prediction
    held, low, end = prediction.rate_falls_after, prediction.rate_end, prediction.rate_generations
    if last == 0 or prediction.fitness == "tournament" or held == 0 or low >= prediction.rate:
        return None
    if learning_rate(prediction, last) < prediction.rate:
        at_once = f"the learning rate falls to rate_end at once: rate_falls_after = {held} is not below"
        return f"{at_once} rate_generations = {end}" if held >= end else None
    return (
        f"generation {last} is the last, and the learning rate has not fallen by then: rate_falls_after ="
        f" {held}; a run that ends there needs a smaller rate_falls_after and rate_generations"
    )


def genes_too_few(settings: Settings) -> str | None:
    """Say that genomes of learning members are longer than set, as the output has a weight of each sensor."""
    topology, genes = parse_topology(resolve(settings).members.topology), settings.members.genes
    if settings.prediction.fitness == "tournament" or topology.is_dense or genes > topology.sensors:
        return None
    return f"genes = {genes}: genomes have {topology.sensors + 1}, as many as the output alone needs"
