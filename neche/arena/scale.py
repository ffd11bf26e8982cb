"""One Elo scale for all players that climb a ladder, fitted to their games and those between the rungs.

Against a single rung, an Elo difference is imprecise as soon as one player wins nearly always. So the rungs
of a game have played each other once, and their results are in `scales/GAME.json`. A climber's games are
added to them, and Bradley-Terry strengths are fitted to all games together: then every rung contributes to
every climber's rating, near ones most.

    {"game": …, "anchor": whose Elo is 0, "opening_plies": …, "players": [names], "networks": [digests],
     "results": [[first, second, pairs with 0, ½, 1, 1½, 2 points of the first], …]}

The players in the file are the usual rungs of its game. `tools/studies/league.py` writes it from the results
of a round robin.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np

from neche.arena.elo import Pentanomial
from neche.arena.round_robin import rate
from neche.arena.tournament import Tournament
from neche.games.catalogue import game

SCALES = Path(__file__).parent / "scales"
"""One file per game whose rungs have met."""

_Pairing: TypeAlias = tuple[int, int, Sequence[int]]


class Scale(msgspec.Struct, frozen=True):
    """The results between rungs, see the top of this file. players: names, including the anchor."""

    game: str
    anchor: str
    opening_plies: int
    players: tuple[str, ...]
    networks: tuple[str, ...]
    results: tuple[tuple[int, int, tuple[int, int, int, int, int]], ...]

    def fits(self, tournament: Tournament) -> bool:
        """Return whether a tournament's games are like those between the rungs: board, openings, rules."""
        return (
            self.game == tournament.game
            and self.opening_plies == tournament.opening_plies
            and tournament.draw_rule == game(self.game).draws
            and not (tournament.starts or tournament.endings)
        )


class Place(NamedTuple):
    """A player's place on a scale. elo_error: half-width of the 95 % interval; 0 for the anchor."""

    player: str
    elo: float
    elo_error: float


class Placing(NamedTuple):
    """Climber and all rungs on one scale, strongest first. anchor: the player whose Elo is 0."""

    anchor: str
    climber: Place
    places: tuple[Place, ...]

    def as_record(self) -> dict[str, Any]:
        """Return the placing as JSON values."""
        rungs = [place._asdict() for place in self.places if place is not self.climber]
        return {"anchor": self.anchor, **self.climber._asdict(), "rungs": rungs}


def read_scale(name: str) -> Scale | None:
    """Return the scale of a game, None if its rungs have not met."""
    path = SCALES / f"{name}.json"
    return msgspec.json.decode(path.read_bytes(), type=Scale) if path.exists() else None


def standings(scale: Scale) -> tuple[Place, ...]:
    """Return the places of the rungs by the games between them, in the order of the file."""
    elo, error = _rated(scale.results, len(scale.players), scale.players.index(scale.anchor))
    return tuple(map(Place, scale.players, elo.tolist(), error.tolist()))


def place_on_scale(tournament: Tournament, climbed: Sequence[Pentanomial]) -> Placing | None:
    """Return the place of a ladder's first player, by its games and those between the rungs.

    climbed: its pairs with each of the others, in their order, as far as played. None if the rungs of this
    game have not met, none of them was climbed, or the games were of another kind. A rung whose name now
    belongs to another network counts as a different player.
    """
    scale = read_scale(tournament.game)
    if scale is None or not scale.fits(tournament):
        return None
    numbers = {one: at for at, one in enumerate(zip(scale.players, scale.networks, strict=True))}
    climber, games = len(numbers), list[_Pairing]()
    for pairs, player in zip(climbed, tournament.players[1:], strict=False):
        # Players who are not on the scale are numbered after the climber.
        games.append((climber, numbers.setdefault((player.name, player.digest), len(numbers) + 1), pairs))
    if all(number > climber for _, number, _ in games):
        return None
    results, names = [*scale.results, *games], [name for name, _ in numbers]
    names.insert(climber, tournament.players[0].name)
    elo, error = _rated(results, len(names), scale.players.index(scale.anchor))
    places = [Place(*line) for line in zip(names, elo.tolist(), error.tolist(), strict=True)]
    return Placing(scale.anchor, places[climber], tuple(sorted(places, key=lambda place: -place.elo)))


def _rated(results: Sequence[_Pairing], num_players: int, anchor: int) -> tuple[np.ndarray, np.ndarray]:
    """Return Elo and error of all players from counted pairs."""
    pairs = [
        (first, second, half_points)
        for first, second, counts in results
        for half_points, count in enumerate(counts)
        for _ in range(count)
    ]
    first, second, half_points = np.array(pairs, np.int64).T
    # only the points of a pair count in the fit, so any two games with these points will do
    outcomes = np.stack([half_points - 2, np.zeros_like(half_points)], axis=1)
    return rate(first, second, outcomes, num_players, anchor)
