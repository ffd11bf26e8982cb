"""Put a champion into the package under a name, with its game in the header.

Usage: python tools/studies/ship.py SOURCE NAME [--game GAME] [--id ID]

SOURCE: a run directory, whose settings name the game, or a FASTA file. NAME: such as `wide-1`; shipped
champions keep their names, and `neche.players.source.ALIASES` defines which of them is `champion`.
"""

import argparse
import re
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from neche.archive.reading import read_config
from neche.errors import InputError
from neche.games.catalogue import GAMES, game
from neche.genome.fasta import format_record
from neche.network.sensors import check_sensors
from neche.players import source
from neche.players.source import identity_fields, network_of, read_source
from neche.storage import write_file

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def ship(origin: str, name: str, *, game_name: str | None = None, identifier: str | None = None) -> Path:
    """Write the champion of a run or FASTA file into the package; return its file.

    Raises:
        InputError: there is no such champion, it does not fit the board of its game, or the name is taken.
    """
    target = source.SHIPPED / f"{name}.fasta"
    if not _NAME.fullmatch(name):
        raise InputError(f"{name}: a name is small letters and digits, such as wide-1")
    if target.exists() or name in source.ALIASES:
        raise InputError(f"{name}: a champion of this name is shipped already")
    record = read_source(origin, identifier)
    if game_name is None and Path(origin).is_dir():
        game_name = read_config(origin).settings.games.game
    game_name = game_name or record.fields.get("game", GAMES[0])
    network = network_of(record)
    check_sensors(game(game_name), network)
    fields = {**record.fields, **identity_fields(network.perspective, network.topology), "game": game_name}
    write_file(target, format_record(replace(record, fields=fields)).encode())
    return target


def main() -> None:
    """Ship what the command line names."""
    parser = argparse.ArgumentParser(description="Put a champion into the package.")
    parser.add_argument("source", metavar="SOURCE", help="run directory or FASTA file")
    parser.add_argument("name", metavar="NAME", help="its name in the package, such as wide-1")
    parser.add_argument("--game", metavar="GAME", help="default: of the run or the header, or checkers")
    parser.add_argument("--id", metavar="ID", help="the record to take (default: the champion)")
    options = parser.parse_args()
    print(ship(options.source, options.name, game_name=options.game, identifier=options.id))


if __name__ == "__main__":
    main()
