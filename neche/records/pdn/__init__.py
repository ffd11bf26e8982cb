"""Portable draughts notation, PDN 3.0: a liberal reader and a strict writer."""
