"""The baseline ladder: one player against fixed rungs of known kinds, each on the same openings.

It is a tournament whose first player, the champion, meets all others, the rungs, one after the other. Rungs
are players that anyone can rebuild from their specification alone: random moves, search, playouts.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from neche.arena.elo import Pentanomial, Strength, expected_score
from neche.arena.match import num_pairs_of, tally
from neche.arena.playing import play_games
from neche.arena.scale import read_scale
from neche.arena.tournament import Play, Tournament, check_tournament, play_pairings, results_of_event
from neche.errors import InputError
from neche.games.game import Game
from neche.players.engine import Player
from neche.players.spec import parse_player


class Rung(NamedTuple):
    """The champion's results against one rung, from the champion's side.

    wins, draws, losses: games. pairs: the same games counted in pairs. strength: score, Elo and errors.
    """

    player: str
    wins: int
    draws: int
    losses: int
    pairs: Pentanomial
    strength: Strength

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score, converted from that of the Elo difference."""
        elo, error, bound = self.strength.elo, self.strength.elo_error, self.strength.bound
        low = 0.0 if bound == "<" else expected_score(elo - error)
        return low, 1.0 if bound == ">" else expected_score(elo + error)

    def as_record(self) -> dict[str, Any]:
        """Return the rung as JSON values."""
        strength, (low, high) = self.strength, self.interval
        return {
            "player": self.player,
            "games": 2 * self.pairs.num_pairs,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": strength.score,
            "score_low": low,
            "score_high": high,
            "elo": strength.elo,
            "elo_error": strength.elo_error,
            "elo_bound": strength.bound,
            "pairs": list(self.pairs),
        }


def usual_rungs(game: Game) -> tuple[Player, ...]:
    """Return the rungs of a game that see its board: those of its scale, if it has one."""
    rungs = []
    scale = read_scale(game.name)
    for text in game.rungs if scale is None else scale.players:
        with suppress(InputError):
            player = parse_player(text, game.name)
            player.require_board(game)
            rungs.append(player)
    return tuple(rungs)


def check_ladder(tournament: Tournament, games: int) -> None:
    """Raise InputError for no rungs or games, a repeated rung, or players that cannot play on this board."""
    names = [player.name for player in tournament.players[1:]]
    if not names:
        raise InputError("a ladder needs at least one rung")
    twice = next((name for index, name in enumerate(names) if name in names[:index]), None)
    if twice is not None:
        raise InputError(f"rung {twice} is listed twice")
    num_pairs_of(games)
    check_tournament(tournament)


def climb(
    tournament: Tournament,
    games: int,
    *,
    results_path: Path | None = None,
    notify: Callable[[int, int], None] = lambda rung, done: None,
    play: Play = play_games,
) -> Iterator[Rung]:
    """Yield rung after rung, each as soon as its games are played.

    games: against each; an odd number is rounded up. Every rung is met on the same openings, so a rung's
    result does not depend on which others there are. results_path: the climb resumes from this file, which
    keeps every finished pair. notify: called with the number of the rung and of its games played. InputError
    if the ladder is impossible, or the results file is damaged or of another tournament.
    """
    check_ladder(tournament, games)
    rungs, num_pairs = tournament.players[1:], num_pairs_of(games)
    results = results_of_event(tournament, results_path, event="ladder", games=2 * num_pairs)

    def tell(done: int, total: int) -> None:
        rung, before = divmod(done - 1, 2 * num_pairs)
        notify(rung, before + 1)

    pairings = [(0, number + 1) for number in range(len(rungs))]
    pairs = play_pairings(
        tournament, pairings, num_pairs, streams=[0] * len(pairings), results=results, notify=tell, play=play
    )
    return (Rung(rung.name, *tally(islice(pairs, num_pairs))) for rung in rungs)
