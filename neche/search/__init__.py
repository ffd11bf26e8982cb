"""Alpha-beta search with quiescence, move ordering and a transposition table."""
