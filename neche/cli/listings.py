"""What the command line accepts: `neche players`, `neche games` and `neche settings`."""

import argparse
import ast
import inspect
from contextlib import suppress
from itertools import pairwise
from typing import Any, get_type_hints

import msgspec

from neche.api.evolution import settings_for
from neche.cli.arguments import Parser
from neche.cli.output import counted, emit
from neche.errors import InputError, suggestion
from neche.evolution import settings as of_evolution
from neche.evolution.notices import unused_settings
from neche.evolution.recipes import DEFAULT_RECIPE, recipe_names
from neche.evolution.settings import KEYS, TABLES, check_settings, describe
from neche.games.catalogue import GAMES, add_file, game, source_of
from neche.games.contract import is_registered
from neche.games.draws import MAX_PLIES
from neche.games.trial import try_game
from neche.players.alpha_beta import DEFAULT_DEPTH
from neche.players.solved_endings import EXACT, OPTION, OPTIONS
from neche.players.source import shipped_champions
from neche.players.spec import KINDS, SearchOptions, parse_player

_GAMES_OF_A_CHECK = 100
KIND_MEANINGS = {
    "random": "plays a random legal move",
    "blind": "searches with every position worth the same",
    "network": "searches with the network of a run, a FASTA file, a shipped champion or DNA",
    "mcrd": "plays random games after each move and counts the results",
    "uct": "grows a tree by random games (MCTS)",
    "cnn": "searches with a convolutional network from a file",
}
OPTION_MEANINGS = {
    "depth": "plies of full search, before quiescence",
    "time": "milliseconds a move",
    "nodes": "positions that a selective search visits for each move",
    "search": "all moves alike, or deeper where it matters; default: exact with depth, else selective",
    "threads": "threads that search in parallel",
    "playouts": "random games a move",
    "allocation": "how these are divided among the moves",
    "device": "where random games are played",
    "c": "exploration constant: how strongly rarely tried moves are favoured",
    "leaf": "random games per leaf, or the network that evaluates it: a word, run, file or champion",
    "scale": "for such a network: weight units that multiply the odds by e",
    "static": "for such a network: evaluate without quiescence",
    "batch": "playouts in flight at once",
    "solver": "treat proven wins and losses as certain",
    "file": "run directory, FASTA file, shipped champion or DNA; for a convolutional network an .npz file",
    "id": "the genome in the file, if not the champion",
    "perspective": "how the network sees the board, if the file does not say",
    "topology": "its numbers of neurons, if the file does not say",
    "endings": "directory of solved endings, or usual: the one that neche solve writes to",
    "exact": "plays perfectly with at most this many empty squares left",
}


def add_players_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche players`."""
    parser.add_game("checkers")


def execute_players(options: argparse.Namespace) -> None:
    """List the kinds of players of a game, and the shipped champions."""
    name = options.game
    hand_made = {evaluator.name: SearchOptions for evaluator in game(name).evaluators}
    kinds = {**{kind: entry.options for kind, entry in KINDS.items()}, **hand_made}
    players: list[dict[str, Any]] = [
        {
            "kind": kind,
            "meaning": KIND_MEANINGS.get(kind, "searches with a hand-made evaluator"),
            "default": _written_out(kind, name),
            "options": _options_of(record),
        }
        for kind, record in kinds.items()
    ]
    champions = shipped_champions(name)
    # endings are solved backwards and stored, or, if there are too many, solved by search in play
    has = {OPTION: is_registered(type(game(name).start()), "king_row"), EXACT: game(name).last_moves}
    shared = {key: describe(msgspec.json.schema(kind)) for key, kind in OPTIONS.items() if has[key]}
    lines = [f"players of {name}: KIND (in brackets: what KIND alone means), or KIND:OPTION=VALUE,…", ""]
    for player in players:
        default = f"  ({player['default']})" if player["default"] not in (None, player["kind"]) else ""
        lines.append(f"{player['kind']:12}{player['meaning']}{default}")
        defaults = {one.name: one.default for one in msgspec.structs.fields(kinds[player["kind"]])}
        lines += [
            f"  {key:12}{said}; {OPTION_MEANINGS.get(key, '')}{_default(defaults[key])}"
            for key, said in player["options"].items()
        ]
    for key, said in shared.items():
        lines += ["", f"all except random also take {key}:", f"  {key:12}{said}; {OPTION_MEANINGS[key]}"]
    lines += [
        "",
        "a run directory, a FASTA file, DNA or a champion alone is a network player: runs/default:depth=6;",
        f"without depth, time or nodes it searches {DEFAULT_DEPTH} plies",
        f"champions that come with neche: {', '.join(champions) or 'none'}",
    ]
    values = {"game": name, "players": players, "shared_options": shared, "champions": champions}
    emit(options, values, "\n".join(lines))


def _written_out(kind: str, name: str) -> str | None:
    """Return the specification of a player with all its defaults; None for one that needs a file."""
    with suppress(InputError):
        return parse_player(kind, name).name
    return None


def _options_of(record: type) -> dict[str, str]:
    """Return the allowed values of each option, in words."""
    found = {}
    for key, hint in get_type_hints(record, include_extras=True).items():
        schema = msgspec.json.schema(hint)
        # The schema of an optional value is a choice of that value or null.
        schema = schema.get("anyOf", [schema])[0]
        # In a player's specification, a switch is a digit.
        found[key] = "0 or 1" if schema.get("type") == "boolean" else describe(schema)
    return found


def _default(value: Any) -> str:
    # None or an empty text: no default
    return "" if value in (None, "") else f" (default: {int(value) if value in (True, False) else value})"


def add_games_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche games`."""
    meaning = "test the rules of a game, or of a Python file that defines one, by random games"
    parser.add_text("--check", "NAME", meaning)
    parser.add_number("--games", None, f"random games for --check (default: {_GAMES_OF_A_CHECK})")
    parser.add_seed("seed of the random games (default: 0)")


def execute_games(options: argparse.Namespace) -> None:
    """List the games, their evaluators and their shipped champions; or check one game."""
    if options.check is not None:
        _check(options)
        return
    if options.games is not None:
        raise InputError(f"--games {options.games}: needs --check, which names the game")
    games: list[dict[str, Any]] = [
        {
            "game": name,
            "sides": list(game(name).sides),
            "squares": len(sensors.squares) if (sensors := game(name).sensors) else None,
            "evaluators": [evaluator.name for evaluator in game(name).evaluators],
            "champions": shipped_champions(name),
        }
        for name in GAMES
    ]
    lines = []
    for entry in games:
        lines += [
            f"{entry['game']:15}{' and '.join(entry['sides'])}, {entry['squares']} squares that networks see",
            f"{'':15}made by hand: {', '.join(entry['evaluators'])}",
            f"{'':15}champions: {', '.join(entry['champions']) or 'none'}",
        ]
    lines.append("a Python file can define a game too: --game tictactoe.py")
    emit(options, {"games": games}, "\n".join(lines))


def _check(options: argparse.Namespace) -> None:
    """Play random games of a game, and report the results."""
    name = add_file(options.check) if options.check.endswith(".py") else options.check
    rules = game(name)
    games, source = options.games or _GAMES_OF_A_CHECK, source_of(type(rules.start()))
    trial = try_game(rules, source, games=games, seed=options.seed or 0)
    endings = ", ".join(f"{number} {ending}" for ending, number in sorted(trial.outcomes.items()))
    lines = [
        f"{name}: {counted(trial.games, 'random game')}, {trial.positions} positions, nothing wrong",
        f"results for the side to move at the end: {endings}; the longest game had {trial.plies} plies",
        f"at most {trial.moves} moves in a position; max_moves is {rules.max_moves}",
    ]
    if trial.comes_back:
        lines += [
            f"{trial.comes_back} recurred: is_progress must be false if positions can recur after a move,",
            f"or such games are drawn only after {MAX_PLIES} plies",
        ]
    emit(options, {"game": name, **trial._asdict(), "max_moves": rules.max_moves}, "\n".join(lines))


def add_settings_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche settings`."""
    parser.add_argument("keys", metavar="KEY", nargs="*", help="settings to list (default: all)")
    parser.add_text("--recipe", "NAME|FILE", "recipe whose values to show", default=DEFAULT_RECIPE)
    parser.add_text("--game", "NAME", "same as --set game=NAME (default: the recipe's)", default="")
    parser.add_texts("--set", "KEY=VALUE", "change a setting of the recipe; may be repeated")


def execute_settings(options: argparse.Namespace) -> None:
    """List the settings of an evolution: allowed values, value in a recipe, meaning."""
    for key in options.keys:
        if key not in KEYS:
            held = ", ".join(one for one, table in KEYS.items() if table == key)
            hint = f": it is a table, which holds {held}" if held else suggestion(key, KEYS)
            raise InputError(f"unknown setting {key!r}{hint}")
    changes = [*options.set, *([f"game={options.game}"] if options.game else ())]
    settings = settings_for(options.recipe, changes)
    check_settings(settings, "settings")
    values, unused = msgspec.to_builtins(settings), unused_settings(settings)
    meanings = setting_meanings()
    listed = [
        {
            "key": key,
            "table": table,
            "value": values[table][key],
            "allowed": describe(msgspec.json.schema(get_type_hints(TABLES[table], include_extras=True)[key])),
            "meaning": meanings.get(key, ""),
            "unused": unused.get(key),
        }
        for key, table in KEYS.items()
        if key in (options.keys or KEYS)
    ]
    changed = f" with {', '.join(changes)}" if changes else ""
    lines = [f"settings of the recipe {options.recipe}{changed}, changed by evolve --set KEY=VALUE", ""]
    for entry in listed:
        lines.append(f"{entry['key']} = {msgspec.json.encode(entry['value']).decode()}  ({entry['allowed']})")
        lines += [f"    {entry['meaning']}"] if entry["meaning"] else []
        lines += [f"    changes nothing here: {entry['unused']}"] if entry["unused"] else []
    lines += ["", f"recipes: {', '.join(recipe_names())}, or a TOML file"]
    emit(options, {"recipe": options.recipe, "settings": listed}, "\n".join(lines))


def setting_meanings() -> dict[str, str]:
    """Return the meaning of each setting: the docstring under its field, the only place that has it."""
    meanings = {}
    for record in ast.parse(inspect.getsource(of_evolution)).body:
        body = record.body if isinstance(record, ast.ClassDef) else []
        for field, text in pairwise(body):
            match field, text:
                case ast.AnnAssign(target=ast.Name(id=key)), ast.Expr(value=ast.Constant(value=str(said))):
                    meanings[key] = " ".join(said.split())
    return meanings
