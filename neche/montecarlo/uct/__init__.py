"""UCT: Monte Carlo tree search on a graph of positions, with a solver for proven results."""
