"""International draughts on 8×8 squares, also called Brazilian draughts."""
