"""Who stands better, as a bar: the score that a player expects."""

_WIDTH = 20


def balance_bar(first: str, second: str, score: float) -> str:
    """Draw the score of the first side, 0 … 1, between the names of both.

    >>> balance_bar("Black", "White", 0.75)
    'Black ███████████████▁▁▁▁▁ White  0.75'
    """
    filled = round(_WIDTH * min(1.0, max(0.0, score)))
    return f"{first} {'█' * filled}{'▁' * (_WIDTH - filled)} {second}  {score:.2f}"
