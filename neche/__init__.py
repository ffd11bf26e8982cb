"""Neuroevolution of board-game evaluators: DNA, sparse networks, alpha-beta search, tournaments."""

__version__ = "0.1.0"
