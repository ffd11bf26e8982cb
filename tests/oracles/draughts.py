"""The perft tables of International draughts, as recorded from independent programs."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def _positions(name: str) -> list[dict[str, Any]]:
    text = (Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8")
    positions: list[dict[str, Any]] = json.loads(text)["positions"]
    return positions


BRAZILIAN = _positions("brazilian")
INTERNATIONAL = _positions("international")


def ids(positions: Sequence[dict[str, Any]]) -> list[str]:
    """Name each position for pytest by its FEN."""
    return [position["fen"] for position in positions]
