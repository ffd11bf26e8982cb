"""Solved endings: the value of every position with few pieces, by retrograde analysis from the rules alone.

    rules ─ solve_endings ─→ files of slices ─ open_endings ─→ Endings.probe(position) ─→ Verdict

Start with `solving.solve_endings`, then `probing.open_endings`.

    slices       positions by the men and kings of each side; the order in which they are solved
    indexing     the number of a position in its slice, and back: one to one, without gaps
    retrograde   one pair of mirrored slices solved backwards, in compiled code
    solving      all slices, stage by stage, saved as they are finished; and the check of all values
    files        a slice on disk: two bits per position, a byte for its distance, a checksum
    probing      the value of a position, and of its moves

It works for every game on a board registered with `games.draughts.board`: men that are crowned, kings that
fly or do not.

**What a value means.** It is the result of perfect play of unlimited length: 1 won, 0 drawn, −1 lost for the
side to move. Draw rules that count moves or repetitions are ignored, so a game can be drawn although the
value is a win. A distance is the number of plies until a side cannot move, with the winner taking the
shortest way and the loser the longest.

**Why it is right.** Three checks share little with the way a value is found: a slow twin in plain Python
finds the same values (`tests/oracles/endings_twin.py`), a search to a fixed depth finds the same wins in as
many plies, and `solving.check_endings` checks every position again by its forward moves. With distances this
last check is a proof: a win in n plies leads to a loss in n − 1, down to the end.

**What it takes.** In memory, a byte per position if distances are kept, else a quarter of one, and three more
bytes per position of the pair of slices being solved. The largest pair of six pieces in checkers has 218
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
