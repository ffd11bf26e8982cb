"""Rules of the games, written once for CPU and GPU, behind one contract."""
