"""International draughts on 10×10 squares."""
