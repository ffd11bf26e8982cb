"""Positions of random games with what became of them, or what playouts say: data to train networks on."""
