"""The evolution: generation after generation, from random DNA or from where it stopped.

One turn of the loop in `evolve` is a generation: offspring → play → rank → measure → yield.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

from neche.arena.playing import Contestants
from neche.compiled.streams import stream
from neche.errors import InputError
from neche.evolution import champion, events
from neche.evolution.curriculum import Stage, is_test_due, next_depth, strategy_age
from neche.evolution.device import CPU, EvolutionDevice
from neche.evolution.diagnostics import (
    describe_diversity,
    describe_generation,
    describe_men,
    describe_networks,
)
from neche.evolution.evolution_strategy import centre_rank, draw_ahead, ranking_settings
from neche.evolution.health import warnings
from neche.evolution.islands import Immigrants, arrivals, is_exchange, island_seed
from neche.evolution.plugins import Plugins
from neche.evolution.population import Context, Generation, Member, PastChampion, first_members, networks_of
from neche.evolution.ranking import PlayedGames, Scorebook, Standings, planned_games, rank_members
from neche.evolution.replay import Replay, next_labellers
from neche.evolution.reproduction import next_members
from neche.evolution.schedule import StreamName, training_rules
from neche.evolution.screening import Screened, screened_members
from neche.evolution.settings import Settings, check_settings, resolve
from neche.games.catalogue import game


def evolve(
    settings: Settings,
    seed: int,
    *,
    generations: int | None = None,
    resume_from: Generation | None = None,
    notify: events.Notify = lambda event: None,
    plugins: Plugins | None = None,
    immigrants: Immigrants | None = None,
    device: EvolutionDevice = CPU,
) -> Iterator[Generation]:
    """Yield the generations after `resume_from` (or from number 0 on) up to number `generations`.

    Generation 0 is the random population, so a run from its beginning to number N yields N + 1 populations.
    A generation depends only on settings, seed and the generation before it: a run stopped and resumed
    anywhere yields the same generations as an uninterrupted one, whatever totals were requested. If
    `resume_from` has not played (it was imported), its members are ranked first, under the same number; it is
    not yielded again.

    generations: number of the last one; None: as the settings say. notify: called with every event. plugins:
    functions that replace usual steps; the generations depend on them too. immigrants: gets the neighbour's
    emigrants, where there are islands; None: none. device: computes learning or games, see `device`.
    InputError if settings contradict each other, or the population or the plug-ins do not fit them.
    """
    check_settings(settings, "settings")
    settings = resolve(settings)
    # Built once to check them: a wrong player is reported before the first game.
    champion.benchmark_players(settings)
    if plugins is not None:
        plugins.check(settings)
        notify = plugins.heard_by(notify)
    last = settings.run.generations if generations is None else generations
    if resume_from is not None:
        resume_from = resume_from.protected()
        if (count := len(resume_from.members)) != settings.members.population:
            raise InputError(
                f"generation {resume_from.number} has {count} members,"
                f" the settings say population = {settings.members.population}"
            )
    # Checks run at once, the evolution when the first generation is requested.
    own = island_seed(settings, seed)
    return _evolve(
        settings, own, last, resume_from, notify, plugins=plugins, immigrants=immigrants, device=device
    )


def _evolve(
    settings: Settings,
    seed: int,
    last: int,
    generation: Generation | None,
    notify: events.Notify,
    *,
    plugins: Plugins | None,
    immigrants: Immigrants | None,
    device: EvolutionDevice,
) -> Iterator[Generation]:
    first = 0 if generation is None else generation.number + 1
    if generation is not None and first <= last:
        generation = ranked(settings, seed, generation, notify, plugins, device)
    is_screened = settings.prediction.fitness != "tournament"
    replay = Replay(settings, seed) if is_screened else None
    for number in range(first, last + 1):
        if plugins is not None:
            plugins = plugins.remembering(generation)
        stage, screened = Stage(settings.curriculum.depth, None), None
        arrived: tuple[Member, ...] = ()
        if immigrants is not None and generation and is_exchange(settings.islands, generation.number):
            arrived = arrivals(settings, number, immigrants(generation.number))
        if generation is None:
            weights = settings.prediction.first_weights if is_screened else None
            members = first_members(settings.members, seed, first_weights=weights)
        elif replay is not None:
            lesson = replay.after(generation, notify)
            screened = screened_members(
                settings, seed, generation, lesson, notify, arrived=arrived, learn=device.learn
            )
            members, stage = screened.members, generation.stage
        else:
            breeding_of = None if plugins is None else plugins.breeding
            born, stage = next_members(settings, seed, generation, breeding_of), generation.stage
            members = (*born[: len(born) - len(arrived)], *arrived)
        context = Context(settings, seed, number)
        generation = play_generation(
            context, members, stage, generation, notify, screened, plugins=plugins, device=device
        )
        yield generation.protected()


def ranked(
    settings: Settings,
    seed: int,
    generation: Generation,
    notify: events.Notify = lambda event: None,
    plugins: Plugins | None = None,
    device: EvolutionDevice = CPU,
) -> Generation:
    """Return a ranked generation: the given one, or, if it never played, its members in rank order."""
    if generation.is_ranked:
        return generation
    if plugins is not None:
        plugins = plugins.remembering(None)
    context = Context(settings, seed, generation.number)
    played = play_generation(
        context, generation.members, generation.stage, None, notify, plugins=plugins, device=device
    )
    # Neither an import's games nor its champion are stored: no later champion could be measured against it.
    return replace(played, hall_of_fame=(), labellers=generation.labellers)


def play_generation(
    context: Context,
    members: Sequence[Member],
    stage: Stage,
    before: Generation | None,
    notify: events.Notify,
    screened: Screened | None = None,
    *,
    plugins: Plugins | None = None,
    device: EvolutionDevice = CPU,
) -> Generation:
    """Let members play, and return them as a generation in rank order.

    1. Promotion test, when due: does the population search deeper from now on?
    2. Play and rank: members play each other as the ranking scheme pairs them.
    3. Champion, when due: a play-off, benchmarks, hall of fame.
    4. Diagnostics, for the record.

    stage: of `before`, the generation that these members come from; None before the first. screened: how
    well they predict, where prediction selects.
    """
    networks = networks_of(context.settings.members, members)
    # The promotion test precedes the ranking: a generation plays all of its games at one depth.
    stage, promotion = _promoted(context, members, stage, notify)
    with ThreadPoolExecutor(max_workers=1) as background:  # while the members play
        if strategy_age(context.settings, context.number, stage) is not None:
            # The centre and its variations are ranked by their own scheme.
            context = context._replace(settings=ranking_settings(context.settings))
            background.submit(draw_ahead, context)
        contestants = Contestants.of(networks, stage.depth, game=context.settings.games.game)
        wiring = background.submit(describe_networks, networks, game(context.settings.games.game).sensors)
        diversity = background.submit(describe_diversity, context, members, contestants.packed, before)
        standings, games = _play_and_rank(context, contestants, notify, members, plugins, device)
    order = standings.order if screened is None else screened.order(standings.order)
    in_order = tuple(map(members.__getitem__, order.tolist()))
    rank, measured, hall_of_fame = _champion(context, in_order, stage, before, notify)
    record = {
        "generation": context.number,
        **stage._asdict(),
        **describe_generation(context, {**wiring.result(), **diversity.result()}, games, before),
        **describe_men(context, contestants.packed, int(order[rank])),
        "best_score": float(standings.scores[order[0]]),
        **({} if plugins is None else plugins.figures(standings.strengths)),
        **(promotion | measured),
        **({} if screened is None else screened.figures),
        "hall": {str(past.generation): past.member.id for past in hall_of_fame},
    }
    generation = Generation(
        number=context.number,
        members=in_order,
        scores=standings.scores[order],
        strengths=standings.strengths[order],
        games=standings.games[order],
        **stage._asdict(),
        record={**record, "warnings": warnings(record, context.settings)},
        hall_of_fame=hall_of_fame,
        inherited=() if screened is None else screened.inherited_in(order),
        labellers=() if screened is None else next_labellers(context.settings, before, in_order[rank]),
        memory={} if plugins is None else plugins.stored_memory(),
    ).protected()
    notify(events.GenerationRanked(generation.protected()))
    return generation


def _promoted(
    context: Context, members: Sequence[Member], stage: Stage, notify: events.Notify
) -> tuple[Stage, dict[str, float]]:
    """Return the stage to play at, and the score of a promotion test for the record, if one was due."""
    curriculum, number = context.settings.curriculum, context.number
    deeper = next_depth(curriculum, stage.depth)
    if deeper is None or not is_test_due(curriculum, number, stage.depth):
        return stage, {}
    score = champion.score_against_blind(context, members, deeper)
    if score >= curriculum.move_up_score:
        notify(events.MovedUp(number, deeper, score))
        stage = Stage(deeper, number)
    return stage, {"score_vs_blind": score}


def _champion(
    context: Context, ranked: Sequence[Member], stage: Stage, before: Generation | None, notify: events.Notify
) -> tuple[int, dict[str, Any], tuple[PastChampion, ...]]:
    """Return the rank of the champion, its entries in the record, and the hall of fame.

    When due, the champion is measured and enters the hall. ranked: [P], best first.
    """
    settings, _, number = context
    hall_of_fame = () if before is None else before.hall_of_fame
    if number % settings.ladder.ladder_every == 0:
        rank, measured = champion.measure_champion(context, ranked, stage, hall_of_fame)
        notify(events.ChampionMeasured(number, ranked[rank].id, {**measured["ladder"]}))
        # The champion enters after its measurement against those already in the hall.
        return rank, measured, champion.enter_hall_of_fame(context, ranked[rank], hall_of_fame)
    rank = 0 if strategy_age(settings, number, stage) is None else centre_rank(ranked, number)
    return rank, {"champion_id": ranked[rank].id}, hall_of_fame


def _play_and_rank(
    context: Context,
    contestants: Contestants,
    notify: events.Notify,
    members: Sequence[Member],
    plugins: Plugins | None,
    device: EvolutionDevice,
) -> tuple[Standings, PlayedGames]:
    settings, seed, number = context
    planned, done = planned_games(settings), 0
    if plugins is not None and plugins.fitness is not None:
        planned = 0
    notify(events.GenerationStarted(number, int(contestants.depths[0]), planned))

    def report(finished: int) -> None:
        nonlocal done
        done += finished
        # A full quicksort may play more games than planned: the total then grows with them.
        notify(events.GamesPlayed(done, max(planned, done)))

    openings, draws = training_rules(settings)
    play = partial(device.play, contestants, rule=draws, notify=report)
    scorebook = Scorebook(play, openings, StreamName(seed, number, "ranking"))
    standings = None if plugins is None else plugins.order(context, members, scorebook)
    if standings is None:
        standings = rank_members(settings, scorebook, stream(seed, number, "ranking"))
    return standings, scorebook.games()
