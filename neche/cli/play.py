"""`neche play`: a game between a person and a player, on the terminal."""

import argparse
import secrets
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from neche.arena.score_sheet import score_sheet, sitting_of
from neche.arena.sitting import Sitting, begin
from neche.cli.arguments import add_draws, add_game, add_json, add_seed, add_workers
from neche.cli.balance import balance_bar
from neche.cli.board import Shown, draw_board
from neche.cli.game_files import GameFile, first_game, game_file
from neche.cli.output import emit, worth
from neche.cli.workers import prepare, prepare_player, workers
from neche.compiled.streams import stream
from neche.errors import InputError
from neche.games.catalogue import Game, Move, game
from neche.games.draws import DrawRule, parse_draws
from neche.games.geometry import BoardGeometry
from neche.players.background import Background
from neche.players.engine import Analysis, Choice, Engine, Player, choose_move
from neche.players.spec import parse_player
from neche.records.record import GameRecord

HELP = """\
a move      11-15, 22x15, c3-d4 or c3d4; where two captures share their ends, every square on the way
            Othello: d3, or pass where it is the only move
undo        take your last move back, and the answer to it
hint        what the engine would play for you
moves       all legal moves
board       the board once more
resign      give the game up
quit        leave it"""


def add_play_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `neche play`."""
    parser.add_argument(
        "--player",
        metavar="SPEC",
        help="the opponent (default: material:depth=6, or uct on boards that it does not see)",
    )
    add_game(parser)
    parser.add_argument(
        "--side", metavar="NAME", help="your side, such as black (default: the one that moves first)"
    )
    parser.add_argument(
        "--fen", metavar="FEN", help="the position to begin with (default: the start position)"
    )
    parser.add_argument("--load", metavar="FILE", help="go on with the first game in a file: PDN, GGF, …")
    add_draws(parser)
    parser.add_argument("--pdn", metavar="FILE", help="keep the game here: as PDN; Othello as GGF")
    add_workers(parser)
    add_seed(parser, "draws among equally good moves (default: a fresh one, told at the end)")
    add_json(parser)


def execute_play(options: argparse.Namespace) -> None:
    """Play until the game ends or the person leaves."""
    loaded = first_game(options.load) if options.load else None
    rules = loaded.rules if loaded else game(options.game)
    draws = parse_draws(options.draws, rules.draws)
    player = (
        parse_player(options.player, rules.name)
        if options.player
        else _first_who_sees(rules, "material:depth=6", "uct")
    )
    side = None if options.side is None else _side_named(rules, options.side)
    sheet = game_file(options.pdn, rules)
    sitting = _begun(rules, options.fen, loaded)
    player.require_board(rules)
    prepare("draw rules", rules.name)
    prepare_player(player, game=rules.name)
    side = side or rules.side_to_move(sitting.position)
    seed = options.seed if options.seed is not None else secrets.randbits(32)
    console = Console(stderr=options.json, highlight=False, markup=False, soft_wrap=True)
    table = Table(rules, player, side, seed, console, options, draws, player.new_game(rules))
    console.print(f"You are {side}, against {player.name}. Type help for what you can say.")
    sitting, result = _play(table, sitting)
    console.print(result)
    if sheet:
        _keep(table, sitting, result, sheet)
    emit(options, _summary(table, sitting, result), f"seed {seed}")


def _begun(rules: Game, fen: str | None, loaded: GameRecord | None) -> Sitting:
    """Return the sitting to begin with: of a game in a file, or without moves."""
    if loaded is None:
        return begin(rules, rules.start() if fen is None else rules.parse_fen(fen))
    if fen is not None:
        raise InputError("--fen and --load both say how the game begins")
    return sitting_of(loaded)


def _side_named(game: Game, name: str) -> str:
    for side in game.sides:
        if side.lower() == name.lower():
            return side
    raise InputError(f"--side {name}: the sides of {game.name} are {' and '.join(game.sides)}")


@dataclass(frozen=True)
class Table:
    """What stays the same during a game.

    options: the workers'. draws: when it is drawn. engine: of the player at this game.
    """

    game: Game
    player: Player
    side: str
    seed: int
    console: Console
    options: argparse.Namespace
    draws: DrawRule
    engine: Engine


def _keep(table: Table, sitting: Sitting, result: str, sheet: GameFile) -> None:
    other = next(side for side in table.game.sides if side != table.side)
    players = {table.side: "human", other: table.player.name}
    record = score_sheet(table.game, sitting, result, players, people=(table.side,))
    sheet.write([record])


def _summary(table: Table, sitting: Sitting, result: str) -> dict[str, Any]:
    return {
        "player": table.player.name,
        "side": table.side.lower(),
        "result": result,
        "moves": list(sitting.moves),
        "fen": table.game.format_fen(sitting.position),
        "seed": table.seed,
    }


def _play(table: Table, sitting: Sitting) -> tuple[Sitting, str]:
    """Alternate turns; return the sitting and how the game ended, in words."""
    while True:
        ended = sitting.verdict(table.game, table.draws)
        if not ended and table.game.side_to_move(sitting.position) != table.side:
            sitting = _let_player_move(table, sitting)
            continue
        _show(table, sitting)
        if ended:
            return sitting, ended
        answer = _ask(table, sitting)
        if isinstance(answer, str):
            return sitting, answer
        sitting = answer


def _let_player_move(table: Table, sitting: Sitting) -> Sitting:
    choice = _choose(table, table.player, sitting, table.engine)
    name = table.game.side_to_move(sitting.position)
    _announce(table, f"{name} plays", choice)
    _weigh(table, name, choice.analysis)
    return sitting.after(table.game, choice.move)


def _choose(table: Table, player: Player, sitting: Sitting, engine: Engine) -> Choice:
    draw = stream(table.seed, 0, "play", len(sitting.moves))

    def choose() -> Choice:
        with workers(table.options):
            return choose_move(player, table.game, sitting.position, draw, engine=engine)

    return Background(lambda _: choose()).result()


def _announce(table: Table, words: str, choice: Choice) -> None:
    table.console.print(words, end=" ")
    table.console.print(choice.move.text, style="bold", end="")
    table.console.print(_thoughts(choice.analysis), style="dim")


def _weigh(table: Table, name: str, found: Analysis) -> None:
    """Show who the player thinks stands better."""
    score = table.engine.expected_score(found)
    if score is not None:
        first, second = table.game.sides
        bar = balance_bar(first, second, score if name == first else 1.0 - score)
        table.console.print(bar, style="dim")


def _thoughts(found: Analysis) -> str:
    """Return what a player says of its choice."""
    if not found.is_judged:
        return ""
    if found.is_score:
        counted = f", {found.playouts} playouts" if found.playouts else ""
        return f"  (expected score {found.value:.2f}{counted}, {found.seconds:.1f} s)"
    return f"  ({worth(found.value)}, depth {found.depth}, {found.seconds:.1f} s)"


def _ask(table: Table, sitting: Sitting) -> Sitting | str:
    """Read until the person makes a move or takes one back (a sitting), or ends the game (a string)."""
    while True:
        line = _read_line(table, f"{table.side}, your move: ")
        if line is None or line in ("quit", "exit", "q"):
            return "The game was left unfinished."
        if line == "resign":
            return f"{table.side} resigns."
        try:
            answer = _obey(table, sitting, line)
        except InputError as fault:
            table.console.print(str(fault), style="yellow")
            continue
        if answer is not None:
            return answer


def _obey(table: Table, sitting: Sitting, line: str) -> Sitting | None:
    """Do what the person says; return the new sitting when the game has changed."""
    if line in ("", "help", "?"):
        table.console.print(HELP)
    elif line == "moves":
        table.console.print("  ".join(move.text for move in table.game.legal_moves(sitting.position)))
    elif line == "board":
        _show(table, sitting)
    elif line == "hint":
        _hint(table, sitting)
    elif line == "undo":
        return _take_back(table, sitting)
    else:
        legal = table.game.legal_moves(sitting.position)
        return sitting.after(table.game, read_move(line, legal, table.game.geometry))
    return None


def _hint(table: Table, sitting: Sitting) -> None:
    adviser = (
        table.player if table.player.judges else _first_who_sees(table.game, "material", "uct:playouts=2000")
    )
    # A game of its own: asking for a hint must not change what the opponent plays.
    choice = _choose(table, adviser, sitting, adviser.new_game(table.game))
    _announce(table, f"{adviser.name} would play", choice)


def _first_who_sees(game: Game, *specs: str) -> Player:
    """Return the first of some players that a game knows; the last one plays every game."""
    for spec in specs[:-1]:
        with suppress(InputError):
            return parse_player(spec, game.name)
    return parse_player(specs[-1], game.name)


def _take_back(table: Table, sitting: Sitting) -> Sitting:
    """Return the sitting before the person's last move."""
    earlier = sitting
    while earlier.moves:
        earlier = earlier.before()
        if table.game.side_to_move(earlier.position) == table.side:
            return earlier
    raise InputError("there is no move of yours to take back")


def read_move(line: str, legal: list[Move], geometry: BoardGeometry | None = None) -> Move:
    """Return the legal move that a line means. geometry: of the board, by which squares are told.

    Raises:
        InputError: it means none, or several; the message lists what is legal.
    """
    found = [move for move in legal if move.text.lower() == line.lower()]
    if geometry is not None and not found and line != "pass":
        wanted = geometry.read_squares(line)
        routes = [(move, geometry.squares_of(move.text)) for move in legal]
        exact = [move for move, route in routes if route == wanted]
        found = exact or [move for move, route in routes if route[:1] + route[-1:] == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"{line} could be {' or '.join(move.text for move in found)}")
    shown = ", ".join(move.text for move in legal)
    captures = " (captures are compulsory)" if "x" in legal[0].text else ""
    raise InputError(f"{line} is not a legal move{captures}; legal: {shown}")


def _show(table: Table, sitting: Sitting) -> None:
    geometry = table.game.geometry
    if geometry is None:
        table.console.print(table.game.diagram(sitting.position))
        return
    named = [geometry.squares_of(move.text) for move in table.game.legal_moves(sitting.position)]
    shown = Shown(
        marked=geometry.squares_of(sitting.moves[-1]) if sitting.moves else (),
        spots=[squares[0] for squares in named if len(squares) == 1],
    )
    in_colour = table.console.color_system is not None and not table.console.no_color
    flipped = geometry.is_turned_for(table.game.sides.index(table.side))
    table.console.print(
        draw_board(table.game, sitting.position, flipped=flipped, shown=shown, in_colour=in_colour)
    )


def _read_line(table: Table, prompt: str) -> str | None:
    """Return what the person types, None at the end of the input."""
    table.console.print(prompt, end="")
    table.console.file.flush()
    line = sys.stdin.readline()
    return line.strip().lower() if line else None
