"""Figures of a player's thinking in the opening, the middle and the end of games.

Positions are taken from games that a guide plays against itself: one from each third of a game, among those
with a choice of moves. So a phase means the same in every game, whatever happens to its pieces.
"""

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from neche.arena.playing import Contestants, paired, record_game
from neche.compiled.streams import stream, stream_key, stream_keys
from neche.errors import InputError
from neche.games.game import Game
from neche.players.engine import Player

PHASES = ("opening", "middle", "end")
OPENING_PLIES = 4
"""Random plies that begin a guide's game, so that no two games are the same."""
_TRIES = 20

Figures = dict[str, float | int]


class Sample(NamedTuple):
    """A position of a game. phase: one of `PHASES`. ply: moves made before, of `plies` in the whole game."""

    phase: str
    ply: int
    plies: int
    position: Any


class PhaseReport(NamedTuple):
    """A player's figures in the positions of one phase.

    figures: of each position; a proven one has no figures of a tree. means: by the same names, over the
    positions that have them; a rate is the total of the phase over its total time.
    """

    phase: str
    samples: tuple[Sample, ...]
    figures: tuple[Figures, ...]
    means: Figures


def sample_positions(game: Game, guide: Player, num_games: int, seed: int) -> list[Sample]:
    """Return one position of each phase from each of `num_games` games, phase after phase.

    InputError if the guide cannot play this game, is not repeatable, or its games are too short.
    """
    guide.require_board(game)
    if not guide.is_repeatable:
        raise InputError(f"guide {guide.name} is not repeatable")
    contestants = Contestants.of_players([guide], game=game.name)
    guides = np.zeros(_TRIES * num_games, np.int32)
    openings = stream_keys(seed, 0, "phases: opening", len(guides))
    # Twice as many: `paired` makes two games from each opening, of which the first is used.
    keys = stream_keys(seed, 0, "phases: game", 2 * len(guides))
    schedule = paired(guides, guides, openings, OPENING_PLIES, keys)
    found: list[tuple[Sample, ...]] = []
    for number in range(len(guides)):
        moves = record_game(contestants, schedule, 2 * number, game.draws)
        positions = [game.start(), *(move.after for move in moves[:-1])]
        samples = _one_of_each(game, positions, stream(seed, 0, "phases: position", number))
        if samples is not None:
            found.append(samples)
        # Some games are too short; there are enough tries for others to replace them.
        if len(found) == num_games:
            return [samples[phase] for phase in range(len(PHASES)) for samples in found]
    raise InputError(f"games of {guide.name} are too short to have an opening, a middle and an end")


def _one_of_each(
    game: Game, positions: Sequence[Any], draw: np.random.Generator
) -> tuple[Sample, ...] | None:
    """Draw a position with a choice from each third of a game; None if a third has none."""
    plies, samples = len(positions), []
    for number, phase in enumerate(PHASES):
        third = range(number * plies // len(PHASES), (number + 1) * plies // len(PHASES))
        open_plies = [ply for ply in third if len(game.legal_moves(positions[ply])) > 1]
        if not open_plies:
            return None
        ply = open_plies[draw.integers(len(open_plies))]
        samples.append(Sample(phase, ply, plies, positions[ply]))
    return tuple(samples)


def examine(
    player: Player,
    game: Game,
    samples: Sequence[Sample],
    seed: int,
    *,
    notify: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[PhaseReport]:
    """Let a player analyse each position, without memory of the others, and yield phase after phase.

    notify: called with the number of positions done and their total. InputError if the player has no
    evaluation, or does not see the board.
    """
    player.require_board(game)
    if not player.judges:
        raise InputError(f"player {player.name} does not evaluate positions")
    done = 0
    for phase in PHASES:
        chosen = tuple(sample for sample in samples if sample.phase == phase)
        if not chosen:
            continue
        figures = []
        for sample in chosen:
            key = stream_key(seed, 0, "phases: thought", done)
            figures.append(_figures(player, game, sample.position, key))
            done += 1
            notify(done, len(samples))
        yield PhaseReport(phase, chosen, tuple(figures), _means(figures))


def _figures(player: Player, game: Game, position: Any, key: int) -> Figures:
    found = player.new_game(game).analyse(position, key=key)
    figures: Figures = {"legal_moves": len(game.legal_moves(position)), "seconds": found.seconds}
    if player.gives_scores:
        figures["value"] = found.value
    if player.effort == "number of playouts":
        names = ("mean_depth", "tree_depth", "line_length", "mean_plies", "nodes")
        figures["playouts"] = found.playouts
        figures |= {name: found.figures[name] for name in names if name in found.figures}
    else:
        figures |= {"depth": found.depth, "nodes": found.nodes}
    return figures | {"line_to_leaf": len(found.pv)}


def _means(figures: Sequence[Figures]) -> Figures:
    names = dict.fromkeys(name for each in figures for name in each)
    means: Figures = {name: fmean(each[name] for each in figures if name in each) for name in names}
    work = "playouts" if "playouts" in means else "nodes"
    return means | {f"{work}_per_second": means[work] / max(means["seconds"], 1e-9)}
