"""What can be written: `neche players`, `neche games` and `neche settings`."""

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
    "random": "makes any legal move",
    "blind": "searches, and holds all positions equal",
    "network": "searches with the network of a run, a FASTA file, a shipped champion or DNA",
    "mcrd": "plays random games after each move, and counts",
    "uct": "random games in a growing tree (MCTS)",
    "cnn": "searches with a convolutional network from a file",
}
OPTION_MEANINGS = {
    "depth": "plies of search, before captures are played out",
    "time": "milliseconds a move",
    "nodes": "positions a move, which a selective search visits",
    "search": "of all moves alike, or deeper where it matters; without it exact to a depth, else selective",
    "threads": "threads that search in parallel",
    "playouts": "random games a move",
    "allocation": "how they are shared out among the moves",
    "device": "where they are played",
    "c": "exploration: how much a rarely tried move is worth a try",
    "leaf": "random games at a leaf, or the network that judges it: a word, run, file or champion",
    "scale": "of such a network: weight units that are worth a factor of e in the odds",
    "static": "such a network judges without captures being played out",
    "batch": "playouts in flight at once",
    "solver": "proven wins and losses count as such",
    "file": "run directory, FASTA file, shipped champion or DNA; of a convolutional network its .npz file",
    "id": "the genome in it, when not the champion",
    "perspective": "how it sees the board, when the file does not say",
    "topology": "its numbers of neurons, when the file does not say",
    "endings": "directory of solved endings, or usual: where neche solve puts them",
    "exact": "it plays perfectly with at most this many empty squares left",
}


def add_players_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche players`."""
    parser.add_game("checkers")


def execute_players(options: argparse.Namespace) -> None:
    """List the kinds of players of a game, and the champions that come along."""
    name = options.game
    hand_made = {evaluator.name: SearchOptions for evaluator in game(name).evaluators}
    kinds = {**{kind: entry.options for kind, entry in KINDS.items()}, **hand_made}
    players: list[dict[str, Any]] = [
        {
            "kind": kind,
            "meaning": KIND_MEANINGS.get(kind, "searches with an evaluator made by hand"),
            "default": _written_out(kind, name),
            "options": _options_of(record),
        }
        for kind, record in kinds.items()
    ]
    champions = shipped_champions(name)
    # endings are solved backwards and kept, or, where there are too many, played out to their end
    has = {OPTION: is_registered(type(game(name).start()), "king_row"), EXACT: game(name).last_moves}
    shared = {key: describe(msgspec.json.schema(kind)) for key, kind in OPTIONS.items() if has[key]}
    lines = [f"players of {name}: KIND (in brackets what KIND alone stands for), or KIND:OPTION=VALUE,…", ""]
    for player in players:
        default = f"  ({player['default']})" if player["default"] not in (None, player["kind"]) else ""
        lines.append(f"{player['kind']:12}{player['meaning']}{default}")
        defaults = {one.name: one.default for one in msgspec.structs.fields(kinds[player["kind"]])}
        lines += [
            f"  {key:12}{said}; {OPTION_MEANINGS.get(key, '')}{_default(defaults[key])}"
            for key, said in player["options"].items()
        ]
    for key, said in shared.items():
        lines += ["", f"all but random take {key} too:", f"  {key:12}{said}; {OPTION_MEANINGS[key]}"]
    lines += [
        "",
        "a run directory, a FASTA file, DNA or a champion alone is a network player: runs/default:depth=6;",
        f"without depth, time or nodes it searches {DEFAULT_DEPTH} plies",
        f"champions that come with neche: {', '.join(champions) or 'none'}",
    ]
    values = {"game": name, "players": players, "shared_options": shared, "champions": champions}
    emit(options, values, "\n".join(lines))


def _written_out(kind: str, name: str) -> str | None:
    """Return a player with all its defaults; None for one that needs a file."""
    with suppress(InputError):
        return parse_player(kind, name).name
    return None


def _options_of(record: type) -> dict[str, str]:
    """Return what each option may be, in words."""
    found = {}
    for key, hint in get_type_hints(record, include_extras=True).items():
        schema = msgspec.json.schema(hint)
        # What may be left out is anything or null.
        schema = schema.get("anyOf", [schema])[0]
        # In a specification a switch is a digit.
        found[key] = "0 or 1" if schema.get("type") == "boolean" else describe(schema)
    return found


def _default(value: Any) -> str:
    # None and no text: nothing is set
    return "" if value in (None, "") else f" (default: {int(value) if value in (True, False) else value})"


def add_games_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche games`."""
    meaning = "play random games of a game, or of a Python file that holds one: do its rules hold?"
    parser.add_text("--check", "NAME", meaning)
    parser.add_number("--games", None, f"random games of --check (default: {_GAMES_OF_A_CHECK})")
    parser.add_seed("of the random games (default: 0)")


def execute_games(options: argparse.Namespace) -> None:
    """List the games, what judges them, and the champions that come along; or check one."""
    if options.check is not None:
        _check(options)
        return
    if options.games is not None:
        raise InputError(f"--games {options.games}: of the random games of --check, which names the game")
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
    lines.append("a Python file is a game too: --game tictactoe.py")
    emit(options, {"games": games}, "\n".join(lines))


def _check(options: argparse.Namespace) -> None:
    """Play random games of a game, and say what they came to."""
    name = add_file(options.check) if options.check.endswith(".py") else options.check
    rules = game(name)
    games, source = options.games or _GAMES_OF_A_CHECK, source_of(type(rules.start()))
    trial = try_game(rules, source, games=games, seed=options.seed or 0)
    endings = ", ".join(f"{number} {ending}" for ending, number in sorted(trial.outcomes.items()))
    lines = [
        f"{name}: {counted(trial.games, 'random game')}, {trial.positions} positions, nothing wrong",
        f"for the side to move in the end: {endings}; the longest had {trial.plies} plies",
        f"at most {trial.moves} moves in a position; max_moves is {rules.max_moves}",
    ]
    if trial.comes_back:
        lines += [
            f"{trial.comes_back} came back: is_progress must be false where positions can come back,",
            f"or such games are drawn after {MAX_PLIES} plies only",
        ]
    emit(options, {"game": name, **trial._asdict(), "max_moves": rules.max_moves}, "\n".join(lines))


def add_settings_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche settings`."""
    parser.add_argument("keys", metavar="KEY", nargs="*", help="only these (default: all)")
    parser.add_text("--recipe", "NAME|FILE", "whose values to show", default=DEFAULT_RECIPE)
    parser.add_text("--game", "NAME", "as --set game=NAME (default: as the recipe says)", default="")
    parser.add_texts("--set", "KEY=VALUE", "change a setting of the recipe; may be given again")


def execute_settings(options: argparse.Namespace) -> None:
    """List the settings of an evolution: what each may be, what it is in a recipe, what it means."""
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
    """Return what each setting means: the text under its field in the source, which has it nowhere else."""
    meanings = {}
    for record in ast.parse(inspect.getsource(of_evolution)).body:
        body = record.body if isinstance(record, ast.ClassDef) else []
        for field, text in pairwise(body):
            match field, text:
                case ast.AnnAssign(target=ast.Name(id=key)), ast.Expr(value=ast.Constant(value=str(said))):
                    meanings[key] = " ".join(said.split())
    return meanings
