"""Games of the champion against the players of its ladder, played afresh for the page.

A game follows from its keys, so the same run and seed give the same games. Of all that are played the
champion's best are shown: those it won, the shortest first; then draws, then losses.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from neche.arena.match import MEETING
from neche.arena.meetings import Event, contestants, schedule
from neche.arena.playing import play_games, record_game
from neche.evolution.ladder import ladder_players
from neche.games.catalogue import Game
from neche.players.player import Player
from neche.players.spec import parse_player
from neche.report.story import Story

OPENING_PLIES = 4
"""Random plies before the players take over, as on the ladder."""
_PAIRS, _DEEP_PAIRS, _DEEP, _THINKER_PAIRS = 10, 2, 6, 1


class SampleGame(NamedTuple):
    """A game to step through.

    side: index of the champion's side. points: the champion's, 1, ½ or 0. moves: their texts. positions: one
    more than moves. opening: plies that were random.
    """

    opponent: str
    side: int
    points: float
    moves: tuple[str, ...]
    positions: tuple[Any, ...]
    opening: int


class Sample(NamedTuple):
    """What was played against one player, for the champion, and the games that are shown."""

    opponent: str
    wins: int
    draws: int
    losses: int
    games: tuple[SampleGame, ...]


def opponents(story: Story) -> list[Player]:
    """Return the players of the ladder; of a run without, the simplest that searches.

    Raises:
        InputError: one of them cannot be built, such as one from a file that is not here.
    """
    settings = story.config.settings
    return ladder_players(settings) or [parse_player("blind:depth=4", settings.games.game)]


def play_samples(story: Story, count: int, seed: int) -> list[Sample]:
    """Play the champion against everyone and keep `count` games in all, shared out evenly, the hardest last.

    Raises:
        InputError: an opponent cannot play.
    """
    if story.network is None or count == 0:
        return []
    players = opponents(story)
    shares = [
        count // len(players) + (at >= len(players) - count % len(players)) for at in range(len(players))
    ]
    champion = Player("champion", story.network, 1)
    return [
        _sample(story.rules, champion, player, share, seed)
        for player, share in zip(players, shares, strict=True)
        if share
    ]


def _sample(rules: Game, champion: Player, opponent: Player, count: int, seed: int) -> Sample:
    usual = _THINKER_PAIRS if opponent.thinker else _DEEP_PAIRS if opponent.depth > _DEEP else _PAIRS
    num_pairs = max(usual, (count + 1) // 2)
    matched = replace(champion, depth=opponent.depth or 4)
    event = Event((matched, opponent), seed, OPENING_PLIES, game=rules.name)
    field, pairings = contestants(event), schedule(event, MEETING, num_pairs, range(num_pairs))
    played = play_games(field, pairings, event.draw_rule)
    # the champion moves first in the games of even number
    outcomes = [int(outcome) * (1, -1)[at % 2] for at, outcome in enumerate(played.outcome.tolist())]
    order = sorted(range(len(outcomes)), key=lambda at: (-outcomes[at], int(played.plies[at]), at))
    games = tuple(
        _replayed(
            rules,
            [move.text for move in record_game(field, pairings, at, event.draw_rule)],
            at,
            outcomes[at],
            opponent,
        )
        for at in order[:count]
    )
    return Sample(opponent.name, outcomes.count(1), outcomes.count(0), outcomes.count(-1), games)


def _replayed(rules: Game, moves: Sequence[str], index: int, outcome: int, opponent: Player) -> SampleGame:
    positions = tuple(_positions(rules, moves))
    first = rules.sides.index(rules.side_to_move(positions[0]))
    side = first if index % 2 == 0 else 1 - first
    return SampleGame(opponent.name, side, (outcome + 1) / 2, tuple(moves), positions, OPENING_PLIES)


def _positions(rules: Game, moves: Sequence[str]) -> Iterator[Any]:
    position = rules.start()
    yield position
    for text in moves:
        position = next(move.after for move in rules.legal_moves(position) if move.text == text)
        yield position
