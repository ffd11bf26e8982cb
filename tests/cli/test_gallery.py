from neche.games.catalogue import GAMES
from neche.players.source import shipped_champions
from tests.report.runs import made_run


def test_a_page_of_shipped_and_own_champions_is_written(terminal, tmp_path):
    run = made_run(tmp_path / "mine")
    values = terminal.json("gallery", run, "--output", tmp_path / "all.html")
    names = [one["name"] for one in values["champions"]]
    assert names[0] == "mine"
    assert sorted(names[1:]) == sorted(name for game in GAMES for name in shipped_champions(game))
    assert (tmp_path / "all.html").read_text().startswith("<!DOCTYPE html>")


def test_wrong_runs_and_places_are_refused_before_any_work(terminal, tmp_path):
    assert "no such run directory" in terminal.fault("gallery", tmp_path / "none")
    assert "its name must end in .html" in terminal.fault("gallery", "--output", tmp_path / "all.txt")
    assert list(tmp_path.iterdir()) == []
