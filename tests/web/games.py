"""Games played by asking the pages."""

import time


def settled(visitor, seconds=120):
    """The state once no player thinks any more."""
    end = time.monotonic() + seconds
    while True:
        state = visitor.get("/api/state").json()
        thinking = state["thinking"]
        if thinking is None or thinking["status"] not in ("waiting", "thinking"):
            return state
        assert time.monotonic() < end, "still thinking"
        time.sleep(0.01)
