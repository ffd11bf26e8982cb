"""One generation: members that are not ranked yet play, and become a Generation."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from neche.arena.playing import Field, GameResults, Pairings, play_games
from neche.compiled.streams import stream
from neche.evolution.champion import draw_rule, play_off
from neche.evolution.curriculum import is_examined, next_depth
from neche.evolution.diagnostics import describe_games, describe_networks, mean_distance, warnings
from neche.evolution.events import GamesPlayed, GenerationStarted, LadderScored, MovedUp, Notify
from neche.evolution.examination import score_against_blind
from neche.evolution.ladder import climb_ladder
from neche.evolution.population import Generation, Member
from neche.evolution.ranking import Standing, planned_games, rank_members
from neche.evolution.refinement import centre_rank, refined_for, settings_at
from neche.evolution.schedule import OpeningRange, Purpose
from neche.evolution.scorebook import Games, Scorebook
from neche.evolution.settings import Settings
from neche.network.decode import Network, decode_population


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


def rank_generation(occasion: Occasion, members: Sequence[Member], level: Level) -> Generation:
    """Play a generation in four steps and return it in rank order.

    1. Examination, when it is due: does the population search deeper from now on?
    2. Ranking: all members play each other as the ranking scheme pairs them.
    3. Play-off and ladder, when they are due: who is the champion, and how good?
    4. Diagnostics, into the record.
    """
    settings, seed, number, notify = occasion
    networks = decode_population(
        [member.genome for member in members], perspective=settings.members.perspective
    )
    level, examination = _examine(occasion, networks, level)
    settings = settings_at(settings, number, level.depth, level.moved_up_at)
    occasion = occasion._replace(settings=settings)
    notify(GenerationStarted(number, level.depth, planned_games(settings)))
    standing, games = _rank(occasion, networks, level.depth)
    ranked = tuple(members[index] for index in standing.order)
    crowning = _crown(occasion, ranked, [networks[index] for index in standing.order], level)
    record: dict[str, Any] = {
        "generation": number,
        "depth": level.depth,
        "moved_up_at": level.moved_up_at,
        **describe_games(games),
        **describe_networks(networks),
        "distance": mean_distance(members, stream(seed, number, "distance")),
        "best_score": float(standing.scores[standing.order[0]]),
        **examination,
        **crowning,
    }
    return Generation(
        number=number,
        members=ranked,
        scores=standing.scores[standing.order],
        strengths=standing.strengths[standing.order],
        games=standing.games[standing.order],
        depth=level.depth,
        moved_up_at=level.moved_up_at,
        record={**record, "warnings": warnings(record)},
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


def _rank(occasion: Occasion, networks: Sequence[Network], depth: int) -> tuple[Standing, Games]:
    settings, seed, number, notify = occasion
    field = Field.of(networks, depth, game=settings.games.game)
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
    occasion: Occasion, ranked: Sequence[Member], networks: Sequence[Network], level: Level
) -> dict[str, Any]:
    """Return the champion's id, and its ladder scores when they are due.

    The champion of a refinement is its centre: the mean of many, better than any one of its variations.
    """
    settings, seed, number, notify = occasion
    is_refining = refined_for(settings, number, level.depth, level.moved_up_at) is not None
    rank = centre_rank(ranked, number) if is_refining else 0
    if number % settings.ladder.ladder_every:
        return {"champion_id": ranked[rank].id}
    if not is_refining:
        rank = play_off(
            settings,
            networks,
            level.depth,
            Purpose(seed, number, "play-off"),
            num_candidates=settings.champion.champion_candidates,
            num_games=settings.champion.champion_games,
        )
    ladder = climb_ladder(settings, seed, number, networks[rank], level.depth)
    notify(LadderScored(number, ranked[rank].id, ladder))
    return {"champion_id": ranked[rank].id, "ladder": ladder}
