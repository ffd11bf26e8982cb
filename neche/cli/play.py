"""`neche play`: a game between a person and a player, on the terminal."""

import argparse
import secrets
import sys
from contextlib import suppress
from dataclasses import dataclass

from rich.console import Console

from neche.arena.game_in_progress import GameInProgress, game_record, resumed_game, set_up
from neche.cli.analysis_view import balance_bar
from neche.cli.arguments import Parser
from neche.cli.board import Shown, draw_board
from neche.cli.game_files import first_game, game_writer
from neche.cli.output import counted, emit, worth
from neche.cli.workers import prepare, prepare_player, workers
from neche.compiled.streams import stream
from neche.errors import InputError
from neche.games.catalogue import game
from neche.games.draws import DrawRule, parse_draws
from neche.games.game import Game, Move
from neche.games.geometry import BoardGeometry
from neche.players.background import Background
from neche.players.engine import Analysis, Choice, Engine, Player, choose_move
from neche.players.spec import parse_player
from neche.records.record import continued

HELP = """\
a move      11-15, 22x15, c3-d4 or c3d4; if two captures share both ends, name every square on the way
            Othello: d3, or pass if it is the only move
undo        take back your last move and the reply to it
hint        show what the engine would play in your place
moves       list all legal moves
board       show the board again
resign      give up the game
quit        leave the game unfinished"""


def add_play_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche play`."""
    opponent = "the opponent (default: material:depth=6, or uct in games that have no material player)"
    parser.add_text("--player", "SPEC", opponent)
    parser.add_game()
    parser.add_plugin()
    parser.add_text("--side", "NAME", "your side, such as black (default: the one that moves first)")
    parser.add_fen()
    parser.add_text("--load", "FILE", "continue the first game in a file: PDN, GGF, …")
    parser.add_draws()
    parser.add_text("--pdn", "FILE", "write the game to this file, as PDN, or GGF for Othello")
    parser.add_workers()
    parser.add_seed("seed of the choice among equally good moves (default: a fresh one, printed at the end)")


def execute_play(options: argparse.Namespace) -> None:
    """Play until the game ends or the person leaves."""
    loaded = first_game(options) if options.load else None
    rules = loaded.rules if loaded else game(options.game)
    draws = parse_draws(options.draws, rules.draws)
    player = _first_who_sees(rules, *([options.player] if options.player else ["material:depth=6", "uct"]))
    side = None if options.side is None else _side_named(rules, options.side)
    write_games = game_writer(options.pdn, rules)
    if loaded and options.fen is not None:
        raise InputError("--fen and --load both set the position")
    in_progress = resumed_game(loaded) if loaded else set_up(rules, options.fen)
    player.require_board(rules)
    prepare("draw rules", rules.name)
    prepare_player(player, game=rules.name)
    side = side or rules.side_to_move(in_progress.position)
    seed = options.seed if options.seed is not None else secrets.randbits(32)
    console = Console(stderr=options.json, highlight=False, markup=False, soft_wrap=True)
    setup = PlaySetup(rules, player, side, seed, console, options, draws, player.new_game(rules))
    console.print(f"You are {side}, against {player.name}. Type help for a list of commands.")
    in_progress, result = _play(setup, in_progress)
    players = {name: "human" if name == side else player.name for name in rules.sides}
    while write_games:
        try:
            record = game_record(in_progress, result, players, people=(side,))
            write_games([continued(loaded, record) if loaded else record])
            write_games = None
        except KeyboardInterrupt:  # a terminal that closes ends the input, and then hangs up
            continue
    if not result:
        kept = f"the game so far is in {options.pdn}" if options.pdn else "--pdn FILE would keep the game"
        raise KeyboardInterrupt(kept)
    console.print(result)  # only now: the terminal may be gone
    values = {
        "player": player.name,
        "side": side.lower(),
        "result": result,
        "moves": list(in_progress.moves),
        "fen": rules.format_fen(in_progress.position),
        "seed": seed,
    }
    emit(options, values, f"seed {seed}")


def _side_named(game: Game, name: str) -> str:
    for side in game.sides:
        if side.lower() == name.lower():
            return side
    raise InputError(f"--side {name}: the sides of {game.name} are {' and '.join(game.sides)}")


@dataclass(frozen=True)
class PlaySetup:
    """What stays the same during a game.

    options: those of the workers. draws: the draw rule. engine: the player's engine for this game.
    """

    game: Game
    player: Player
    side: str
    seed: int
    console: Console
    options: argparse.Namespace
    draws: DrawRule
    engine: Engine


def _play(setup: PlaySetup, in_progress: GameInProgress) -> tuple[GameInProgress, str]:
    """Alternate turns; return the game in progress and how it ended, in words, none if by Ctrl-C."""
    try:
        while True:
            ended = in_progress.verdict(setup.draws)
            if not ended and setup.game.side_to_move(in_progress.position) != setup.side:
                in_progress = _let_player_move(setup, in_progress)
                continue
            _show(setup, in_progress)
            answer = ended or _ask(setup, in_progress)
            if isinstance(answer, str):
                return in_progress, answer
            in_progress = answer
    except KeyboardInterrupt:
        return in_progress, ""


def _let_player_move(setup: PlaySetup, in_progress: GameInProgress) -> GameInProgress:
    choice = _choose(setup, setup.player, in_progress, setup.engine)
    name = setup.game.side_to_move(in_progress.position)
    _announce(setup, f"{name} plays", choice)
    score = setup.engine.expected_score(choice.analysis)
    if score is not None:
        first, second = setup.game.sides
        bar = balance_bar(first, second, score if name == first else 1.0 - score)
        setup.console.print(bar, style="dim")
    return in_progress.after(choice.move)


def _choose(setup: PlaySetup, player: Player, in_progress: GameInProgress, engine: Engine) -> Choice:
    draw = stream(setup.seed, 0, "play", len(in_progress.moves))
    engine.follow(in_progress.positions[:-1])

    def choose() -> Choice:
        with workers(setup.options):
            return choose_move(player, setup.game, in_progress.position, draw, engine=engine)

    return Background(lambda _: choose()).result()


def _announce(setup: PlaySetup, words: str, choice: Choice) -> None:
    setup.console.print(words, end=" ")
    setup.console.print(choice.move.text, style="bold", end="")
    setup.console.print(_judgement(choice.analysis), style="dim")


def _judgement(found: Analysis) -> str:
    """Return a player's evaluation of its choice, in words."""
    if not found.is_judged:
        return ""
    if found.is_score:
        effort = f", {counted(found.playouts, 'playout')}" if found.playouts else ""
        return f"  (expected score {found.value:.2f}{effort}, {found.seconds:.1f} s)"
    return f"  ({worth(found.value)}, depth {found.depth}, {found.seconds:.1f} s)"


def _ask(setup: PlaySetup, in_progress: GameInProgress) -> GameInProgress | str:
    """Read until the person makes a move, takes one back, or ends the game (a string: how it ended)."""
    while True:
        setup.console.print(f"{setup.side}, your move: ", end="")
        setup.console.file.flush()
        typed = ""
        with suppress(OSError):  # of a terminal that has gone
            typed = sys.stdin.readline()
        line = typed.strip().lower()
        if not typed or line in ("quit", "exit", "q"):
            return "The game was left unfinished."
        if line == "resign":
            return f"{setup.side} resigns."
        try:
            if (answer := _obey(setup, in_progress, line)) is not None:
                return answer
        except InputError as fault:
            setup.console.print(str(fault), style="yellow")


def _obey(setup: PlaySetup, in_progress: GameInProgress, line: str) -> GameInProgress | None:
    """Execute the person's command; return the new game in progress if the game has changed."""
    if line in ("", "help", "?"):
        setup.console.print(HELP)
    elif line == "moves":
        setup.console.print("  ".join(move.text for move in setup.game.legal_moves(in_progress.position)))
    elif line == "board":
        _show(setup, in_progress)
    elif line == "hint":
        adviser = setup.player
        if not adviser.judges:
            adviser = _first_who_sees(setup.game, "material", "uct:playouts=2000")
        # A separate engine: asking for a hint must not change what the opponent plays.
        choice = _choose(setup, adviser, in_progress, adviser.new_game(setup.game))
        _announce(setup, f"{adviser.name} would play", choice)
    elif line == "undo":
        return _take_back(setup, in_progress)
    else:
        legal = setup.game.legal_moves(in_progress.position)
        return in_progress.after(read_move(line, legal, setup.game.geometry))
    return None


def _first_who_sees(game: Game, *specs: str) -> Player:
    """Return the first of these players that exists for a game; the last one plays every game."""
    for spec in specs[:-1]:
        with suppress(InputError):
            return parse_player(spec, game.name)
    return parse_player(specs[-1], game.name)


def _take_back(setup: PlaySetup, in_progress: GameInProgress) -> GameInProgress:
    """Return the game in progress before the person's last move."""
    while in_progress.moves:
        in_progress = in_progress.before()
        if setup.game.side_to_move(in_progress.position) == setup.side:
            return in_progress
    raise InputError("you have no move to take back")


def read_move(line: str, legal: list[Move], geometry: BoardGeometry | None = None) -> Move:
    """Return the legal move that a line names; InputError, listing all, if it names none or several."""
    found = [move for move in legal if move.text.lower() == line.lower()]
    if geometry is not None and not found and line != "pass":
        wanted = geometry.read_squares(line)
        routes = [(move, geometry.squares_of(move.text)) for move in legal]
        exact = [move for move, route in routes if route == wanted]
        ends = wanted[:1] + wanted[-1:]
        found = exact or [move for move, route in routes if route[:1] + route[-1:] == ends]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"{line} could be {' or '.join(move.text for move in found)}")
    shown = ", ".join(move.text for move in legal)
    captures = " (captures are compulsory)" if "x" in legal[0].text else ""
    raise InputError(f"{line} is not a legal move{captures}; legal: {shown}")


def _show(setup: PlaySetup, in_progress: GameInProgress) -> None:
    geometry = setup.game.geometry
    if geometry is None:
        setup.console.print(setup.game.diagram(in_progress.position))
        return
    named = [geometry.squares_of(move.text) for move in setup.game.legal_moves(in_progress.position)]
    shown = Shown(
        marked=geometry.squares_of(in_progress.moves[-1]) if in_progress.moves else (),
        spots=[squares[0] for squares in named if len(squares) == 1],
    )
    in_colour = setup.console.color_system is not None and not setup.console.no_color
    flipped = geometry.is_turned_for(setup.game.sides.index(setup.side))
    board = draw_board(setup.game, in_progress.position, flipped=flipped, shown=shown, in_colour=in_colour)
    setup.console.print(board)
