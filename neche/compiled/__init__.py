"""What every compiled function stands on: the jit decorator and its cache, bit operations, random streams."""
