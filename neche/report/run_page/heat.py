"""What men and kings are worth, as colours and numbers on the squares of a board."""

from collections.abc import Collection
from typing import NamedTuple

from neche.games.catalogue import Game, look_of
from neche.report.board import board_svg
from neche.report.run_page.valuation import Worth


class HeatMap(NamedTuple):
    """Values by square. kind: what the pieces are called."""

    name: str
    kind: str
    values: dict[str, float]
    svg: str


def heat_maps(rules: Game, worth: Worth) -> list[HeatMap]:
    """Draw a board for each kind of piece, as the side at the bottom sees it."""
    man = "man" if look_of(rules).is_checkered else "disc"
    kinds = [(man, worth.men), ("king", worth.kings)]
    return [_heat_map(rules, kind, values) for kind, values in kinds if values]


def _heat_map(rules: Game, kind: str, values: dict[str, float]) -> HeatMap:
    title = f"Worth of a {kind} by square"
    # four digits fit a square
    digits = max(0, 3 - len(f"{max(map(abs, values.values())):.0f}"))
    labels = {square: f"{value:.{digits}f}".replace("-", "−") for square, value in values.items()}
    span = around_mean(values.values())
    svg = board_svg(rules, None, values=values, labels=labels, span=span, title=title)
    return HeatMap(f"{kind}-values", kind, values, svg)


def around_mean(values: Collection[float]) -> tuple[float, float]:
    """Return ends of the colours that give the mean the one in the middle.

    >>> around_mean([1.0, 1.0, 4.0])
    (0.0, 4.0)
    """
    mean = sum(values) / len(values)
    reach = max(abs(value - mean) for value in values)
    return mean - reach, mean + reach
