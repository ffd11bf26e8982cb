"""What a player that thinks by playouts, or by a network of squares, found: as JSON values, as a table."""

from collections.abc import Mapping
from typing import Any

from neche.cli.output import counted_plies
from neche.montecarlo.thinking import MoveThought, Thought

_UNITS = {
    "playouts_per_second": ("playouts/s", 0),
    "boards_per_second": ("boards/s", 0),
    "mean_depth": ("mean depth", 1),
    "tree_depth": ("tree depth", 0),
    "mean_plies": ("plies a playout", 1),
}


def thought_values(thought: Thought, move: str) -> dict[str, Any]:
    """Return the JSON values of a thought, of which `move` is played."""
    return {
        "move": move,
        "value": thought.value,
        # The line is known for the first of equals only.
        "pv": list(thought.pv) if move == thought.pv[0] else [move],
        "nodes": thought.playouts,
        "playouts": thought.playouts,
        "seconds": thought.seconds,
        "moves": [_move_values(entry) for entry in _ordered(thought)],
        "facts": dict(thought.facts),
    }


def _ordered(thought: Thought) -> list[MoveThought]:
    """Return the moves, the best ones first; a tree goes by its visits, all others by value."""
    is_tree = "tree_depth" in thought.facts

    def rank(entry: MoveThought) -> tuple[bool, float, float]:
        return entry.text in thought.best, entry.visits if is_tree else entry.value, entry.value

    return sorted(thought.moves, key=rank, reverse=True)


def _move_values(entry: MoveThought) -> dict[str, Any]:
    values = {"move": entry.text, "value": entry.value, "visits": entry.visits}
    if entry.wins + entry.draws + entry.losses:
        values |= {"wins": entry.wins, "draws": entry.draws, "losses": entry.losses}
    return {**values, "low": entry.low, "high": entry.high}


def thought_table(values: Mapping[str, Any], side: str) -> str:
    """Write what `thought_values` returned for people: the moves with N and Q, as in the MCTS lab."""
    facts = values["facts"]
    left = facts.get("proven_plies")
    proven = "" if left is None else f", proven: {counted_plies(left)} to the end"
    figures = [
        f"{facts[name]:,.{digits}f} {unit}" for name, (unit, digits) in _UNITS.items() if name in facts
    ]
    counted = f"{values['playouts']} playouts, " if values["playouts"] else ""
    has_counts = any("wins" in entry for entry in values["moves"])
    heading = f"{'N':>10}  {'move':12} {'Q':>7}   {'95 %':15}" + "      won   drawn    lost" * has_counts
    return "\n".join(
        [
            f"{side} to move: {values['move']}, expected score {values['value']:.4f}{proven}",
            f"line: {' '.join(values['pv'])}",
            f"{counted}{values['seconds']:.2f} s, {', '.join(figures)}",
            "",
            heading.rstrip(),
            *map(_row, values["moves"]),
        ]
    )


def _row(entry: Mapping[str, Any]) -> str:
    interval = f"{entry['low']:.4f}–{entry['high']:.4f}"
    row = f"{entry['visits']:>10}  {entry['move']:12} {entry['value']:7.4f}   {interval:15}"
    if "wins" in entry:
        row += f" {entry['wins']:>8} {entry['draws']:>7} {entry['losses']:>7}"
    return row
