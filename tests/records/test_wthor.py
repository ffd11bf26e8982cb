"""WTHOR databases, made here byte by byte from the description of the format."""

import io

import pytest

from neche.errors import InputError
from neche.records.formats import read_file
from neche.records.record import DRAWN, UNKNOWN
from neche.records.wthor import read_wthor
from tests.records.reading import ggf_games
from tests.records.test_ggf import SERVER_GAME


def header(games=0, names=0, year=2003, size=8, problems=0, depth=24):
    """Return the first 16 bytes of a file made on 15 December 2003."""
    numbers = games.to_bytes(4, "little") + names.to_bytes(2, "little") + year.to_bytes(2, "little")
    return bytes([20, 3, 12, 15]) + numbers + bytes([size, problems, depth, 0])


def stored(moves, discs=32, best=33, ids=(1, 0, 2)):
    """Return the 68 bytes of a game."""
    squares = bytes(10 * int(move[1]) + "abcdefgh".index(move[0]) + 1 for move in moves)
    head = b"".join(number.to_bytes(2, "little") for number in ids)
    return head + bytes([discs, best]) + squares.ljust(60, b"\0")


MOVES = ggf_games(SERVER_GAME)[0].moves
DATABASE = header(2) + stored([move for move in MOVES if move != "pass"]) + stored(["f5", "d6"], discs=0)


def read(content, **options):
    return list(read_wthor(io.BytesIO(content), "test.wtb", **options))


def stored_names(size, *names):
    return header(names=len(names)) + b"".join(name.encode("latin-1").ljust(size, b"\0") for name in names)


def test_games_with_their_names_passes_put_in(tmp_path):
    (tmp_path / "WTH_2003.wtb").write_bytes(DATABASE)
    (tmp_path / "WTHOR.JOU").write_bytes(stored_names(20, "Andriani", "Tastet", "Feldborg"))
    (tmp_path / "WTHOR.TRN").write_bytes(stored_names(26, "Paris", "Roma"))
    first, second = read_file(tmp_path / "WTH_2003.wtb")
    assert first.moves == MOVES
    assert (first.tag("Event"), first.tag("Black"), first.tag("White")) == ("Roma", "Andriani", "Feldborg")
    assert (first.tag("Date"), first.tag("Score"), first.result) == ("2003.??.??", "+0", DRAWN)
    assert first.line.remarks == ("best play from 24 empty squares on: 33 discs for Black",)
    assert (second.moves, second.tag("Score")) == (("f5", "d6"), "-64")


def test_names_are_found_beside_the_database(tmp_path):
    (tmp_path / "WTH_2003.wtb").write_bytes(DATABASE)
    (tmp_path / "WTHOR.JOU").write_bytes(stored_names(20, "Andriani", "x", "Müller"))
    (tmp_path / "WTHOR.TRN").write_bytes(stored_names(26, "Paris"))
    # Of two files with one ending, the first by name counts.
    (tmp_path / "old.trn").write_bytes(stored_names(26, "Rome", "Lyon"))
    first, _ = read_file(tmp_path / "WTH_2003.wtb")
    assert (first.tag("Black"), first.tag("White"), first.tag("Event")) == ("Andriani", "Müller", "no. 1")
    (tmp_path / "WTHOR.JOU").write_bytes(header(names=3) + b"cut")
    with pytest.raises(InputError, match="do not hold the 3 names"):
        list(read_file(tmp_path / "WTH_2003.wtb"))


def test_a_game_without_moves_has_no_result():
    assert [record.result for record in read(header(1) + stored([]))] == [UNKNOWN]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "0 bytes are no WTHOR file"),
        (b"not a database at all", "does not begin as a WTHOR file"),
        (DATABASE[:-1], "ends within game 2 of 2"),
        (DATABASE + b"x", "goes on after the 2 games"),
        (header(1, size=10) + stored([]), "board of 10 columns"),
        (header(1, problems=1) + stored([]), "problems (solitaires), not games"),
        (header(1) + stored(["f5", "a1"]), "test.wtb, game 1, move 2: a1 is not a legal move"),
        (header(1) + stored([])[:8] + bytes([99]) * 60, "move 1: 99 is no square"),
        (header(1) + stored(["f5"], discs=65), "65 discs on a board of 64 squares"),
    ],
)
def test_what_cannot_be_read_is_named_in_one_line(content, fault):
    with pytest.raises(InputError) as caught:
        read(content)
    assert fault in str(caught.value)


def test_a_game_that_cannot_be_read_need_not_stop_the_others():
    faults: list[InputError] = []
    records = read(header(2) + stored(["a1"]) + stored(["f5"]), on_fault=faults.append)
    assert [record.moves for record in records] == [("f5",)]
    assert len(faults) == 1
