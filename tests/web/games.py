"""Games played by requests to the pages."""


def settled(visitor):
    """The state once no player thinks any more."""
    analysis = visitor.pages.sessions.find(visitor.session).analysis
    if analysis is not None:
        analysis.wait()
    state = visitor.get("/api/state").json()
    assert state["thinking"] is None or state["thinking"]["status"] not in ("waiting", "thinking")
    return state
