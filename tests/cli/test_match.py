import re
import signal
import subprocess
import sys
import time
import warnings

import joblib
import pytest

from neche.arena.elo import Strength
from neche.cli.tournaments import interval_words
from neche.players.source import shipped_file
from tests.cli.interrupts import hear_interrupts

WORDS = ("match", "material:depth=2", "random", "--games", 20)


def test_a_match_reports_from_the_side_of_the_first(terminal):
    values = terminal.json(*WORDS)
    assert values["wins"] + values["draws"] + values["losses"] == 20
    assert values["score"] == (values["wins"] + 0.5 * values["draws"]) / 20 > 0.5
    assert sum(values["pairs"]) == 10
    assert values["elo"] > 0
    assert values["elo_error"] > 0
    turned = terminal.json("match", "random", "material:depth=2", "--games", 20)
    assert turned["score"] < 0.5


def test_a_match_in_words(terminal):
    text = terminal.text(*WORDS)
    assert "material:depth=2  against  random" in text
    assert re.search(r"score 1\.0000, Elo above \+\d+\.\d \(95 %\)", text)
    even = terminal.text("match", "random", "random", "--games", 20)
    assert re.search(r"score 0\.\d{4}, Elo [+-]\d+\.\d ± \d+\.\d \(95 %\)", even)


def test_a_difference_that_rounds_to_zero_has_no_minus():
    assert interval_words(Strength(0.49999, -0.03, 12.0, "", -0.02, 8.0, 0.5)) == "+0.0 ± 12.0"


def test_equal_seeds_give_equal_matches_whatever_the_workers(terminal):
    one = terminal.json(*WORDS, "--seed", 3, "--jobs", 1)
    assert terminal.json(*WORDS, "--seed", 3, "--jobs", 2) == one
    assert terminal.json(*WORDS, "--seed", 4) != one


def test_sprt_stops_as_soon_as_it_is_decided(terminal):
    values = terminal.json("match", "material:depth=2", "random", "--games", 4000, "--sprt", "0,50")
    assert values["sprt"]["accepted"] == "H1"
    assert values["games"] < 400
    assert terminal.text(
        "match", "material:depth=2", "random", "--games", 4000, "--sprt", "0,50,normalised"
    ).endswith(": above 0 normalised Elo\n")
    text = terminal.text("match", "random", "random", "--games", 4, "--sprt", "-5,0")
    assert "SPRT -5 to 0" in text
    assert "undecided" in text
    assert "ELO0,ELO1" in terminal.fault(*WORDS, "--sprt", "5")


def test_games_are_written_as_pdn(terminal, tmp_path):
    path = tmp_path / "games.pdn"
    values = terminal.json(*WORDS, "--pdn", path)
    text = path.read_text()
    assert text.count('[GameType "21,B,8,8,N1,0"]') == 20
    results = re.findall(r'\[Black "(.*)"\]\n\[Result "(.*)"\]', text)
    wins = sum(result == ("1-0" if black == "material:depth=2" else "0-1") for black, result in results)
    assert wins == values["wins"]


def test_a_place_where_no_games_can_be_written_is_found_first(terminal, tmp_path):
    fault = terminal.fault(*WORDS, "--pdn", tmp_path / "nowhere" / "games.pdn")
    assert f"{tmp_path / 'nowhere' / 'games.pdn'}: cannot be written" in fault


def test_a_match_goes_on_from_its_results_file(terminal, tmp_path):
    path = tmp_path / "results.jsonl"
    terminal.json("match", "material:depth=2", "random", "--games", 10, "--results", path)
    kept = path.read_bytes()
    longer = terminal.json(*WORDS, "--results", path)
    assert path.read_bytes().startswith(kept)
    assert longer == terminal.json(*WORDS)
    assert "seed is 0 there, 1 here" in terminal.fault(*WORDS, "--results", path, "--seed", 1)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("match", "material:time=5", "random", "--results", "pairs.jsonl"), "is not repeatable"),
        (("match", "material:time=5", "random", "--pdn", "games.pdn"), "give it a fixed depth, not a time"),
        (("match", "uct:time=5", "random", "--pdn", "a.pdn"), "give it a fixed number of playouts, not a"),
        (("match", "blind:nodes=9,threads=2", "random", "--pdn", "a.pdn"), "give it one thread"),
        (("match", "material:time=5", "random", "--jobs", "999"), "need cores of their own, at most"),
        (("match", "random", "random", "--games", "0"), "--games: 0 is out of range"),
        (("match", "random", "random", "--openings", "-1"), "--openings: -1 is out of range"),
        (("match", "random", "random", "--jobs", "0"), "--jobs: 0 is out of range"),
        (("match", "random", "random", "--backend", "slurm"), "--backend: invalid choice: 'slurm'"),
        (("match", "random", "random", "--seed", "-1"), "--seed: -1 is out of range"),
    ],
)
def test_bad_matches_name_the_fault(words, fault, terminal):
    assert fault in terminal.fault(*words)


UCT = ("match", "uct:playouts=60", "material:depth=1", "--games", 6, "--seed", 3)


def test_a_match_with_playouts_is_the_same_whatever_the_workers(terminal):
    values = terminal.json(*UCT, "--jobs", 1)
    assert values["wins"] + values["draws"] + values["losses"] == 6
    assert values["first"].startswith("uct:playouts=60,")
    assert terminal.json(*UCT, "--jobs", 2) == values
    assert terminal.json(*UCT, "--jobs", 2, "--backend", "loky") == values


def test_a_match_with_playouts_goes_on_from_its_results_file(terminal, tmp_path):
    path = tmp_path / "results.jsonl"
    terminal.json(*UCT[:4], 2, "--seed", 3, "--results", path)
    assert terminal.json(*UCT, "--results", path) == terminal.json(*UCT)
    other = ("match", "uct:playouts=61", *UCT[2:])
    assert "players is" in terminal.fault(*other, "--results", path)


def test_games_with_playouts_are_written_as_pdn(terminal, tmp_path):
    path = tmp_path / "games.pdn"
    values = terminal.json(*UCT, "--pdn", path)
    results = re.findall(r'\[Black "(.*)"\]\n\[Result "(.*)"\]', path.read_text())
    wins = sum(result == ("1-0" if black.startswith("uct") else "0-1") for black, result in results)
    assert (len(results), wins) == (6, values["wins"])


@pytest.mark.slow
def test_an_interrupted_match_of_playouts_keeps_its_pairs_and_ends_alike(terminal, tmp_path):
    words = ["match", "uct:playouts=1500", "mcrd:playouts=1500", "--games", "30", "--seed", "2"]
    path = tmp_path / "results.jsonl"
    command = [sys.executable, "-m", "neche", *words, "--results", str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=hear_interrupts
    ) as process:
        while not path.exists() or path.read_bytes().count(b"\n") < 3:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert f"finished pairs are kept in {path}" in err
    kept = path.read_bytes()
    assert 3 <= kept.count(b"\n") < 16
    values = terminal.json(*words, "--results", path)
    assert path.read_bytes().startswith(kept)
    assert values == terminal.json(*words)


LAB = "W:W12,23,27,29,30,31:B1,3,4,8,22"


def test_games_begin_where_they_are_told_to(terminal):
    words = ("match", "material:depth=3", "random", "--games", 4, "--game", "brazilian", "--fen", LAB)
    values = terminal.json(*words)
    assert values["start"] == [LAB]
    assert values["opening_plies"] == 0
    assert terminal.json(*words, "--openings", 3)["opening_plies"] == 3
    assert terminal.json(*words[:-2])["start"] == []


def test_a_handicap_stays_with_its_player(terminal):
    handicap = ("--fen", "W:W21-32:B12", "W:W21:B1-12", "--game", "brazilian", "--games", 20)
    values = terminal.json("match", "random", "random", *handicap, "--openings", 2)
    assert values["start"] == [
        "W:W21,22,23,24,25,26,27,28,29,30,31,32:B12",
        "W:W21:B1,2,3,4,5,6,7,8,9,10,11,12",
    ]
    assert values["wins"] == 20
    one = terminal.json("match", "random", "random", "--fen", "W:W21-32:B12", *handicap[3:], "--openings", 2)
    assert (one["wins"], one["losses"], one["pairs"]) == (10, 10, [0, 0, 10, 0, 0])


def test_a_player_against_itself_is_said_to_tell_nothing(terminal):
    words = ("--games", 2, "--seed", 1)
    terminal.json("match", "material:depth=1", "material:depth=1", *words)
    assert terminal.notes.count("\n") == 1
    assert "both are the same player" in terminal.notes
    assert "tells nothing" in terminal.notes
    terminal.json("match", "material:depth=1", "material:depth=2", *words)
    assert terminal.notes == ""
    # What is measured is the handicap.
    terminal.json("match", "random", "random", *words, "--fen", "W:W21-32:B12", "W:W21:B1-12")
    assert terminal.notes == ""


def test_games_that_begin_alike_and_may_repeat_are_told(terminal):
    # one pair cannot repeat another, and random games do not repeat
    words = ("match", "champion-1:depth=1", "material:depth=1", "--fen", "W:W21-32:B1-12", "--games")
    for more, others, number in ((4, (), 1), (2, (), 0), (4, ("--openings", 2), 0)):
        terminal.json(*words, more, *others)
        assert terminal.notes.count("without random openings games may repeat") == number
    terminal.json("match", "random", *words[2:], 4)
    assert terminal.notes == ""


def test_a_copy_of_a_network_is_the_same_player(terminal, tmp_path):
    copied, other = tmp_path / "copy.fasta", "wide-1:depth=1"
    copied.write_bytes(shipped_file("champion-1").read_bytes())
    words = ("--games", 2, "--seed", 1)
    terminal.json("match", "champion-1:depth=1", f"{copied}:depth=1", *words)
    assert "both are the same player" in terminal.notes
    for spec in (f"{copied}:depth=2", other):
        terminal.json("match", "champion-1:depth=1", spec, *words)
        assert terminal.notes == ""


def test_games_by_the_clock_are_played_and_said_never_to_come_again(terminal, monkeypatch):
    def cpu_count(only_physical_cores):
        # As where the system does not tell: the user need not know.
        warnings.warn("Could not find the number of physical cores", stacklevel=1)
        sys.stderr.write("  File")
        return 2

    # Of as many as there are, half of them where the game has two threads.
    monkeypatch.setattr(joblib, "cpu_count", cpu_count)
    words = ("match", "random", "--games", 2, "--openings", 2)
    values = terminal.json(*words, "material:time=2")
    assert (values["wins"] + values["draws"] + values["losses"], values["repeatable"]) == (2, False)
    said = "neche: material:time=2 is not repeatable: the next run will play other games; {} at a time\n"
    assert terminal.notes.startswith(said.format(2))
    terminal.json(*words, "material:time=2", "--jobs", 1)
    assert terminal.notes.startswith(said.format(1))
    terminal.json(*words, "material:time=2,threads=2")
    assert terminal.notes.startswith(said.format(1).replace("time=2", "time=2,threads=2"))
    assert terminal.json(*words, "material:depth=1")["repeatable"] is True
    assert terminal.notes == ""


def test_games_of_thinkers_begin_there_too(terminal):
    words = ("match", "random", "mcrd:playouts=20", "--games", 2, "--game", "brazilian")
    assert terminal.json(*words, "--fen", "W:W21-32:B12", "W:W21:B1-12")["wins"] == 2


def test_written_games_begin_there_too(terminal, tmp_path):
    path = tmp_path / "games.pdn"
    start = "W:W21,22,23,K24:B1,2"
    values = terminal.json("match", "material:depth=2", "random", "--games", 2, "--fen", start, "--pdn", path)
    text = path.read_text()
    assert text.count(f'[FEN "{start}"]') == 2
    assert re.findall(r'\[White "(.*)"\]', text) == ["material:depth=2", "random"]
    results = re.findall(r'\[Result "(.*)"\]', text)
    wins = sum(result == ("0-1", "1-0")[side] for side, result in enumerate(results))
    assert wins == values["wins"]


def test_a_place_where_no_game_can_begin_is_named(terminal):
    words = ("match", "random", "random", "--games", 2, "--game", "brazilian", "--fen")
    assert "it is over" in terminal.fault(*words, "W:W:B1")
    assert "one position, or in 2" in terminal.fault(*words, LAB, LAB, LAB)
    assert "FEN" in terminal.fault(*words, "nonsense")


@pytest.mark.parametrize(
    "words", [["match", "random", "blind:depth=1", "--pdn"], ["ladder", "blind:depth=1", "--output"]]
)
def test_a_results_file_that_another_option_would_write_over_is_refused(words, terminal, tmp_path):
    kept = tmp_path / "kept.svg"
    kept.write_text("pairs\n")
    fault = terminal.fault(*words, tmp_path / "." / "kept.svg", "--results", kept, "--games", 2)
    assert "another option writes to this file" in fault
    assert kept.read_text() == "pairs\n"


def test_a_results_file_of_another_start_is_refused(terminal, tmp_path):
    words = (
        "match",
        "random",
        "random",
        "--games",
        2,
        "--game",
        "brazilian",
        "--results",
        tmp_path / "pairs.jsonl",
    )
    terminal.json(*words, "--fen", LAB)
    terminal.json(*words, "--fen", LAB)
    assert "pairs.jsonl" in terminal.fault(*words)
