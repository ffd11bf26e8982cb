"""Endings solved: what every position of few pieces is worth, found backwards from the rules alone.

    rules ─ solve_endings ─→ files of slices ─ open_endings ─→ Endings.probe(position) ─→ Verdict

The way in: `solving.solve_endings`, then `probing.open_endings`.

    slices       positions by the men and kings of either side; in which order they are solved
    indexing     the number of a position in its slice, and back: one to one, without gaps
    retrograde   one pair of mirrored slices solved backwards, in compiled code
    solving      all of them, stage by stage, kept as they are finished; and the check of all values
    files        a slice on disk: two bits a position, a byte for its distance, a checksum
    probing      the value of a position, and of its moves

It holds for every game on a board that is registered with `games.draughts.board`: with men that are
crowned, with kings that fly or do not.

**What a value means.** It is what play without a fault comes to if it may last for ever: 1 won, 0 drawn, −1
lost for the side to move. Draw rules that count moves or repetitions are not known here, so a game can be
drawn where its value is a win. A distance is the number of plies until a side cannot move, the winner
hurrying and the loser holding out.

**Why it is right.** Three checks are made that share little with the way a value is found: a slow twin
in plain Python finds the same (`tests/oracles/endings_twin.py`), a search to a fixed depth finds the same
wins in as many plies, and `solving.check_endings` looks at every position once more, by its moves forward.
With distances this last is a proof: a win of n plies leads to a loss of n − 1, down to the end.

**What it takes.** A byte for each position in memory where distances are kept, a quarter of one else, and
three bytes more for each of the pair of slices at work. The largest pair of six pieces in checkers has 218
million positions.

>>> from neche.endings.slices import board_of, slices_of
>>> from neche.endings.solving import size_of
>>> from neche.games.catalogue import game
>>> [of.name for of in slices_of(2)]
['0m1k-0m1k', '0m1k-1m0k', '1m0k-0m1k', '1m0k-1m0k']
>>> sum(map(board_of(game("checkers")).num_positions, slices_of(4)))
6408836
>>> size_of(game("checkers"), 3, with_distances=False)
EndingsSize(slices=16, positions=199520, num_bytes=49880)
"""
