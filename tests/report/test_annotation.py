"""Annotated games: judgements against plain minimax, and records that keep all they held."""

import io
import re

import pytest

from neche.compiled.streams import stream
from neche.games.catalogue import game
from neche.players.spec import parse_player
from neche.records.ggf import read_ggf, write_ggf
from neche.records.pdn.reader import read_pdn
from neche.records.pdn.writer import write_pdn
from neche.records.reading import stop
from neche.records.record import Line, last_position, record_of, replay
from neche.report.annotation import annotate
from tests.games.othello.test_exact import last_positions, score
from tests.oracles import othello_twin


def random_record(name, seed, start=None, plies=40):
    """Return a record of random moves from a position on."""
    rules, draw, texts = game(name), stream(seed, 0, "annotation test"), list[str]()
    position = rules.start() if start is None else start
    while len(texts) < plies and (moves := rules.legal_moves(position)):
        chosen = moves[draw.integers(len(moves))]
        texts.append(chosen.text)
        position = chosen.after
    return record_of(name, texts, fen="" if start is None else rules.format_fen(start), tags=[("Round", "1")])


def result(position, rules):
    """Return the points of the side to move under best play: 1, 0.5 or 0."""
    found = score(rules.format_fen(position))
    return 1.0 if found > 0 else 0.0 if found < 0 else 0.5


@pytest.mark.parametrize(("spec", "empty"), [("positional:depth=1,exact=8", 7), ("uct:playouts=20000", 5)])
def test_a_move_loses_what_minimax_says_it_loses(spec, empty):
    # UCT stops at the first win that it proves, when it has tried other moves hardly once
    rules, player = game("othello"), parse_player(spec, "othello")
    losses = []
    for seed, place in enumerate(last_positions(empty, 30)):
        record = random_record("othello", seed, rules.parse_fen(othello_twin.fen(place)))
        annotated, judgements = annotate(record, player)
        position, found = record.start, iter(judgements)
        for move, ply in zip(replay(record), annotated.line.plies, strict=True):
            if len(rules.legal_moves(position)) == 1:
                assert ply.remarks == ()
            else:
                best, own = result(position, rules), 1 - result(move.after, rules)
                judgement = next(found)
                assert judgement.side == rules.side_to_move(position)
                assert judgement.loss == best - own
                losses.append(best - own)
                assert ply.mark == judgement.mark == ("??" if best > own else "")
                comment = next(remark for remark in ply.remarks if isinstance(remark, str))
                winner = {1.0: judgement.side, 0.0: rules.side_to_move(move.after), 0.5: "even"}[own]
                assert comment.startswith(winner)
                lines = [remark for remark in ply.remarks if isinstance(remark, Line)]
                assert len(lines) == (best > own)
                for line in lines:
                    better = {one.text: one.after for one in rules.legal_moves(position)}[line.plies[0].move]
                    assert 1 - result(better, rules) == best
            position = move.after
        assert list(found) == []
    assert {0.0, 1.0} <= set(losses)


def is_lost(rules, position, plies):
    """Return whether the side to move loses within these plies whatever it does."""
    return all(
        plies > 0 and any(is_lost(rules, own.after, plies - 2) for own in rules.legal_moves(answer.after))
        for answer in rules.legal_moves(position)
    )


def annotated_from(fen, moves, spec):
    record = record_of("checkers", moves.split(), fen=fen)
    annotated, judgements = annotate(record, parse_player(spec, "checkers"))
    return record, [ply.remarks for ply in annotated.line.plies], judgements


@pytest.mark.parametrize(
    ("fen", "moves"),
    [("W:WK10,K14:B1", "10-7 1-5 7-2"), ("W:WK10,K14:B1", "14-17"), ("W:WK9,K10:B6", "10x1")],
)
def test_a_win_is_as_far_as_minimax_says_after_the_move(fen, moves):
    record, remarks, _ = annotated_from(fen, moves, "material:depth=8")
    rules, last = game("checkers"), last_position(record)
    plies = next(plies for plies in range(0, 9, 2) if is_lost(rules, last, plies))
    assert remarks[-1][0] == (f"White wins in {plies}" if plies else "White wins")


@pytest.mark.parametrize("spec", ["uct:playouts=100", "mcrd:playouts=100"])
def test_a_win_that_playouts_had_not_tried_loses_nothing(spec):
    # each of two captures wins at once; UCT stops at the first that it tries, MCRD plays no game at all
    _, left, of_left = annotated_from("W:WK9,K10:B6", "10x1", spec)
    _, right, of_right = annotated_from("W:WK9,K10:B6", "9x2", spec)
    for remarks, judgements in ((left, of_left), (right, of_right)):
        assert [one.loss for one in judgements] == [0.0]
        assert remarks[0] == ("White 100 %",)


@pytest.mark.parametrize("name", ["checkers", "brazilian", "international"])
def test_an_annotated_game_reads_back_and_keeps_its_moves(name):
    marks = set()
    for seed in range(3):
        record = random_record(name, seed)
        annotated, judgements = annotate(record, parse_player("material:depth=2", name))
        assert (annotated.moves, annotated.fen, annotated.result) == (record.moves, "", "*")
        assert annotated.tags == record.tags
        (again,) = read_pdn(io.BytesIO(write_pdn(annotated).encode()), "written", "", stop)
        assert again.line == annotated.line
        text = " ".join(write_pdn(annotated).split())
        better = re.findall(r"better (\S+), [^}]*} \([0-9]+\.+ ([^\s)]+)", text)
        assert [named for named, _ in better] == [begin for _, begin in better]
        assert len(better) == sum(bool(one.mark) for one in judgements)
        marks |= {one.mark for one in judgements}
    # random moves give men away
    assert "??" in marks


def test_the_words_survive_a_format_without_marks():
    annotated, judgements = annotate(
        random_record("othello", 1), parse_player("positional:depth=2", "othello")
    )
    (again,) = read_ggf(io.BytesIO(write_ggf(annotated).encode()), "written", "othello", stop)
    said = [str(remark) for ply in again.line.plies for remark in ply.remarks]
    assert len(said) == len(judgements)
    assert sum("; better " in words for words in said) == sum(bool(one.mark) for one in judgements) > 0


def test_what_a_record_holds_stays():
    written = "{opening} 1. 11-15! {first} (9-14 22-18) 22-18 $2 2. 15x22 25x18 3. 8-11?! 18-14 4. 9x18 *\n"
    (record,) = read_pdn(io.BytesIO(written.encode()), "written", "checkers", stop)
    annotated, _ = annotate(record, parse_player("material:depth=4", "checkers"))
    assert annotated.line.remarks == ("opening",)
    for old, new in zip(record.line.plies, annotated.line.plies, strict=True):
        assert new.remarks[: len(old.remarks)] == old.remarks
        assert new.mark == old.mark or not old.mark
    assert annotated.line.plies[0].mark == "!"


@pytest.mark.parametrize(("given", "mark"), [("", "??"), ("?!", "?!"), ("$6", ""), ("$3", ""), ("$10", "??")])
def test_a_move_gets_a_mark_unless_a_mark_or_glyph_says_how_good_it_is(given, mark):
    # 18x9 answers, and no piece can take back; 9-13 was safe
    written = f'[FEN "B:B1,9:W18,32"]\n1. 9-14 {given} *\n'
    (record,) = read_pdn(io.BytesIO(written.encode()), "written", "checkers", stop)
    annotated, judgements = annotate(record, parse_player("material:depth=4", "checkers"))
    assert (annotated.line.plies[-1].mark, judgements[-1].mark) == (mark, "??")


def test_the_same_key_gives_the_same_annotations():
    record, player = random_record("checkers", 5, plies=10), parse_player("uct:playouts=50", "checkers")
    assert annotate(record, player, key=3) == annotate(record, player, key=3)
    assert annotate(record, player, key=3) != annotate(record, player, key=4)
