"""A recorded game with a player's opinion of each move: its value, and what was better.

Both values come from the same analysis, of the position before the move, so they were searched equally deep;
where playouts ended early with a proof, that of the move comes from an analysis of the position after it.
A move is judged by what it loses: the expected score of the best move minus its own.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from neche.compiled.streams import stream_key
from neche.games.game import Game
from neche.players.engine import Analysis, Engine, MoveAnalysis, Player, plies_to_end
from neche.records.pdn.writer import write_move
from neche.records.record import GameRecord, Line, Ply, Remark, replay
from neche.report.value_words import man_worth, words_ahead

MARKS = {"??": 0.15, "?": 0.10, "?!": 0.05}
"""The least loss of expected score for each mark, the worst first; the limits are those of Lichess."""
_MARKS_AS_GLYPHS = range(1, 7)  # $1 to $6 stand for ! ? !! ?? !? ?!


@dataclass(frozen=True)
class Judgement:
    """What a player thinks of a move that was not the only legal one.

    side: name of the side that made it. loss: of expected score, 0 … 1. mark: of `MARKS`, empty for none.
    """

    side: str
    loss: float
    mark: str


def annotate(
    record: GameRecord, player: Player, key: int = 0, *, notify: Callable[[], None] = lambda: None
) -> tuple[GameRecord, list[Judgement]]:
    """Return a game with comments on its moves, and the judgements of those with an alternative.

    A comment says who is ahead after the move. A move that loses much gets a mark, unless it has one, and the
    better line as a variation. What the record holds stays; its variations are not analysed. player: one that
    `judges`. key: stream key of the analyses. notify: called after each move

    Raises:
        InputError: the player cannot play this game, or a move is not legal.
    """
    rules, positions = record.rules, [record.start]
    player.require_board(rules)
    engine, man = player.new_game(rules), man_worth(player, rules)
    plies, judgements = [], []
    for number, (ply, move) in enumerate(zip(record.line.plies, replay(record), strict=True)):
        if len(rules.legal_moves(positions[-1])) > 1:
            engine.follow(positions[:-1])
            own_key = stream_key(key, number, "annotate")
            analysis = engine.analyse(positions[-1], key=own_key, every_value=True)
            moves = {one.text: one for one in analysis.moves}
            best, found = moves[analysis.pv[0]], moves[ply.move]
            # Playouts end early if one move is proven to win: the others have had few, or none.
            if player.needs_key and best.low == best.high and found.low < found.high:
                engine.follow(positions)
                own_key = stream_key(key, number, "annotate: reply")
                found = _valued_after(found, move.after, engine, rules, own_key)
                analysis = replace(analysis, moves=tuple({**moves, ply.move: found}.values()))
            if found.visits or found.low == found.high or not player.needs_key:
                ply, judgement = _judged(ply, analysis, engine, rules, positions[-1], man)
                judgements.append(judgement)
        plies.append(ply)
        positions.append(move.after)
        notify()
    return replace(record, line=Line(tuple(plies), record.line.remarks)), judgements


def _valued_after(found: MoveAnalysis, after: Any, engine: Engine, rules: Game, key: int) -> MoveAnalysis:
    """Return a move with its value by an analysis of the position after it, where the opponent moves."""
    if not rules.legal_moves(after):
        value = (1.0 - rules.outcome(after)) / 2.0
        return replace(found, value=value, low=value, high=value)
    reply = engine.analyse(after, key=key)
    best = next(one for one in reply.moves if one.text == reply.pv[0])
    low, high = 1.0 - best.high, 1.0 - best.low
    return replace(found, value=1.0 - best.value, visits=best.visits, low=low, high=high)


def _judged(
    ply: Ply, analysis: Analysis, engine: Engine, rules: Game, position: Any, man: float | None
) -> tuple[Ply, Judgement]:
    """Return a move with the remarks on it, and their judgement. man: see `man_worth`."""

    def valued(move: str) -> tuple[float, str]:
        value, is_best = analysis.values[move], move in analysis.best_moves
        chance = engine.expected_score(replace(analysis, value=value)) or 0.0
        if plies_to_end(value) is not None:  # after the move the end is a ply nearer
            value += 1 if value > 0 else -1
        said = replace(analysis, value=value, proven=analysis.proven if is_best else None)
        return chance, words_ahead(said, chance, rules, int(position.turn), man)

    best = analysis.pv[0]
    (most, best_words), (chance, words) = valued(best), valued(ply.move)
    loss = 0.0 if ply.move in analysis.best_moves else max(0.0, most - chance)
    mark = next((mark for mark, least in MARKS.items() if loss >= least), "")
    judgement = Judgement(rules.side_to_move(position), loss, mark)
    if not mark:
        return replace(ply, remarks=(*ply.remarks, words)), judgement
    better = Line(tuple(map(Ply, analysis.pv)))
    named = write_move(better.plies[0], rules) if rules.pdn else best
    remarks: tuple[Remark, ...] = (*ply.remarks, f"{words}; better {named}, {best_words}", better)
    is_marked = ply.mark or any(glyph in ply.remarks for glyph in _MARKS_AS_GLYPHS)
    return replace(ply, mark=ply.mark if is_marked else mark, remarks=remarks), judgement
