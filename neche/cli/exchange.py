"""Genomes and runs in the formats of other programs: `neche export` and `neche import`."""

import argparse
from dataclasses import replace
from pathlib import Path
from shlex import quote

from neche.archive.nechedbg import import_nechedbg
from neche.cli.arguments import Parser
from neche.cli.output import counted, emit, output_path
from neche.errors import InputError, suggestion
from neche.games.catalogue import game
from neche.genome.dna import decode as letters
from neche.genome.fasta import Record, format_record
from neche.network.decode import DENSE_PERSPECTIVE, PERSPECTIVES
from neche.network.drawing import render, to_dot
from neche.network.interchange import to_json, to_onnx
from neche.network.sensors import check_sensors
from neche.players.source import identity_fields, network_of, read_source
from neche.players.spec import check_home
from neche.storage import write_file

BINARY_FORMATS = ("png", "onnx")
FORMATS = ("dot", "svg", "json", "fasta", *BINARY_FORMATS)
_NECHEDBG = "nechedbg"
_DRAWN = ("dot", "svg", "png")


def add_export_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche export`."""
    parser.add_argument("source", metavar="SOURCE", help="run directory, FASTA file, shipped champion or DNA")
    parser.add_text("--id", "ID", "id of the record to export (default: the champion, or the best)")
    parser.add_argument("--format", choices=FORMATS, help="default: as the extension of --output, else dot")
    parser.add_text("--output", "FILE", "file to write (default: standard output)")
    parser.add_switch("--all", f"draw dead synapses too (formats {', '.join(_DRAWN)})")
    parser.add_argument(
        "--perspective",
        choices=(*PERSPECTIVES, DENSE_PERSPECTIVE),
        help="default: as the file says, else own, or mover for strands",
    )
    words = "numbers of neurons (default: as the file says, else 32-7-16-8-1)"
    parser.add_text("--topology", "WORDS", words)
    meaning = "game whose squares name the sensors (default: as the file says, else the first that fits)"
    parser.add_text("--game", "NAME", meaning, default="")


def execute_export(options: argparse.Namespace) -> None:
    """Read the genome, convert it, write it."""
    form = _form(options)
    if options.all and form not in _DRAWN:
        raise InputError(f"--all is for drawings only ({', '.join(_DRAWN)}), not for {form}")
    output_path(options.output)
    content = _convert(read_source(options.source, options.id), form, options)
    values = {"source": options.source, "format": form, "output": options.output, "bytes": len(content)}
    if options.output:
        write_file(Path(options.output), content)
        emit(options, values, f"{options.output}: {len(content)} bytes of {form}")
    elif form in BINARY_FORMATS:
        raise InputError(f"{form} is not text: name a file with --output FILE")
    else:
        emit(options, {**values, "text": content.decode()}, content.decode())


def _form(options: argparse.Namespace) -> str:
    if options.format:
        return str(options.format)
    if not options.output:
        return "dot"
    ending = Path(options.output).suffix.removeprefix(".").lower()
    if ending not in FORMATS:
        wanted = suggestion(ending, FORMATS) if ending else ""
        raise InputError(f"{options.output}: its extension names no format{wanted}; choose one with --format")
    return ending


def _convert(record: Record, form: str, options: argparse.Namespace) -> bytes:
    network = network_of(record, perspective=options.perspective, topology=options.topology)
    if form == "fasta":
        named = {"topology": network.topology.words} if "topology" in record.fields else {}
        fields = {**record.fields, **named, **identity_fields(network.perspective, network.topology)}
        return format_record(replace(record, fields=fields)).encode()
    layout, name = None, options.game or record.fields.get("game")
    if name:
        check_home(record, options.source, name)
        check_sensors(game(name), network)
        layout = game(name).sensors
    if form == "json":
        return to_json(network, name=record.id, dna=letters(record.genome), layout=layout).encode()
    if form == "onnx":
        return to_onnx(network, name=record.id, layout=layout)
    drawing = to_dot(network, name=record.id, show_all=options.all, layout=layout)
    return drawing.encode() if form == "dot" else render(drawing, "svg" if form == "svg" else "png")


def add_import_arguments(parser: Parser) -> None:
    """Declare the arguments of `neche import`."""
    meaning = "kind of files: nechedbg, those of the original program"
    parser.add_argument("kind", metavar="KIND", type=_kind, help=meaning)
    parser.add_argument("folder", metavar="DIR", help="the folder with N_nets.txt and best_networks.txt")
    parser.add_text("--run", "DIR", "the run directory to write (default: runs/<DIR's name>)")
    parser.add_seed("seed of the evolution that continues from there (default: 0)")


def _kind(text: str) -> str:
    if text == _NECHEDBG:
        return text
    known = f"only {_NECHEDBG} can, a folder of the original program"
    raise argparse.ArgumentTypeError(f"{text!r} cannot be imported; {known}")


def execute_import(options: argparse.Namespace) -> None:
    """Read the folder and write the run."""
    folder = Path(options.folder)
    run = Path(options.run) if options.run else Path("runs") / folder.resolve().name
    found = import_nechedbg(folder, run, seed=options.seed or 0)
    values = {"run": str(run), "seed": options.seed or 0, **found._asdict()}
    members, champions = counted(found.num_members, "member"), counted(found.num_champions, "champion")
    go_on = f"continue with: neche evolve --resume --run {quote(str(run))}"
    emit(options, values, f"{run}: generation {found.generation} with {members}, {champions}\n{go_on}")
