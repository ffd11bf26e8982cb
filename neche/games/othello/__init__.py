"""Othello: board, moves, passes, outcome, notation (World Othello Federation rules)."""
