"""American checkers: board, moves, captures, outcome, notation (WCDF rules)."""
