"""What was found, as pictures."""
