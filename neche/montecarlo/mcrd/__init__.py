"""Monte Carlo random descent: the moves of one position compared by random games, without a tree."""
