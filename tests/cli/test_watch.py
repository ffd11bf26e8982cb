"""`neche watch`: the state of a run, on a terminal and elsewhere, while it grows."""

import argparse
import dataclasses
import json
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import msgspec
import pytest
from rich.console import Console
from rich.text import Text

from neche.archive.reading import read_config, read_generation, read_history
from neche.archive.run import RunDirectory
from neche.cli import watch
from neche.cli.watch import draw_state, read_state
from neche.errors import InputError
from neche.evolution.recipes import load_recipe
from neche.games import catalogue


def test_what_it_says_is_what_the_history_holds(terminal, run):
    values = terminal.json("watch", run)
    last = read_history(run).lines[-1]
    assert (values["generation"], values["champion_id"], values["depth"]) == (3, last["champion_id"], 1)
    assert values["ladder"] == last["ladder"]
    assert values["game"] == "checkers"
    assert set(values["worth"]) <= {f"{column}{row}" for column in "ABCDEFGH" for row in range(1, 9)}


def test_the_champion_that_is_named_is_the_one_whose_men_are_valued(terminal, run, tmp_path):
    shutil.copytree(run, tmp_path / "run")
    newest = read_generation(run, 3)
    other = newest.members[-1]
    assert other.id != newest.record["champion_id"]
    with RunDirectory.open(tmp_path / "run") as opened:
        opened.crown(other, generation=3, scores={})
    # what the history says of it is of who led; the final play-off may crown another
    crowned = terminal.json("watch", tmp_path / "run")
    assert crowned["champion_id"] == other.id
    assert crowned["worth"] != terminal.json("watch", run)["worth"]


def test_the_last_scores_of_a_finished_run_are_those_of_the_champion_that_is_named(terminal, run, tmp_path):
    shutil.copytree(run, tmp_path / "run")
    newest = read_generation(run, 3)
    scores = {player: 0.25 if score else 0.75 for player, score in newest.record["ladder"].items()}
    with RunDirectory.open(tmp_path / "run") as opened:
        opened.crown(newest.members[-1], generation=3, scores=scores)
    values = terminal.json("watch", tmp_path / "run")
    assert (values["champion_id"], values["ladder"]) == (newest.members[-1].id, scores)
    # the curves of the history are as they were, with one score more
    curves, before = read_state(tmp_path / "run").ladder, read_state(run).ladder
    assert curves == {player: [*passed, scores[player]] for player, passed in before.items()}
    assert [len(passed) for passed in before.values()] == [4] * len(scores)


def test_a_damaged_last_line_is_said(terminal, run, tmp_path):
    shutil.copytree(run, tmp_path / "run")
    history = tmp_path / "run" / "history.jsonl"
    history.write_bytes(history.read_bytes().replace(b'"generation": 3', b'"generation": 9'))
    assert terminal.json("watch", tmp_path / "run")["generation"] == 2
    assert terminal.notes == f"neche: {history}: line 4 is damaged\n"


def test_the_view_fits_narrow_and_wide_terminals(run):
    state = read_state(run)
    for width in (80, 134, 200):
        console = Console(width=width, record=True, file=None, force_terminal=True)
        with console.capture() as captured:
            console.print(draw_state(state, width))
        lines = [Text.from_ansi(line).plain for line in captured.get().splitlines()]
        assert any("generation" in line for line in lines)
        assert sum("blind:depth=4" in line for line in lines) == 1
        assert max(map(len, lines)) <= width


@pytest.mark.parametrize("name", ["old [best]", "a[/b]"])
def test_a_player_with_brackets_in_its_name_is_written_as_it_is(run, name):
    line = {"generation": 1, "depth": 4, "ladder": {f"network:file={name}/c.fasta,depth=4": 0.5}}
    assert f"{name}/c.fasta" in watch._text(read_state(run)._replace(lines=(line,)))


@pytest.mark.parametrize(
    ("best", "drawn"),
    [
        ([-4.0, -2.0, 0.0], "0 ▁▅█"),
        ([1500.0, 1501, 1500], "1500 ▁█▁"),
        ([2.0, 2.0], "2 ▁▁"),
        ([-sys.float_info.max, sys.float_info.max], "1.798e+308 ▁█"),
    ],
)
def test_a_fitness_is_drawn_from_its_lowest_to_its_highest(run, best, drawn):
    figures = ({"fitness": {"best": value, "mean": value}} for value in best)
    lines = tuple({"generation": at, "depth": 1, **one} for at, one in enumerate(figures))
    state = read_state(run)._replace(lines=lines)
    newest = drawn.split()[0]
    assert f"  fitness {newest}, mean {newest}" in watch._line(state)
    shown = watch._text(state).splitlines()
    assert sum(line.startswith("fitness") and drawn.split() == line.split()[1:3] for line in shown) == 1


def test_a_board_too_wide_for_the_terminal_is_left_out_and_said(run):
    state = read_state(run)
    for width, is_drawn in ((40, False), (46, False), (47, True)):
        console = Console(width=width)
        with console.capture() as captured:
            console.print(draw_state(state, width))
        assert ("1.00 is the mean" in captured.get()) == is_drawn
        assert ("a man's value by square needs 47 columns" in captured.get()) != is_drawn


@pytest.mark.parametrize("width", [80, 100, 200])
@pytest.mark.parametrize("game", ["checkers", "international", "othello"])
def test_the_view_fits_a_terminal_of_24_lines(game, width):
    rules = catalogue.game(game)
    layout = rules.sensors
    assert layout is not None
    names = ("prediction_error", "live_synapses", "squares_seen", "hidden_neurons", "wired_distance")
    figures = dict.fromkeys((*names, "evaluation_distance"), 1.5)
    ladder = {"material:depth=4": 0.5, "network:file=champion-1,depth=4": 0.25}
    line = {"generation": 9, "depth": 2, "ladder": ladder, "warnings": ["a: b"], **figures}
    worth = dict.fromkeys(layout.squares, 1.0)
    state = watch.RunState(Path("run"), rules, 9, (line,) * 30, "g9-0001", worth, {})
    console = Console(width=width, height=24, force_terminal=True)
    with console.capture() as captured:
        console.print(draw_state(state, width, 24))
    lines = [Text.from_ansi(line).plain for line in captured.get().splitlines()]
    assert len(lines) < 24
    assert sum("1.00" in line for line in lines) >= 8
    for words in ("material:depth=4", "champion-1:depth=4", "warning: a: b"):
        assert sum(words in line for line in lines) == 1


@pytest.mark.parametrize(("game", "piece"), [("checkers", "man"), ("othello", "disc")])
def test_worth_by_square_is_of_the_pieces_of_the_game_in_shares_of_its_mean_size(game, piece):
    rules = catalogue.game(game)
    assert rules.sensors is not None
    squares = rules.sensors.squares
    # of some squares a player wants none: the mean is 0.75, that of the sizes 1
    worth = {square: 7 / 6 if at % 4 else -0.5 for at, square in enumerate(squares)}
    state = watch.RunState(Path("run"), rules, 9, (), "g9-0001", worth, {})
    console = Console(width=200, force_terminal=False)
    with console.capture() as captured:
        console.print(draw_state(state, 200))
    words = captured.get()
    assert f"a {piece}'s value to the champion; 1.00 is the mean size" in words
    assert words.count("1.17") == 3 * words.count("-0.50") == 3 * len(squares) // 4


def test_values_of_squares_side_by_side_keep_apart():
    rules = catalogue.game("othello")
    assert rules.sensors is not None
    worth = {square: 1.0 if at % 3 else -1.0 for at, square in enumerate(rules.sensors.squares)}
    rows = watch._text(watch.RunState(Path("run"), rules, 9, (), "g9-0001", worth, {})).split()
    assert (rows.count("-1.00"), rows.count("1.00")) == (22, 43)  # and the mean in the words above


def test_many_synapses_and_next_to_nothing_are_written_as_people_do(run):
    state = read_state(run)
    worth = {square: 1.0 if at else -0.001 for at, square in enumerate(state.worth)}
    wide = state.lines[-1] | {"live_synapses": 335427.6}
    text = watch._text(state._replace(lines=(*state.lines[:-1], wide), worth=worth))
    assert "live synapses 335,428 " in " ".join(text.split())
    assert " 0.00 " in text
    assert "-0.00" not in text


def test_a_run_that_went_on_beyond_its_settings_is_not_more_than_whole(run, monkeypatch):
    config = read_config(run)
    shorter = msgspec.structs.replace(config.settings.run, generations=2)
    settings = msgspec.structs.replace(config.settings, run=shorter)
    monkeypatch.setattr(watch, "read_config", lambda path: config._replace(settings=settings))
    state = read_state(run)
    assert (state.target, watch._values(state)["generations"]) == (3, 3)
    assert "generation 3/3 " in watch._line(state)


def test_once_shows_curves_and_squares(terminal, run):
    text = terminal.text("watch", run, "--once")
    assert "live synapses" in text
    assert "1.00 is the mean" in text


def test_without_a_terminal_every_new_generation_is_a_line(tmp_path):
    path = tmp_path / "run"
    settings = ["population=6", "genes=40", "champion_candidates=0", "final_candidates=0", "ladder_games=2"]
    words = [word for text in settings for word in ("--set", text)]
    begin = ("evolve", "--recipe", "tournament", "--run", str(path))
    evolve = [sys.executable, "-m", "neche", *begin, *words]
    subprocess.run([*evolve, "--generations", "1"], check=True, capture_output=True)
    words = [sys.executable, "-m", "neche", "watch", str(path), "--every", "0.1"]
    lines: list[str] = []
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as watch:
        assert watch.stdout is not None
        stream = watch.stdout
        reader = threading.Thread(target=lambda: lines.extend(stream), daemon=True)
        reader.start()
        deadline = time.monotonic() + 120
        while not lines and time.monotonic() < deadline:
            time.sleep(0.05)
        resume = ["evolve", "--resume", "--run", str(path), "--generations", "3"]
        subprocess.run([sys.executable, "-m", "neche", *resume], check=True, capture_output=True)
        while not any("generation 3/" in line for line in lines) and time.monotonic() < deadline:
            time.sleep(0.05)
        watch.terminate()
        reader.join(30)
    numbers = [int(line.split()[1].split("/")[0]) for line in lines]
    assert numbers[0] == 1
    assert numbers[-1] == 3
    assert numbers == sorted(set(numbers))


def test_a_generation_whose_champion_is_crowned_between_two_looks_is_one_line(run, monkeypatch, capsys):
    state = read_state(run)
    looks = [state._replace(champion="g3-0001"), state, state._replace(lines=state.lines[:2])]
    monkeypatch.setattr(watch, "_states", lambda *_: iter(looks))
    watch._follow(run, argparse.Namespace())
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()] == [
        ["generation", f"3/{state.target}"],
        ["generation", f"1/{state.target}"],
    ]


@pytest.mark.parametrize("once", ["--once", "--json"])
def test_a_time_between_readings_where_there_is_one_alone_is_told(terminal, run, once):
    text = terminal.text("watch", run, once)
    assert terminal.notes == ""
    assert terminal.text("watch", run, "--every", "2", once) == text
    assert terminal.notes == f"neche: --every changes nothing with {once}\n"


def test_bad_use_is_one_line(terminal, tmp_path):
    assert "no-such-run" in terminal.fault("watch", tmp_path / "no-such-run", "--once")
    assert "seconds from 0.05 to 3600" in terminal.fault("watch", tmp_path, "--every", "0")


def test_a_run_that_has_only_begun_has_no_champion(terminal, tmp_path):
    RunDirectory.create(tmp_path / "new", load_recipe("tournament-quick"), 1).close()
    values = terminal.json("watch", tmp_path / "new")
    assert (values["generation"], values["champion_id"], values["worth"]) == (None, None, {})
    assert json.dumps(values)


def test_members_from_elsewhere_that_have_not_played_yet_have_no_champion(terminal, run, tmp_path):
    import neche

    neche.evolve(run=tmp_path / "run", origin=str(run)).close()
    values = terminal.json("watch", tmp_path / "run")
    assert (values["generation"], values["champion_id"], values["worth"]) == (0, None, {})
    shown = terminal.text("watch", tmp_path / "run", "--once").splitlines()
    assert [line.split() for line in shown[1:3]] == [["generation", "0/300", "depth", "1"], ["champion", "…"]]


def test_a_file_that_vanishes_while_it_is_read_does_not_end_it(run, monkeypatch):
    answers = [read_state(run)._replace(target=9), InputError("gone"), read_state(run)._replace(target=3)]
    sizes = iter([1, 2, 3, 4])

    def read(path, seed):
        answer = answers.pop(0)
        if isinstance(answer, InputError):
            raise answer
        return answer

    monkeypatch.setattr(watch, "read_state", read)
    monkeypatch.setattr(watch, "file_size", lambda path: next(sizes))
    options = argparse.Namespace(seed=0, every=0.0)
    assert len(list(watch._states(run, options))) == 2


def test_damage_at_the_first_reading_is_reported_at_once(run, monkeypatch):
    def read(path, seed):
        raise InputError("damaged")

    monkeypatch.setattr(watch, "read_state", read)
    with pytest.raises(InputError, match="damaged"):
        list(watch._states(run, argparse.Namespace(seed=0, every=0.0)))


def test_whose_the_scores_are_is_told_if_another_leads_since(terminal, run, tmp_path):
    path = tmp_path / "run"
    shutil.copytree(run, path)
    (path / "champion.fasta").unlink()
    leader = read_history(path).lines[-1]["champion_id"]
    values = terminal.json("watch", path)
    assert (values["champion_id"], values["measured_id"]) == (leader, leader)
    assert "scores of" not in terminal.text("watch", path, "--once") + watch._line(read_state(path))
    with RunDirectory.open(path) as opened:
        last = opened.last
        assert last is not None
        champion = last.members[1].id
        record = {key: value for key, value in last.record.items() if key != "ladder"}
        record |= {"generation": 4, "champion_id": champion}
        opened.save(dataclasses.replace(last, number=4, record=record))
    values = terminal.json("watch", path)
    assert (values["champion_id"], values["measured_id"]) == (champion, leader)
    text = terminal.text("watch", path, "--once")
    rows = [line.split()[:2] for line in text.splitlines()]
    assert [["champion", champion], ["scores", "of"]] == rows[2:4]
    assert f" {leader} " in text.splitlines()[3]
    assert f"  {champion}  scores of {leader}:  blind" in watch._line(read_state(path))
    (row,) = terminal.json("compare", path)["runs"]
    assert (row["champion"], row["measured"]) == (champion, leader)
