"""One generation: members that are not ranked yet play, and become a Generation."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from neche.arena.playing import Field, GameResults, Pairings, play_games
from neche.arena.probes import value_men
from neche.compiled.streams import stream
from neche.evolution.agreement import rank_agreement
from neche.evolution.ancestry import enter_hall, meet_ancestors
from neche.evolution.champion import draw_rule, retest
from neche.evolution.curriculum import is_examined, next_depth
from neche.evolution.diagnostics import FIGURES, describe_games, describe_networks, man_spreads, remembered
from neche.evolution.events import GamesPlayed, GenerationStarted, LadderScored, MovedUp, Notify
from neche.evolution.examination import score_against_blind
from neche.evolution.ladder import climb_ladder
from neche.evolution.population import Ancestor, Generation, Member
from neche.evolution.ranking import Standing, planned_games, rank_members
from neche.evolution.refinement import centre_rank, refined_for, settings_at
from neche.evolution.schedule import OpeningRange, Purpose
from neche.evolution.scorebook import Games, Scorebook
from neche.evolution.settings import Settings
from neche.evolution.variety import describe_variety
from neche.evolution.vision import networks_of
from neche.evolution.warnings import warnings
from neche.network.decode import Network

_VALUING_MEN = 8


class Level(NamedTuple):
    """Where a population stands in the curriculum: its depth, and the generation that moved up to it."""

    depth: int
    moved_up_at: int | None


class Occasion(NamedTuple):
    """What all steps of one generation need to know: settings, seed, number, and whom to tell."""

    settings: Settings
    seed: int
    number: int
    notify: Notify


def rank_generation(
    occasion: Occasion, members: Sequence[Member], level: Level, before: Generation | None = None
) -> Generation:
    """Play a generation in four steps and return it in rank order.

    1. Examination, when it is due: does the population search deeper from now on?
    2. Ranking: all members play each other as the ranking scheme pairs them.
    3. Play-off and ladder, when they are due: who is the champion, and how good?
    4. Diagnostics, into the record.

    before: the generation that these members come from, None for the first.
    """
    settings, _, number, notify = occasion
    networks = networks_of(settings.members, members)
    level, examination = _examine(occasion, networks, level)
    settings = settings_at(settings, number, level.depth, level.moved_up_at)
    occasion = occasion._replace(settings=settings)
    notify(GenerationStarted(number, level.depth, planned_games(settings)))
    field = Field.of(networks, level.depth, game=settings.games.game)
    standing, games = _rank(occasion, field)
    ranked = tuple(members[index] for index in standing.order)
    hall = () if before is None else before.hall
    rank, crowning = _crown(occasion, ranked, [networks[index] for index in standing.order], level, hall)
    hall = enter_hall(hall, ranked[rank], number, settings.ladder.ladder_every)
    record: dict[str, Any] = {
        "generation": number,
        "depth": level.depth,
        "moved_up_at": level.moved_up_at,
        **_describe(occasion, members, networks, field, games, before),
        **_describe_men(occasion, field, int(standing.order[rank])),
        "best_score": float(standing.scores[standing.order[0]]),
        **examination,
        **crowning,
        "hall": {str(ancestor.generation): ancestor.member.id for ancestor in hall},
    }
    return Generation(
        number=number,
        members=ranked,
        scores=standing.scores[standing.order],
        strengths=standing.strengths[standing.order],
        games=standing.games[standing.order],
        depth=level.depth,
        moved_up_at=level.moved_up_at,
        record={**record, "warnings": warnings(record, settings)},
        hall=hall,
    )


def _examine(occasion: Occasion, networks: Sequence[Network], level: Level) -> tuple[Level, dict[str, float]]:
    """Return the level to play at, and what an examination found."""
    settings, seed, number, notify = occasion
    deeper = next_depth(settings.curriculum, level.depth)
    if deeper is None or not is_examined(settings.curriculum, number, level.depth):
        return level, {}
    score = score_against_blind(settings, seed, number, networks, deeper)
    if score >= settings.curriculum.move_up_score:
        notify(MovedUp(number, deeper, score))
        level = Level(deeper, number)
    return level, {"score_vs_blind": score}


def _describe(
    occasion: Occasion,
    members: Sequence[Member],
    networks: Sequence[Network],
    field: Field,
    games: Games,
    before: Generation | None,
) -> dict[str, Any]:
    """Return the figures that every generation has."""
    settings, seed, number, _ = occasion
    is_paired = settings.ranking.ranking != "original"
    found = {
        **describe_games(games),
        **describe_networks(networks),
        **describe_variety(settings, seed, number, members, field.packed, before),
        "rank_agreement": rank_agreement(games, len(members), paired=is_paired),
    }
    found = {key: round(value, FIGURES) for key, value in found.items()}
    return {**found, **remembered(found, {} if before is None else before.record, number)}


def _describe_men(occasion: Occasion, field: Field, champion: int) -> dict[str, float]:
    """Return how unevenly members, a sample of them, and the champion value men on different squares."""
    settings, seed, number, _ = occasion
    chosen = stream(seed, number, "valuing men").permutation(settings.members.population)[:_VALUING_MEN]
    worth = value_men(field.packed, [champion, *chosen.tolist()], seed, name=settings.games.game)
    spreads = man_spreads(worth)
    return {
        "man_spread": round(float(spreads[1:].mean()), FIGURES),
        "champion_man_spread": round(float(spreads[0]), FIGURES),
    }


def _rank(occasion: Occasion, field: Field) -> tuple[Standing, Games]:
    settings, seed, number, notify = occasion
    planned, done = planned_games(settings), 0

    def tell(finished: int) -> None:
        nonlocal done
        done += finished
        notify(GamesPlayed(done, max(planned, done)))

    def play(pairings: Pairings) -> GameResults:
        return play_games(field, pairings, draw_rule(settings), notify=tell)

    openings, purpose = OpeningRange(*settings.games.opening_plies), Purpose(seed, number, "ranking")
    scorebook = Scorebook(play, openings, purpose)
    standing = rank_members(settings, scorebook, stream(seed, number, "ranking"))
    return standing, scorebook.games()


def _crown(
    occasion: Occasion,
    ranked: Sequence[Member],
    networks: Sequence[Network],
    level: Level,
    hall: Sequence[Ancestor],
) -> tuple[int, dict[str, Any]]:
    """Return the champion's rank, and what the record says of it: measurements only when they are due.

    The champion of a refinement is its centre: the mean of many, better than any one of its variations.
    """
    settings, seed, number, notify = occasion
    is_refining = refined_for(settings, number, level.depth, level.moved_up_at) is not None
    rank = centre_rank(ranked, number) if is_refining else 0
    if number % settings.ladder.ladder_every:
        return rank, {"champion_id": ranked[rank].id}
    found: dict[str, Any] = {}
    if not is_refining:
        scores = retest(
            settings,
            networks,
            level.depth,
            Purpose(seed, number, "play-off"),
            num_candidates=settings.champion.champion_candidates,
            num_games=settings.champion.champion_games,
        )
        if len(scores):
            rank, found["best_retest"] = int(np.argmax(scores)), round(float(scores[0]), FIGURES)
    champion, depth = ranked[rank], level.depth
    ladder = climb_ladder(settings, seed, number, networks[rank], depth)
    notify(LadderScored(number, champion.id, ladder))
    rivals = [ancestor for ancestor in hall if ancestor.member.id != champion.id]
    found["ancestors"] = meet_ancestors(settings, seed, number, networks[rank], rivals, depth)
    found["population_vs_blind"] = score_against_blind(
        settings, seed, number, networks, depth, purpose="population against blind"
    )
    return rank, {"champion_id": champion.id, "ladder": ladder, **found}
