"""Numbers, nesting and characters of malicious input give one clear line in every reader."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import neche
from neche.archive.checkpoint import format_line, parse_history
from neche.archive.layout import format_config, parse_config
from neche.archive.reading import read_history
from neche.archive.run import RunDirectory
from neche.cli.main import main
from neche.errors import InputError
from neche.evolution.recipes import load_recipe, override
from neche.evolution.settings import Settings
from neche.genome.fasta import parse_fasta
from neche.parsing import check_text, read_json, read_toml, whole_number
from neche.players.source import read_source
from neche.protocols.hub_options import HubOptions
from neche.protocols.hub_session import HubSession
from tests.archive.builders import small_settings, write_run

NINES = "9" * 5000
NESTED = "[" * 3000 + "]" * 3000
HEX = "0x" + "f" * 100_000
TABLES = "a = " + "{a = " * 3000 + "1" + "}" * 3000
HOSTILE = [NINES, NESTED, HEX, TABLES, "\0", "\ud800", "1e999999", "0.1\x84", "9_" * 3000 + "9"]
OF_ANY_KIND = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.just(10**400),
    st.text(max_size=3),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=2), st.one_of(st.none(), st.floats(allow_nan=False)), max_size=2),
)


@pytest.mark.parametrize("text", HOSTILE)
def test_settings_from_outside_are_read_or_refused(text, tmp_path):
    with pytest.raises(InputError):
        override(Settings(), f"elites={text}")
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(f"[selection]\nelites = {text}\n", encoding="utf-8", errors="surrogatepass")
    with pytest.raises(InputError):
        load_recipe(recipe)
    config = format_config(small_settings(), 5).replace(
        b"elites = 1", f"elites = {text}".encode(errors="replace")
    )
    with pytest.raises(InputError):
        parse_config(config, "config.toml")


@pytest.mark.parametrize(
    "words",
    [
        ["match", f"material:depth={NINES}", "random"],
        ["match", f"uct:playouts={NINES}", "random"],
        ["evolve", "--set", f"elites={NINES}"],
        ["evolve", "--set", "refine_sd=0.1\udc84"],
        ["dxp", "--connect", f"127.0.0.1:{NINES}"],
        ["analyse", "--player", "cnn:file=x\0"],
    ],
)
def test_the_command_line_refuses_them_in_one_line(words, capsys):
    assert main(words) == 2
    told = capsys.readouterr().err
    assert told.startswith("neche: error:")
    assert told.count("\n") == 1


@pytest.mark.parametrize("value", [f"uct:playouts={NINES}", '"cnn:file=x\0y"', f"material:depth={NINES}"])
def test_no_line_ends_an_engine(value):
    answers: list[str] = []
    session = HubSession(HubOptions(), write=answers.append)
    assert session.hear(f"set-param name=player value={value}")
    assert session.hear("ping")
    assert answers[0].startswith("error")
    assert answers[1] == "pong"


@pytest.mark.parametrize("name", ["q" * 300, "a\0b"])
def test_a_name_that_no_file_can_have_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for call, fault in (
        (lambda: neche.evolve(run=name, recipe="tournament-quick"), "cannot be created: "),
        (lambda: neche.evolve(recipe=name), "recipe"),
        (lambda: neche.write_report(name, "page.html"), "cannot be read: "),
        (lambda: neche.player(f"cnn:file={name}"), "cannot be read: "),
        (lambda: neche.player(f"material:endings={name}"), "no solved endings of checkers"),
    ):
        with pytest.raises(InputError, match=fault):
            call()


def test_a_header_with_an_endless_number_is_refused():
    with pytest.raises(InputError, match="digits"):
        parse_fasta(f">g0-0000 generation={NINES}\nAAATTTGAAGCTACAA\n", "champion.fasta")


def test_a_nested_line_at_the_end_of_a_history_is_passed_over(tmp_path):
    run = write_run(tmp_path / "run")
    known = read_source(str(run))
    with (run / "history.jsonl").open("a") as file:
        file.write("[" * 100_000 + "\n")
    assert read_source(str(run)).id == known.id


@given(st.text())
def test_any_text_is_read_or_refused(text):
    for read in (check_text, read_toml, lambda text, name: read_json(text.encode(errors="replace"), name)):
        with suppress(InputError):
            read(text, "it")
    number = whole_number(text, 999)
    assert number is None or (0 <= number <= 999 and int(text) == number)


def lines_of(run):
    return [json.loads(line) for line in (run / "history.jsonl").read_bytes().splitlines()]


def rewrite(run, lines):
    """Write a history whose checks are all correct."""
    check = parse_config((run / "config.toml").read_bytes(), "").fingerprint
    content = b""
    for values in lines:
        line, check = format_line({key: value for key, value in values.items() if key != "check"}, check)
        content += line
    (run / "history.jsonl").write_bytes(content)


KEYS = [
    "generation",
    "champion_id",
    "depth",
    "moved_up_at",
    "ladder",
    "sha256",
    "hall",
    "warnings",
    "labellers",
]
KEYS += ["live_synapses", "squares_seen", "games", "squares_seen_most", "ancestors"]


@settings(max_examples=150)
@given(st.sampled_from(KEYS), OF_ANY_KIND, st.booleans())
def test_a_line_with_a_right_check_and_wrong_types_is_damaged_or_read(
    tmp_path_factory, key, value, is_missing
):
    run = write_run(tmp_path_factory.mktemp("runs") / "run", total=3)
    lines = lines_of(run)
    lines[-1][key] = value
    if is_missing:
        del lines[-1][key]
    rewrite(run, lines)
    history = read_history(run)
    assert len(history.lines) + len(history.notices) == 3
    with RunDirectory.open(run) as opened:
        last = opened.last
    assert last is not None
    assert last.number in (0, 1, 2)


def test_every_line_that_was_written_is_read():
    content = Path("runs/reference/history.jsonl").read_bytes()
    config = parse_config(Path("runs/reference/config.toml").read_bytes(), "")
    entries = parse_history(content, config.fingerprint)
    assert len(entries) > 2000
    assert all(entry.intact for entry in entries)
    assert [entry.values for entry in entries] == [
        {key: value for key, value in json.loads(line).items() if key != "check"}
        for line in content.splitlines()
    ]
