"""The players that can be chosen in the browser: what a request may name, and what it may not.

A request cannot name files. It refers to players from the command line by the words `run` and `given`.
"""

import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from neche.archive.reading import read_config
from neche.arena.scale import Place, read_scale, standings
from neche.errors import InputError, one_line, suggestion
from neche.games.catalogue import game
from neche.games.game import Game
from neche.players.engine import Limits, Player
from neche.players.options import Options, read_options, short_name
from neche.players.source import ALIASES, read_source, shipped_file, shipped_game, shipped_names
from neche.players.spec import network_player, parse_player
from neche.protocols.engine import named_limits
from neche.web import ServerConfiguration

LONGEST_SPEC = 120
DEPTHS = (1, 2, 4, 6, 8, 10)
PLAYOUTS = (500, 1000, 10_000, 50_000)
_STRENGTHS = ((-500, "very easy"), (-150, "easy"), (50, "medium"), (150, "strong"))
"""Words for an Elo below these; 0 is the anchor of the game's scale."""
MOST_PLAYOUTS, MOST_AT_A_LEAF = 1_000_000, 100
# No slash and no space, so it cannot be a path.
_PLAIN = re.compile(r"[A-Za-z0-9_.,:=+-]+")
# kind: the options that a request may set, and its most playouts.
_KINDS: dict[str, tuple[tuple[str, ...], int]] = {
    "random": ((), 0),
    "blind": (("depth",), 0),
    "uct": (("playouts", "c", "leaf", "scale", "static", "solver"), MOST_PLAYOUTS),
    # A search by mcrd cannot be stopped.
    "mcrd": (("playouts", "allocation"), 100_000),
}


class Opponent(NamedTuple):
    """A player and its name for people. limits: replace the player's own; None: its own apply."""

    player: Player
    label: str
    limits: Limits | None = None


def offers(configuration: ServerConfiguration, rules: Game) -> list[dict[str, Any]]:
    """List the players to choose from in a game: word, label, and levels with the option they set.

    A level is its number and words, with a strength if the game's scale has one.
    """
    labels = {"given": (f"Named on the command line: {one_line(configuration.player)}", "")}
    if configuration.run is not None:
        labels["run"] = f"Champion of the run {one_line(configuration.run.name)}", "depth"
    # champions of this game come first
    for name in sorted(shipped_names(), key=lambda name: shipped_game(name) != rules.name):
        called = "The champion shipped with neche" if name in ALIASES else f"Champion {name}"
        home = shipped_game(name)
        labels[name] = called if home == rules.name else f"{called}, evolved for {home}", "depth"
    for evaluator in rules.evaluators:
        labels[evaluator.name] = f"{evaluator.name.capitalize()}, hand-made", "depth"
    labels["uct"] = "UCT, random games in a growing tree", "playouts"
    labels["random"] = "Random moves", ""
    levels: dict[str, tuple[int, ...]] = {"depth": DEPTHS, "playouts": PLAYOUTS, "": ()}
    found = []
    for word, (label, key) in labels.items():
        named = []
        for level, spec in [(level, f"{word}:{key}={level}") for level in levels[key]] or [(0, word)]:
            with suppress(InputError):  # it cannot play here
                player = opponent_of(configuration, spec, rules).player
                named.append((level, _level_words(key, level, player, rules)))
        if named and not key:
            label = ", ".join(filter(None, (label, named[0][1])))
        if named:
            found.append({"word": word, "label": label, "key": key, "levels": named if key else []})
    return found


def _level_words(key: str, level: int, player: Player, rules: Game) -> str:
    elo = _elo_of(player, rules)
    words = {"depth": f"Depth {level}", "playouts": f"{level:,} playouts"}.get(key, "")
    if elo is None:
        return words
    strength = next((name for limit, name in _STRENGTHS if elo < limit), "very strong")
    return f"{words}: {strength}, Elo {round(elo):+d}".replace("-", "−").replace("+0", "0").removeprefix(": ")


def _elo_of(player: Player, rules: Game) -> float | None:
    """Return the Elo of a player on the scale of a game, None if it has not been measured."""
    for place, digest in _standings(rules.name):
        # A network is identified by digest and depth, under whichever of its names.
        effort = place.player.rpartition(",")[2]
        is_same_network = digest and digest == player.digest and player.name.endswith(f",{effort}")
        if place.player == player.name or is_same_network:
            return place.elo
    return None


def anchor_of(rules: Game) -> str:
    """Name the player whose Elo is 0 on the scale of a game; empty if its rungs have not met."""
    scale = read_scale(rules.name)
    return "" if scale is None else short_name(scale.anchor)


@cache
def _standings(name: str) -> list[tuple[Place, str]]:
    scale = read_scale(name)
    return [] if scale is None else list(zip(standings(scale), scale.networks, strict=True))


def opponent_of(
    configuration: ServerConfiguration, text: str, rules: Game, *, has_clock: bool = False
) -> Opponent:
    """Return the player that a request names; InputError if it may not, or that cannot play this game."""
    if len(text) > LONGEST_SPEC or not _PLAIN.fullmatch(text):
        raise InputError(f"a player is a word with options, such as uct:playouts=2000, not {text[:40]!r}")
    opponent = _parsed(configuration, text, rules)
    opponent.player.require_board(rules)
    if not has_clock:
        return opponent
    # As in protocols, a clock sets the time unless the specification names limits.
    limits = named_limits(configuration.player if text == "given" else text)
    player = opponent.player if limits.depth else opponent.player.for_clock()
    return Opponent(player, f"{opponent.label}, on the clock", limits)


def _parsed(configuration: ServerConfiguration, text: str, rules: Game) -> Opponent:
    head, _, tail = text.partition(":")
    evaluators = [evaluator.name for evaluator in rules.evaluators]
    if head == "given" and configuration.player:
        return Opponent(parse_player(configuration.player, rules.name), one_line(configuration.player))
    if head == "run" and configuration.run is not None:
        return _champion(configuration.run, head, tail, rules)
    if head in shipped_names() and head not in evaluators:
        return _champion(shipped_file(head), head, tail, rules)
    if head not in (*evaluators, *_KINDS):
        external = {"given": configuration.player, "run": configuration.run}
        words = [*(word for word in external if external[word]), *evaluators, *shipped_names(), *_KINDS]
        raise InputError(f"no player {head!r} can be chosen here{suggestion(head, words)}")
    # A hand-made evaluator is searched as the blind one is.
    known, most_playouts = _KINDS["blind" if head in evaluators else head]
    _check(read_options(head, known, tail, text), most_playouts, evaluators)
    return Opponent(parse_player(text, rules.name), text)


def _check(options: Options, most_playouts: int, evaluators: list[str]) -> None:
    """Refuse options that would take too long, and leaves that name files."""
    leaf = options.get("leaf", "1")
    if not leaf.isdecimal() and leaf not in evaluators:
        raise InputError(f"leaf={leaf}: a number of playouts or {', '.join(evaluators)} can be chosen here")
    for key, limit in (("playouts", most_playouts), ("leaf", MOST_AT_A_LEAF)):
        number = options.get(key, "")
        if number.isdecimal() and (len(number) > 9 or int(number) > limit):
            raise InputError(f"{key}={number}: at most {limit} here")


def _champion(source: Path, word: str, tail: str, rules: Game) -> Opponent:
    options = read_options(word, ("depth",), tail, f"{word}:{tail}")
    label = word
    if source.is_dir():
        game_of_run = game(read_config(source).settings.games.game)
        if game_of_run.name != rules.name:
            raise InputError(f"the run {source.name} plays {game_of_run.name}, not {rules.name}")
        label = f"{one_line(source.name)} {read_source(str(source)).id}"
    player = network_player({"file": str(source), **options}, rules.name)
    return Opponent(player, f"{label}, depth {options['depth']}" if options else label)
