"""The perft tables of Othello, as recorded from independent programs in othello.json."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_TABLE = json.loads((Path(__file__).parent / "othello.json").read_text(encoding="utf-8"))

POSITIONS: list[dict[str, Any]] = _TABLE["positions"]
PUBLISHED_FROM_START: list[int] = POSITIONS[0]["published"]["perft"]
STRICT_FROM_START: list[int] = POSITIONS[0]["published"]["perft_strict"]


def ids(positions: Sequence[dict[str, Any]]) -> list[str]:
    """Name each position for pytest by its FEN."""
    return [position["fen"] for position in positions]
