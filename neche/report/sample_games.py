"""Games of the champion against its benchmarks, played for the page and prepared for display.

A game is determined by its keys, so the same run and seed give the same games. Of all games played, the
champion's best are shown: wins, the shortest first; then draws, then losses. The page has the final board of
each game, its moves, and all positions for a script to step through.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from neche.arena.match import ONE_PAIRING
from neche.arena.playing import play_games, record_game
from neche.arena.tournament import Tournament, contestants_of, schedule_of
from neche.evolution.champion import benchmark_players
from neche.games.game import Game, geometry_of
from neche.games.geometry import BoardGeometry, Piece
from neche.players.alpha_beta import AlphaBeta
from neche.players.engine import Player
from neche.players.options import short_name
from neche.players.spec import parse_player
from neche.report.board import CELL, BoardView, describe, draw_ground, draw_piece, tint_squares
from neche.report.story import Story
from neche.report.svg import FONT, element, number

OPENING_PLIES = 4
"""Random plies before the players take over, as in the benchmarks."""
_PAIRS, _DEEP_PAIRS, _DEEP, _SLOW_PAIRS = 10, 2, 6, 1
_LETTERS = {(0, False): "a", (0, True): "b", (1, False): "c", (1, True): "d"}
_EMPTY = "."
_RESULTS = {1.0: "Won", 0.5: "Drawn", 0.0: "Lost"}


class SampleGame(NamedTuple):
    """A game to step through.

    side: index of the champion's side. points: the champion's, 1, ½ or 0. moves: as text. positions: one
    more than moves. opening: number of random plies.
    """

    opponent: str
    side: int
    points: float
    moves: tuple[str, ...]
    positions: tuple[Any, ...]
    opening: int


class SampleMatch(NamedTuple):
    """Results against one player, from the champion's view, and the games that are shown."""

    opponent: str
    wins: int
    draws: int
    losses: int
    games: tuple[SampleGame, ...]


def opponents(story: Story) -> list[Player]:
    """Return the benchmarks, or else the simplest player that searches; InputError if a file is missing."""
    settings = story.config.settings
    return benchmark_players(settings) or [parse_player("blind:depth=4", settings.games.game)]


def play_samples(story: Story, count: int, seed: int) -> list[SampleMatch]:
    """Play the champion against all opponents; keep `count` games in all, shared evenly, the hardest last.

    Raises:
        InputError: an opponent cannot play.
    """
    if story.network is None or count == 0:
        return []
    players = opponents(story)
    # the remainder goes to the last players, the hardest
    share, more = divmod(count, len(players))
    shares = [share] * (len(players) - more) + [share + 1] * more
    champion = AlphaBeta("champion", story.network, 1)
    shared = zip(players, shares, strict=True)
    return [_sample(story.rules, champion, player, share, seed) for player, share in shared if share]


def _sample(rules: Game, champion: AlphaBeta, opponent: Player, count: int, seed: int) -> SampleMatch:
    search = opponent.batch_search
    depth = 0 if search is None else search.depth
    usual = _SLOW_PAIRS if search is None else _DEEP_PAIRS if depth > _DEEP else _PAIRS
    num_pairs = max(usual, (count + 1) // 2)
    matched = replace(champion, depth=depth or 4)
    event = Tournament((matched, opponent), seed, OPENING_PLIES, game=rules.name)
    field, pairings = contestants_of(event), schedule_of(event, ONE_PAIRING, num_pairs, range(num_pairs))
    played = play_games(field, pairings, event.draw_rule)
    # the champion moves first in games with even numbers
    outcomes = [int(outcome) * (1, -1)[at % 2] for at, outcome in enumerate(played.outcome.tolist())]
    order = sorted(range(len(outcomes)), key=lambda at: (-outcomes[at], int(played.plies[at]), at))
    first, games = rules.sides.index(rules.side_to_move(rules.start())), []
    name = short_name(opponent.name)
    for at in order[:count]:
        record = record_game(field, pairings, at, event.draw_rule)
        moves = tuple(move.text for move in record)
        positions = (rules.start(), *(move.after for move in record))
        side, points = first if at % 2 == 0 else 1 - first, (outcomes[at] + 1) / 2
        games.append(SampleGame(name, side, points, moves, positions, OPENING_PLIES))
    return SampleMatch(name, outcomes.count(1), outcomes.count(0), outcomes.count(-1), tuple(games))


def view_of(rules: Game, game: SampleGame, number_: int) -> dict[str, Any]:
    """Return what the page shows of a game, from the champion's side: its fields, and the following keys.

    result: for the champion. side: the champion's, by name. board: SVG of the final position; its pieces are
    uses of `piece_symbols`. data: what the script needs to move them, for JSON.
    """
    geometry = geometry_of(rules)
    view = BoardView(geometry, geometry.is_turned_for(game.side))
    # letters instead of drawn boards: a game of 200 plies on 64 squares takes 13 kB
    boards = [encode(geometry, position) for position in game.positions]
    last_move = game.moves[-1] if game.moves else None
    described = describe(rules, game.positions[-1], last_move)
    board = element(
        "svg",
        [
            *draw_ground(view),
            element("g", tint_squares(view, last_move), class_="last"),
            element("g", _pieces(view, boards[-1]), class_="pieces"),
        ],
        role="img",
        aria_label=f"Game {number_}, final position. {described}",
        viewBox=f"0 0 {view.extent[0]} {view.extent[1]}",
        width=420,
        height=420,
        font_family=FONT,
        data_flipped="1" if view.flipped else "0",
    )
    numbers = {square: at for at, square in enumerate(geometry.places)}
    data = {
        "centres": [[float(number(at)) for at in view.middle(square)] for square in geometry.places],
        "boards": boards,
        "moves": game.moves,
        "squares": [[numbers[square] for square in geometry.squares_of(move)] for move in game.moves],
        "cell": CELL,
    }
    words = {"result": _RESULTS[game.points], "side": rules.sides[game.side]}
    return {**game._asdict(), **words, "board": board, "data": data}


def encode(geometry: BoardGeometry, position: Any) -> str:
    """Write a position as one letter a square, in the order of the board's squares."""
    pieces = geometry.pieces(position)
    return "".join(
        _LETTERS[pieces[square].side, pieces[square].is_king] if square in pieces else _EMPTY
        for square in geometry.places
    )


def piece_symbols(rules: Game) -> str:
    """Return the pieces, drawn once for all boards of the page; the element itself is invisible."""
    geometry = geometry_of(rules)
    symbols = (
        element("g", draw_piece(0, 0, geometry, Piece(side, is_king)), id=f"piece-{letter}")
        for (side, is_king), letter in _LETTERS.items()
    )
    return element("svg", element("defs", symbols), width=0, height=0, aria_hidden="true", class_="symbols")


def _pieces(view: BoardView, letters: str) -> Iterator[str]:
    for letter, square in zip(letters, view.geometry.places, strict=True):
        if letter != _EMPTY:
            x, y = view.middle(square)
            yield element("use", href=f"#piece-{letter}", x=x, y=y)
