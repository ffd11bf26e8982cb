"""Draw rules as data: compiled code counts by them, and users write them as text."""

from typing import NamedTuple

from neche.errors import InputError, suggestion

MAX_PLIES = 4096
"""Plies after which any game, and any playout of a user's game, ends: the maximum length of a record."""


class DrawRule(NamedTuple):
    """When a game is drawn although the side to move has a move; 0 disables a rule.

    quiet_plies: draw after this many consecutive plies without capture or promotion. man_moves_reset: a man's
    move resets that count too. repetition: draw at this occurrence of a position with the same side to move.
    max_plies: draw after this many plies in all, including the opening. endings: for each ending of few
    pieces that the game numbers (`contract.ending`), draw after this many plies in it.
    """

    quiet_plies: int
    man_moves_reset: bool
    repetition: int
    max_plies: int = 0
    endings: tuple[int, int, int, int] = (0, 0, 0, 0)

    @property
    def always_ends(self) -> bool:
        """Whether every game ends by this rule, however it is played."""
        return self.quiet_plies > 0 or self.max_plies > 0

    def as_record(self) -> dict[str, object]:
        """Return the rule as JSON values."""
        return {**self._asdict(), "endings": list(self.endings)}


TRAINING_DRAWS = DrawRule(20, False, 0)
"""The original program's rule for games during evolution."""
TOURNAMENT_DRAWS = DrawRule(80, True, 3)
"""WCDF 1.32: 40 moves a side without capture or man move, or the third occurrence of a position."""
LAB_DRAWS = DrawRule(0, False, 0, max_plies=200)
"""The rule of the teaching lab on Monte Carlo tree search: a game of 200 plies is drawn."""
NEVER_DRAWN = DrawRule(0, False, 0)
"""For games that end by themselves."""

_NAMED = {"lab": LAB_DRAWS, "training": TRAINING_DRAWS}
_SETTINGS = ("plies", "quiet", "repetition")
_LARGEST = 100_000


def parse_draws(text: str, official: DrawRule) -> DrawRule:
    """Return the rule written as `official`, `lab`, `training` or settings such as `plies=200,quiet=80`.

    official: the rule of the game. Settings: `plies` in all; `quiet` plies without a capture or a man's move;
    `repetition`, the occurrence of a position that draws. InputError if the text is anything else, or a game
    under these settings may never end.

    >>> parse_draws("quiet=50,repetition=3", NEVER_DRAWN)[:4]
    (50, True, 3, 0)
    """
    if text == "official":
        return official
    if text in _NAMED:
        return _NAMED[text]
    if "=" not in text:
        known = ("official", *_NAMED, *(f"{key}=…" for key in _SETTINGS))
        raise InputError(f"draw rule {text!r} is unknown{suggestion(text, known)}")
    found: dict[str, int] = {}
    for item in text.split(","):
        key, _, value = item.partition("=")
        if key not in _SETTINGS:
            raise InputError(f"draw rule {text!r}: there is no setting {key!r}{suggestion(key, _SETTINGS)}")
        if key in found:
            raise InputError(f"draw rule {text!r}: {key} is given twice")
        found[key] = _number(text, key, value)
    rule = DrawRule(found.get("quiet", 0), True, found.get("repetition", 0), found.get("plies", 0))
    if not rule.always_ends:
        raise InputError(f"draw rule {text!r}: a game might never end; add plies or quiet")
    return rule


def _number(text: str, key: str, value: str) -> int:
    # Every position has occurred at least once: "at the first occurrence" would draw every game at once.
    low = 2 if key == "repetition" else 1
    if not (value.isascii() and value.isdecimal() and low <= int(value[:9]) <= _LARGEST and len(value) < 9):
        raise InputError(f"draw rule {text!r}: {key} must be a whole number from {low} to {_LARGEST}")
    return int(value)
