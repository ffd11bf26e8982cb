"""Command-line arguments: a parser that fails in one line, and the arguments that several commands share."""

import argparse
import re
from collections.abc import Callable, Container, Sequence
from typing import Any, NoReturn

from neche.cli.streams import write_out
from neche.errors import SEED_LIMIT, InputError, suggestion

_NEGATIVE_VALUE = re.compile(r"-\.?\d")
FEN = "--fen --start"
"""The option for a position, in every command that takes one, and its older name."""
_PLAYERS = ("player", "a", "b", "players", "champion", "rungs", "file", "anchor", "label", "guide")
"""Arguments that name players, or a file of them, in any command."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises InputError for every fault: bad use reads the same everywhere."""

    def error(self, message: str) -> NoReturn:
        """Raise InputError where argparse would print its usage."""
        raise InputError(message)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write the help, or the version; argparse would ignore a failed write."""
        write_out(message)

    def add_number(
        self,
        name: str,
        default: int | None,
        meaning: str,
        *,
        low: int = 1,
        high: int | None = None,
        metavar: str = "N",
    ) -> None:
        """Add an option whose value is a whole number from `low` to `high`; the help ends with its default.

        name: as for `add_text`. default: None if the command works it out, and `meaning` says how.
        """
        said = meaning if default is None else f"{meaning} (default: {default})"
        kind = whole_number(low, high)
        self.add_argument(*name.split(), type=kind, default=default, metavar=metavar, help=said)

    def add_text(
        self, name: str, metavar: str, meaning: str, *, default: str | None = None, dest: str | None = None
    ) -> None:
        """Add an option whose value is a text; the help text ends with its default.

        name: one or several, separated by spaces: the current name, then older ones. default: None or empty
        if the command works it out, and `meaning` says how. dest: attribute of the options, usually the
        name.
        """
        said = f"{meaning} (default: {default})" if default else meaning
        self.add_argument(*name.split(), default=default, dest=dest, metavar=metavar, help=said)

    def add_texts(self, name: str, metavar: str, meaning: str) -> None:
        """Add an option that may be repeated: its value is the list of texts given."""
        self.add_argument(name, action="append", default=[], metavar=metavar, help=meaning)

    def add_switch(self, name: str, meaning: str) -> None:
        """Add an option without a value."""
        self.add_argument(name, action="store_true", help=meaning)

    def add_seed(self, meaning: str) -> None:
        """Add `--seed`; `meaning` is its help text."""
        self.add_number("--seed", None, meaning, low=0, high=SEED_LIMIT)

    def add_usual(self, *, has_json: bool) -> None:
        """Add `--json`, and `--seed` even where nothing is random: scripts may give it to every command."""
        if "--seed" not in self._option_string_actions:
            self.add_seed("accepted by every command; nothing here is random")
        if has_json:
            self.add_switch("--json", "print one JSON object and nothing else")

    def add_game(self, usual: str = "that of the champions named, or checkers") -> None:
        """Add `--game`, which `name_game` turns into a name. usual: the default, in words."""
        self.add_text("--game", "NAME", f"the game, or a Python file that defines one (default: {usual})")

    def add_plugin(self) -> None:
        """Add `--plugin`, read by `load_plugins`."""
        meaning = "a Python file with plug-ins, which are players or steps of evolve; may be repeated"
        self.add_texts("--plugin", "FILE", meaning)

    def add_fen(self) -> None:
        """Add `--fen`."""
        self.add_text(FEN, "FEN", "the position (default: the start position)")

    def add_draws(self) -> None:
        """Add `--draws`, read by `neche.games.draws.parse_draws`."""
        meaning = "when a game is drawn: official, lab, training, or as in plies=200,quiet=80,repetition=3"
        self.add_text("--draws", "RULE", meaning, default="official")

    def add_workers(self) -> None:
        """Add `--jobs`, `--backend` and the addresses of clusters, read by `workers.workers`."""
        self.add_number("--jobs", None, "parallel workers (default: all cores, or the whole cluster)")
        self.add_argument(
            "--backend",
            choices=("threading", "loky", "dask", "ray"),
            default="threading",
            help="threads share the compiled code; loky starts processes; dask and ray are clusters"
            " (default: threading)",
        )
        self.add_text("--scheduler", "ADDRESS", "with --backend dask: scheduler address or scheduler file")
        self.add_text("--address", "ADDRESS", "with --backend ray: HOST:PORT, ray://HOST:PORT or auto")


def parse(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Parse a command's words; an unknown option is named together with the nearest known one."""
    known = parser._option_string_actions
    joined = _join_values(words, {name for name, action in known.items() if action.nargs != 0})
    # Such as from an unset shell variable: it must not be replaced by a default.
    for word in joined:
        if not word or (word[-1] == "=" and word[:-1] in known):
            raise InputError(f"argument {word[:-1]}: the value is empty" if word else "an argument is empty")
    options, left_over = parser.parse_known_args(joined)
    if left_over:
        wrong = next((word for word in left_over if word.startswith("-")), left_over[0])
        if not wrong.startswith("-"):
            raise InputError(f"unexpected argument {wrong!r}; see {parser.prog} --help")
        name = wrong.partition("=")[0]
        raise InputError(f"unknown option {name}{suggestion(name, known)}")
    return options


def _join_values(words: Sequence[str], takers: Container[str]) -> list[str]:
    """Join a value that is negative or empty to the option before it; takers: options that take a value."""
    # argparse takes the value of "--sprt -5,0" for an option, but not if both are one word.
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] in takers and (not word or _NEGATIVE_VALUE.match(word)):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def whole_number(low: int, high: int | None = None) -> Callable[[str], int]:
    """Return an argument type: a whole number from `low` to `high`."""

    def convert(text: str) -> int:
        span = f"from {low} to {high}" if high is not None else f"of at least {low}"
        try:
            number = int(text.encode("ascii"))  # int also reads the digits of other scripts
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
        if number < low or (high is not None and number > high):
            raise argparse.ArgumentTypeError(f"{text} is out of range; a number {span} is needed")
        return number

    return convert


def name_game(options: argparse.Namespace) -> None:
    """Replace a game's file by its name, and a missing game by that of the champions among the players.

    InputError if there is no such file, it defines no game, or the champions are of several games.
    """
    given: str | None = getattr(options, "game", "")
    if given is None:
        from neche.players.source import game_of_players  # keeps --help and bad use quick

        named = (getattr(options, name, None) or [] for name in _PLAYERS)
        words = [word for value in named for word in ([value] if isinstance(value, str) else value)]
        options.game = game_of_players(words) or "checkers"
    elif given.endswith(".py"):
        from neche.games.catalogue import add_file  # most commands name no file

        options.game = add_file(given)


def load_plugins(options: argparse.Namespace) -> None:
    """Replace `plugin` by the plug-ins in its files, kept as `plugin_files`; registers plugged-in players.

    InputError if there is no such file, or it is at fault.
    """
    options.plugin_files = getattr(options, "plugin", ())
    if options.plugin_files:
        from neche.players.plugged import load_plugins as load  # most commands are given none

        options.plugin = [one for path in options.plugin_files for one in load(path)]
