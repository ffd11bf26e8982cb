"""Games between players: openings, playing, matches, round robin, Elo, SPRT."""
