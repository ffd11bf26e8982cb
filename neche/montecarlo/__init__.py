"""Random playouts, and the players that stand on them: MCRD and UCT, on the CPU and on CUDA devices."""
