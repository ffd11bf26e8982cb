"""Hand-made evaluators: sums over squares, and mobility. Yardsticks; no evolution sees them."""

from typing import NamedTuple

from neche.games.sensing import SensorLayout


class HandMade(NamedTuple):
    """An evaluator that people wrote.

    name: of the kind of player. squares: worth of an own man by sensor, whole weight units; a king counts
    double, an enemy piece the opposite. mobility: worth of one move more than the other side has.
    """

    name: str
    squares: tuple[int, ...]
    mobility: int = 0


def material(layout: SensorLayout) -> HandMade:
    """Count men one and kings two, or discs one."""
    return HandMade("material", (1,) * len(layout.squares))
