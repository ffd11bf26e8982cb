"""A board in the browser: games, what players think of them, and a run as it goes on."""
