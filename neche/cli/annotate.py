"""`neche annotate`: files of games with a player's opinion of each move."""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from statistics import fmean
from typing import Any

from joblib import delayed
from rich.cells import cell_len, set_cell_size

from neche.cli.arguments import Parser
from neche.cli.game_files import Faults, conversion_words
from neche.cli.output import counted, emit, note, output_path
from neche.cli.progress import progress_bar
from neche.cli.workers import prepare_player, workers
from neche.compiled.batches import results_of
from neche.compiled.streams import stream_key
from neche.errors import InputError
from neche.players.engine import Player
from neche.players.source import newest_champion
from neche.players.spec import parse_player
from neche.records import formats
from neche.records.reading import OnFault, stop
from neche.records.record import GameRecord
from neche.report.annotation import MARKS, Judgement, annotate

_USUAL_DEPTH = 8
_GAMES_AT_ONCE = 64


def add_annotate_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche annotate`."""
    parser.add_argument("input", metavar="INPUT", help="a file of games: PDN, GGF, a transcript or WTHOR")
    parser.add_argument("output", metavar="OUTPUT", help="the file to write; - writes standard output")
    usual = f"the newest champion of the game, {_USUAL_DEPTH} plies deep"
    parser.add_text("--player", "SPEC", f"the player that judges the moves (default: {usual})")
    parser.add_number("--number", None, "number of the only game to annotate and write (default: all)")
    parser.add_switch("--skip", "skip games that cannot be read, and list them")
    meaning = "game of PDN without a GameType tag (default: the game in which the moves are legal)"
    parser.add_text("--game", "NAME", meaning, default="")
    parser.add_plugin()
    parser.add_workers()
    parser.add_seed("seed of the playouts of players that draw (default: 0)")


def execute_annotate(options: argparse.Namespace) -> None:
    """Read the games, annotate and write them, and report."""
    target = options.output
    if options.json and target == formats.STANDARD:
        raise InputError("--json and OUTPUT - both want standard output")
    output_path(target)
    form = formats.format_of(Path(options.input if target == formats.STANDARD else target))
    formats.writer_of(form)  # a file that cannot be written is refused before the games are read
    lengths: Counter[str] = Counter()
    for record in _records(options, Faults().take if options.skip else stop):
        if not form.holds(record.rules):
            raise InputError(f"{options.input}: games of {record.game} cannot be written as {form.name}")
        lengths[record.game] += len(record.moves)
    players = {name: _player(options.player, name) for name in lengths}
    for name, player in players.items():
        prepare_player(player, game=name)
    with progress_bar("moves", is_silent=options.json) as notify:
        work = _Work(
            options, players, form, not Path(target).exists(), lambda done: notify(done, lengths.total())
        )
        formats.write_games(Path(target), work.annotated(), form)
    if work.is_interrupted:
        raise KeyboardInterrupt(f"{target} holds the first {counted(work.report.games, 'game')}")
    people = [_person(name, judgements) for name, judgements in work.judgements.items()]
    named = {"player": ", ".join(sorted({player.name for player in players.values()}))}
    words = f"{conversion_words(work.report, form.name)}\n\n{_table(people)}"
    if target == formats.STANDARD:
        note(words)
    else:
        emit(options, {**named, **vars(work.report), "to": form.name, "people": people}, words)


@dataclass
class _Work:
    """Annotates the games one after the other, and counts.

    keeps_part: whether the games before an interrupt are kept. notify: called with the moves done.
    judgements: by the name of the person.
    """

    options: argparse.Namespace
    players: dict[str, Player]
    form: formats.Format
    keeps_part: bool
    notify: Callable[[int], None]
    report: formats.ConversionReport = field(default_factory=formats.ConversionReport)
    judgements: dict[str, list[Judgement]] = field(default_factory=dict)
    is_interrupted: bool = False

    def annotated(self) -> Iterator[GameRecord]:
        """Yield the games with the opinions, in the order of the file."""
        first = (self.options.number or 1) - 1  # equal keys, and so the same opinions, as in the whole file
        games, moves = enumerate(_records(self.options, self._skip), first), count(1)
        try:
            with workers(self.options):
                while batch := list(islice(games, _GAMES_AT_ONCE)):
                    # A game alone is annotated in this thread, which can say how far it is.
                    is_alone = len(batch) == 1 and not self.report.games
                    told = {"notify": lambda: self.notify(next(moves))} if is_alone else {}
                    calls = {n: delayed(annotate)(*self._given(n, record), **told) for n, record in batch}
                    for _, (found, judgements) in results_of(calls):
                        self._count(found, judgements)
                        yield found
        except KeyboardInterrupt:
            if not (self.keeps_part and self.report.games):
                raise
            self.is_interrupted = True

    def _skip(self, fault: InputError) -> None:
        self.report.skipped += 1

    def _given(self, number: int, record: GameRecord) -> tuple[GameRecord, Player, int]:
        key = stream_key(self.options.seed or 0, number, "annotate: game")
        return record, self.players[record.game], key

    def _count(self, found: GameRecord, judgements: list[Judgement]) -> None:
        for one in judgements:
            self.judgements.setdefault(found.tag(one.side).strip("? ") or one.side, []).append(one)
        self.report.games += 1
        self.report.moves += len(found.moves)
        self.report.left_out += Counter(self.form.left_out(found))
        self.notify(self.report.moves)


def _records(options: argparse.Namespace, on_fault: OnFault) -> Iterator[GameRecord]:
    """Yield the chosen games of the file; InputError if there is none."""
    found = formats.read_file(Path(options.input), default_game=options.game, on_fault=on_fault)
    first = None
    for first in islice(found, (options.number or 1) - 1, options.number):
        yield first
    if first is None:
        raise InputError(f"{options.input}: the file has no game {options.number or ''}".rstrip())


def _player(chosen: str | None, name: str) -> Player:
    """Return the player for a game, which must evaluate."""
    usual = f"{newest_champion(name) or 'material'}:depth={_USUAL_DEPTH}"
    player = parse_player(chosen or usual, name)
    if not player.judges:
        raise InputError(f"player {player.name} does not evaluate; use blind, material or a network")
    return player


def _person(name: str, judgements: list[Judgement]) -> dict[str, Any]:
    """Return the JSON values of the moves of one person that were judged."""
    marks = Counter(one.mark for one in judgements)
    return {
        "name": name,
        "moves": len(judgements),
        "mean_loss": fmean(one.loss for one in judgements),
        "marks": {mark: marks[mark] for mark in MARKS},
    }


def _table(people: Sequence[Mapping[str, Any]]) -> str:
    # by cells of a terminal: some letters take two
    width = max(map(cell_len, ["player", *(one["name"] for one in people)]))
    lines = ["  ".join([f"{'player':{width}}", "moves", "mean loss", *(f"{mark:>3}" for mark in MARKS)])]
    for one in people:
        loss, marks = f"{100 * one['mean_loss']:.1f} %", (f"{count:3}" for count in one["marks"].values())
        name = set_cell_size(one["name"], width)
        lines.append("  ".join([name, f"{one['moves']:5}", f"{loss:>9}", *marks]))
    return "\n".join(lines)
