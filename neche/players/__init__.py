"""A player specification in words becomes something that chooses a move."""
