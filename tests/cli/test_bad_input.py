"""Faults of input and disks: one line that names each, exit code 2, nothing lost or half-written."""

import errno
import os
import re
import subprocess
import sys

import pytest

from neche.genome.dna import encode
from neche.genome.fasta import Record, format_record

GENE = "AAATTTGAAGCTACAA"


@pytest.fixture
def run(terminal, tmp_path):
    terminal.evolve(tmp_path / "run", generations=2)
    return tmp_path / "run"


def resume(run, generations=3):
    return ("evolve", "--resume", "--run", run, "--generations", generations)


def test_a_wrong_letter_in_dna(terminal):
    assert "'X' at position 3 " in terminal.fault("export", "AAXTTTGAAGCTACAA")
    assert "'X' at position 3 " in terminal.fault("match", "random", "AAXTTTGAAGCTACAA")


def test_dna_that_is_not_whole_genes(terminal):
    assert "17 " in terminal.fault("export", GENE + "A")


def test_letters_of_dna_that_are_less_than_a_gene(terminal):
    for words in (("export", GENE[:15]), ("match", "random", GENE[:8])):
        fault = terminal.fault(*words)
        assert f"{len(words[-1])} nucleotides are not whole genes of 16" in fault


@pytest.mark.parametrize(
    "words",
    [
        ("playouts", "--games", "٣"),
        ("match", "random", "random", "--sprt", "3,٣"),
        ("evolve", "--until", "games=٣"),
        ("evolve", "--set", "elites=٣"),
        ("watch", "--every", "٣"),
        ("analyse", "--player", "mcrd:playouts=٣"),
        ("analyse", "--player", "uct:playouts=9,c=٣"),
    ],
)
def test_numbers_are_written_in_the_digits_0_to_9(words, terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert re.search("number", terminal.fault(*words))
    assert not any(tmp_path.iterdir())


def test_what_is_no_run_is_called_so_by_every_command(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in ("watch", "report"):
        assert terminal.fault(command, "none") == "neche: error: none: no such run directory\n"


def test_a_misspelt_run_is_answered_with_the_one_meant(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs" / "quick").mkdir(parents=True)
    for command in ("report", "compare", "verify", "export"):
        assert terminal.fault(command, "runs/quik").endswith("(did you mean quick?)\n")
        assert terminal.fault(command, "quick").endswith("(did you mean runs/quick?)\n")
        # a name as long as this cannot be looked for
        assert "did you mean" not in terminal.fault(command, f"runs/{'q' * 300}")
    assert terminal.fault("match", "runs/quik:depth=2", "random").endswith(
        "runs/quik (did you mean quick?)\n"
    )
    fault = terminal.fault("play", "--player", "quick:depth=2")
    assert fault == "neche: error: unknown player 'quick' (did you mean runs/quick?)\n"
    assert "(did you mean" not in terminal.fault("report", "elsewhere/quick")
    (tmp_path / "quack").touch()
    assert terminal.fault("report", "quack") == "neche: error: quack: no such run directory\n"


def test_what_cannot_be_imported_is_answered_with_what_can(terminal):
    assert "'foo' cannot be imported; only nechedbg can, a folder of the original program" in terminal.fault(
        "import", "foo"
    )


def test_a_file_that_is_no_recipe(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "README.md").touch()
    fault = terminal.fault("evolve", "--recipe", "README.md")
    assert fault.startswith(
        "neche: error: README.md: the name of a recipe file must end in .toml (shipped recipes: "
    )
    assert terminal.fault("evolve", "--recipe", "gnu").count(" memetic,") == 1


def test_a_fasta_file_cut_off_inside_a_record(terminal, tmp_path):
    path = tmp_path / "cut.fasta"
    path.write_text(format_record(Record("best", encode(GENE * 10)))[:-20])
    assert f"{path}: record best" in terminal.fault("round-robin", "--file", path, "random")


def test_an_unknown_setting(terminal, tmp_path):
    fault = terminal.fault("evolve", "--run", tmp_path / "run", "--set", "elite=3")
    assert "unknown setting 'elite' (did you mean elites?)" in fault
    assert not (tmp_path / "run").exists()
    fault = terminal.fault("evolve", "--run", tmp_path / "run", "--set", "seed=3")
    assert fault.endswith("--set seed=3: unknown setting 'seed': see --seed, in Python seed and seeds\n")


def test_an_unknown_setting_in_a_recipe_file(terminal, tmp_path):
    recipe = tmp_path / "mine.toml"
    recipe.write_text("[selection]\nelite = 3\n")
    assert f"{recipe}: unknown setting 'elite'" in terminal.fault("evolve", "--recipe", recipe)


def test_an_unknown_recipe(terminal):
    assert "unknown recipe 'defolt' (did you mean default?)" in terminal.fault("evolve", "--recipe", "defolt")


def test_a_setting_out_of_range(terminal, tmp_path):
    fault = terminal.fault("evolve", "--run", tmp_path / "run", "--set", "population=1")
    assert "--set population=1: must be a whole number from 2 to 100000" in fault


@pytest.mark.parametrize(
    ("fen", "fault"),
    [
        ("B:W16-32:B1-4", "White has 17 pieces"),
        ("B:W21,22:B1,22", "square 22 is named twice"),
        ("B:W33:B1", "square 33 is not on the board"),
    ],
)
def test_an_impossible_position(fen, fault, terminal):
    assert fault in terminal.fault("analyse", fen)
    assert fault in terminal.fault("perft", "--fen", fen)
    assert fault in terminal.fault("play", "--fen", fen)


def test_an_unknown_kind_of_player(terminal):
    assert "unknown player 'blynd' (did you mean blind?)" in terminal.fault("match", "blynd", "random")
    assert "'othello-33' (did you mean othello-3?)" in terminal.fault("match", "othello-33", "random")
    fault = terminal.fault("match", "xyzzy", "random", "--game", "othello")
    assert "unknown player 'xyzzy' (known: " in fault
    assert "blind, cnn, corners, " in fault
    assert "othello-1" in fault
    assert "memetic" not in fault
    assert "champion" not in fault


def test_an_unknown_option_of_a_player(terminal):
    assert "no option 'deph' (did you mean depth?)" in terminal.fault("play", "--player", "blind:deph=3")


def test_an_unknown_game(terminal):
    assert "unknown game 'chequers' (did you mean checkers?)" in terminal.fault("perft", "--game", "chequers")
    known = "(known: brazilian, checkers, international, othello)"
    assert f"unknown game 'chess' {known}" in terminal.fault("perft", "--game", "chess")


def test_a_run_of_another_version(terminal, run):
    config = run / "config.toml"
    config.write_text(config.read_text().replace("format = 1", "format = 999", 1))
    assert "run directory of format 999" in terminal.fault(*resume(run))


def test_settings_changed_by_hand(terminal, run):
    config = run / "config.toml"
    config.write_text(config.read_text().replace("genes = 20", "genes = 30"))
    assert f"{config}: damaged, or changed by hand" in terminal.fault(*resume(run))


def test_a_flipped_byte_in_the_newest_generation(terminal, run, tmp_path):
    terminal.evolve(tmp_path / "straight", generations=3)
    path = run / "generations" / "000002.fasta"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    terminal.json(*resume(run))
    assert re.search(rf"{path}: .*\n.*goes on from generation 1", terminal.notes)
    assert (run / "history.jsonl").read_bytes() == (tmp_path / "straight" / "history.jsonl").read_bytes()


def test_a_flipped_byte_in_a_file_that_is_read(terminal, run):
    path = run / "champion.fasta"
    content = bytearray(path.read_bytes())
    content[-10] = ord("C") if content[-10] != ord("C") else ord("A")
    path.write_bytes(content)
    assert f"{path}: record" in terminal.fault("export", run)
    assert "checksum" in terminal.fault("match", run, "random")


def test_a_full_disk(terminal, run, monkeypatch):
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        fault = terminal.fault(*resume(run), num_notes=1)
        assert f"{run}/generations/000003.fasta: cannot be written: No space" in fault
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before
    assert terminal.json(*resume(run))["generation"] == 3


def test_a_read_only_disk(terminal, tmp_path, monkeypatch):
    def refuse(self, *_, **__):
        raise OSError(errno.EROFS, "Read-only file system", str(self))

    monkeypatch.setattr("pathlib.Path.mkdir", refuse)
    fault = terminal.fault("evolve", "--run", tmp_path / "run")
    assert f"{tmp_path / 'run'}: cannot be created: Read-only file system" in fault


def test_a_file_where_a_directory_should_be(terminal, tmp_path):
    (tmp_path / "file").write_text("")
    assert f"{tmp_path / 'file'}: a file" in terminal.fault("evolve", "--run", tmp_path / "file")
    assert "cannot be" in terminal.fault("evolve", "--run", tmp_path / "file" / "run")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("loop.py", ["perft", "--depth", "1", "--game"]),
        ("loop.py", ["match", "random", "random", "--games", "2", "--plugin"]),
        ("loop", ["match", "random", "random", "--games", "2", "--results"]),
    ],
)
def test_a_link_that_leads_to_itself(terminal, tmp_path, monkeypatch, name, words):
    monkeypatch.chdir(tmp_path)
    try:
        (tmp_path / name).symlink_to(name)
    except OSError:
        pytest.skip("no links may be made here")
    assert name in terminal.fault(*words, name)


def test_a_page_in_the_place_of_a_link_that_leads_to_itself(terminal, run, tmp_path):
    (tmp_path / "page").symlink_to(tmp_path / "page")
    terminal.text("report", run, "--games", "0", "--output", tmp_path / "page")
    assert (tmp_path / "page").read_text().startswith("<!DOCTYPE html>")


def test_two_processes_on_one_run(terminal, run):
    holder = (
        "import sys; from neche.archive.run import RunDirectory\n"
        "with RunDirectory.open(sys.argv[1]): print('held', flush=True); sys.stdin.read()"
    )
    words = [sys.executable, "-c", holder, str(run)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        assert f"{run}: in use by another neche process" in terminal.fault(*resume(run))
        process.communicate("")
    assert terminal.json(*resume(run))["generation"] == 3
