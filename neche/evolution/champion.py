"""Games that select nobody: the promotion test of a population, the choice of its champion, its measurement.

Random members play against the blind player to test whether the population may search deeper. A play-off
among the best finds the champion, since the few games of one generation favour the lucky. The champion is
measured against fixed players, the benchmarks, and champions of earlier generations, the hall of fame.

Symbols: K candidates, P members, M comparisons of each candidate.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from neche.arena.playing import Contestants, Schedule, play_games
from neche.arena.tournament import lacking
from neche.compiled.streams import stream
from neche.errors import InputError
from neche.evolution.curriculum import Stage, strategy_age
from neche.evolution.evolution_strategy import centre_rank
from neche.evolution.population import (
    RECORD_DECIMALS,
    Context,
    FloatArray,
    Generation,
    Member,
    PastChampion,
    networks_of,
)
from neche.evolution.schedule import (
    TOURNAMENT_OPENINGS,
    StreamName,
    points_of_a,
    schedule_pairs,
    training_rules,
)
from neche.evolution.settings import Settings
from neche.games.catalogue import GAMES, game
from neche.network.decode import Network, blind_network
from neche.players.alpha_beta import AlphaBeta, hand_made_networks
from neche.players.engine import Player
from neche.players.source import is_path, shipped_game, shipped_names
from neche.players.spec import parse_player

HALL_SIZE = 6
"""Most champions kept in the hall of fame."""
MOST_GAMES = 20
"""Most games against each of them; fewer if the benchmarks play fewer."""
# A score against a player of that name would overwrite the field of that name in the champion's FASTA header.
_FIELD = re.compile("generation|perspective|topology|game|inherited|labeller|.heck|c.eck|ch.ck|che.k|chec.")


def num_tested_members(settings: Settings) -> int:
    """Return how many members play against the blind player, two games each."""
    return min(settings.curriculum.move_up_members, settings.members.population)


def score_against_blind(
    context: Context, members: Sequence[Member], depth: int, *, purpose: str = "examination"
) -> float:
    """Return the mean points per game (0..1) of random members against the blind player.

    All search to `depth`. A mean below ½ means that sight does not pay at that depth yet. purpose: names the
    random streams of the games.
    """
    settings, seed, number = context
    num_tested = num_tested_members(settings)
    chosen = stream(seed, number, "examined").permutation(len(members))[:num_tested]
    networks = networks_of(settings.members, [members[index] for index in chosen.tolist()])
    field = Contestants.of([*networks, blind_network()], depth, game=settings.games.game)
    openings, draws = training_rules(settings)
    pairings = schedule_pairs(
        np.arange(num_tested), np.full(num_tested, num_tested), openings, StreamName(seed, number, purpose)
    )
    results = play_games(field, pairings, draws)
    return round(float(points_of_a(results).mean() / 2), RECORD_DECIMALS)


def measure_champion(
    context: Context, ranked: Sequence[Member], stage: Stage, hall_of_fame: Sequence[PastChampion]
) -> tuple[int, dict[str, Any]]:
    """Return the rank of the champion among members `ranked` [P], best first, and its figures."""
    settings, depth = context.settings.champion, stage.depth
    sizes = {"num_candidates": settings.champion_candidates, "num_games": settings.champion_games}
    rank, scores = play_off(context, ranked, stage, "play-off", **sizes)
    found = {"best_retest": round(float(scores[0]), RECORD_DECIMALS)} if len(scores) > 1 else {}
    champion = ranked[rank]
    (network,) = networks_of(context.settings.members, [champion])
    rivals = [past for past in hall_of_fame if past.member.id != champion.id]
    return rank, {
        "champion_id": champion.id,
        "ladder": play_benchmarks(context, network, depth),
        **found,
        "ancestors": play_hall_of_fame(context, network, rivals, depth),
        "population_vs_blind": score_against_blind(
            context, ranked, depth, purpose="population against blind"
        ),
    }


def play_off(
    context: Context,
    ranked: Sequence[Member],
    stage: Stage,
    purpose: str,
    *,
    num_candidates: int,
    num_games: int,
) -> tuple[int, FloatArray]:
    """Return the rank of the champion, and mean points per game [K] of the candidates in new games.

    The first `num_candidates` members of `ranked` [P] are candidates. Each plays `num_games` against random
    members, all against the same ones on the same openings, so that they differ by strength and not by luck
    of the draw; the first with the most points is champion. If there is nothing to choose, it is the first,
    and no game is played. In an evolution strategy it is the centre: the mean of many, better than any one of
    its variations.
    """
    settings, seed, number = context
    if strategy_age(settings, number, stage) is not None:
        return centre_rank(ranked, number), np.zeros(1)
    num_members, num_pairs = len(ranked), num_games // 2
    num_candidates = min(num_candidates, num_members)
    if num_candidates < 2 or num_pairs == 0:
        return 0, np.zeros(1)
    rng = stream(seed, number, f"{purpose}: opponents")
    candidates = np.repeat(np.arange(num_candidates), num_pairs)
    # The same opponents for each candidate: differences between candidates are not luck of the draw.
    opponents = np.tile(rng.integers(num_members, size=num_pairs), num_candidates)
    # No candidate plays itself: the next member takes its place.
    opponents = np.where(opponents == candidates, (opponents + 1) % num_members, opponents)
    players, places = np.unique(np.stack([candidates, opponents]), return_inverse=True)
    networks = networks_of(settings.members, [ranked[rank] for rank in players.tolist()])
    field = Contestants.of(networks, stage.depth, game=settings.games.game)
    openings, draws = training_rules(settings)
    streams = StreamName(seed, number, purpose)
    candidates, opponents = places.reshape(2, -1)
    pairings = schedule_pairs(candidates, opponents, openings, streams, num_openings=num_pairs)
    results = play_games(field, pairings, draws)
    points: FloatArray = points_of_a(results).reshape(num_candidates, num_pairs).sum(axis=1)
    return int(np.argmax(points)), points / (2 * num_pairs)


def num_finalists(settings: Settings, generation: Generation) -> int:
    """Return how many members enter the play-off if a run ends with this generation; 1: no play-off."""
    is_refining = strategy_age(settings, generation.number, generation.stage) is not None
    if is_refining or settings.champion.final_games < 2:
        return 1
    return max(1, min(settings.champion.final_candidates, len(generation.members)))


def select_champion(settings: Settings, seed: int, generation: Generation) -> tuple[Member, dict[str, float]]:
    """Return the final champion of a run, and its scores against the benchmarks.

    It depends on the generation only: this may be called after any generation, any number of times, without
    any effect on the evolution.
    """
    context, final = Context(settings, seed, generation.number), settings.champion
    sizes = {"num_candidates": final.final_candidates, "num_games": final.final_games}
    rank, _ = play_off(context, generation.members, generation.stage, "final play-off", **sizes)
    champion = generation.members[rank]
    (network,) = networks_of(settings.members, [champion])
    return champion, play_benchmarks(context, network, generation.depth)


def benchmark_players(settings: Settings) -> list[Player]:
    """Return the benchmarks; a shipped champion or a hand-made player is included in its own game only.

    InputError if a specification is wrong, or its player is not repeatable or has an unusable name.
    """
    name, without = settings.games.game, left_out(settings)
    try:
        players = [parse_player(text, name) for text in settings.ladder.ladder if text not in without]
    except InputError as fault:  # names its origin: the ladder of a run begun elsewhere may be unknown here
        raise InputError(f"ladder: {fault}") from None
    for player in players:
        if not player.is_repeatable:
            raise InputError(f"ladder player {player.name}: needs {lacking(player)}")
        if re.search(r"[\x00-\x1f\x7f-\x9f]|.{1001}", player.name):  # its history could not be read back
            raise InputError(f"ladder player {player.name}: its name is too long or has control characters")
        if _FIELD.fullmatch(player.name):
            raise InputError(f"ladder player {player.name}: its name is a field of FASTA headers")
    return players


def left_out(settings: Settings) -> list[str]:
    """Return the players of the ladder that are left out because they play another game."""
    return [text for text in settings.ladder.ladder if _is_of_another_game(text, settings.games.game)]


def unmeasured(settings: Settings) -> str | None:
    """Return a message that no player of the ladder plays the game; None: one does, or the ladder is empty.

    InputError as in `benchmark_players`.
    """
    if not settings.ladder.ladder or benchmark_players(settings):
        return None
    asked, name = ", ".join(settings.ladder.ladder), settings.games.game
    return f"ladder: none of its players plays {name} ({asked}), so no champion is measured"


def _is_of_another_game(text: str, name: str) -> bool:
    head = text.partition(":")[0]
    if head in shipped_names():
        return not is_path(head) and shipped_game(head) != name
    # The run's own game first: loading all games takes a while.
    return next((home for home in (name, *GAMES) if head in hand_made_networks(home)), name) != name


def play_benchmarks(context: Context, champion: Network, depth: int) -> dict[str, float]:
    """Return the champion's mean points per game (0..1) against each benchmark, by the player's name.

    Games are under tournament rules. Both search equally deep; against a player that does not search, the
    champion searches to `depth`.
    """
    settings, seed, number = context
    contestants: list[Player] = []
    schedules = []
    for player in benchmark_players(settings):
        search, games = player.batch_search, settings.ladder
        num_pairs = (games.ladder_thinker_games if search is None else games.ladder_games) // 2
        if num_pairs > 0:
            # A benchmark with its own depth sets the champion's too, so that neither searches deeper.
            depth_here = depth if search is None else search.depth or depth
            champions = np.full(num_pairs, len(contestants))
            contestants += [AlphaBeta("champion", champion, depth_here), player]
            streams = StreamName(seed, number, f"ladder {player.name}")
            schedules.append(schedule_pairs(champions, champions + 1, TOURNAMENT_OPENINGS, streams))
    if not schedules:
        return {}
    field = Contestants.of_players(contestants, game=settings.games.game)
    pairings = Schedule(*(np.concatenate(columns) for columns in zip(*schedules, strict=True)))
    points = points_of_a(play_games(field, pairings, game(field.game).draws))
    parts = np.split(points, np.cumsum([len(pairs.first) // 2 for pairs in schedules])[:-1])
    means = [round(float(part.mean() / 2), RECORD_DECIMALS) for part in parts]
    return {player.name: mean for player, mean in zip(contestants[1::2], means, strict=True)}


def enter_hall_of_fame(
    context: Context, champion: Member, hall_of_fame: Sequence[PastChampion]
) -> tuple[PastChampion, ...]:
    """Return the hall of fame after a generation whose champion was measured.

    It keeps every, every second, every fourth … of the champions measured so far, so that it always spans the
    run from its beginning in even steps, whatever its length.
    """
    number, measured_every = context.number, context.settings.ladder.ladder_every
    num_measured, step = number // measured_every + 1, 1
    while num_measured > HALL_SIZE * step:
        step *= 2
    entered = (*hall_of_fame, PastChampion(number, champion))
    return tuple(past for past in entered if past.generation // measured_every % step == 0)


def num_hall_games(settings: Settings) -> int:
    """Return how many games a champion plays against each member of the hall of fame."""
    return min(MOST_GAMES, settings.ladder.ladder_games)


def play_hall_of_fame(
    context: Context, champion: Network, hall_of_fame: Sequence[PastChampion], depth: int
) -> dict[str, float]:
    """Return the champion's mean points per game (0..1) against each past champion, by generation led.

    Games are under tournament rules; all search to `depth`, and all past champions play the same openings.
    """
    settings, seed, number = context
    num_pairs = num_hall_games(settings) // 2
    if not hall_of_fame or num_pairs == 0:
        return {}
    past = networks_of(settings.members, [entry.member for entry in hall_of_fame])
    field = Contestants.of([champion, *past], depth, game=settings.games.game)
    opponents = np.repeat(np.arange(1, len(past) + 1), num_pairs)
    streams = StreamName(seed, number, "ancestors")
    pairings = schedule_pairs(
        np.zeros_like(opponents), opponents, TOURNAMENT_OPENINGS, streams, num_openings=num_pairs
    )
    points = points_of_a(play_games(field, pairings, game(field.game).draws)).reshape(len(past), num_pairs)
    means = (points.mean(axis=1) / 2).round(RECORD_DECIMALS).tolist()
    return {str(entry.generation): mean for entry, mean in zip(hall_of_fame, means, strict=True)}
