"""Random games with everything that a record can hold."""

from hypothesis import strategies as st

from neche.games.catalogue import game
from neche.records.record import BOTH_LOST, DRAWN, FIRST_WON, SECOND_WON, UNKNOWN, GameRecord, Line, Ply

MARKS = ("", "", "", "!", "?", "!!", "?!", "!?!!!")
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=12)
COMMENTS = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)
VALUES = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=20).map(str.strip)
TAGS = st.lists(
    st.tuples(st.sampled_from(("Event", "Site", "Round", "White", "Black", "Annotator", "Opening")), VALUES),
    unique_by=lambda pair: pair[0],
    max_size=4,
)


def random_line(draw, rules, position, depth, plies):
    """Draw moves from a position on, with remarks; variations nest to a depth."""
    opening = draw(st.lists(COMMENTS, max_size=1))
    found = []
    for _ in range(plies):
        legal = rules.legal_moves(position)
        if not legal:
            break
        before, move = position, legal[draw(st.integers(0, len(legal) - 1))]
        position = move.after
        remarks = draw(st.lists(COMMENTS | st.integers(0, 255), max_size=2)) if draw(st.booleans()) else []
        if depth and draw(st.integers(0, 5)) == 0:
            remarks.append(random_line(draw, rules, before, depth - 1, draw(st.integers(1, 3))))
            remarks += draw(st.lists(COMMENTS, max_size=1))
        found.append(Ply(move.text, draw(st.sampled_from(MARKS)), remarks=tuple(remarks)))
    return Line(tuple(found), tuple(opening))


def somewhere(draw, rules):
    """Draw a position that a random game reaches, not one in which the game is over."""
    position = rules.start()
    for _ in range(draw(st.integers(0, 30))):
        legal = rules.legal_moves(position)
        after = legal[draw(st.integers(0, len(legal) - 1))].after
        if not rules.legal_moves(after):
            break
        position = after
    return position


@st.composite
def records(draw, names, max_plies=14):
    """Draw records of games of draughts."""
    rules = game(draw(st.sampled_from(names)))
    start = somewhere(draw, rules) if draw(st.booleans()) else rules.start()
    fen = rules.format_fen(start)
    line = random_line(draw, rules, start, 2, draw(st.integers(1, max_plies)))
    result = draw(st.sampled_from((FIRST_WON, DRAWN, SECOND_WON, BOTH_LOST, UNKNOWN)))
    return GameRecord(
        rules.name, line, tuple(draw(TAGS)), "" if fen == rules.format_fen(rules.start()) else fen, result
    )
