"""`neche annotate`: what it writes, what it reports, faults, and files that are left alone."""

import pytest

from neche.cli import annotate
from neche.cli.main import main
from neche.records.formats import read_file
from neche.report.annotation import annotate as annotate_game
from tests.cli.test_convert import PDN

GAMES = PDN + '\n[Black "Ann"]\n[White "Bob"]\n1. 11-15 23-18 2. 8-11 18-14 3. 9x18 *\n'
QUICK = ("--player", "material:depth=4")


@pytest.fixture
def source(tmp_path):
    (tmp_path / "games.pdn").write_text(GAMES)
    return tmp_path / "games.pdn"


def test_a_file_is_annotated(terminal, source, tmp_path):
    values = terminal.json("annotate", source, tmp_path / "new.pdn", *QUICK)
    people = {one.pop("name"): one for one in values.pop("people")}
    assert values == {
        "player": "material:depth=4",
        "games": 2,
        "moves": 8,
        "skipped": 0,
        "left_out": {},
        "to": "pdn",
    }
    assert list(people) == ["Black", "a", "Ann", "Bob"]
    assert people["Ann"]["moves"] + people["Bob"]["moves"] <= 5
    for one in people.values():
        assert 0 <= one["mean_loss"] <= 1
        assert list(one["marks"]) == ["??", "?", "?!"]
    first, second = read_file(tmp_path / "new.pdn")
    assert first.moves == ("11-15", "23-19", "8-11")
    assert first.line.plies[1].remarks[0] == "good"
    assert second.moves[-1] == "9x18"


def test_a_table_says_how_well_each_person_played(terminal, source, tmp_path):
    text = terminal.text("annotate", source, tmp_path / "new.pdn", *QUICK)
    head, _, heading, *rows = text.splitlines()
    assert head == "2 games, 8 moves written as pdn"
    assert heading.split() == ["player", "moves", "mean", "loss", "??", "?", "?!"]
    assert [row.split()[0] for row in rows] == ["Black", "a", "Ann", "Bob"]


def test_columns_stay_below_one_another_beside_wide_letters(terminal, source, tmp_path):
    source.write_text(GAMES.replace("Ann", "山田太郎"))
    _, _, heading, *rows = terminal.text("annotate", source, tmp_path / "new.pdn", *QUICK).splitlines()
    (wide,) = (row for row in rows if row.startswith("山田太郎"))
    # each of these letters takes two cells of a terminal
    assert len(wide) + 4 == len(heading) == len(rows[-1])


def test_a_person_without_a_name_is_called_by_the_side(terminal, source, tmp_path):
    source.write_text('[Black "  ? "]\n[White "   "]\n1. 11-15 23-18 *\n')
    values = terminal.json("annotate", source, tmp_path / "new.pdn", *QUICK)
    assert [one["name"] for one in values["people"]] == ["Black", "White"]


def test_standard_output_gets_one_game_if_it_is_named(terminal, source):
    text = terminal.text("annotate", source, "-", "--number", 2, *QUICK)
    assert text.count("[Event ") == 1
    assert '[Black "Ann"]' in text
    assert "1 game, 5 moves written as pdn" in terminal.notes


def test_one_game_gets_the_opinions_that_it_gets_in_the_whole_file(terminal, source, tmp_path):
    player = ("--player", "uct:playouts=50")
    terminal.text("annotate", source, tmp_path / "all.pdn", *player)
    terminal.text("annotate", source, tmp_path / "one.pdn", "--number", 2, *player)
    assert [*read_file(tmp_path / "one.pdn")] == [*read_file(tmp_path / "all.pdn")][1:]


def test_games_that_cannot_be_read_are_left_out_only_if_asked(terminal, source, tmp_path):
    source.write_text(GAMES + "\n1. 11-99 *\n")
    assert "99 is no square" in terminal.fault("annotate", source, tmp_path / "new.pdn", *QUICK)
    assert not (tmp_path / "new.pdn").exists()
    values = terminal.json("annotate", source, tmp_path / "new.pdn", "--skip", *QUICK)
    assert (values["games"], values["skipped"]) == (2, 1)
    assert terminal.notes.count("skipped: ") == 1


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("new.pdn", "--player", "random"), "player random does not evaluate"),
        (("new.pdn", "--number", "3"), "the file has no game 3"),
        (("new.ggf", *QUICK), "games of checkers cannot be written as ggf"),
        (("new.wtb", *QUICK), "wthor is only read here, not written"),
        (("new.doc", *QUICK), "the extension names no format"),
        (("-", "--json", *QUICK), "both want standard output"),
        (("new.pdn", "--player", "othello-4"), "othello-4"),
        (("new.pdn", "--game", "othello"), "PDN does not support othello"),
    ],
)
def test_bad_use_is_told_before_anything_is_analysed(terminal, source, monkeypatch, words, fault):
    monkeypatch.chdir(source.parent)
    monkeypatch.setattr(annotate, "annotate", None)
    monkeypatch.setattr(annotate, "prepare_player", None)
    assert fault in terminal.fault("annotate", source, *words)
    assert [path.name for path in source.parent.iterdir()] == ["games.pdn"]


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_parallel_workers_write_the_same_file(terminal, source, tmp_path, backend):
    player = ("--player", "uct:playouts=50", "--seed", "7")
    for jobs in (1, 2):
        terminal.text(
            "annotate", source, tmp_path / f"{jobs}.pdn", "--jobs", jobs, "--backend", backend, *player
        )
    assert (tmp_path / "1.pdn").read_bytes() == (tmp_path / "2.pdn").read_bytes()


@pytest.mark.parametrize("is_new", [True, False])
def test_an_interrupt_keeps_the_games_that_are_complete(source, tmp_path, monkeypatch, capsys, is_new):
    target = tmp_path / "new.pdn"
    if not is_new:
        target.write_text("old")

    def interrupted(record, *arguments, **options):
        if record.tag("Black") == "Ann":
            raise KeyboardInterrupt
        return annotate_game(record, *arguments, **options)

    monkeypatch.setattr(annotate, "annotate", interrupted)
    assert main(["annotate", str(source), str(target), "--jobs", "1", *QUICK]) == 130
    said = capsys.readouterr().err
    if is_new:
        assert f"neche: interrupted: {target} holds the first 1 game" in said
        assert [record.moves[0] for record in read_file(target)] == ["11-15"]
    else:
        assert target.read_text() == "old"


def test_the_usual_player_is_the_newest_champion(terminal, source, tmp_path, ship):
    assert terminal.json("annotate", source, tmp_path / "new.pdn")["player"] == "network:file=wide-1,depth=8"
