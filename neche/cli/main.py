"""Entry point of the command line: find the command, run it, turn faults into one line and an exit code."""

import argparse
import importlib
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext

from neche.cli.arguments import Parser, load_plugins, name_game, parse
from neche.cli.signals import ending_signals
from neche.cli.streams import allow_any_text, lose_output, open_streams, results_alone
from neche.errors import CompiledCodeWarning, InputError, fault_of_others, one_line, suggestion
from neche.parsing import check_text, system_fault
from neche.version import __version__

EXIT_BAD_USE = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141
_EXIT_BY_SIGNAL = 128

# command: (module, help). A module is imported only when one of its commands is chosen: --help stays quick.
COMMANDS = {
    "evolve": ("evolve", "run or continue an evolution"),
    "sweep": ("sweep", "run the same evolution for several seeds and settings"),
    "compare": ("compare", "compare runs, grouped by the settings in which they differ"),
    "watch": ("watch", "follow a run while another process evolves it"),
    "verify": ("verify", "check runs for damage, and repair what can be repaired"),
    "report": ("report", "write a report on a run as a single HTML page"),
    "gallery": ("report", "write a gallery of champions, shipped and your own, as a single HTML page"),
    "export": ("exchange", "export a champion or any genome as dot, svg, png, onnx, fasta or json"),
    "import": ("exchange", "convert a folder of the original program into a run"),
    "match": ("tournaments", "play a match between two players over paired openings"),
    "ladder": ("tournaments", "measure a champion against fixed reference players"),
    "round-robin": ("tournaments", "play a round robin, in which every pair of players meets"),
    "analyse": ("analyse", "evaluate one position"),
    "phases": ("analyse", "show how a player searches in the opening, middlegame and endgame"),
    "play": ("play", "play against any player"),
    "serve": ("serve", "play in the browser, and watch a run there"),
    "convert": ("game_files", "convert game files (PDN, GGF, transcripts, WTHOR) to another format"),
    "annotate": ("annotate", "write files of games with a player's opinion of each move"),
    "solve": ("solve", "solve endings with few pieces, for use in play and analysis"),
    "dataset": ("dataset", "generate labelled positions to train networks on"),
    "playouts": ("counting", "play random games from one position and count the results"),
    "hub": ("engines", "run as a draughts engine under a graphical interface (Hub 2)"),
    "dxp": ("engines", "play international draughts against another program (DXP)"),
    "nboard": ("engines", "run as an Othello engine under a graphical interface (NBoard)"),
    "players": ("listings", "list the kinds of players, their options and the champions"),
    "games": ("listings", "list the games"),
    "settings": ("listings", "list the settings of an evolution: values, ranges, meanings"),
    "perft": ("counting", "count the leaves of the tree of legal moves"),
    "bench": ("bench", "run a fixed workload: report a node-count signature, and speeds"),
}

# Two examples for each command, shown by its --help, the more usual one first. A test checks each.
EXAMPLES = {
    "evolve": ("neche evolve", "neche evolve --recipe wide --game othello --seed 1 --resume"),
    "sweep": (
        "neche sweep --recipe quick --seeds 5",
        "neche sweep --recipe tournament-quick --seeds 5 --set point_rate=0.0005,0.005 --output runs/rates",
    ),
    "compare": (
        "neche compare runs/sweep-quick",
        "neche compare runs/rates runs/default --output rates.html",
    ),
    "watch": ("neche watch", "neche watch runs/default --once"),
    "verify": ("neche verify runs", "neche verify runs/default --repair"),
    "report": ("neche report runs/default", "neche report runs/default --figures figures --png"),
    "gallery": ("neche gallery", "neche gallery runs/default --output champions.html"),
    "export": ("neche export runs/default --output champion.svg", "neche export champion --format fasta"),
    "import": ("neche import nechedbg DIR", "neche import nechedbg DIR --run runs/old"),
    "match": (
        "neche match runs/default:depth=6 champion:depth=6 --games 400",
        "neche match uct:playouts=1000 material:depth=4 --game othello --pdn games.ggf",
    ),
    "ladder": ("neche ladder runs/default", "neche ladder champion --depth 6 --output ladder.svg"),
    "round-robin": (
        "neche round-robin random blind material champion --games 40",
        "neche round-robin shipped --depth 6 --results league.jsonl",
    ),
    "analyse": (
        "neche analyse --player champion:depth=8",
        "neche analyse --game othello --player uct:playouts=100000 --live",
    ),
    "phases": (
        "neche phases champion:depth=6",
        "neche phases uct:playouts=1000 --game brazilian --positions 20",
    ),
    "play": ("neche play --player champion:depth=6", "neche play --game othello --side white --pdn game.ggf"),
    "serve": ("neche serve", "neche serve --run runs/default --port 8080"),
    "convert": ("neche convert games.pdn games.txt", "neche convert WTH_2004.wtb games.ggf"),
    "annotate": (
        "neche annotate games.pdn annotated.pdn",
        "neche annotate games.ggf annotated.ggf --player othello-4:time=1000",
    ),
    "solve": ("neche solve --pieces 4", "neche solve --game brazilian --pieces 3 --check"),
    "dataset": (
        "neche dataset data --games 20000 --sample 10",
        "neche dataset data --game othello --label mcrd:playouts=2000",
    ),
    "playouts": ("neche playouts --games 100000", "neche playouts --game international --device cuda"),
    "hub": ("neche hub", "neche hub --game brazilian --player uct:time=1000"),
    "dxp": ("neche dxp --player uct", "neche dxp --connect 127.0.0.1:27531 --games 2"),
    "nboard": ("neche nboard", "neche nboard --player othello-4:time=1000"),
    "players": ("neche players", "neche players --game othello"),
    "games": ("neche games", "neche games --check tictactoe.py"),
    "settings": ("neche settings", "neche settings population learning --recipe memetic"),
    "perft": ("neche perft --depth 8", "neche perft --game othello --depth 6 --json"),
    "bench": ("neche bench", "neche bench perft search --json"),
}

_FIRST_STEPS = """\
first steps:
  neche evolve                       start an evolution in runs/default
  neche evolve --resume              continue it
  neche play --player runs/default   play against its champion"""


def main(words: Sequence[str] | None = None) -> int:
    """Run `neche WORDS` (default: the process's own arguments) and return the exit code."""
    allow_any_text()
    open_streams()
    warnings.formatwarning = _format_warning
    with ending_signals() as signals:
        code = _faults_told(list(sys.argv[1:] if words is None else words))
    return _EXIT_BY_SIGNAL + signals[0] if signals and code == EXIT_INTERRUPTED else code


def _faults_told(words: list[str]) -> int:
    """Run the command and return its exit code; any fault is reported in one line."""
    try:
        code = _run(words)
        sys.stdout.flush()
        return code
    except InputError as error:
        return _fail(str(error))
    except BrokenPipeError:
        return _gone()
    except OSError as error:
        return _fail(system_fault(error))
    except KeyboardInterrupt as interruption:
        # Python would die by SIGINT if the interrupt came out of an exec, such as that of NamedTuple.
        exec("")
        print(one_line(": ".join(["neche: interrupted", *map(str, interruption.args)])), file=sys.stderr)
        return EXIT_INTERRUPTED
    except Exception as error:
        # The driver's own error is recognised by its text: numba is slow to import.
        if "CUDA_ERROR_OUT_OF_MEMORY" in str(error):
            return _fail("the CUDA device has too little memory for this, or other programs use it")
        # Errors raised by users' games get one line; a fault of neche itself keeps its traceback.
        if (fault := fault_of_others(error)) is None:
            raise
        return _fail(fault)
    except SystemExit as stop:  # argparse after --help and --version, and rich when its reader goes away
        return _gone() if isinstance(stop.__context__, BrokenPipeError) else int(stop.code or 0)


def _gone() -> int:
    """Return the exit code for a reader of standard output that has gone (`neche … | head`)."""
    lose_output()
    return EXIT_BROKEN_PIPE


def _fail(message: str) -> int:
    try:
        sys.stdout.flush()
    except OSError:  # Python would fail again at exit, from 3.13 on with an exit code of its own
        lose_output()
    print("neche: error:", one_line(message), file=sys.stderr)
    return EXIT_BAD_USE


_format_any = warnings.formatwarning


def _format_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    if issubclass(category, CompiledCodeWarning):
        return f"neche: {one_line(str(message))}\n"
    return _format_any(message, category, filename, lineno, line)


def _run(words: list[str]) -> int:
    for word in words:
        check_text(word, "the command line")
    if words[:1] == ["help"]:
        words = [*(word for word in words[1:2] if word != "help"), "--help"]
    if not words or words[0].startswith("-"):
        parser = _overview()
        parse(parser, words)
        parser.print_help()
        return 0
    name = words[0]
    if name not in COMMANDS:
        raise InputError(f"unknown command {name!r}{suggestion(name, COMMANDS)}")
    _, description = COMMANDS[name]
    add_arguments, execute = command_functions(name)
    parser = Parser(
        prog=f"neche {name}",
        description=f"{description[0].upper()}{description[1:]}.",
        epilog="\n  ".join(["examples:", *EXAMPLES[name]]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_arguments(parser)
    options = parse(parser, words[1:])
    with results_alone() if getattr(options, "json", False) else nullcontext():
        load_plugins(options)
        name_game(options)
        execute(options)
    return 0


def command_functions(name: str) -> tuple[Callable[[Parser], None], Callable[[argparse.Namespace], None]]:
    """Return two functions of a command's module: one declares its arguments, the other executes it."""
    module = importlib.import_module(f"neche.cli.{COMMANDS[name][0]}")
    word = name.replace("-", "_")

    def declare(parser: Parser) -> None:
        getattr(module, f"add_{word}_arguments")(parser)
        parser.add_usual(has_json=name not in ("hub", "nboard"))  # these two speak protocols of their own

    return declare, getattr(module, f"execute_{word}")


def _overview() -> Parser:
    width = max(map(len, COMMANDS)) + 2
    listing = "\n".join(f"  {name:{width}}{text}" for name, (_, text) in COMMANDS.items())
    parser = Parser(
        prog="neche",
        usage="neche COMMAND [options]   (see neche COMMAND --help)",
        description="Evolve networks that play board games, and measure how well they do.",
        epilog=f"commands:\n{listing}\n\n{_FIRST_STEPS}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"neche {__version__}")
    return parser
