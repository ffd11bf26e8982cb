"""Results as pictures and pages: boards, analyses, and the page of a run.

Way in: `page.compose(read_story("runs/default"), [])` writes the page of a run as one HTML document, and
`board.board_svg(game, position)` draws a board. All output is text (SVG, HTML) that depends only on the
arguments, so equal runs and positions give equal files. Only `plots` needs matplotlib.

| file | what it draws or describes |
|---|---|
| `svg.py` | elements of SVG as text, colours of values |
| `board.py` | a board, its pieces, and an `Overlay` of marks, values and arrows |
| `analysis.py` | an analysis in words, and as values of the moves on the board and beside it |
| `annotation.py`, `value_words.py` | a recorded game with a player's opinion of each move; values in words |
| `animation.py` | an animation of an analysis as it developed |
| `story.py` | a run as read from its directory and checked: the `Story` that the files below present |
| `summary.py` | the run in words: title, result, the command that repeats it |
| `curves.py`, `chart.py` | figures of its history as series; line charts over generations |
| `network_picture.py` | the champion's network beside the board that it sees |
| `hidden_neurons.py` | the hidden neurons that matter most, and what excites them |
| `piece_values.py` | what men and kings are worth on each square |
| `lineage.py` | the champion's ancestors |
| `sample_games.py` | games played for the page, to step through |
| `comparison.py` | several runs: how they differ, and the results of each |
| `gallery.py` | champions of all games on one page |
| `spread.py` | groups of runs: scores over seeds, differences, their page |
| `page.py`, `templates/` | the page: the content of its parts, and its layout |
| `plots.py` | the page's pictures as files; a baseline ladder |

A new part of the page needs a file in `templates/` named after the id of its section, a line in the list of
parts in `page.html`, and a function in `page.py` that returns its content. The page guarantees three things:

* It loads nothing from elsewhere, and all its content is there without scripts (a test reads its elements).
* The content of a run's files appears only as text: templates escape it, and so do `svg.element`
  (attributes), `svg.text` and `svg.tooltip`.
* A damaged or forged run gives a page or an `InputError` of one line (`story.py` checks types and ranges).

Coordinates are in units of the picture, which is scaled as a whole; a square of a board is 60 units wide.

>>> from neche.games.catalogue import game
>>> from neche.report.board import board_svg
>>> checkers = game("checkers")
>>> picture = board_svg(checkers, checkers.start(), last_move="11-15")
>>> picture.startswith("<svg"), picture == board_svg(checkers, checkers.start(), last_move="11-15")
(True, True)
"""
