"""What was found, as pictures: boards, analyses, and the page of a run.

Way in: `page.compose(read_story("runs/default"), [])` writes the page of a run as one HTML document, and
`board.board_svg(game, position)` draws a board. Everything is text (SVG, HTML) that follows from the
arguments alone, so equal runs and positions give equal files; only `plots` needs matplotlib.

| file | what it draws or tells |
|---|---|
| `svg.py` | elements of SVG as text, colours of values |
| `board.py` | a board, its pieces, and an `Overlay` of marks, values and arrows |
| `analysis.py` | an analysis in words, and as values of the moves on the board and beside it |
| `animation.py` | an analysis as it grew, moving by itself |
| `story.py` | a run as read from its directory and checked: the `Story` that all below tell |
| `summary.py` | the run in words: title, result, the command that repeats it |
| `curves.py`, `chart.py` | figures of its history as series; lines over generations |
| `network_picture.py` | the champion's network before the board that it sees |
| `piece_values.py` | what men and kings are worth on each square |
| `lineage.py` | the champion's ancestors |
| `sample_games.py` | games played afresh, to step through |
| `comparison.py` | several runs: what tells them apart, and how far each came |
| `gallery.py` | champions of all games on one page |
| `spread.py` | groups of runs: scores over seeds, differences, their page |
| `page.py`, `templates/` | the page: what its parts show, and what it looks like |
| `plots.py` | its pictures as files; a baseline ladder |

A new part of the page is a file in `templates/` named after the id of its section, a line in the list of
parts in `page.html`, and a function in `page.py` that returns what it shows. Three promises hold for all of
it:

* The page asks for nothing from elsewhere and says everything without scripts (a test reads its elements).
* Whatever a file of a run holds is text on the page: templates escape, and so do `svg.element` (attributes),
  `svg.text` and `svg.tooltip`.
* A damaged or forged run gives a page or an `InputError` of one line (`story.py` checks types and ranges).

Coordinates are in units of the picture, which is scaled as a whole; a square of a board has 60.

>>> from neche.games.catalogue import game
>>> from neche.report.board import board_svg
>>> checkers = game("checkers")
>>> picture = board_svg(checkers, checkers.start(), last_move="11-15")
>>> picture.startswith("<svg"), picture == board_svg(checkers, checkers.start(), last_move="11-15")
(True, True)
"""
