"""The tables of the page on Monte Carlo players are what the tool prints."""

import pytest

from tests.docs.pages import ROOT, blocks
from tools.studies import uct_figures

PAGE = ROOT / "docs" / "how-to" / "monte-carlo.md"


def test_the_table_of_moves_is_the_one_shown():
    shown = next(block.text for block in blocks(PAGE) if block.note == "table of moves")
    assert shown.splitlines() == uct_figures.moves_table(uct_figures.think("end", 1000))


@pytest.mark.parametrize("name", uct_figures.POSITIONS)
def test_the_figures_of_the_tree_are_those_shown(name):
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert uct_figures.line((*uct_figures.COLUMNS, "playouts/s")) in lines
    assert f"| {name} | `{uct_figures.POSITIONS[name]}` |" in lines
    for playouts in uct_figures.PLAYOUTS:
        cells = uct_figures.cells(name, playouts, uct_figures.think(name, playouts))
        begin = uct_figures.line(cells)
        assert any(line.startswith(begin) for line in lines), begin
