"""Pairs of games between fixed players, played in a fixed order, batch by batch, and kept in a results file.

A meeting is two players who play the same number of pairs as all other meetings of the event. Pair k of the
event is pair k mod n of meeting k div n. Which opening and which draws it gets follows from seed, meeting and
pair alone, so the outcome of a pair does not depend on batches, workers or interruptions.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import joblib
import numpy as np

from neche.arena.playing import Field, GameResults, Pairings, paired, play_games
from neche.arena.results import PairResult, ResultsFile
from neche.compiled.streams import stream_keys
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.draws import DrawRule
from neche.players.engine import Player

OPENING_PLIES = 12
"""Random plies of an opening: after 12 fewer games are drawn, and pairs vary less, than after 4."""

_FIRST_BATCH = 16
_BATCH_SECONDS = 2.0
_LARGEST_BATCH = 8192

Notify: TypeAlias = Callable[[int, int], None]
"""Called with the games done and the games in all."""

Play: TypeAlias = Callable[..., GameResults]
"""What plays games: `play_games`, or a stand-in."""


class Event(NamedTuple):
    """Who plays, and everything else that decides how a pair of games ends.

    players: with a fixed depth, or a fixed number of playouts, each
    seed: of all openings and draws
    opening_plies: random plies from the start position before the players take over
    draws: when a game is drawn; None is the official rule of the game
    game: name of the game
    starts: positions as FEN from which the random plies begin instead: one for all games, or one for each
        player, for the games in which that player has the first move
    """

    players: Sequence[Player]
    seed: int = 0
    opening_plies: int = OPENING_PLIES
    draws: DrawRule | None = None
    game: str = "checkers"
    starts: tuple[str, ...] = ()

    @property
    def draw_rule(self) -> DrawRule:
        """The rule by which games are drawn."""
        return game(self.game).draws if self.draws is None else self.draws


def check_event(event: Event) -> None:
    """Raise InputError for an impossible opening, or a player by the clock or who cannot see the board."""
    for player in event.players:
        player.require_board(game(event.game))
        if player.time_ms is not None:
            raise InputError(
                f"player {player.name}: matches need a fixed {player.effort}, a clock never plays alike twice"
            )
    if event.opening_plies < 0:
        raise InputError(f"openings cannot have {event.opening_plies} plies")
    _starts(event)


def _starts(event: Event) -> tuple[Any, ...]:
    """Return where games begin, for each player; empty: where the game begins.

    Errors: InputError for a position that is none, in which the game is over, or for too few or too many.
    """
    rules, num_players = game(event.game), len(event.players)
    if len(event.starts) not in (0, 1, num_players):
        raise InputError(f"games begin in one position, or in {num_players}: one for each player")
    for fen in event.starts:
        if not rules.legal_moves(rules.parse_fen(fen)):
            raise InputError(f"no game can begin in {fen}: it is over")
    positions = tuple(map(rules.parse_fen, event.starts))
    return positions * num_players if len(positions) == 1 else positions


def identify(event: Event) -> dict[str, Any]:
    """Return what a results file says about its event: JSON values that change whenever any outcome may."""
    return {
        "game": event.game,
        "players": [player.name for player in event.players],
        "networks": [player.digest for player in event.players],
        "seed": event.seed,
        "opening_plies": event.opening_plies,
        "draws": event.draw_rule.as_record(),
        "starts": list(event.starts),
    }


def play_meetings(
    event: Event,
    meetings: Sequence[tuple[int, int]],
    num_pairs: int,
    *,
    streams: Sequence[int] | None = None,
    results: ResultsFile | None = None,
    notify: Notify | None = None,
    play: Play = play_games,
) -> Iterator[PairResult]:
    """Yield the pairs of all meetings in order; those in the results file are not played again.

    meetings: (first, second), indices of players; outcomes are seen from the first's side
    num_pairs: pairs in each meeting
    streams: see `schedule`
    Every batch is in the results file before its first pair is yielded.
    """
    check_event(event)
    total = len(meetings) * num_pairs
    done = min(len(results.pairs) if results else 0, total)
    if results:
        yield from results.pairs[:done]
    field = contestants(event)
    # Playouts take their time: the fewest pairs that give every worker something to do, a meeting at a time.
    smallest = joblib.effective_n_jobs(None) if field.players else _FIRST_BATCH
    batch = smallest
    while done < total:
        batch = min(batch, total - done)
        if field.players:
            batch = min(smallest if done % num_pairs == 0 else batch, num_pairs - done % num_pairs)
        begin = time.monotonic()
        pairings = schedule(event, meetings, num_pairs, range(done, done + batch), streams)
        played = play(field, pairings, event.draw_rule, notify=_counting(notify, 2 * done, 2 * total))
        pairs = _pair_results(done, played)
        if results:
            results.append(pairs)
        yield from pairs
        done += batch
        batch = max(smallest, _next_batch(batch, time.monotonic() - begin))


def contestants(event: Event) -> Field:
    """Return the players of an event as `play_games` takes them."""
    return Field.of_players(event.players, game=event.game, starts=_starts(event))


def schedule(
    event: Event,
    meetings: Sequence[tuple[int, int]],
    num_pairs: int,
    numbers: range,
    streams: Sequence[int] | None = None,
) -> Pairings:
    """Return the games of consecutive pairs: two each, the first player of a meeting begins the first.

    streams: number of the random streams of each meeting; meetings that share one have the same openings and
    draws. None: each has its own.
    """
    firsts, seconds, openings, games = [], [], [], []
    number = numbers.start
    while number < numbers.stop:
        meeting, pair = divmod(number, num_pairs)
        count = min(num_pairs - pair, numbers.stop - number)
        stream = meeting if streams is None else streams[meeting]
        firsts.append(np.full(count, meetings[meeting][0]))
        seconds.append(np.full(count, meetings[meeting][1]))
        openings.append(stream_keys(event.seed, stream, "match: opening", count, start=pair))
        games.append(stream_keys(event.seed, stream, "match: game", 2 * count, start=2 * pair))
        number += count
    first, second, opening, game = map(np.concatenate, (firsts, seconds, openings, games))
    return paired(first, second, opening, event.opening_plies, game)


def _pair_results(start: int, played: GameResults) -> list[PairResult]:
    outcomes = (played.outcome.astype(np.int64).reshape(-1, 2) * [1, -1]).tolist()
    plies = played.plies.reshape(-1, 2).tolist()
    return [
        PairResult(start + index, (a, b), (m, n))
        for index, ((a, b), (m, n)) in enumerate(zip(outcomes, plies, strict=True))
    ]


def _next_batch(batch: int, seconds: float) -> int:
    # The clock sets only how much is lost by a kill: no outcome depends on the batches.
    return min(int(batch * min(8.0, _BATCH_SECONDS / max(seconds, 1e-3))), _LARGEST_BATCH)


def _counting(notify: Notify | None, done: int, total: int) -> Callable[[int], None] | None:
    """Turn "so many games more" into "so many games of all"."""
    if notify is None:
        return None
    tally = [done]

    def tell(more: int) -> None:
        tally[0] += more
        notify(tally[0], total)

    return tell
