"""Finding formats, files written completely or not at all, and games from outside the package."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from neche.cli.main import main
from neche.errors import InputError
from neche.games.catalogue import game
from neche.records.formats import (
    FORMATS,
    convert,
    format_for,
    format_named,
    format_of,
    read_file,
    write_games,
)
from neche.records.ggf import write_ggf
from neche.records.record import GameRecord, Line, Ply, record_of
from tests.special_files import link_to_an_old_file, written_into_a_pipe

PDN, GGF, TRANSCRIPT, WTHOR = FORMATS


def test_formats_are_found_by_name_ending_and_game(tmp_path):
    assert format_named("ggf") is GGF
    assert format_of(tmp_path / "X.PDN") is PDN
    assert [format_for(game(name)).name for name in ("checkers", "international", "othello")] == [
        "pdn",
        "pdn",
        "ggf",
    ]
    with pytest.raises(InputError, match="names no format"):
        format_of(tmp_path / "x.pgn")


def test_a_game_without_a_notation_has_no_format():
    toy = replace(game("checkers"), name="toy", pdn=None)
    with pytest.raises(InputError, match="no file format is known for games of toy"):
        format_for(toy)


def test_a_file_is_replaced_only_when_all_its_games_are_written(tmp_path):
    path = tmp_path / "games.pdn"
    assert write_games(path, [record_of("checkers", ["11-15"])] * 2, PDN) == 2
    before = path.read_bytes()

    def records():
        yield record_of("checkers", ["11-16"])
        raise InputError("no more")

    with pytest.raises(InputError, match="no more"):
        write_games(path, records(), PDN)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_takes_the_place_of_a_pipe_or_a_link(tmp_path):
    records, pipes = [record_of("checkers", ["11-15"])], tmp_path / "pipes"
    pipes.mkdir()
    assert b"1. 11-15" in written_into_a_pipe(pipes, lambda pipe: write_games(pipe, records, PDN))
    link, file = link_to_an_old_file(tmp_path)
    write_games(link, records, PDN)
    assert link.is_symlink()
    assert b"1. 11-15" in file.read_bytes()


def test_a_format_that_is_only_read_is_not_written(tmp_path):
    with pytest.raises(InputError, match="only read here"):
        write_games(tmp_path / "games.wtb", [], WTHOR)
    with pytest.raises(InputError, match="only read here"):
        convert("a.pdn", "b.wtb", (PDN, WTHOR))


def test_progress_is_reported_in_bytes(tmp_path):
    source = tmp_path / "games.txt"
    source.write_text("f5d6\n" * 200)
    heard: list[tuple[int, int]] = []
    tally = convert(
        str(source),
        str(tmp_path / "games.ggf"),
        (TRANSCRIPT, GGF),
        notify=lambda done, total: heard.append((done, total)),
    )
    assert (tally.games, tally.moves) == (200, 400)
    assert [total for _, total in heard] == [1000] * 4


def test_what_a_format_has_no_room_for_is_counted():
    ply = Ply("d3", "!", "0.5", "1", ("good", 3, Line((Ply("c4"),))))
    record = replace(record_of("othello", [], tags=[("Black", "a"), ("Opening", "b")]), line=Line((ply,)))
    nothing = {"comments": 0, "glyphs": 0, "marks": 0, "variations": 0, "values": 0, "tags": 0}
    assert {**nothing, **PDN.left_out(record)} == {**nothing, "values": 1}
    assert {**nothing, **GGF.left_out(record)} == {
        **nothing,
        "glyphs": 1,
        "marks": 1,
        "variations": 1,
        "tags": 1,
    }
    assert TRANSCRIPT.left_out(record)["tags"] == 2


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.pdn: cannot be read: No such file"):
        list(read_file(tmp_path / "none.pdn"))


@pytest.mark.parametrize("target", [".", ""])
def test_a_directory_is_no_file_to_write(target, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="cannot be written"):
        write_games(Path(target), [record_of("checkers", ["11-15"])], format_named("pdn"))
    assert not list(tmp_path.iterdir())


def test_a_game_of_others_is_read_where_it_is_named(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(
        "from dataclasses import replace\n"
        "from neche.games.catalogue import game\n"
        'OLD = game("checkers")\n'
        'GAME = replace(OLD, name="mine", pdn=replace(OLD.pdn, game_type=99))\n'
    )
    monkeypatch.setenv("NECHE_GAMES", str(tmp_path / "mine.py"))
    path = tmp_path / "games.pdn"
    write_games(path, [record_of("mine", ["11-15"])], PDN)
    assert '[GameType "99,B,8,8,N1,0"]' in path.read_text()
    with pytest.raises(InputError, match="none of the games known here"):
        list(read_file(path))
    (record,) = read_file(path, default_game="mine")
    assert (record.game, record.moves) == ("mine", ("11-15",))


def test_a_game_of_others_is_read_from_ggf_where_it_is_named(tmp_path, monkeypatch):
    (tmp_path / "discs.py").write_text(
        "from dataclasses import replace\n"
        "from neche.games.catalogue import game\n"
        'OLD = game("othello")\n'
        'GAME = replace(OLD, name="discs", ggf=replace(OLD.ggf, game="Discs"))\n'
    )
    monkeypatch.setenv("NECHE_GAMES", str(tmp_path / "discs.py"))
    path = tmp_path / "games.ggf"
    write_games(path, [record_of("discs", ["f5", "d6"])], format_named("ggf"))
    assert "GM[Discs]" in path.read_text()
    with pytest.raises(InputError, match=r"GM\[Discs\] is none of the games known here"):
        list(read_file(path))
    (record,) = read_file(path, default_game="discs")
    assert (record.game, record.moves) == ("discs", ("f5", "d6"))
    target = tmp_path / "again.ggf"
    assert main(["convert", str(path), str(target), "--game", "discs"]) == 0
    assert target.read_text() == path.read_text()


def test_a_position_that_ggf_cannot_write_is_refused():
    rules = replace(game("othello"), format_fen=lambda position: ",".join(map(str, position)))
    with patch.object(GameRecord, "rules", rules), pytest.raises(InputError, match="board of 8×8 squares"):
        write_ggf(record_of("othello", ["f5"]))
