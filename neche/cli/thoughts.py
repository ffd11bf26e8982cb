"""What a player found in a position: as JSON values, as a table."""

from collections.abc import Mapping
from typing import Any

from neche.cli.output import counted_plies, worth
from neche.players.engine import Analysis, MoveAnalysis

_UNITS = {
    "playouts_per_second": ("playouts/s", 0),
    "boards_per_second": ("boards/s", 0),
    "mean_depth": ("mean depth", 1),
    "tree_depth": ("tree depth", 0),
    "mean_plies": ("plies a playout", 1),
}


def analysis_values(found: Analysis, move: str) -> dict[str, Any]:
    """Return the JSON values of an analysis, of which `move` is played."""
    values = {
        "move": move,
        "value": found.value,
        # The line is known for the first of equals only.
        "pv": list(found.pv) if move == found.pv[0] else [move],
        "nodes": found.nodes,
    }
    if not found.is_score:
        moves = [{"move": entry.text, "value": entry.value} for entry in found.ranked()]
        return {**values, "depth": found.depth, "seconds": found.seconds, "moves": moves}
    return {
        **values,
        "playouts": found.playouts,
        "seconds": found.seconds,
        "moves": [_move_values(entry) for entry in found.ranked()],
        "facts": dict(found.figures),
    }


def _move_values(entry: MoveAnalysis) -> dict[str, Any]:
    values = {"move": entry.text, "value": entry.value, "visits": entry.visits}
    if entry.wins + entry.draws + entry.losses:
        values |= {"wins": entry.wins, "draws": entry.draws, "losses": entry.losses}
    return {**values, "low": entry.low, "high": entry.high}


def analysis_table(values: Mapping[str, Any], side: str) -> str:
    """Write what `analysis_values` returned for people."""
    return _score_table(values, side) if "facts" in values else _value_table(values, side)


def _value_table(values: Mapping[str, Any], side: str) -> str:
    rate = values["nodes"] / max(values["seconds"], 1e-9) / 1e6
    lines = [
        f"{side} to move: {values['move']}, {worth(values['value'])}",
        f"line: {' '.join(values['pv'])}",
        f"{values['nodes']} nodes, depth {values['depth']}, {values['seconds']:.2f} s, {rate:.1f} M nodes/s",
        "",
        *(f"  {entry['move']:12} {worth(entry['value'])}" for entry in values["moves"]),
    ]
    return "\n".join(lines)


def _score_table(values: Mapping[str, Any], side: str) -> str:
    """Write expected scores: the moves with N and Q, as in the MCTS lab."""
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
