"""Pairs of games between fixed players, played in a fixed order, batch by batch, and kept in a results file.

A pairing is two players; all pairings of a tournament play the same number n of pairs. Pair k of the
tournament is pair k mod n of pairing k div n. Its opening and random draws depend only on seed, pairing and
pair, so the outcome of a pair does not depend on batches, workers or interruptions.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import joblib
import numpy as np

from neche.arena.playing import Contestants, GameResults, Schedule, paired, play_games
from neche.arena.results import PairResult, ResultsFile, open_results
from neche.compiled.streams import stream_keys
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.draws import DrawRule
from neche.players.engine import Player
from neche.players.solved_endings import endings_in

OPENING_PLIES = 12
"""Random plies of an opening: after 12, fewer games are drawn, and pairs vary less, than after 4."""

_FIRST_BATCH = 16
_BATCH_SECONDS = 2.0
_LARGEST_BATCH = 8192

Notify: TypeAlias = Callable[[int, int], None]
"""Called with the number of games played and their total."""

Play: TypeAlias = Callable[..., GameResults]
"""Plays games: `play_games`, or a substitute."""


class Tournament(NamedTuple):
    """The players, and everything else that determines the results of pairs of games.

    players: those with a time limit are not repeatable. seed: of all openings and random draws.
    opening_plies: random plies from the start position before the players take over. draws: the draw rule;
    None for the official one. game: its name. starts: positions as FEN from which the random plies begin
    instead: one for all games, or one for each player, for the games in which that player moves first.
    endings: directory of solved endings, which adjudicate games; empty: games are played to their end.
    """

    players: Sequence[Player]
    seed: int = 0
    opening_plies: int = OPENING_PLIES
    draws: DrawRule | None = None
    game: str = "checkers"
    starts: tuple[str, ...] = ()
    endings: str = ""

    @property
    def draw_rule(self) -> DrawRule:
        """The rule by which games are drawn."""
        return game(self.game).draws if self.draws is None else self.draws

    @property
    def unrepeatable(self) -> tuple[Player, ...]:
        """The players that are not repeatable: with a time limit, or with threads that race."""
        return tuple(one for one in self.players if not one.is_repeatable)


def require_repeatable(tournament: Tournament) -> None:
    """Raise InputError if games cannot be repeated, for callers that need repeatable ones."""
    for player in tournament.unrepeatable:
        raise InputError(
            f"player {player.name} is not repeatable, so its games can be neither resumed nor played"
            f" again to record them; leave out --results and --pdn, or give it {lacking(player)}"
        )


def lacking(player: Player) -> str:
    """Return what a player needs to be repeatable, in words."""
    return f"a fixed {player.effort}, not a time" if player.time_ms else "one thread"


def check_tournament(tournament: Tournament) -> None:
    """Raise InputError for an impossible opening, or a player that cannot see the board."""
    for player in tournament.players:
        player.require_board(game(tournament.game))
    if tournament.opening_plies < 0:
        raise InputError(f"openings cannot have {tournament.opening_plies} plies")
    if tournament.endings:
        endings_in(tournament.endings, tournament.game)
    _starts(tournament)


def _starts(tournament: Tournament) -> tuple[Any, ...]:
    """Return the start position for each player, () for the game's own; InputError if one is unfit."""
    rules, num_players = game(tournament.game), len(tournament.players)
    if len(tournament.starts) not in (0, 1, num_players):
        raise InputError(f"games begin in one position, or in {num_players}: one for each player")
    for fen in tournament.starts:
        if not rules.legal_moves(rules.parse_fen(fen)):
            raise InputError(f"no game can begin in {fen}: it is over")
    positions = tuple(map(rules.parse_fen, tournament.starts))
    return positions * num_players if len(positions) == 1 else positions


def identity_of(tournament: Tournament) -> dict[str, Any]:
    """Return its identity for a results file: JSON values that change whenever any outcome may change."""
    # Absent for games played to their end, so that older results files stay valid.
    endings = tournament.endings
    adjudicated = {"adjudicated": endings_in(endings, tournament.game).pieces} if endings else {}
    return {
        **adjudicated,
        "game": tournament.game,
        "players": [player.name for player in tournament.players],
        "networks": [player.digest for player in tournament.players],
        "seed": tournament.seed,
        "opening_plies": tournament.opening_plies,
        "draws": tournament.draw_rule.as_record(),
        "starts": list(tournament.starts),
    }


def results_of_event(tournament: Tournament, path: Path | None, **event: Any) -> ResultsFile | None:
    """Open the results file of a tournament; None without a path. event: further fields that identify it.

    InputError if the file is damaged or of another event, or the games are not repeatable.
    """
    if path is None:
        return None
    require_repeatable(tournament)
    return open_results(path, {**event, **identity_of(tournament)})


def play_pairings(
    tournament: Tournament,
    pairings: Sequence[tuple[int, int]],
    num_pairs: int,
    *,
    streams: Sequence[int] | None = None,
    results: ResultsFile | None = None,
    notify: Notify = lambda done, total: None,
    play: Play = play_games,
) -> Iterator[PairResult]:
    """Yield the pairs of all pairings in order; those in the results file are not played again.

    Every batch is written to the results file before its first pair is yielded.

    pairings: (first, second), indices of players; outcomes are from the first one's side. num_pairs: in each
    pairing. streams: see `schedule_of`.
    """
    total = len(pairings) * num_pairs
    # A results file may hold more pairs than requested now.
    done = min(len(results.pairs) if results else 0, total)
    if results:
        yield from results.pairs[:done]
    contestants = contestants_of(tournament)
    # Playouts are slow: play the fewest pairs that keep every worker busy, one pairing at a time.
    smallest = joblib.effective_n_jobs(None) if contestants.players else _FIRST_BATCH
    batch, finished = smallest, 2 * done

    def tell(more: int) -> None:
        nonlocal finished
        finished += more
        notify(finished, 2 * total)

    while done < total:
        batch = min(batch, total - done)
        if contestants.players:
            batch = min(smallest if done % num_pairs == 0 else batch, num_pairs - done % num_pairs)
        begin = time.monotonic()
        schedule = schedule_of(tournament, pairings, num_pairs, range(done, done + batch), streams)
        played = play(contestants, schedule, tournament.draw_rule, notify=tell)
        pairs = _pair_results(done, played)
        if results:
            results.append(pairs)
        yield from pairs
        done += batch
        # Timing affects only how much a kill loses: no outcome depends on the batches.
        growth = min(8.0, _BATCH_SECONDS / max(time.monotonic() - begin, 1e-3))
        batch = max(smallest, min(int(batch * growth), _LARGEST_BATCH))


def contestants_of(tournament: Tournament) -> Contestants:
    """Return the players of a tournament as contestants for `play_games`."""
    starts = _starts(tournament)
    contestants = Contestants.of_players(tournament.players, game=tournament.game, starts=starts)
    return contestants.adjudicated(tournament.endings) if tournament.endings else contestants


def schedule_of(
    tournament: Tournament,
    pairings: Sequence[tuple[int, int]],
    num_pairs: int,
    numbers: range,
    streams: Sequence[int] | None = None,
) -> Schedule:
    """Return the games of consecutive pairs, two each; the pairing's first player begins the first game.

    streams: number of the random streams of each pairing; pairings that share one have the same openings and
    draws. None: each has its own.
    """
    firsts, seconds, openings, games = [], [], [], []
    number = numbers.start
    while number < numbers.stop:
        pairing, pair = divmod(number, num_pairs)
        count = min(num_pairs - pair, numbers.stop - number)
        stream = pairing if streams is None else streams[pairing]
        firsts.append(np.full(count, pairings[pairing][0]))
        seconds.append(np.full(count, pairings[pairing][1]))
        openings.append(stream_keys(tournament.seed, stream, "match: opening", count, start=pair))
        games.append(stream_keys(tournament.seed, stream, "match: game", 2 * count, start=2 * pair))
        number += count
    first, second, opening, game = map(np.concatenate, (firsts, seconds, openings, games))
    return paired(first, second, opening, tournament.opening_plies, game)


def _pair_results(start: int, played: GameResults) -> list[PairResult]:
    # The first player of a pair moves second in the second game, so its outcome changes sign.
    outcomes = (played.outcome.astype(np.int64).reshape(-1, 2) * [1, -1]).tolist()
    plies = played.plies.reshape(-1, 2).tolist()
    return [
        PairResult(start + index, (a, b), (m, n))
        for index, ((a, b), (m, n)) in enumerate(zip(outcomes, plies, strict=True))
    ]
